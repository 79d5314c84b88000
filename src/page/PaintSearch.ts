import { type Box, boxAround, common, contains, cornersOf, grown, isEmpty } from './Box.js';
import type { Paint } from './boxPaints.js';
import { clipOf, clipped } from './clipOf.js';
import { colorAlpha, has } from './css.js';
import { casts, type Effects, effectsOn, shadowsOf } from './effectsOn.js';
import {
  isHost,
  isInTopLayer,
  isOverlay,
  isRendered,
  lineOf,
  mayHideContent,
  painterOf,
  parentOf,
  shadowOf,
} from './flatTree.js';
import type { HitTest } from './HitTest.js';
import { paintsBeyond, paintsOf } from './paintsOf.js';
import { backdropPaints, hasPseudo } from './pseudoPaints.js';

/** Something that is painted over the canvas. */
export interface Cover extends Paint {
  readonly element: Element;
  /** It is opaque within this element, which is too faint to hide anything. */
  readonly group?: Element | null;
}

/**
 * Boxes are grown by this: one without area may lie on the canvas, too, and have pseudo-elements; boxes that touch may overlap
 * by rounding.
 */
const NEAR_PX = 1;

/** Reads what elements paint over an area of the window, whether below or above the canvas. */
export class PaintSearch {
  /** What is seen in the area. */
  readonly found: Cover[] = [];
  /** An element was met that may show something in an unknown place. */
  isHiding = false;
  readonly #known = new Map<Element, { readonly paints: readonly Paint[]; readonly opacity: number }>();
  readonly #casters = new Set<Element>();
  readonly #paintsCanvas: ReadonlySet<Element>;
  readonly #holdsCanvas: ReadonlySet<Element>;

  /** @param hits Is told what lets the pointer through. */
  constructor(
    readonly area: Box,
    readonly hits: HitTest,
  ) {
    this.#paintsCanvas = lineOf(hits.canvas, painterOf);
    this.#holdsCanvas = lineOf(hits.canvas, parentOf);
  }

