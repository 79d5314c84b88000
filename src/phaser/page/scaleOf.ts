/** CSS pixels of the window per CSS pixel of an element's own lengths, given its rectangle in the window. */
export function scaleOf(element: Element, { width }: DOMRect): number {
  const { offsetWidth } = element as Partial<HTMLElement>;
  return offsetWidth !== undefined && offsetWidth > 0 ? width / offsetWidth : 1;
}
