import { type Box, boxAround, common, contains, cornersOf, grown, isEmpty } from './Box.js';
import type { Paint } from './boxPaints.js';
import { clipOf, clipped } from './clipOf.js';
import { casts, effectsOn, shadowsOf } from './effectsOn.js';
import { colorAlpha, has } from './css.js';
import {
  elementsIn,
  isHost,
  isInTopLayer,
  isOverlay,
  isRendered,
  lineOf,
  lookAroundIn,
  mayHideContent,
  painterOf,
  parentOf,
  shadowOf,
} from './flatTree.js';
import { HitTest, holdsPoint } from './HitTest.js';
import { paintsBeyond, paintsOf } from './paintsOf.js';
import { backdropPaints, hasPseudo } from './pseudoPaints.js';
import { cut, ring, type Shape } from './shapes.js';

/** Something that is painted over the canvas. */
export interface Cover extends Paint {
  readonly element: Element;
  /** It is opaque within this element, which is too faint to hide anything. */
  readonly group?: Element | null;
}

/** Boxes that the player has selected or a script has highlighted: browsers lay a colour over them, even over pictures. */
function* markedBoxes(document: Document): Generator<Box> {
  const selection = document.getSelection();
  const isMarked = selection !== null && !selection.isCollapsed;
  for (let i = 0; isMarked && i < selection.rangeCount; i++) yield* selection.getRangeAt(i).getClientRects();
  const { highlights } = CSS as { highlights?: Map<string, Iterable<AbstractRange>> };
  for (const highlight of highlights?.values() ?? []) {
    for (const range of highlight) yield* (range instanceof Range ? range : wholeOf(range)).getClientRects();
  }
}

/** All of the nodes in which a range begins and ends: of one that does not follow the page, only they are sure to be there. */
function wholeOf({ startContainer, endContainer }: AbstractRange): Range {
  const whole = startContainer.ownerDocument!.createRange();
  whole.selectNodeContents(endContainer);
  whole.setStart(startContainer, 0);
  return whole;
}

export interface Covers {
  readonly covers: readonly Cover[];
  /** False when something may lie above the canvas in an unknown place. */
  readonly isKnown: boolean;
}

/**
 * Boxes are grown by this: one without area may lie on the canvas, too, and have pseudo-elements; boxes that touch may overlap
 * by rounding.
 */
const NEAR_PX = 1;

/** The most points of the net across and down; the finer net is for a page that may hide something. */
const NET_POINTS = 10;
const FINE_NET_POINTS = 48;
/** The points are about this far apart at least, in CSS pixels. */
const NET_PX = 8;

/**
 * Finds what elements of the canvas's document paint over an area of the window; only what lies within all `clips` is seen.
 * Two searches complement each other. The box search reads what each element paints. Then the net asks the browser at many
 * points what lies above the canvas; where the box search cannot explain a hit, the place is unmeasurable. Pauses each time
 * `shouldPause` returns true, and leaves the page as it was meanwhile.
 */