  /** Reads what an element paints itself. Parents come before their children. */
  read(element: Element): void {
    // An SVG drawing is read as a whole.
    if ('ownerSVGElement' in element && element.ownerSVGElement !== null) return;
    const style = getComputedStyle(element);
    // An element with `display: contents` has no box, but may have pseudo-elements.
    if (!isRendered(element) && style.display !== 'contents') return;
    this.isHiding ||= isHost(element);
    if (this.#inheritsCast(element, style)) this.#casters.add(element);
    if (!this.#mayReach(element, style)) return;
    // What is hidden may have a pseudo-element that is not.
    if (isOverlay(element) || (style.visibility !== 'visible' && !hasPseudo(element))) return;
    const paints = this.#paintsOf(element, style);
    const effects = paints.length > 0 ? effectsOn(element, this.#paintsCanvas) : null;
    this.#known.set(element, { paints, opacity: effects?.opacity ?? 1 });
    // A pseudo-element may let the pointer through by itself.
    if (style.pointerEvents === 'none' || paints.some(({ isApart }) => isApart)) this.hits.liftIn(element);
    if (effects === null) return;
    for (const paint of shownPaints(element, paints, effects)) {
      const isSeen = paint.opacity > 0 && paint.shape.length >= 6 && this.#isNear(boxAround(paint.shape));
      const isOpaque = paint.isCertain && paint.opacity === effects.opacity && effects.shadows.length === 0;
      const isFaint = effects.opacity < 0.5 && paint.isBackdrop !== true;
      if (isSeen) this.found.push({ ...paint, element, group: isOpaque && isFaint ? effects.group : null });
    }
  }

  /** Whether what was read explains that a point hits an element. */
  explains(element: Element, x: number, y: number): boolean {
    const whole = 'ownerSVGElement' in element ? outermostDrawing(element) : element;
    // Elements in an open or known shadow root are found by themselves.
    if (isOverlay(whole) || shadowOf(whole) !== null) return true;
    const known = this.#known.get(whole);
    const isHolder = this.#holdsCanvas.has(whole);
    if (known === undefined) return isHolder && !this.hits.isCanvasHit;
    if (known.opacity <= 0) return true;
    if (mayHideContent(whole)) return effectsOn(whole, this.#paintsCanvas).opacity <= 0;
    const isPainted = known.paints.some(({ shape }) => contains(grown(boxAround(shape), NEAR_PX), x, y));
    if (isPainted || isInTopLayer(whole)) return true;
    if (isHolder && this.hits.isBelow(whole)) return !this.hits.isCanvasHit;
    return [...whole.getClientRects()].some((box) => contains(grown(box, NEAR_PX), x, y));
  }

  #isNear(box: Box): boolean {
    return !isEmpty(common(this.area, box));
  }

  /** Whether what an element paints also shows elsewhere, by an effect on itself or on what it is painted in. */
  #inheritsCast(element: Element, style: CSSStyleDeclaration): boolean {
    const painter = painterOf(element);
    return casts(style) || (painter !== null && this.#casters.has(painter));
  }

  /** Whether paint of an element may reach the area. */
  #mayReach(element: Element, style: CSSStyleDeclaration): boolean {
    return (
      this.#isNear(grown(element.getBoundingClientRect(), NEAR_PX)) ||
      isPage(element) ||
      this.#casters.has(element) ||
      isInTopLayer(element) ||
      paintsBeyond(element, style, this.area)
    );
  }

  /** What an element paints that may lie above the canvas. */
  #paintsOf(element: Element, style: CSSStyleDeclaration): Paint[] {
    const { body, documentElement: root } = element.ownerDocument;
    const isHidden = style.visibility !== 'visible';
    // An element that holds the canvas lies below it; the page's own background belongs to the window.
    const isUnder =
      element === root || (element === body && !hasBackground(root) && !hasFrame(style)) || this.hits.isBelow(element);
    return [...paintsOf(element, style), ...(isInTopLayer(element) ? backdropPaints(element) : [])].filter(
      ({ isApart, isText, isOutline }) =>
        isApart === true || (!isHidden && (!isUnder || isText === true || isOutline === true)),
    );
  }
}

/** What is shown of the paints of an element: cut by what clips them, fainter, spread, with their shadows. */
function shownPaints(element: Element, paints: readonly Paint[], effects: Effects): Paint[] {
  const { spreader, reach } = effects;
  const inner = clipOf(element, spreader);
  const outer = spreader === null ? null : clipOf(spreader);
  const shown = paints.map((paint): Paint => {
    // Effects and clips of an element do not apply to its backdrop.
    if (paint.isBackdrop === true) return paint;
    const clip = paint.position === undefined ? inner : clipOf(element, spreader, paint.position);
    const shape = clipped(paint.shape, clip);
    const opacity = paint.opacity * effects.opacity;
    const isCertain = paint.isCertain && effects.isKnown;
    if (outer === null || shape.length < 6) return { ...paint, shape, opacity, isCertain };
    const hitBox = paint.hitBox ?? boxAround(shape);
    const around = cornersOf(grown(boxAround(shape), reach));
    return { ...paint, shape: clipped(around, outer), opacity, isCertain, hitBox };
  });
  shown.push(...shadowsOf(element, paints, effects));
  // An SVG filter of the page may make faint paint strong.
  return spreader === null ? shown.map((paint) => atMost(paint, effects.isKnown ? 1 : 2)) : shown;
}

/**
 * An uncertain paint that is too faint to hide anything, wherever in its box it lies, becomes certain: it then counts with its
 * opacity over the whole box.
 * @param by Factor of the opacity: 2 where the light may be mixed with its own opposite, which takes twice as much away.
 */
function atMost(paint: Paint, by: number): Paint {
  const opacity = by * paint.opacity;
  if (paint.isCertain || opacity >= 0.5 || paint.shape.length < 6) return paint;
  return { ...paint, opacity, shape: cornersOf(boxAround(paint.shape)), isCertain: true };
}

/** Whether an element is the page itself, whose background may reach farther than its box. */
function isPage(element: Element): boolean {
  const { body, documentElement } = element.ownerDocument;
  return element === documentElement || element === body;
}

/** Whether the root has a background: if not, that of the body is the page's own. */
function hasBackground(root: Element): boolean {
  const style = getComputedStyle(root);
  return colorAlpha(style.backgroundColor) > 0 || has(style, 'background-image');
}

/** Whether a body has a border or an inset shadow: it paints these itself, even if its background becomes that of the page. */
function hasFrame({ borderWidth, boxShadow }: CSSStyleDeclaration): boolean {
  return borderWidth !== '0px' || boxShadow.includes('inset');
}

function outermostDrawing(element: Element): Element {
  let outer = element as SVGElement;
  while (outer.ownerSVGElement !== null) outer = outer.ownerSVGElement;
  return outer;
}
