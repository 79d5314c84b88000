import type { Outline } from './Outline.js';

/** How lines of a drawing are painted, in lengths of the drawing. */
export interface StrokeStyle {
  readonly width: number;
  /** Lengths of dashes and gaps by turns; empty for none. */
  readonly dashes: readonly number[];
  readonly dashOffset: number;
  readonly cap: string;
  readonly join: string;
  readonly miterLimit: number;
}

/** Where two pieces of a curve meet, it turns by less. */
const CURVE = 0.4;

/** Straight pieces that stand for half a circle. */
const HALF_CIRCLE = 8;

const MOST_DASHES = 200;

type Point = readonly [x: number, y: number];

/** What is painted along outlines, as convex shapes; null where that is too much to tell. */
export function strokedPieces(outlines: readonly Outline[], style: StrokeStyle): number[][] | null {
  const pieces: number[][] = [];
  for (const outline of outlines) {
    const dashed = dashesOf(outline, style);
    if (dashed === null) return null;
    for (const dash of dashed) stroke(dash, style, pieces);
  }
  return pieces;
}

interface Line {
  readonly from: Point;
  readonly to: Point;
  readonly length: number;
  /** Its direction. */
  readonly x: number;
  readonly y: number;
}

function linesOf({ points, isClosed }: Outline): Line[] {
  const lines: Line[] = [];
  const last = isClosed ? points.length : points.length - 2;
  for (let i = 0; i < last; i += 2) {
    const next = (i + 2) % points.length;
    const from: Point = [points[i]!, points[i + 1]!];
    const to: Point = [points[next]!, points[next + 1]!];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length > 0) lines.push({ from, to, length, x: (to[0] - from[0]) / length, y: (to[1] - from[1]) / length });
  }
  return lines;
}

function dashesOf(outline: Outline, { dashes, dashOffset }: StrokeStyle): Outline[] | null {
  const period = dashes.reduce((sum, length) => sum + length, 0) * (dashes.length % 2 === 0 ? 1 : 2);
  if (!(period > 0)) return [outline];
  const lines = linesOf(outline);
  const whole = lines.reduce((sum, { length }) => sum + length, 0);
  if ((whole / period) * dashes.length > MOST_DASHES) return null;
  let index = 0;
  let left = ((dashOffset % period) + period) % period;
  for (; left >= dashes[index % dashes.length]!; index++) left -= dashes[index % dashes.length]!;
  left = dashes[index % dashes.length]! - left;
  const result: Outline[] = [];
  let points: number[] = [];
  const end = (): void => {
    if (points.length >= 4) result.push({ points, isClosed: false });
    points = [];
  };
  for (const { from, to, length, x, y } of lines) {
    let done = 0;
    if (index % 2 === 0 && points.length === 0) points.push(...from);
    while (length - done > left) {
      done += left;
      const point = [from[0] + x * done, from[1] + y * done] as const;
      if (index % 2 === 0) {
        points.push(...point);
        end();
      } else points = [...point];
      left = dashes[++index % dashes.length]!;
    }
    left -= length - done;
    if (index % 2 === 0) points.push(...to);
  }
  end();
  return result;
}

function stroke(outline: Outline, { width, cap, join, miterLimit }: StrokeStyle, pieces: number[][]): void {
  const half = width / 2;
  const lines = linesOf(outline);
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) {
    const [x, y] = outline.points as [number, number];
    if (cap === 'round') pieces.push(fan([x, y], half, 0, 2 * Math.PI));
    if (cap === 'square') pieces.push([x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half]);
    return;
  }
  /** How much farther each line goes at its start and at its end, on its left and on its right. */
  const reach = lines.map(() => ({ startLeft: 0, startRight: 0, endLeft: 0, endRight: 0 }));
  lines.forEach((line, i) => {
    const isLast = i === lines.length - 1;
    if (isLast && !outline.isClosed) return;
    const other = isLast ? 0 : i + 1;
    const next = lines[other]!;
    const cross = line.x * next.y - line.y * next.x;
    const dot = line.x * next.x + line.y * next.y;
    // To the right, where y goes down.
    const outer = cross > 0 ? -1 : 1;
    const turn = Math.abs(Math.atan2(cross, dot));
    const beyond = half * Math.tan(turn / 2);
    const isFree = 2 * beyond <= Math.min(line.length, next.length);
    const isPointed = turn < CURVE || (join.startsWith('miter') && 1 / Math.cos(turn / 2) <= miterLimit);
    const [outside, inside] = outer < 0 ? (['Left', 'Right'] as const) : (['Right', 'Left'] as const);
    if (isFree) {
      reach[i]![`end${inside}`] = -beyond;
      reach[other]![`start${inside}`] = -beyond;
    }
    if (isFree && isPointed) {
      reach[i]![`end${outside}`] = beyond;
      reach[other]![`start${outside}`] = beyond;
      return;
    }
    if (turn === 0) return;
    const [x, y] = line.to;
    const corner = (by: Line, along: number, side: number): Point => [
      x + by.x * along - by.y * half * side,
      y + by.y * along + by.x * half * side,
    ];
    const from: Point = isFree ? corner(line, -beyond, -outer) : line.to;
    const [a, b] = [corner(line, 0, outer), corner(next, 0, outer)];
    if (isPointed) pieces.push([...from, ...a, ...corner(line, beyond, outer), ...b]);
    else if (join === 'round') {
      const start = Math.atan2(a[1] - y, a[0] - x);
      pieces.push([...from, ...fan([x, y], half, start, -outer * turn)]);
    } else pieces.push([...from, ...a, ...b]);
  });
  if (!outline.isClosed && cap === 'square') {
    reach[0]!.startLeft = reach[0]!.startRight = half;
    reach.at(-1)!.endLeft = reach.at(-1)!.endRight = half;
  }
  if (!outline.isClosed && cap === 'round') {
    pieces.push(fan(first.from, half, Math.atan2(first.y, first.x) + Math.PI / 2, Math.PI));
    pieces.push(fan(last.to, half, Math.atan2(last.y, last.x) - Math.PI / 2, Math.PI));
  }
  lines.forEach(({ from, to, x, y }, i) => {
    const { startLeft, startRight, endLeft, endRight } = reach[i]!;
    const at = ([px, py]: Point, along: number, side: number): Point => [
      px + x * along - y * half * side,
      py + y * along + x * half * side,
    ];
    pieces.push([
      ...at(from, -startLeft, -1),
      ...at(to, endLeft, -1),
      ...at(to, endRight, 1),
      ...at(from, -startRight, 1),
    ]);
  });
}

/** Points of a circle, over some angle. */
function fan([x, y]: Point, radius: number, from: number, angle: number): number[] {
  const count = Math.max(1, Math.ceil((Math.abs(angle) / Math.PI) * HALF_CIRCLE));
  return Array.from({ length: count + 1 }, (_, i) => {
    const at = from + (angle * i) / count;
    return [x + radius * Math.cos(at), y + radius * Math.sin(at)];
  }).flat();
}
