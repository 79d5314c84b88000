/**
 * Sutherland–Hodgman clipping of one convex polygon by another.
 * Polygons are x, y pairs in a flat array; either orientation; nothing is allocated.
 */

/** Polygons of more vertices are made of several before they come here. */
export const MAX_VERTICES = 64;

let scratchA = new Float64Array(2 * 512);
let scratchB = new Float64Array(2 * 512);

/** Vertices of a clip polygon nearer than this share of its largest coordinate are one. */
const MERGE = 1e-11;

/**
 * Writes the part of `subject` inside `clip` to `out` and returns its number of vertices, 0 when nothing is left.
 * A polygon that only touches the clip edge leaves nothing or a degenerate polygon of area 0.
 *
 * Clipping adds at most one vertex per edge of the clip polygon: for so many `out` must have room.
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
  const sign = signedArea(clip, clipOffset, clipLength) >= 0 ? 1 : -1;
  const most = 2 * (subjectLength + clipLength);
  if (scratchA.length < most) {
    scratchA = new Float64Array(2 * most);
    scratchB = new Float64Array(2 * most);
  }
  let current = scratchA;
  let next = scratchB;
  let length = subjectLength;
  for (let i = 0; i < 2 * length; i++) current[i] = subject[subjectOffset + i]!;
  const merge = extentOf(clip, clipOffset, clipLength) * MERGE;
  let bx = clip[clipOffset]!;
  let by = clip[clipOffset + 1]!;
  let edges = 0;
  for (let e = 1; e <= clipLength && length >= 3; e++) {
    const b = clipOffset + 2 * (e === clipLength ? 0 : e);
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
    let kept = 0;
    let xi = current[2 * length - 2]!;
    let yi = current[2 * length - 1]!;
    let di = ex * (yi - ay) - ey * (xi - ax);
    for (let j = 0; j < length; j++) {
      const xj = current[2 * j]!;
      const yj = current[2 * j + 1]!;
      const dj = ex * (yj - ay) - ey * (xj - ax);
      if ((di > 0 && dj < 0) || (di < 0 && dj > 0)) {
        const t = di / (di - dj);
        next[2 * kept] = xi + t * (xj - xi);
        next[2 * kept + 1] = yi + t * (yj - yi);
        kept++;
      }
      if (dj >= 0) {
        next[2 * kept] = xj;
        next[2 * kept + 1] = yj;
        kept++;
      }
      xi = xj;
      yi = yj;
      di = dj;
    }
    const swap = current;
    current = next;
    next = swap;
    length = kept;
  }
  if (length < 3 || edges === 0) return 0;
  // A corner left out without a word would let something be seen that is covered.
  if (2 * length > out.length) throw new RangeError(`No room for a polygon of ${length} corners`);
  for (let i = 0; i < 2 * length; i++) out[i] = current[i]!;
  return length;
}

/** Shoelace formula; positive when the vertices turn from +x towards +y (clockwise on a screen). */
function signedArea(points: ArrayLike<number>, offset: number, length: number): number {
  let twice = 0;
  let x = points[offset + 2 * length - 2]!;
  let y = points[offset + 2 * length - 1]!;
  for (let i = 0; i < length; i++) {
    const nextX = points[offset + 2 * i]!;
    const nextY = points[offset + 2 * i + 1]!;
    twice += x * nextY - nextX * y;
    x = nextX;
    y = nextY;
  }
  return twice / 2;
}

/** The largest coordinate, whatever its sign. */
function extentOf(points: ArrayLike<number>, offset: number, length: number): number {
  let extent = 0;
  for (let i = offset; i < offset + 2 * length; i++) {
    const value = points[i]!;
    if (value > extent) extent = value;
    else if (-value > extent) extent = -value;
  }
  return extent;
}