export function* findCovers(
  canvas: Element,
  area: Box,
  clips: readonly Shape[],
  shouldPause: () => boolean,
): Generator<void, Covers> {
  lookAroundIn(canvas);
  const { body, documentElement: root } = canvas.ownerDocument;
  const paintsCanvas = lineOf(canvas, painterOf);
  const holdsCanvas = lineOf(canvas, parentOf);
  const hits = new HitTest(canvas);
  if (getComputedStyle(canvas).pointerEvents === 'none') hits.liftIn(canvas);
  const known = new Map<Element, { readonly paints: readonly Paint[]; readonly opacity: number }>();
  const candidates: Cover[] = [];
  const casters = new Set<Element>();
  let isHiding = false;
  for (const element of [root, ...elementsIn(root)]) {
    if (shouldPause()) yield;
    // An SVG drawing is read as a whole.
    if ('ownerSVGElement' in element && element.ownerSVGElement !== null) continue;
    const style = getComputedStyle(element);
    // An element with `display: contents` has no box, but may have pseudo-elements.
    if (!isRendered(element) && style.display !== 'contents') continue;
    const isTop = isInTopLayer(element);
    const painter = isTop ? null : parentOf(element);
    if (casts(style) || (painter !== null && casters.has(painter))) casters.add(element);
    const isPage = element === root || element === body;
    const isNear = !isEmpty(common(area, grown(element.getBoundingClientRect(), NEAR_PX)));
    isHiding ||= isHost(element);
    if (!isNear && !isPage && !casters.has(element) && !isTop && !paintsBeyond(element, style, area)) continue;
    // What is hidden may have a pseudo-element that is not.
    const isHidden = style.visibility !== 'visible';
    if (isOverlay(element) || (isHidden && !hasPseudo(element))) continue;
    // An element that holds the canvas lies below it; the page's own background belongs to the window.
    const isUnder =
      element === root || (element === body && !hasBackground(root) && !hasFrame(style)) || hits.isBelow(element);
    const paints = [...paintsOf(element, style), ...(isTop ? backdropPaints(element) : [])].filter(
      ({ isApart, isText, isOutline }) =>
        isApart === true || (!isHidden && (!isUnder || isText === true || isOutline === true)),
    );
    const effects = paints.length > 0 ? effectsOn(element, paintsCanvas) : null;
    known.set(element, { paints, opacity: effects?.opacity ?? 1 });
    // A pseudo-element may let the pointer through by itself.
    if (style.pointerEvents === 'none' || paints.some(({ isApart }) => isApart)) hits.liftIn(element);
    if (effects === null) continue;
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
    for (const paint of spreader === null ? shown.map((one) => atMost(one, effects.isKnown ? 1 : 2)) : shown) {
      const isSeen = paint.opacity > 0 && paint.shape.length >= 6 && !isEmpty(common(area, boxAround(paint.shape)));
      const isOpaque = paint.isCertain && paint.opacity === effects.opacity && effects.shadows.length === 0;
      const isFaint = effects.opacity < 0.5 && paint.isBackdrop !== true;
      if (isSeen) candidates.push({ ...paint, element, group: isOpaque && isFaint ? effects.group : null });
    }
  }
  const covers = [...markedBoxes(canvas.ownerDocument)]
    .filter((box) => !isEmpty(common(area, box)))
    .map((box): Cover => ({ element: root, shape: cornersOf(box), opacity: 1, isCertain: false }));
  const isCanvasOut = isLiftedOut(canvas);
  try {
    // The net comes first: its hits tell for most elements whether they lie above the canvas.
    const most = isHiding ? FINE_NET_POINTS : NET_POINTS;
    const across = netPoints(area.right - area.left, most);
    const down = netPoints(area.bottom - area.top, most);
    const [width, height] = [(area.right - area.left) / across, (area.bottom - area.top) / down];
    const above: { x: number; y: number; stack: readonly Element[] }[] = [];
    for (let i = 0; i < across * down; i++) {
      if (shouldPause()) {
        hits.end();
        yield;
      }
      hits.begin();
      const x = area.left + ((i % across) + 0.5) * width;
      const y = area.top + (Math.floor(i / across) + 0.5) * height;
      if (hits.isFree(x, y) || !clips.every((shape) => holdsPoint(shape, x, y))) continue;
      above.push({ x, y, stack: hits.at(x, y) });
    }
    for (const { x, y, stack } of above) {
      const end = stack.indexOf(canvas);
      const unexplained =
        end < 0 && hits.isCanvasHit
          ? canvas
          : stack.slice(0, end < 0 ? stack.length : end).find((element) => !explains(element, x, y));
      if (unexplained === undefined) continue;
      const cell = { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
      covers.push({ element: unexplained, shape: cornersOf(cell), opacity: 1, isCertain: false });
    }
    for (const candidate of withoutDoubles(candidates)) {
      if (shouldPause()) {
        hits.end();
        yield;
      }
      hits.begin();
      const { element, hitBox, shape } = candidate;
      // Beside the canvas no hit tells.
      const where = cut(hitBox === undefined ? shape : cornersOf(hitBox), cornersOf(area));
      const isElementOut = isLiftedOut(element);
      // Everything in the top layer lies above everything else.
      if (isCanvasOut && !isElementOut) continue;
      const isAbove = (isElementOut && !isCanvasOut) || hits.isAbove(element, where, candidate.isText);
      // If no hit tells, paint that is too faint to hide anything counts as lying above.
      if (isAbove ?? candidate.opacity < 0.5) covers.push(candidate);
      else if (isAbove === null || candidate.isOutline === true) covers.push({ ...candidate, isCertain: false });
    }
  } finally {
    hits.end();
  }
  return { covers, isKnown: (hits.isCanvasHit || !isHiding) && !isInTransition(root) };

  /** Whether what the box search has found explains a hit on an element. */
  function explains(element: Element, x: number, y: number): boolean {
    const whole = 'ownerSVGElement' in element ? outermostDrawing(element) : element;
    // Elements in an open or known shadow root are found by themselves.
    if (isOverlay(whole) || shadowOf(whole) !== null) return true;
    const found = known.get(whole);
    if (found === undefined) return holdsCanvas.has(whole) && !hits.isCanvasHit;
    if (found.opacity <= 0) return true;
    if (mayHideContent(whole)) return effectsOn(whole, paintsCanvas).opacity <= 0;
    const isPainted = found.paints.some(({ shape }) => contains(grown(boxAround(shape), NEAR_PX), x, y));
    if (isPainted || isInTopLayer(whole)) return true;
    if (holdsCanvas.has(whole) && hits.isBelow(whole)) return !hits.isCanvasHit;
    return [...whole.getClientRects()].some((box) => contains(grown(box, NEAR_PX), x, y));
  }
}

/** Leaves out what lies over or under opaque paint of the same faint group: there the group is just as faint. */
function withoutDoubles(covers: readonly Cover[]): Cover[] {
  const [opaque, others] = [covers.filter(({ group }) => group), covers.filter(({ group }) => !group)];
  if (opaque.length === 0) return others;
  const parts: Cover[] = [];
  for (const cover of [...opaque, ...others]) {
    const line = lineOf(cover.element, painterOf);
    const over = cover.isBackdrop ? [] : parts.filter(({ group }) => group && line.has(group));
    const left = over.reduce((rest, { shape }) => rest.flatMap((one) => ring(one, shape)), [cover.shape]);
    parts.push(...left.map((shape) => ({ ...cover, shape })));
  }
  return parts;
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

function netPoints(length: number, most: number): number {
  return Math.max(1, Math.min(most, Math.ceil(length / NET_PX)));
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

/** Whether a view transition runs: the page then shows pictures of itself. */
function isInTransition(root: Element): boolean {
  const selector = ':active-view-transition';
  return CSS.supports(`selector(${selector})`) && root.matches(selector);
}

/** Whether an element is in the top layer, or inside an element that is. */
function isLiftedOut(element: Element): boolean {
  for (const e of lineOf(element, painterOf)) if (isInTopLayer(e)) return true;
  return false;
}

function outermostDrawing(element: Element): Element {
  let outer = element as SVGElement;
  while (outer.ownerSVGElement !== null) outer = outer.ownerSVGElement;
  return outer;
}
