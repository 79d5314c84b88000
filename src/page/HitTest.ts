import { boxAround, contains } from './Box.js';
import { lineOf, parentOf, shadowOf } from './flatTree.js';
import type { Shape } from './shapes.js';

/** Hit tests and style sheets work on a document or a shadow root. */
type Root = Document | ShadowRoot;

/**
 * Tells in which order the page paints, by what the browser says a point hits. Elements that let the pointer through are hit,
 * too, while a style sheet of our own is in place: it is there only between {@link begin} and {@link end}, within one task,
 * and changes no attribute.
 */
export class HitTest {
  /** For each element that was hit: whether it lies above the canvas. */
  readonly #order = new Map<Element, boolean>();
  /** Roots in which an element lets the pointer through. */
  readonly #roots = new Set<Root>();
  #sheet: CSSStyleSheet | null = null;
  #isLifted = false;
  readonly #line: ReadonlySet<Element>;
  /** The canvas has been hit somewhere. It cannot be hit where the page makes it inert, as below a modal dialog. */
  isCanvasHit = false;

  constructor(readonly canvas: Element) {
    this.#line = lineOf(canvas, parentOf);
  }

  /** Tells that something in the tree of an element lets the pointer through. */
  liftIn(element: Element): void {
    const root = rootOf(element);
    if (root !== null) this.#roots.add(root);
  }

  /** Does nothing if it has begun already. */
  begin(): void {
    if (this.#isLifted || this.#roots.size === 0) return;
    const { CSSStyleSheet } = this.canvas.ownerDocument.defaultView as unknown as {
      CSSStyleSheet: typeof globalThis.CSSStyleSheet;
    };
    try {
      this.#sheet ??= new CSSStyleSheet();
      // `!important` in a layer wins over `!important` outside of layers.
      this.#sheet.replaceSync('@layer { *, ::before, ::after { pointer-events: auto !important } }');
      for (const root of this.#roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.#sheet];
      this.#isLifted = true;
    } catch {
      // An old browser: the order of what lets the pointer through stays unknown.
    }
  }

  end(): void {
    if (!this.#isLifted) return;
    this.#isLifted = false;
    for (const root of this.#roots)
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== this.#sheet);
  }

  /** Whether a point hits the canvas before anything else: a quick look. */
  isFree(x: number, y: number): boolean {
    const isFree = rootOf(this.canvas)?.elementFromPoint(x, y) === this.canvas;
    this.isCanvasHit ||= isFree;
    return isFree;
  }

  /** All that a point hits, topmost first. Call between {@link begin} and {@link end}. */
  at(x: number, y: number): readonly Element[] {
    const { canvas } = this;
    const order = this.#order;
    const stack = withShadows(canvas.ownerDocument.elementsFromPoint(x, y), x, y);
    const below = stack.indexOf(canvas);
    if (below < 0) return stack;
    this.isCanvasHit = true;
    stack.forEach((element, i) => {
      if (i < below || !order.has(element)) order.set(element, i < below);
    });
    return stack;
  }

  /**
   * Whether an element lies above the canvas; null where no hit tells.
   * @param where A shape that it paints, or its box if it paints outside of that.
   * @param isWords Text directly in it lies there, which may lie above the canvas although its box does not.
   */
  isAbove(element: Element, where: Shape, isWords = false): boolean | null {
    const isHolder = this.#line.has(element);
    const known = isHolder ? undefined : this.#order.get(element);
    if (known === true || (known !== undefined && !isWords)) return known;
    const hit = TABLE_PART.test(getComputedStyle(element).display) ? (element.closest('table') ?? element) : element;
    const points = pointsWithin(where);
    if (isHolder || isWords) return this.#isAboveAt(element, points, isWords);
    for (let i = 0; i < points.length && !this.#order.has(hit); i += 2) this.at(points[i]!, points[i + 1]!);
    return this.#order.get(hit) ?? null;
  }

  /** The paint of an element that holds the canvas may lie above the canvas in one place, and below it in another. */
  #isAboveAt(element: Element, points: readonly number[], isWords: boolean): boolean | null {
    const root = rootOf(element);
    if (root === null) return false;
    let isAbove: boolean | null = null;
    for (let i = 0; i < points.length; i += 2) {
      const [x, y] = [points[i]!, points[i + 1]!];
      const stack = this.at(x, y);
      // `elementsFromPoint` lists an element only for its box; `elementFromPoint` returns it for its text, too.
      const top = isWords ? root.elementFromPoint(x, y) : null;
      if (top === element) return true;
      const own = stack.indexOf(element);
      const below = stack.indexOf(this.canvas);
      // Beside the canvas, and where the canvas cannot be hit, no hit tells.
      if (own < 0 || below < 0) continue;
      if (own < below) return true;
      if (isWords && top !== this.canvas && !this.#isPaintedAfter(element)) return null;
      isAbove = false;
    }
    return isAbove;
  }

  /** Whether the canvas lies above the words of an element if it does above its box: it is in something positioned beside or in that. */
  #isPaintedAfter(element: Element): boolean {
    const around = lineOf(element, parentOf);
    const apart = [...this.#line].filter((e) => !around.has(e)).map((e) => getComputedStyle(e));
    return apart.some(({ position }) => position !== 'static') && !apart.some(({ zIndex }) => parseInt(zIndex) < 0);
  }

  /** An element that holds the canvas lies below it, unless one in between has sunk below it by a negative `z-index`. */
  isBelow(element: Element): boolean {
    if (!this.#line.has(element)) return false;
    for (const e of this.#line) {
      if (e === element) return true;
      if (parseInt(getComputedStyle(e).zIndex) < 0) return false;
    }
    return true;
  }
}

/** Null for an element that has left the page since it was noticed: it paints nothing any more. */
function rootOf(element: Element): Root | null {
  return element.isConnected ? (element.getRootNode() as Root) : null;
}

/** Parts of a table that no point hits: only cells and whole tables are hit. */
const TABLE_PART = /^table-(?:row|column|header|footer)/;

/** Adds the elements in shadow roots, each before its host. */
function withShadows(elements: readonly Element[], x: number, y: number): Element[] {
  return elements.flatMap((element) => {
    const shadowRoot = shadowOf(element);
    if (shadowRoot === null) return [element];
    // A shadow root answers for the whole page, its own host included: only elements farther inside are looked at again.
    const inner = shadowRoot.elementsFromPoint(x, y).filter((e) => e !== element && lineOf(e, parentOf).has(element));
    return [...withShadows(inner, x, y), element];
  });
}

/** The middle of a convex shape, and the middles between that and its corners. */
function pointsWithin(shape: Shape): number[] {
  const count = shape.length / 2;
  let [x, y] = [0, 0];
  shape.forEach((value, i) => (i % 2 === 0 ? (x += value / count) : (y += value / count)));
  return count < 3 ? [] : [x, y, ...shape.map((value, i) => (value + (i % 2 === 0 ? x : y)) / 2)];
}

export function holdsPoint(shape: Shape, x: number, y: number): boolean {
  if (!contains(boxAround(shape), x, y)) return false;
  let [isLeft, isRight] = [false, false];
  for (let i = 0; i < shape.length; i += 2) {
    const next = (i + 2) % shape.length;
    const side =
      (shape[next]! - shape[i]!) * (y - shape[i + 1]!) - (shape[next + 1]! - shape[i + 1]!) * (x - shape[i]!);
    isLeft ||= side < 0;
    isRight ||= side > 0;
  }
  return !(isLeft && isRight);
}
