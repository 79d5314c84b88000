import { FragmentSet } from '../../geometry/FragmentSet.js';
import { type Box, outside, overlap } from './Box.js';
import { CORNERS, type Radii, type Radius } from './cornerRadii.js';

/** A rectangle, or one with rounded corners. */
export interface RoundBox {
  readonly box: Box;
  readonly radii: Radii | null;
}

/** A rectangle, or the points of a convex polygon, x and y alternating. */
export type Shape = Box | readonly number[];

export function isPolygon(shape: Shape): shape is readonly number[] {
  return Array.isArray(shape);
}

/** Smaller radii cut off less than a pixel. */
const LEAST_RADIUS = 2;

/** Its sides lie so much farther out: left, top, right, bottom. Corners stay as sharp or round as they are. */
export function widened({ box, radii }: RoundBox, by: Readonly<Box>): RoundBox {
  const wide = {
    left: box.left - by.left,
    top: box.top - by.top,
    right: box.right + by.right,
    bottom: box.bottom + by.bottom,
  };
  if (radii === null) return { box: wide, radii };
  const radius = ([across, down]: Radius, corner: number): Radius => {
    const [, sideX, sideY] = CORNERS[corner]!;
    const isSharp = across <= 0 || down <= 0;
    return isSharp ? [0, 0] : [Math.max(0, across + by[sideX]), Math.max(0, down + by[sideY])];
  };
  return { box: wide, radii: radii.map(radius) as unknown as Radii };
}

/** What is seen of it: the rectangle itself where no corner matters. Nothing of one turned inside out. */
export function shapeOf({ box, radii }: RoundBox): Shape {
  if (radii?.some(isRound) !== true) return box;
  return outline(box, radii, radii.map(piecesOf));
}

/** What of one lies outside of another, in convex pieces. */
export function ringOf(outer: RoundBox, hole: RoundBox): Shape[] {
  const isAngular = [outer, hole].every(({ radii }) => radii?.some(isRound) !== true);
  if (isAngular || overlap(outer.box, hole.box) === null) {
    return isAngular ? outside(outer.box, hole.box) : [shapeOf(outer)];
  }
  const from = pointsOf(shapeOf(outer));
  const cutter = pointsOf(shapeOf(hole));
  fragments.reset();
  fragments.add(from, 0, from.length / 2);
  fragments.subtract(cutter, 0, cutter.length / 2);
  return Array.from({ length: fragments.count }, (_, i) => {
    const start = fragments.start[i]!;
    return [...fragments.xy.subarray(start, start + 2 * fragments.length[i]!)];
  });
}
const fragments = new FragmentSet();

/**
 * What lies between one and a smaller one around the same middle, in pieces so short that each belongs to one side: which
 * is handed out with it, counted from the top clockwise.
 */
export function sidesOf({ box, radii }: RoundBox, inner: RoundBox): { shape: Shape; side: number }[] {
  if (radii === null) return [];
  const pieces = radii.map(piecesOf);
  const ring = outline(box, radii, pieces);
  const hole = outline(inner.box, inner.radii ?? radii, pieces);
  const thick = [inner.box.top - box.top, box.right - inner.box.right, box.bottom - inner.box.bottom, inner.box.left - box.left]; // prettier-ignore
  const sides: { shape: Shape; side: number }[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    const [x0, y0, x1, y1] = [ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!];
    if (x0 === x1 && y0 === y1) continue;
    const x = (x0 + x1) / 2;
    const y = (y0 + y1) / 2;
    let side = 0;
    let least = Infinity;
    // Two sides meet on the line through the corners of both boxes.
    [y - box.top, box.right - x, box.bottom - y, x - box.left].forEach((depth, at) => {
      const share = Math.max(0, depth) / thick[at]!;
      if (share < least) [side, least] = [at, share];
    });
    sides.push({ shape: [x0, y0, x1, y1, hole[next]!, hole[next + 1]!, hole[i]!, hole[i + 1]!], side });
  }
  return sides;
}

export function pointsOf(shape: Shape): readonly number[] {
  if (isPolygon(shape)) return shape;
  const { left, top, right, bottom } = shape;
  return [left, top, right, top, right, bottom, left, bottom];
}

function isRound([across, down]: Radius): boolean {
  return across > LEAST_RADIUS && down > LEAST_RADIUS;
}

/** Into how many straight pieces a corner is cut, as many on either side of its middle; none where it is sharp. */
function piecesOf(radius: Radius): number {
  return isRound(radius) ? 2 * Math.ceil(Math.sqrt(Math.max(...radius)) / 2) : 0;
}

/** The polygon with so many pieces at each corner, of the same area as the round one. */
function outline(box: Box, radii: Radii, pieces: readonly number[]): number[] {
  const points: number[] = [];
  radii.forEach(([across, down], corner) => {
    const [, sideX, sideY] = CORNERS[corner]!;
    const count = pieces[corner]!;
    if (count === 0) {
      points.push(box[sideX], box[sideY]);
      return;
    }
    const inX = sideX === 'left' ? across : -across;
    const inY = sideY === 'top' ? down : -down;
    const reach = reachOf(count);
    for (let i = 0; i <= count; i++) {
      // From one side to the next, clockwise.
      const angle = ((sideX === 'left') === (sideY === 'top') ? i : count - i) * (Math.PI / 2 / count);
      const far = i === 0 || i === count ? 1 : reach;
      points.push(box[sideX] + inX * (1 - far * Math.cos(angle)), box[sideY] + inY * (1 - far * Math.sin(angle)));
    }
  });
  return points;
}

/** How far out the points between the ends of a quarter circle lie for the area to be right, the ends where they are. */
function reachOf(pieces: number): number {
  const angle = Math.PI / 2 / pieces;
  const sine = Math.sin(angle);
  const inner = pieces - 2;
  if (inner <= 0) return angle / sine;
  return (Math.sqrt(sine * sine + inner * sine * pieces * angle) - sine) / (inner * sine);
}
