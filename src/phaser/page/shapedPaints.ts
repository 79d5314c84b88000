import { clipConvex } from '../../geometry/clipConvex.js';
import { boxAround, overlap } from './Box.js';
import { clipShapes } from './clipShapes.js';
import { escapes } from './clipOf.js';
import { cornerRadii } from './cornerRadii.js';
import { cutToBox } from './cutToBox.js';
import { painterOf } from './flatTree.js';
import type { Paint } from './Paint.js';
import { placeOf } from './placeOf.js';
import { isPolygon, pointsOf, shapeOf, widened } from './RoundBox.js';

/** Of more pieces the box around them counts. */
const MOST_PIECES = 64;

/** Convex shapes, of which something is left where one of them is; null for one that nobody knows. */
type Cut = readonly (readonly number[] | null)[];

/**
 * The shapes that cut what an element paints: its own `clip-path`, those of what it is in, and the rounded corners of boxes
 * around it that hide their overflow.
 */
export function cutsOn(element: Element): Cut[] {
  const cuts: Cut[] = [];
  const add = (cut: Cut | null): void => {
    if (cut !== null) cuts.push(cut);
  };
  let position = '';
  for (let e: Element | null = element; e !== null; e = painterOf(e)) {
    const style = getComputedStyle(e);
    if (style.clipPath !== 'none' && style.clipPath !== '') add(clipOn(e, style));
    if (e !== element && escapes(position, style)) continue;
    position = style.position;
    if (e !== element && style.overflowX !== 'visible') add(roundOn(e, style));
  }
  return cuts;
}

/** What {@link cutsOn} leave of something that an element paints, whose box is cut already. In convex pieces. */
export function shapedPaints(paint: Paint, cuts: readonly Cut[]): Paint[] {
  if (!paint.isCertain || cuts.length === 0 || overlap(paint.box, paint.box) === null) return [paint];
  const whole = paint.corners === undefined ? pointsOf(paint.box) : cutToBox(paint.corners, paint.box);
  let pieces: readonly (readonly number[])[] = [whole];
  for (const cut of cuts) pieces = cutTo(pieces, cut);
  if (pieces.length === 1 && pieces[0] === whole) return [paint];
  const around = boxAround(pieces.flat());
  if (pieces.length > MOST_PIECES) return [{ ...paint, box: around, corners: pointsOf(around) }];
  return pieces.map((corners) => ({ ...paint, box: boxAround(corners), corners }));
}

/** Null where nothing is cut off, or nobody knows what. */
function clipOn(element: Element, { clipPath }: CSSStyleDeclaration): Cut | null {
  const place = placeOf(element);
  const { left, top, right, bottom } = place.toOwn(element.getBoundingClientRect());
  return clipShapes(clipPath, right - left, bottom - top)?.map(place.shapeToWindow) ?? null;
}

function roundOn(element: Element, style: CSSStyleDeclaration): Cut | null {
  const place = placeOf(element);
  const box = place.toOwn(element.getBoundingClientRect());
  const radii = cornerRadii(style, box.right - box.left, box.bottom - box.top);
  if (radii === null) return null;
  const rim = (side: string): number => -parseFloat(style.getPropertyValue(`border-${side}-width`)) || 0;
  const inner = { left: rim('left'), top: rim('top'), right: rim('right'), bottom: rim('bottom') };
  const shape = shapeOf(widened({ box, radii }, inner));
  return isPolygon(shape) ? [place.shapeToWindow(shape)] : null;
}

function cutTo(pieces: readonly (readonly number[])[], shapes: Cut): readonly (readonly number[])[] {
  const left: (readonly number[])[] = [];
  for (const piece of pieces) {
    for (const shape of shapes) {
      // Nobody can tell where in space it lies.
      if (shape === null || isWithin(piece, shape)) {
        left.push(piece);
        break;
      }
      const cut = new Float64Array(piece.length + shape.length);
      const length = clipConvex(piece, 0, piece.length / 2, shape, 0, shape.length / 2, cut);
      if (length > 0) left.push([...cut.subarray(0, 2 * length)]);
    }
  }
  return left;
}

/** All of it lies in a convex shape. */
function isWithin(points: readonly number[], shape: readonly number[]): boolean {
  let isLeft = false;
  let isRight = false;
  for (let e = 0; e < shape.length; e += 2) {
    const next = (e + 2) % shape.length;
    const [x, y] = [shape[e]!, shape[e + 1]!];
    const [dx, dy] = [shape[next]! - x, shape[next + 1]! - y];
    for (let i = 0; i < points.length; i += 2) {
      const side = dx * (points[i + 1]! - y) - dy * (points[i]! - x);
      isLeft ||= side < 0;
      isRight ||= side > 0;
    }
  }
  return !(isLeft && isRight);
}
