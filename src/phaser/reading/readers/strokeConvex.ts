import { isConvex, type PolygonTape } from './PolygonTape.js';

/** By point: how much of the segments beside it its corner takes off on the inner side. */
let setbacks = new Float64Array(64);
/** By point: the way to the next one, and how long it is. The last point's leads to the first, if the line is open, too. */
let lengths = new Float64Array(64);
let directions = new Float64Array(128);
/** By point: from there to the edge of the stroke, along the line that halves the corner; x and y alternating. */
let spans = new Float64Array(128);

/**
 * Strokes a convex outline, or an open part of one, as Canvas 2D does: mitred corners, butt ends. Where neighbouring
 * segments meet, both end at the line that halves the corner, so that no two pieces overlap. The work grows with the
 * number of points alone: fit for circles and round corners that are drawn anew in every frame.
 *
 * @param points x and y alternating from 0 on, no two neighbours equal, the first not repeated at the end.
 * @param miterLimit In line widths: longer corners are not drawn here.
 * @returns False, and nothing is recorded, when the outline is not convex, or pieces could overlap all the same.
 */
export function strokeConvex(
  tape: PolygonTape,
  points: Float64Array,
  count: number,
  width: number,
  isClosed: boolean,
  miterLimit: number,
): boolean {
  if (count < 3 || !isConvex(points, 0, 2 * count)) return false;
  if (spans.length < 2 * count) {
    setbacks = new Float64Array(2 * count);
    lengths = new Float64Array(2 * count);
    directions = new Float64Array(4 * count);
    spans = new Float64Array(4 * count);
  }
  takeDirections(points, count);
  if (!isClosed && !areEndsApart(count, width)) return false;
  if (!layOutCorners(count, width / 2, isClosed, miterLimit)) return false;
  const segments = isClosed ? count : count - 1;
  for (let i = 0; i < segments; i++) {
    const from = 2 * i;
    const to = 2 * ((i + 1) % count);
    const ax = points[from]!;
    const ay = points[from + 1]!;
    const bx = points[to]!;
    const by = points[to + 1]!;
    const sx = spans[from]!;
    const sy = spans[from + 1]!;
    const tx = spans[to]!;
    const ty = spans[to + 1]!;
    tape.quad(ax + sx, ay + sy, ax - sx, ay - sy, bx - tx, by - ty, bx + tx, by + ty);
  }
  return true;
}

function takeDirections(points: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const next = 2 * ((i + 1) % count);
    const dx = points[next]! - points[2 * i]!;
    const dy = points[next + 1]! - points[2 * i + 1]!;
    const length = Math.sqrt(dx * dx + dy * dy);
    lengths[i] = length;
    directions[2 * i] = dx / length;
    directions[2 * i + 1] = dy / length;
  }
}

/**
 * Whether an open line keeps clear of itself: it turns half around at most, or, as an arc of three quarters, both ends are
 * further from the other arm than the stroke is wide.
 */
function areEndsApart(count: number, width: number): boolean {
  const chord = 2 * (count - 1);
  const last = chord - 2;
  const chordX = directions[chord]!;
  const chordY = directions[chord + 1]!;
  // Of the angles between the line and the way back from its end to its beginning.
  const firstCosine = -(chordX * directions[0]! + chordY * directions[1]!);
  const lastCosine = -(chordX * directions[last]! + chordY * directions[last + 1]!);
  if (firstCosine + lastCosine >= 0) return true;
  // One angle at most is acute: then the other arm is nearer than its end.
  const cosine = Math.max(firstCosine, lastCosine, 0);
  return lengths[count - 1]! * Math.sqrt(1 - cosine * cosine) >= width;
}

/** False when a corner is too sharp, or takes more off a segment than there is. */
function layOutCorners(count: number, half: number, isClosed: boolean, miterLimit: number): boolean {
  for (let i = 0; i < count; i++) {
    const isLast = i === count - 1;
    // At its ends an open line has no corner.
    const before = i > 0 || isClosed ? (i + count - 1) % count : i;
    const after = isClosed || !isLast ? i : before;
    const inX = directions[2 * before]!;
    const inY = directions[2 * before + 1]!;
    const outX = directions[2 * after]!;
    const outY = directions[2 * after + 1]!;
    const cosine = inX * outX + inY * outY;
    if (!(2 <= miterLimit * miterLimit * (1 + cosine))) return false;
    const reach = half / (1 + cosine);
    setbacks[i] = Math.abs(inX * outY - inY * outX) * reach;
    spans[2 * i] = (inY + outY) * reach;
    spans[2 * i + 1] = -(inX + outX) * reach;
  }
  const segments = isClosed ? count : count - 1;
  for (let i = 0; i < segments; i++) {
    const first = setbacks[i]!;
    const second = setbacks[(i + 1) % count]!;
    // Beyond its corner a segment reaches into the next; of an open line it must not reach past the end there.
    if (!(lengths[i]! >= (isClosed ? first + second : 2 * Math.max(first, second)))) return false;
  }
  return true;
}
