import { clipConvex } from '../geometry/clipConvex.js';
import { FragmentSet } from '../geometry/FragmentSet.js';
import { type Box, boxAround, shrunk, type Sides } from './Box.js';

/** The points of a convex polygon, x and y alternating. */
export type Shape = readonly number[];

/** A box whose corners are rounded, across and down: upper left, upper right, lower right, lower left. */
export interface RoundBox {
  readonly box: Box;
  readonly radii: readonly Radius[];
}
type Radius = readonly [across: number, down: number];

const CORNERS = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;

/** A border box, counted from its own corner. If radii are too large together, all shrink by the same factor. */
export function roundBox(style: CSSStyleDeclaration, width: number, height: number): RoundBox {
  const box = { left: 0, top: 0, right: width, bottom: height };
  if (style.borderRadius === '0px' || hasOddCorners(style)) return { box, radii: SHARP };
  const radii = CORNERS.map((corner): Radius => {
    const [across = '0', down = across] = style.getPropertyValue(`border-${corner}-radius`).split(' ');
    const length = (one: string, whole: number): number =>
      (parseFloat(one) || 0) * (one.endsWith('%') ? whole / 100 : 1);
    return [length(across, width), length(down, height)];
  });
  const [a, b, c, d] = radii as [Radius, Radius, Radius, Radius];
  const fits = [width / (a[0] + b[0]), width / (c[0] + d[0]), height / (a[1] + d[1]), height / (b[1] + c[1])];
  const fit = Math.min(1, ...fits.filter((share) => share >= 0));
  return { box, radii: radii.map(([across, down]) => [across * fit, down * fit]) };
}

/**
 * A corner that is a quarter of an ellipse (css-borders-4 §5.1): browsers give its keyword or its curvature, or nothing if they
 * know no other shape.
 */
const ROUND = /^(?:round|superellipse\( *1(?:\.0*)? *\))?$/;

/** Whether a corner has another shape than a quarter of an ellipse: such corners are taken for sharp. */
export function hasOddCorners(style: CSSStyleDeclaration): boolean {
  return (
    style.borderRadius !== '0px' &&
    CORNERS.some((corner) => !ROUND.test(style.getPropertyValue(`corner-${corner}-shape`)))
  );
}

const SHARP: readonly Radius[] = CORNERS.map(() => [0, 0]);

/** The box with its sides moved in, or with negative lengths out. Sharp corners stay sharp. */
export function inside({ box, radii }: RoundBox, by: Sides): RoundBox {
  const [top, right, bottom, left] = by;
  const less = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const;
  return {
    box: shrunk(box, by),
    radii: radii.map(([across, down], i) =>
      across > 0 && down > 0 ? [radiusInside(across, less[i]![0]), radiusInside(down, less[i]![1])] : [0, 0],
    ),
  };
}

/** Corners far around a smaller radius grow by less than the distance (css-backgrounds-3, "spread distance"). */
function radiusInside(radius: number, by: number): number {
  const far = radius < -by ? 1 + (radius / -by - 1) ** 3 : 1;
  return Math.max(0, radius - by * far);
}

/** Smaller radii cut off less than a pixel. */
const LEAST_RADIUS = 2;

/** The most pieces a corner is cut into: the same number for all corners that are larger than a page. */
const MOST_PIECES = 32;

/** Its outline; a round corner becomes a few straight pieces that enclose the same area. */
export function outlineOf({ box, radii }: RoundBox): Shape {
  if (!(box.right > box.left && box.bottom > box.top)) return [];
  const { left, top, right, bottom } = box;
  const corners = [
    [left, top, 1, 1],
    [right, top, -1, 1],
    [right, bottom, -1, -1],
    [left, bottom, 1, -1],
  ] as const;
  return corners.flatMap(([x, y, inX, inY], i) => {
    const [across, down] = radii[i]!;
    if (!(across > LEAST_RADIUS && down > LEAST_RADIUS)) return [x, y];
    const pieces = Math.min(MOST_PIECES, 2 * Math.ceil(Math.sqrt(Math.max(across, down)) / 2));
    const step = Math.PI / 2 / pieces;
    const reach = reachOf(pieces, Math.sin(step), step);
    return Array.from({ length: pieces + 1 }, (_, at) => {
      const angle = (inX === inY ? at : pieces - at) * step;
      // The ends stay on the straight sides.
      const far = at === 0 || at === pieces ? 1 : reach;
      return [x + inX * across * (1 - far * Math.cos(angle)), y + inY * down * (1 - far * Math.sin(angle))];
    }).flat();
  });
}

/** How far out the points between the ends of a quarter circle must lie for the right area, while the ends stay in place. */
function reachOf(pieces: number, sine: number, step: number): number {
  const inner = pieces - 2;
  if (inner <= 0) return step / sine;
  return (Math.sqrt(sine * sine + inner * sine * pieces * step) - sine) / (inner * sine);
}

/** What two convex shapes have in common; no points where that is nothing. */
export function cut(shape: Shape, by: Shape): Shape {
  if (shape.length < 6 || by.length < 6) return [];
  const result = new Float64Array(shape.length + by.length);
  const length = clipConvex(shape, 0, shape.length / 2, by, 0, by.length / 2, result);
  return length < 3 ? [] : [...result.subarray(0, 2 * length)];
}

/** The part of a shape that lies outside of another, in convex pieces. */
export function ring(outer: Shape, hole: Shape): Shape[] {
  if (outer.length < 6) return [];
  if (hole.length < 6) return [outer];
  fragments.reset();
  fragments.add(outer, 0, outer.length / 2);
  fragments.subtract(hole, 0, hole.length / 2);
  return Array.from({ length: fragments.count }, (_, i) => {
    const start = fragments.start[i]!;
    return [...fragments.xy.subarray(start, start + 2 * fragments.length[i]!)];
  });
}
const fragments = new FragmentSet();

/** Whether a convex shape is an upright rectangle: as large as the box around it. */
export function isBox(shape: Shape): boolean {
  const { left, top, right, bottom } = boxAround(shape);
  let twice = 0;
  for (let i = 0; i < shape.length; i += 2) {
    const next = (i + 2) % shape.length;
    twice += shape[i]! * shape[next + 1]! - shape[next]! * shape[i + 1]!;
  }
  const [width, height] = [right - left, bottom - top];
  return Math.abs(width * height - Math.abs(twice) / 2) <= NEAR_PX * (width + height);
}
const NEAR_PX = 1e-3;
