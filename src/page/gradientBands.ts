import type { Box } from './Box.js';
import { colorAlpha, lengthOf, splitAt } from './css.js';
import { ring, type Shape } from './shapes.js';

/** A convex part of a gradient, taken to be of one opacity. */
export interface Band {
  readonly shape: Shape;
  readonly opacity: number;
}

/** The line along which a gradient changes, in pixels. */
interface Line {
  /** The length that 100 % means in the place of a stop. */
  readonly length: number;
  /** Nothing of the box lies farther out. */
  readonly end: number;
  /** Into how many steps a change from clear to opaque is cut. */
  readonly steps: number;
  /** The shapes that lie between two points of it. */
  readonly shapes: (from: number, to: number) => readonly Shape[];
}

/** Sides of the polygon that stands for an ellipse. */
const SIDES = 32;

/** The lowest and the highest opacity of a picture, 0–1: one that is no gradient may have any. */
export function alphasOf(image: string): { least: number; most: number } {
  const isGradient = /^(?:repeating-)?(?:linear|radial|conic)-gradient\(/.test(image);
  const alphas = (isGradient && image.match(COLOR)?.map(colorAlpha)) || [0, 1];
  return { least: Math.min(...alphas), most: Math.max(...alphas) };
}
const COLOR = /(?:rgba?|color|hsla?|hwb|lab|lch|oklab|oklch)\([^()]*\)/g;

/**
 * A gradient along an axis or around a point, as it fills a box. The bands may go beyond the box. Null for other gradients
 * and pictures.
 */
export function gradientBands(image: string, box: Box): Band[] | null {
  const [, kind, text = ''] = /^(linear|radial)-gradient\((.*)\)$/.exec(image) ?? [];
  const words = splitAt(text, ',');
  if (kind === undefined || words.length < 2) return null;
  // The space in which colours are mixed makes no difference to how opaque they are.
  const head = words[0]!.search(COLOR) < 0 ? words.shift()!.replace(MIXED_IN, '') : '';
  const line = kind === 'linear' ? straightLine(head, box) : radius(head, box);
  const stops = line && stopsOf(words, line.length);
  if (!line || !stops) return null;
  const bands: Band[] = [];
  const add = (from: number, to: number, opacity: number): void => {
    const [near, far] = [Math.max(0, from), Math.min(line.end, to)];
    if (far > near && opacity > 0) bands.push(...line.shapes(near, far).map((shape) => ({ shape, opacity })));
  };
  add(-Infinity, stops[0]!.at, stops[0]!.alpha);
  stops.slice(1).forEach((stop, i) => {
    const { at, alpha } = stops[i]!;
    const span = stop.at - at;
    // A change within a pixel is a smooth edge.
    const count = span <= 1 ? 2 : Math.max(1, Math.ceil(Math.abs(stop.alpha - alpha) * line.steps));
    for (let k = 0; k < count; k++) {
      const share = span <= 1 ? k : (k + 0.5) / count;
      add(at + (span * k) / count, at + (span * (k + 1)) / count, alpha + (stop.alpha - alpha) * share);
    }
  });
  add(stops.at(-1)!.at, Infinity, stops.at(-1)!.alpha);
  return bands;
}

function straightLine(head: string, { left, top, right, bottom }: Box): Line | null {
  const quarter = AXES.findIndex((axis) => axis.test(head));
  if (quarter < 0) return null;
  const isDown = quarter % 2 === 0;
  const length = isDown ? bottom - top : right - left;
  const shapes = (from: number, to: number): Shape[] => {
    const [near, far] = quarter === 1 || quarter === 2 ? [from, to] : [length - to, length - from];
    return [
      isDown
        ? [left, top + near, right, top + near, right, top + far, left, top + far]
        : [left + near, top, left + far, top, left + far, bottom, left + near, bottom],
    ];
  };
  return { length, end: length, steps: 32, shapes };
}

const MIXED_IN = /\s*\bin [\w-]+(?: \w+ hue)?/;

/** Up, to the right, down, to the left. */
const AXES = [/^(?:0deg|to top)$/, /^(?:90deg|to right)$/, /^(?:|180deg|to bottom)$/, /^(?:-90deg|270deg|to left)$/];

function radius(head: string, box: Box): Line | null {
  const [size = '', at = '50% 50%'] = head.split(/\s*\bat\s+/);
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const [x, y] = splitAt(at.replaceAll('center', '50%'), ' ').map((one, i) => lengthOf(one, i === 0 ? width : height));
  const words = splitAt(size, ' ');
  const sizes = words.filter((word) => word !== 'circle' && word !== 'ellipse');
  const isCircle = words.includes('circle') || (sizes.length === 1 && sizes[0]!.endsWith('px'));
  const [first = 'farthest-corner', second = first] = sizes;
  if (x === undefined || y === undefined || Number.isNaN(x + y)) return null;
  const [farX, farY] = [Math.max(Math.abs(x), Math.abs(width - x)), Math.max(Math.abs(y), Math.abs(height - y))];
  let [across, down] = [lengthOf(first, width), isCircle ? lengthOf(first, width) : lengthOf(second, height)];
  const [, distance, end] = /^(closest|farthest)-(side|corner)$/.exec(first) ?? [];
  if (distance !== undefined) {
    const isNear = distance === 'closest';
    across = isNear ? Math.min(Math.abs(x), Math.abs(width - x)) : farX;
    down = isNear ? Math.min(Math.abs(y), Math.abs(height - y)) : farY;
    const [least, most] = [Math.min(across, down), Math.max(across, down)];
    if (isCircle) across = down = end === 'corner' ? Math.hypot(across, down) : isNear ? least : most;
    else if (end === 'corner') [across, down] = [across * Math.SQRT2, down * Math.SQRT2];
  }
  if (!(across > 0 && down > 0)) return null;
  // Polygons with the area of the ellipse: the middles of their sides lie a little within it.
  const wide = Math.sqrt((2 * Math.PI) / SIDES / Math.sin((2 * Math.PI) / SIDES));
  const ellipse = (reach: number): Shape =>
    Array.from({ length: SIDES }, (_, i) => (2 * Math.PI * i) / SIDES).flatMap((angle) => [
      box.left + x + wide * reach * Math.cos(angle),
      box.top + y + wide * reach * (down / across) * Math.sin(angle),
    ]);
  const shapes = (from: number, to: number): Shape[] => ring(ellipse(to), from > 0 ? ellipse(from) : []);
  return { length: across, end: 1.1 * Math.hypot(farX, farY * (across / down)), steps: 10, shapes };
}

/** The position and the opacity of each stop, and where half of the light is left; null where the stops say more than lengths. */
function stopsOf(colors: readonly string[], length: number): { at: number; alpha: number }[] | null {
  const stops = colors.flatMap((text) => {
    const [color = '', ...places] = splitAt(text, ' ');
    const alpha = color.search(COLOR) < 0 ? NaN : colorAlpha(color);
    // Infinity: the stop has no position of its own.
    return places.length === 0 ? [{ at: Infinity, alpha }] : places.map((at) => ({ at: lengthOf(at, length), alpha }));
  });
  if (stops.some(({ at, alpha }) => Number.isNaN(at + alpha))) return null;
  const last = stops.length - 1;
  if (stops[0]!.at === Infinity) stops[0]!.at = 0;
  if (stops[last]!.at === Infinity) stops[last]!.at = length;
  for (let i = 1, before = 0; i <= last; i++) {
    if (stops[i]!.at === Infinity) continue;
    // No stop lies before an earlier one; stops without a position lie evenly between their neighbours.
    const { at } = stops[before]!;
    stops[i]!.at = Math.max(stops[i]!.at, at);
    for (let k = before + 1; k < i; k++) stops[k]!.at = at + ((stops[i]!.at - at) * (k - before)) / (i - before);
    before = i;
  }
  return stops.flatMap((stop, i) => {
    const { at, alpha } = stops[i + 1] ?? stop;
    const half = stop.at + ((at - stop.at) * (HALF - stop.alpha)) / (alpha - stop.alpha);
    return half - stop.at > 1 && at - half > 1 ? [stop, { at: half, alpha: HALF }] : [stop];
  });
}
/** What takes more than this hides what lies below. */
const HALF = 0.5;
