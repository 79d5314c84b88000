import { FragmentSet } from '../../../geometry/FragmentSet.js';
import type { PolygonTape } from './PolygonTape.js';
import { strokeConvex } from './strokeConvex.js';

/** Canvas 2D draws a corner as a point unless it would be longer than this many line widths (`miterLimit`). */
const MITER_LIMIT = 10;

/** Longer polylines are not freed of their overlaps: the work grows with the square of their length. */
const MAX_JOINED_SEGMENTS = 256;

/** Segments no longer than this, in both directions, have no direction and are not drawn (`SkPathStroker`). */
const TEENY = 1 / 4096;

/** Cosine of the angle up to which two segments count as one smooth line. */
const SMOOTH = 0.99;

/** Segments that share less than this many squares of their width only touch, as those of one curve do. */
const LEAST_OVERLAP = 0.02;

/** The subpath taken last. */
let line = new Float64Array(128);
let subpathIsClosed = false;
const stroke = new FragmentSet();
const scratch = new FragmentSet();
const corners = new Float64Array(8);

/**
 * The line width Canvas 2D has once a game has set one: what is no positive number is ignored, and the width there was stays.
 * @param present what an object begins with is 1
 */
export function lineWidthOnCanvas(width: number, present = 1): number {
  return width > 0 && width < Infinity ? width : present;
}

/**
 * Strokes a polyline as Canvas 2D does with its default line style: butt ends, mitred corners, and all of it painted
 * once, so that a translucent stroke is no darker where its segments meet. Parameters as {@link strokeInWebGL}.
 */
export function strokeOnCanvas(
  tape: PolygonTape,
  points: ArrayLike<number>,
  from: number,
  to: number,
  width: number,
  isClosed: boolean,
): void {
  const count = takeSubpath(points, from, to, isClosed);
  if (count < 2 || strokeConvex(tape, line, count, width, subpathIsClosed, MITER_LIMIT)) return;
  const target = count - 1 <= MAX_JOINED_SEGMENTS ? null : tape;
  stroke.reset();
  strokeLine(target, count, width);
  putStroke(tape);
}

/**
 * Strokes a path of several polylines as Canvas 2D does: all of it painted once, also where one lies over another. Subpath k is
 * that of `points` from number `starts[k]` on, the last up to `end`.
 */
export function strokePathOnCanvas(
  tape: PolygonTape,
  points: ArrayLike<number>,
  starts: ArrayLike<number>,
  count: number,
  end: number,
  width: number,
  closed: ArrayLike<boolean>,
): void {
  const endOf = (path: number): number => (path + 1 < count ? starts[path + 1]! : end);
  if (!meetsItself(points, starts, count, end, width)) {
    for (let path = 0; path < count; path++) {
      strokeOnCanvas(tape, points, starts[path]!, endOf(path), width, closed[path]!);
    }
    return;
  }
  stroke.reset();
  for (let path = 0; path < count; path++) {
    const vertices = takeSubpath(points, starts[path]!, endOf(path), closed[path]!);
    if (vertices >= 2) strokeLine(null, vertices, width);
  }
  putStroke(tape);
}

/** Whether a segment of one subpath lies over one of another, unless there are too many of them. */
function meetsItself(
  points: ArrayLike<number>,
  starts: ArrayLike<number>,
  count: number,
  end: number,
  width: number,
): boolean {
  if (count < 2 || (end - starts[0]!) / 2 > MAX_JOINED_SEGMENTS) return false;
  for (let path = 1; path < count; path++) {
    const to = path + 1 < count ? starts[path + 1]! : end;
    for (let i = starts[path]!; i + 3 < to; i += 2) {
      for (let other = 0; other < path; other++) {
        for (let k = starts[other]!; k + 3 < starts[other + 1]!; k += 2) {
          if (segmentsMeet(points, i, k, width)) return true;
        }
      }
    }
  }
  return false;
}

function segmentsMeet(points: ArrayLike<number>, i: number, k: number, width: number): boolean {
  const half = width / 2;
  for (let axis = 0; axis < 2; axis++) {
    const a = points[i + axis]!;
    const b = points[i + 2 + axis]!;
    const c = points[k + axis]!;
    const d = points[k + 2 + axis]!;
    if (Math.min(a, b) - half >= Math.max(c, d) + half || Math.min(c, d) - half >= Math.max(a, b) + half) return false;
  }
  if (!takeSegment(points, k, half)) return false;
  scratch.reset();
  scratch.add(corners, 0, 4);
  scratch.sumUp();
  const whole = scratch.weightedArea;
  if (!takeSegment(points, i, half)) return false;
  scratch.subtract(corners, 0, 4);
  scratch.sumUp();
  return whole - scratch.weightedArea > LEAST_OVERLAP * width * width;
}

/** Sets {@link corners} to those of a segment; false when it has no length. */
function takeSegment(points: ArrayLike<number>, i: number, half: number): boolean {
  const ax = points[i]!;
  const ay = points[i + 1]!;
  const bx = points[i + 2]!;
  const by = points[i + 3]!;
  if (isTeeny(bx - ax, by - ay)) return false;
  const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
  const nx = ((by - ay) / length) * half;
  const ny = ((ax - bx) / length) * half;
  setCorners(ax + nx, ay + ny, ax - nx, ay - ny, bx - nx, by - ny, bx + nx, by + ny);
  return true;
}

