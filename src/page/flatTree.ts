import { isOutOfFlow } from './css.js';

/** Attribute that marks HTML made by this package for developers, such as a debug overlay: it never counts as a cover. */
export const OVERLAY_ATTRIBUTE = 'data-phaser-inview-overlay';

export function isOverlay(element: Element): boolean {
  return element.closest(`[${OVERLAY_ATTRIBUTE}]`) !== null;
}

/** The element that another one is painted in: through slots and out of shadow roots; null for the root. */
export function parentOf(element: Element): Element | null {
  if (element.assignedSlot !== null) return element.assignedSlot;
  if (element.parentElement !== null) return element.parentElement;
  const root = element.parentNode;
  return root !== null && 'host' in root ? (root as ShadowRoot).host : null;
}

/** As {@link parentOf}, but also null in the top layer: ancestors do not fade, clip, transform or blend an element there. */
export function painterOf(element: Element): Element | null {
  return isInTopLayer(element) ? null : parentOf(element);
}

/** The element itself and its ancestors by {@link parentOf} or {@link painterOf}. */
export function lineOf(element: Element, next: (element: Element) => Element | null): Set<Element> {
  const line = new Set<Element>();
  for (let e: Element | null = element; e !== null; e = next(e)) line.add(e);
  return line;
}

/** Modal dialogs, popovers and fullscreen elements: each has a backdrop over the whole page, even from within a shadow root. */
export function isInTopLayer(element: Element): boolean {
  topLayer ??= [':modal', ':popover-open', ':fullscreen'].filter((one) => CSS.supports(`selector(${one})`)).join();
  if (topLayer !== '' && element.matches(topLayer)) return true;
  // While it leaves the top layer, only the style tells.
  return getComputedStyle(element).getPropertyValue('overlay') === 'auto';
}
let topLayer: string | null = null;

/** Closed shadow roots that hold a known element: from that element one can look around in its root. */
const closedRoots = new WeakMap<Element, ShadowRoot>();

/** Remembers the shadow roots that an element is in, whether they are open or not. */
export function lookAroundIn(element: Element): void {
  for (let root = element.getRootNode(); 'host' in root; root = (root as ShadowRoot).host.getRootNode())
    closedRoots.set((root as ShadowRoot).host, root as ShadowRoot);
}

/** The open shadow root of an element, or a closed one that is known. */
export function shadowOf(element: Element): ShadowRoot | null {
  return element.shadowRoot ?? closedRoots.get(element) ?? null;
}

/** Every element of a document or shadow root, also within shadow roots that are open or known. */
export function* elementsIn(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    const shadow = shadowOf(element);
    if (shadow !== null) yield* elementsIn(shadow);
  }
}

/**
 * Whether a closed shadow root, which cannot be looked into, may fill an element: true for a custom element without an open
 * one, and for an empty box that is as high as content makes it.
 */
export function mayHideContent(element: Element): boolean {
  if (shadowOf(element) !== null) return false;
  const isOwnKind = element.tagName.includes('-');
  if (isOwnKind && customElements.get(element.localName) !== undefined) return true;
  if (HOSTS.test(element.tagName) && leavesOut(element)) return true;
  return isBare(element) && (isOwnKind || (HOSTS.test(element.tagName) && isFilledFromWithin(element)));
}

/** As {@link mayHideContent}, also for elements that widgets append to the page to show something elsewhere. */
export function isHost(element: Element): boolean {
  if (element.tagName.includes('-')) return mayHideContent(element);
  if (element.parentElement !== element.ownerDocument.body || !HOSTS.test(element.tagName)) return false;
  return shadowOf(element) === null && isBare(element) && (element.clientHeight === 0 || isFilledFromWithin(element));
}

/** Elements that may have a shadow root and that widgets are made of. */
const HOSTS = /^(?:DIV|SPAN|SECTION|ASIDE|ARTICLE|NAV|HEADER|FOOTER|MAIN|P)$/;

function isBare(element: Element): boolean {
  return element.firstElementChild === null && (element.textContent ?? '').trim() === '';
}

/** Whether a child is not rendered although its style shows it: a shadow root may have no slot for it. */
function leavesOut(element: Element): boolean {
  if ((getComputedStyle(element).contentVisibility || 'visible') !== 'visible') return false;
  return [...element.children].some(
    (child) => !isRendered(child) && !/none|contents/.test(getComputedStyle(child).display),
  );
}

/** Whether a box without content is as high as content makes it: its height is neither given nor stretched. */
function isFilledFromWithin(element: Element): boolean {
  const { display, position, paddingTop, paddingBottom, minHeight, aspectRatio } = getComputedStyle(element);
  const given = parseFloat(paddingTop) + parseFloat(paddingBottom) + (parseFloat(minHeight) || 0);
  if (!(element.clientHeight > given + 1) || (aspectRatio || 'auto') !== 'auto' || !display.includes('block'))
    return false;
  const lengths = (element as { computedStyleMap?(): { get(name: string): unknown } }).computedStyleMap?.();
  if (lengths === undefined) return isTallUnstretched(element, given);
  const isAuto = (name: string): boolean => String(lengths.get(name)) === 'auto';
  let around = parentOf(element);
  while (around !== null && getComputedStyle(around).display === 'contents') around = parentOf(around);
  const isItem = around !== null && /flex|grid/.test(getComputedStyle(around).display);
  return isAuto('height') && (isOutOfFlow(position) ? isAuto('top') || isAuto('bottom') : !isItem);
}

/**
 * The same in Firefox and old Safari, which do not tell lengths as they were given: whether a box is still high while an
 * animation takes away what gives or stretches its height. It is gone again before a frame, and starts no transition.
 */
function isTallUnstretched(element: Element, given: number): boolean {
  const free = { height: 'auto', bottom: 'auto', alignSelf: 'start', flexGrow: '0', flexBasis: 'auto' };
  const animation = element.animate([free, free], { duration: 1 });
  animation.pause();
  const isTall = element.clientHeight > given + 1;
  animation.cancel();
  return isTall;
}

/**
 * Whether the page makes a box for an element, or would for what it holds: not within `display: none`, nor where content
 * is skipped. Safari before 17.4 does not tell; it skips nothing.
 */
export function isRendered(element: Element): boolean {
  const { checkVisibility } = element as Partial<Element>;
  if (typeof checkVisibility !== 'function') return element.getClientRects().length > 0;
  return checkVisibility.call(element, { contentVisibilityAuto: true });
}
