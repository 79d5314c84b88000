/** The element something is painted in: through slots and out of shadow roots; null for the root. */
export function parentOf(element: Element): Element | null {
  if (element.assignedSlot !== null) return element.assignedSlot;
  if (element.parentElement !== null) return element.parentElement;
  const root = element.parentNode;
  return root !== null && 'host' in root ? (root as ShadowRoot).host : null;
}

/** As {@link parentOf}, but null also for what is in the top layer: nothing it is in fades, cuts, turns or mixes that. */
export function painterOf(element: Element): Element | null {
  return isInTopLayer(element) ? null : parentOf(element);
}

/** Modal dialogs, popovers and what fills the screen: each has a backdrop over all the page, also out of a shadow root. */
export function isInTopLayer(element: Element): boolean {
  topLayer ??= TOP_LAYER.filter((selector) => CSS.supports(`selector(${selector})`)).join();
  return topLayer !== '' && element.matches(topLayer);
}
const TOP_LAYER = [':modal', ':popover-open', ':fullscreen'];
let topLayer: string | null = null;

/** True for the element itself and for what it is in. */
export function holds(ancestor: Element, element: Element): boolean {
  for (let e: Element | null = element; e !== null; e = parentOf(e)) if (e === ancestor) return true;
  return false;
}

/**
 * True when an element comes after another one as both are painted, in the flat tree: what holds another comes before it.
 * Within one tree the browser tells; of two in different ones, such as a shadow root and the document, each may say what it likes.
 */
export function follows(element: Element, other: Element): boolean {
  const path: Element[] = [];
  for (let e: Element | null = other; e !== null; e = parentOf(e)) path.push(e);
  let below: Element | null = null;
  for (let e: Element | null = element; e !== null; below = e, e = parentOf(e)) {
    const at = path.indexOf(e);
    if (at < 0) continue;
    if (below === null) return false;
    const beside = path[at - 1];
    return beside === undefined || (beside.compareDocumentPosition(below) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  }
  return false;
}

/** As {@link holds}, for what takes part in how the other is painted. */
function paints(painter: Element, element: Element): boolean {
  for (let e: Element | null = element; e !== null; e = painterOf(e)) if (e === painter) return true;
  return false;
}

/** Product of the opacities from the element up to what paints another one, too, or up to the root. */
export function opacityChain(element: Element, other: Element | null): number {
  let opacity = 1;
  for (let e: Element | null = element; e !== null && (other === null || !paints(e, other)); e = painterOf(e)) {
    const style = getComputedStyle(e);
    opacity *= Number(style.opacity);
    for (const [, share = '', percent] of style.filter.matchAll(/\bopacity\(([\d.]+)(%?)\)/g)) {
      opacity *= Number(share) / (percent === '' ? 1 : 100);
    }
  }
  return opacity;
}

/** What an element paints is masked or cut by a drawing, or mixed with what lies below the ancestor it shares with another. */
export function isMixed(element: Element, other: Element): boolean {
  let isBlended = false;
  for (let e: Element | null = element; e !== null && !paints(e, other); e = painterOf(e)) {
    const style = getComputedStyle(e);
    if ((style.maskImage || 'none') !== 'none' || DRAWN_CUT.test(style.clipPath)) return true;
    // What is blended within a stacking context mixes with nothing below that.
    if (isBlended && isStackingContext(style)) isBlended = false;
    if (style.mixBlendMode !== 'normal') isBlended = true;
  }
  return isBlended;
}

/** A `clip-path` that is no shape of CSS with corners or radii. */
const DRAWN_CUT = /^(?:path|shape|url)\(/;

export function isStackingContext(style: CSSStyleDeclaration): boolean {
  const { isolation, opacity, transform, filter, zIndex, position } = style;
  return (
    isolation === 'isolate' ||
    Number(opacity) < 1 ||
    transform !== 'none' ||
    filter !== 'none' ||
    (zIndex !== 'auto' && position !== 'static') ||
    position === 'fixed' ||
    position === 'sticky'
  );
}

/** Closed shadow roots that something known is in: whoever holds an element in one can look around there. */
const closedRoots = new WeakMap<Element, ShadowRoot>();

/** Makes known the shadow roots that an element is in, whether they are open or not. */
export function lookAroundIn(element: Element): void {
  let root = element.getRootNode();
  while ('host' in root) {
    const { host } = root as ShadowRoot;
    closedRoots.set(host, root as ShadowRoot);
    root = host.getRootNode();
  }
}

/** The open shadow root of an element, or a closed one that is known. */
export function shadowOf(element: Element): ShadowRoot | null {
  return element.shadowRoot ?? closedRoots.get(element) ?? null;
}

/** Elements of a document or shadow root, also within shadow roots that are open or known. */
export function elementsIn(root: ParentNode): Element[] {
  const found: Element[] = [];
  const collect = (from: ParentNode): void => {
    for (const element of from.querySelectorAll('*')) {
      found.push(element);
      const shadow = shadowOf(element);
      if (shadow !== null) collect(shadow);
    }
  };
  collect(root);
  return found;
}

/** `elementsFromPoint`, topmost first, with what shadow roots hold before their hosts. */
export function elementsAt(document: Document, x: number, y: number): Element[] {
  return withShadows(document.elementsFromPoint(x, y), x, y);
}

function withShadows(elements: readonly Element[], x: number, y: number): Element[] {
  return elements.flatMap((element) => {
    const shadowRoot = shadowOf(element);
    if (shadowRoot === null) return [element];
    // A shadow root tells of the whole page, its own host included: only what is farther inside is asked again.
    const inside = shadowRoot.elementsFromPoint(x, y).filter((other) => other !== element && holds(element, other));
    return [...withShadows(inside, x, y), element];
  });
}
