import { signedArea } from '../../geometry/clipConvex.js';
import { triangulate } from '../reading/triangulate.js';
import { type Box, boxAround } from './Box.js';
import { fitted, type Radii } from './cornerRadii.js';
import { cssLength, cssWords } from './cssLength.js';
import { pointsOf, shapeOf } from './RoundBox.js';

/** Pieces of a shape that may be more than a line apart from it in all, in square pixels. */
const NEGLIGIBLE = 0.01;

/**
 * What a `clip-path` leaves of an element of some size, as convex polygons in its own pixels, x and y alternating; null where
 * it is given by more than lengths and percentages. Of a polygon that crosses itself the box around it.
 */
export function clipShapes(clipPath: string, width: number, height: number): number[][] | null {
  const [, kind = '', text = ''] = /^([a-z]+)\((.*)\)$/.exec(clipPath) ?? [];
  const points =
    kind === 'polygon'
      ? polygonPoints(text, width, height)
      : kind === 'circle' || kind === 'ellipse'
        ? ellipsePoints(kind, cssWords(text), width, height)
        : RECTANGLES.has(kind)
          ? rectanglePoints(kind, cssWords(text), width, height)
          : null;
  if (points === null || points.some((value) => !Number.isFinite(value))) return null;
  return convexPieces(points);
}

const RECTANGLES = new Set(['inset', 'rect', 'xywh']);

function polygonPoints(text: string, width: number, height: number): number[] {
  return text
    .replace(/^(?:nonzero|evenodd)\s*,/, '')
    .split(',')
    .flatMap((point) => {
      const [x, y] = cssWords(point);
      return [cssLength(x, width), cssLength(y, height)];
    });
}

function ellipsePoints(kind: string, words: readonly string[], width: number, height: number): readonly number[] {
  const at = words.indexOf('at');
  const [first = 'closest-side', second = first] = at < 0 ? words : words.slice(0, at);
  const [x = '50%', y = '50%'] = at < 0 ? [] : words.slice(at + 1);
  const centreX = cssLength(x, width);
  const centreY = cssLength(y, height);
  const sides = [
    [Math.abs(centreX), Math.abs(width - centreX)],
    [Math.abs(centreY), Math.abs(height - centreY)],
  ] as const;
  const isCircle = kind === 'circle';
  const radius = (word: string, axis: 0 | 1): number => {
    const distances = isCircle ? sides.flat() : sides[axis];
    if (word === 'closest-side') return Math.min(...distances);
    if (word === 'farthest-side') return Math.max(...distances);
    // Percentages of a circle's radius are of the box's diagonal.
    return cssLength(word, isCircle ? Math.hypot(width, height) / Math.SQRT2 : axis === 0 ? width : height);
  };
  const across = radius(first, 0);
  const down = isCircle ? across : radius(second, 1);
  const corner = [across, down] as const;
  const box = { left: centreX - across, top: centreY - down, right: centreX + across, bottom: centreY + down };
  return pointsOf(shapeOf({ box, radii: [corner, corner, corner, corner] }));
}

function rectanglePoints(kind: string, words: readonly string[], width: number, height: number): readonly number[] {
  const at = words.indexOf('round');
  const lengths = at < 0 ? words : words.slice(0, at);
  const box = rectangle(kind, lengths, width, height);
  const wide = box.right - box.left;
  const high = box.bottom - box.top;
  // Turned inside out, it leaves nothing.
  if (wide <= 0 || high <= 0) return [];
  return pointsOf(shapeOf({ box, radii: at < 0 ? null : roundness(words.slice(at + 1), wide, high) }));
}

function rectangle(kind: string, lengths: readonly string[], width: number, height: number): Box {
  if (kind === 'xywh') {
    const left = cssLength(lengths[0], width);
    const top = cssLength(lengths[1], height);
    return { left, top, right: left + cssLength(lengths[2], width), bottom: top + cssLength(lengths[3], height) };
  }
  const [first, second = first, third = first, fourth = second] = lengths;
  if (kind === 'inset')
    return { left: cssLength(fourth, width), top: cssLength(first, height), right: width - cssLength(second, width), bottom: height - cssLength(third, height) }; // prettier-ignore
  const edge = (length: string | undefined, whole: number, auto: number): number =>
    length === 'auto' ? auto : cssLength(length, whole);
  return {
    left: edge(fourth, width, 0),
    top: edge(first, height, 0),
    right: edge(second, width, width),
    bottom: edge(third, height, height),
  };
}

function roundness(words: readonly string[], width: number, height: number): Radii {
  const slash = words.indexOf('/');
  const four = (lengths: readonly string[], whole: number): number[] => {
    const [a, b = a, c = a, d = b] = lengths;
    return [a, b, c, d].map((length) => cssLength(length, whole));
  };
  const across = four(slash < 0 ? words : words.slice(0, slash), width);
  const down = four(slash < 0 ? words : words.slice(slash + 1), height);
  return fitted(across.map((value, i) => [value, down[i]!] as const) as unknown as Radii, width, height);
}

function convexPieces(points: readonly number[]): number[][] {
  if (points.length < 6) return [];
  if (isConvex(points)) return [[...points]];
  const corners: number[] = [];
  const count = triangulate(points, 0, points.length, corners);
  const triangles: number[][] = [];
  let area = 0;
  for (let i = 0; i < count; i += 3) {
    const triangle = corners.slice(i, i + 3).flatMap((corner) => [points[2 * corner]!, points[2 * corner + 1]!]);
    area += Math.abs(signedArea(triangle, 0, 3));
    triangles.push(triangle);
  }
  const isSimple = Math.abs(area - Math.abs(signedArea(points, 0, points.length / 2))) < NEGLIGIBLE;
  return isSimple ? triangles : [[...pointsOf(boxAround(points))]];
}

/** All corners turn the same way, and once around in all. */
function isConvex(points: readonly number[]): boolean {
  const count = points.length / 2;
  let total = 0;
  let isLeft = false;
  let isRight = false;
  for (let i = 0; i < count; i++) {
    const [x0, y0, x1, y1, x2, y2] = [0, 1, 2].flatMap((step) => {
      const at = 2 * ((i + step) % count);
      return [points[at]!, points[at + 1]!];
    }) as [number, number, number, number, number, number];
    const cross = (x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1);
    isLeft ||= cross < 0;
    isRight ||= cross > 0;
    total += Math.atan2(cross, (x1 - x0) * (x2 - x1) + (y1 - y0) * (y2 - y1));
  }
  return !(isLeft && isRight) && Math.abs(total) < 3 * Math.PI;
}
