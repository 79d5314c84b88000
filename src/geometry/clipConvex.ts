import { measured, takeArea } from './convexArea.js';

/**
 * Sutherland–Hodgman clipping of one convex polygon by another.
 * Polygons are x, y pairs in a flat array; either orientation; nothing is allocated.
 */

let scratchA = new Float64Array(2 * 512);
let scratchB = new Float64Array(2 * 512);
let side = new Float64Array(512);

/** Vertices of a clip polygon nearer to each other than this share of its largest coordinate count as one. */
const MERGE = 1e-11;

/**
 * Writes the part of `subject` inside `clip` to `out` and returns its number of vertices, 0 when nothing is left. A polygon
 * that only touches the clip edge leaves nothing or a degenerate polygon of area 0.
 *
 * Clipping adds at most one vertex per edge of the clip polygon: `out` must have room for them.
 *
 * An edge of `clip` as short as rounding errors cuts nothing: it may point anywhere, and would cut off half of the rest.
 *
 * @throws {RangeError} when `out` has too little room
 */
export function clipConvex(
  subject: ArrayLike<number>,
  subjectOffset: number,
  subjectLength: number,
  clip: ArrayLike<number>,
  clipOffset: number,
  clipLength: number,
  out: Float64Array,
): number {
  takeArea(clip, clipOffset, clipLength);
  const sign = measured.isPositive ? 1 : -1;
  let bx = clip[clipOffset + 2 * clipLength - 2]!;
  let by = clip[clipOffset + 2 * clipLength - 1]!;
  const most = 2 * (subjectLength + clipLength);
  if (scratchA.length < most) {
    scratchA = new Float64Array(2 * most);
    scratchB = new Float64Array(2 * most);
    side = new Float64Array(most);
  }
  let from = subject;
  let at = subjectOffset;
  let next = scratchA;
  const spare = scratchB;
  let length = subjectLength;
  const merge = extentOf(clip, clipOffset, clipLength) * MERGE;
  let edges = 0;
  for (let b = clipOffset; b < clipOffset + 2 * clipLength && length >= 3; b += 2) {
    const dx = clip[b]! - bx;
    const dy = clip[b + 1]! - by;
    if (dx <= merge && dx >= -merge && dy <= merge && dy >= -merge) continue;
    edges++;
    const ax = bx;
    const ay = by;
    bx = clip[b]!;
    by = clip[b + 1]!;
    const ex = dx * sign;
    const ey = dy * sign;
    let outside = 0;
    for (let i = 0; i < length; i++) {
      const distance = ex * (from[at + 2 * i + 1]! - ay) - ey * (from[at + 2 * i]! - ax);
      side[i] = distance;
      // Not-a-number is outside.
      if (!(distance >= 0)) outside++;
    }
    if (outside === 0) continue;
    let kept = 0;
    let xi = from[at + 2 * length - 2]!;
    let yi = from[at + 2 * length - 1]!;
    let di = side[length - 1]!;
    for (let j = 0; j < length; j++) {
      const xj = from[at + 2 * j]!;
      const yj = from[at + 2 * j + 1]!;
      const dj = side[j]!;
      if ((di > 0 && dj < 0) || (di < 0 && dj > 0)) {
        const t = di / (di - dj);
        next[kept++] = xi + t * (xj - xi);
        next[kept++] = yi + t * (yj - yi);
      }
      if (dj >= 0) {
        next[kept++] = xj;
        next[kept++] = yj;
      }
      xi = xj;
      yi = yj;
      di = dj;
    }
    const free = from === subject ? spare : (from as Float64Array<ArrayBuffer>);
    from = next;
    at = 0;
    next = free;
    length = kept >> 1;
  }
  if (length < 3 || edges === 0) return 0;
  // Leaving out a corner silently could make something covered count as seen.
  if (2 * length > out.length) throw new RangeError(`No room for a polygon of ${length} corners`);
  for (let i = 0; i < 2 * length; i++) out[i] = from[at + i]!;
  return length;
}

/** The largest coordinate, whatever its sign. */
function extentOf(points: ArrayLike<number>, offset: number, length: number): number {
  let extent = 0;
  for (let i = offset; i < offset + 2 * length; i++) {
    const value = Math.abs(points[i]!);
    if (value > extent) extent = value;
  }
  return extent;
}
