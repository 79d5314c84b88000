/**
 * Whether the page makes a box for an element, or would for what it holds: not within `display: none`, nor where content
 * is skipped. Safari before 17.4 does not tell; it skips nothing.
 */
export function isRendered(element: Element): boolean {
  const { checkVisibility } = element as Partial<Element>;
  if (typeof checkVisibility !== 'function') return element.getClientRects().length > 0;
  return checkVisibility.call(element, { contentVisibilityAuto: true });
}