/** Adds the polyline of {@link line} to the stroke or, without what is there regarded, to a tape. */
function strokeLine(target: PolygonTape | null, count: number, width: number): void {
  const half = width / 2;
  const isClosed = subpathIsClosed;
  let firstX = 0;
  let firstY = 0;
  let previousX = 0;
  let previousY = 0;
  const segments = isClosed ? count : count - 1;
  for (let i = 0; i < segments; i++) {
    const next = 2 * ((i + 1) % count);
    const ax = line[2 * i]!;
    const ay = line[2 * i + 1]!;
    const bx = line[next]!;
    const by = line[next + 1]!;
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    const dx = (bx - ax) / length;
    const dy = (by - ay) / length;
    const nx = dy * half;
    const ny = -dx * half;
    addQuad(target, ax + nx, ay + ny, ax - nx, ay - ny, bx - nx, by - ny, bx + nx, by + ny);
    if (i > 0) {
      miter(target, ax, ay, previousX, previousY, dx, dy, half);
    } else {
      firstX = dx;
      firstY = dy;
    }
    previousX = dx;
    previousY = dy;
  }
  if (isClosed) miter(target, line[0]!, line[1]!, previousX, previousY, firstX, firstY, half);
}

function putStroke(tape: PolygonTape): void {
  for (let f = 0; f < stroke.count; f++) {
    const { xy } = stroke;
    const first = stroke.start[f]!;
    const end = first + 2 * stroke.length[f]!;
    for (let i = first + 2; i + 3 < end; i += 2) {
      tape.triangle(xy[first]!, xy[first + 1]!, xy[i]!, xy[i + 1]!, xy[i + 2]!, xy[i + 3]!);
    }
  }
}

/** As {@link takeLine}. A line that comes back to where it began is closed, and its first point left out at its end. */
function takeSubpath(points: ArrayLike<number>, from: number, to: number, isClosed: boolean): number {
  const count = takeLine(points, from, to, isClosed);
  subpathIsClosed = isClosed || endsMeet(count);
  return subpathIsClosed && !isClosed ? count - 1 : count;
}

/**
 * Copies a polyline to {@link line}, without the points Canvas 2D leaves out, those next to the one before, and without the
 * first point at the end of a closed one.
 * @returns how many points there are
 */
function takeLine(points: ArrayLike<number>, from: number, to: number, isClosed: boolean): number {
  if (line.length < to - from) line = new Float64Array(2 * (to - from));
  let at = 0;
  for (let i = from; i + 1 < to; i += 2) {
    const x = points[i]!;
    const y = points[i + 1]!;
    if (at > 0 && isTeeny(x - line[at - 2]!, y - line[at - 1]!)) continue;
    line[at++] = x;
    line[at++] = y;
  }
  while (isClosed && at > 2 && isTeeny(line[at - 2]! - line[0]!, line[at - 1]! - line[1]!)) at -= 2;
  return at / 2;
}

/** Whether the line taken comes back to where it began, and goes on as it began: an arc all around. */
function endsMeet(count: number): boolean {
  const last = 2 * count - 2;
  if (count < 4 || !isTeeny(line[last]! - line[0]!, line[last + 1]! - line[1]!)) return false;
  const inX = line[last]! - line[last - 2]!;
  const inY = line[last + 1]! - line[last - 1]!;
  const outX = line[2]! - line[0]!;
  const outY = line[3]! - line[1]!;
  const straight = Math.sqrt((inX * inX + inY * inY) * (outX * outX + outY * outY));
  return inX * outX + inY * outY > SMOOTH * straight;
}

function isTeeny(dx: number, dy: number): boolean {
  return Math.abs(dx) <= TEENY && Math.abs(dy) <= TEENY;
}

/** Adds a quad to the tape at once or, without one, what of it the stroke does not cover yet. */
function addQuad(
  tape: PolygonTape | null,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
): void {
  if (tape !== null) {
    tape.quad(x0, y0, x1, y1, x2, y2, x3, y3);
    return;
  }
  setCorners(x0, y0, x1, y1, x2, y2, x3, y3);
  stroke.addUncovered(corners, 0, 4, scratch);
}

function setCorners(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  x3: number,
  y3: number,
): void {
  corners[0] = x0;
  corners[1] = y0;
  corners[2] = x1;
  corners[3] = y1;
  corners[4] = x2;
  corners[5] = y2;
  corners[6] = x3;
  corners[7] = y3;
}

/** The outer side of the corner at (x, y) between two unit directions. */
function miter(
  tape: PolygonTape | null,
  x: number,
  y: number,
  inX: number,
  inY: number,
  outX: number,
  outY: number,
  half: number,
): void {
  const cross = inX * outY - inY * outX;
  if (Math.abs(cross) < 1e-6) return;
  const side = cross > 0 ? half : -half;
  const ax = inY * side;
  const ay = -inX * side;
  const bx = outY * side;
  const by = -outX * side;
  const cosine = inX * outX + inY * outY;
  if (2 > MITER_LIMIT * MITER_LIMIT * (1 + cosine)) {
    addQuad(tape, x, y, x + ax, y + ay, x + bx, y + by, x, y);
    return;
  }
  const reach = 1 / (1 + cosine);
  addQuad(tape, x, y, x + ax, y + ay, x + (ax + bx) * reach, y + (ay + by) * reach, x + bx, y + by);
}
