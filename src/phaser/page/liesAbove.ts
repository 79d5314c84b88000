import { type Box, overlap } from './Box.js';
import type { Cover } from './Cover.js';
import { cutToBox } from './cutToBox.js';
import { elementsAt, holds, isInTopLayer, parentOf } from './flatTree.js';
import { hasPseudo } from './hasPseudo.js';
import { isPaintedAfter } from './paintOrder.js';

/** What may lie above the canvas. */
export interface Candidate extends Cover {
  /** Of its siblings, those with the same one are painted in one go: all of them before the canvas, or all after it. */
  readonly layer: string;
}

/** What {@link Candidate.layer} says of an element. */
export function layerOf(element: Element, style: CSSStyleDeclaration, canvas: Element): string {
  const { position, zIndex, order, float, display, opacity, transform, filter, isolation, mixBlendMode, willChange } =
    style;
  const parent = parentOf(element);
  const isBeside = parent !== null && holds(parent, canvas);
  const side = isBeside ? element.compareDocumentPosition(canvas) & Node.DOCUMENT_POSITION_FOLLOWING : '';
  const hasEffect = transform !== 'none' || filter !== 'none' || isInTopLayer(element);
  return [side, position, zIndex, order, float, display, opacity === '1', hasEffect, isolation, mixBlendMode, willChange].join(); // prettier-ignore
}

/** Of layers already hit-tested, by what their siblings are in: whether they lie above the canvas. */
export type KnownLayers = Map<Element | null, Map<string, boolean>>;

/** Hit tests take long: there is one for each layer of siblings. */
export function liesAbove(candidate: Candidate, canvas: Element, areas: readonly Box[], known: KnownLayers): boolean {
  const { element, layer, pseudo } = candidate;
  if (pseudo !== undefined) return isAbove(candidate, canvas, areas) === true;
  const parent = parentOf(element);
  const layers = known.get(parent) ?? new Map<string, boolean>();
  known.set(parent, layers);
  const isKnownAbove = layers.get(layer) ?? isAbove(candidate, canvas, areas);
  if (isKnownAbove !== null) layers.set(layer, isKnownAbove);
  return isKnownAbove === true;
}

/** Hit-tests a few points: the order of painting is the browser's business. Null where none of them hits the element. */
function isAbove(
  { element, box, corners, hitBox, pseudo }: Cover,
  canvas: Element,
  areas: readonly Box[],
): boolean | null {
  // A hit does not tell an element from its pseudo-elements.
  if (pseudo === undefined && holds(element, canvas) && hasPseudo(element)) return null;
  if (isUnhittable(element, pseudo) || isUnhittable(canvas)) return isPaintedAfter(element, canvas, pseudo);
  if (hitBox !== undefined) {
    const place = overlap(windowOf(canvas), hitBox);
    const points = place === null ? [] : hitPointsIn(place);
    // Beside the canvas no hit tells.
    return isAboveIn(points, element, canvas, null) ?? isPaintedAfter(element, canvas, pseudo);
  }
  for (const area of areas) {
    const place = overlap(area, box);
    const isHitAbove = place === null ? null : isAboveIn(hitPointsIn(place, corners), element, canvas, true);
    if (isHitAbove !== null) return isHitAbove;
  }
  return null;
}

/** It is never hit: as inert, or by a rule that no sheet of the document lifts, such as one in a shadow root. */
function isUnhittable(element: Element, pseudo?: string): boolean {
  return isInert(element) || getComputedStyle(element, pseudo).pointerEvents === 'none';
}

/** It is made so, or lies outside of the modal dialog that is open. */
function isInert(element: Element): boolean {
  let isOutside = element.ownerDocument.querySelector('dialog:modal') !== null;
  for (let e: Element | null = element; e !== null; e = parentOf(e)) {
    if ((e as HTMLElement).inert) return true;
    if (isOutside && e.matches('dialog:modal')) isOutside = false;
  }
  return isOutside;
}

/** @param alone What to say of a hit on the element where the canvas is not hit; null: to try on. */
function isAboveIn(points: readonly number[], element: Element, canvas: Element, alone: true | null): boolean | null {
  const hit = TABLE_PART.test(getComputedStyle(element).display) ? (element.closest('table') ?? element) : element;
  for (let i = 0; i < points.length; i += 2) {
    const stack = elementsAt(canvas.ownerDocument, points[i]!, points[i + 1]!);
    const at = stack.indexOf(hit);
    if (at < 0) continue;
    const below = stack.indexOf(canvas);
    if (below >= 0) return at < below;
    if (alone !== null) return !holds(element, canvas);
  }
  return null;
}

/** Only cells and whole tables are hit. */
const TABLE_PART = /^table-(?:row|column|header|footer)/;

/** The middle of a box, or of what of a turned rectangle lies in it, and the middles between that and its corners. */
function hitPointsIn(box: Box, corners?: readonly number[]): number[] {
  const { left, top, right, bottom } = box;
  const shape = corners === undefined ? [left, top, right, top, left, bottom, right, bottom] : cutToBox(corners, box);
  const count = shape.length / 2;
  if (count < 3) return [];
  let x = 0;
  let y = 0;
  for (let i = 0; i < shape.length; i += 2) {
    x += shape[i]! / count;
    y += shape[i + 1]! / count;
  }
  return [x, y, ...shape.map((value, i) => (value + (i % 2 === 0 ? x : y)) / 2)];
}

function windowOf({ ownerDocument: { documentElement } }: Element): Box {
  return { left: 0, top: 0, right: documentElement.clientWidth, bottom: documentElement.clientHeight };
}
