import type { Box } from './Box.js';
import { colorAlpha, lengthOf, splitAt } from './css.js';
import { ring, type Shape } from './shapes.js';

/** A convex part of a gradient, taken to be of one opacity. */
export interface Band {
  readonly shape: Shape;
  readonly opacity: number;
}

/** A part of the line along which a gradient changes, in pixels. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly opacity: number;
}

/** Into how many steps a gradient from clear to opaque is cut. */
const LINEAR_STEPS = 32;
const RADIAL_STEPS = 8;
/** Of the polygon that stands for an ellipse. */
const SIDES = 32;

/** How opaque a gradient is where it is the same everywhere, 0–1; null for others, and for what is no gradient. */
export function evenAlpha(image: string): number | null {
  if (!/^(?:repeating-)?(?:linear|radial|conic)-gradient\(/.test(image)) return null;
  const alphas = image.match(COLOR)?.map(colorAlpha) ?? [];
  return alphas.length > 0 && alphas.every((alpha) => alpha === alphas[0]) ? alphas[0]! : null;
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
  const head = words[0]!.search(COLOR) < 0 ? words.shift()! : '';
  return kind === 'linear' ? linearBands(head, words, box) : radialBands(head, words, box);
}

function linearBands(head: string, colors: readonly string[], { left, top, right, bottom }: Box): Band[] | null {
  const side = AXES[head];
  if (side === undefined) return null;
  const isDown = side === 'bottom' || side === 'top';
  const length = isDown ? bottom - top : right - left;
  const stretches = stretchesOf(colors, length, length, LINEAR_STEPS);
  return (
    stretches?.map(({ from, to, opacity }) => {
      const [near, far] = side === 'bottom' || side === 'right' ? [from, to] : [length - to, length - from];
      const shape = isDown
        ? [left, top + near, right, top + near, right, top + far, left, top + far]
        : [left + near, top, left + far, top, left + far, bottom, left + near, bottom];
      return { shape, opacity };
    }) ?? null
  );
}

/** The side to which a computed direction goes. */
const AXES: Readonly<Record<string, 'top' | 'right' | 'bottom' | 'left'>> = {
  '': 'bottom',
  'to top': 'top',
  '0deg': 'top',
  'to right': 'right',
  '90deg': 'right',
  'to bottom': 'bottom',
  '180deg': 'bottom',
  'to left': 'left',
  '270deg': 'left',
  '-90deg': 'left',
};

function radialBands(head: string, colors: readonly string[], box: Box): Band[] | null {
  const [size = '', at = '50% 50%'] = head.split(/\s*\bat\s+/);
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const [x, y] = splitAt(at.replaceAll('center', '50%'), ' ').map((one, i) => lengthOf(one, i === 0 ? width : height));
  const words = splitAt(size, ' ');
  const sizes = words.filter((word) => word !== 'circle' && word !== 'ellipse');
  const isCircle = words.includes('circle') || (sizes.length === 1 && sizes[0]!.endsWith('px'));
  const [first = 'farthest-corner', second = first] = sizes;
  const [, distance, end] = /^(closest|farthest)-(side|corner)$/.exec(first) ?? [];
  let [across, down] = [lengthOf(first, width), isCircle ? lengthOf(first, width) : lengthOf(second, height)];
  if (x === undefined || y === undefined) return null;
  if (distance !== undefined) {
    const pick = distance === 'closest' ? Math.min : Math.max;
    across = pick(Math.abs(x), Math.abs(width - x));
    down = pick(Math.abs(y), Math.abs(height - y));
    if (isCircle) across = down = end === 'corner' ? Math.hypot(across, down) : pick(across, down);
    else if (end === 'corner') [across, down] = [across * Math.SQRT2, down * Math.SQRT2];
  }
  if (!(across > 0 && down > 0) || Number.isNaN(x + y)) return null;
  // Polygons of the area of the ellipse, which stay a little within it where they are nearest to the middle.
  const wide = Math.sqrt((2 * Math.PI) / SIDES / Math.sin((2 * Math.PI) / SIDES));
  const ellipse = (radius: number): Shape =>
    Array.from({ length: SIDES }, (_, i) => (2 * Math.PI * i) / SIDES).flatMap((angle) => [
      box.left + x + wide * radius * Math.cos(angle),
      box.top + y + wide * radius * (down / across) * Math.sin(angle),
    ]);
  const farX = Math.max(Math.abs(x), Math.abs(width - x));
  const farY = Math.max(Math.abs(y), Math.abs(height - y)) * (across / down);
  const farthest = 1.1 * Math.hypot(farX, farY);
  const stretches = stretchesOf(colors, across, farthest, RADIAL_STEPS);
  return (
    stretches?.flatMap(({ from, to, opacity }) =>
      ring(ellipse(to), from > 0 ? ellipse(from) : []).map((shape) => ({ shape, opacity })),
    ) ?? null
  );
}

/** The stretches of one opacity between 0 and `end` along a line of some length; null where the stops say more than lengths. */
function stretchesOf(colors: readonly string[], length: number, end: number, steps: number): Stretch[] | null {
  const stops = stopsOf(colors, length);
  if (stops === null) return null;
  const stretches: Stretch[] = [];
  const add = (from: number, to: number, opacity: number): void => {
    const [near, far] = [Math.max(0, from), Math.min(end, to)];
    if (far > near && opacity > 0) stretches.push({ from: near, to: far, opacity });
  };
  add(-Infinity, stops[0]!.at, stops[0]!.alpha);
  stops.slice(1).forEach((stop, i) => {
    const { at, alpha } = stops[i]!;
    const span = stop.at - at;
    // What changes within a pixel is a smooth edge.
    const count = span <= 1 ? 2 : Math.max(1, 2 * Math.ceil((Math.abs(stop.alpha - alpha) * steps) / 2));
    for (let k = 0; k < count; k++) {
      const share = span <= 1 ? k : (k + 0.5) / count;
      add(at + (span * k) / count, at + (span * (k + 1)) / count, alpha + (stop.alpha - alpha) * share);
    }
  });
  const last = stops.at(-1)!;
  add(last.at, Infinity, last.alpha);
  return stretches;
}

function stopsOf(colors: readonly string[], length: number): { at: number; alpha: number }[] | null {
  const stops: { at: number; alpha: number }[] = [];
  for (const text of colors) {
    const [color = '', ...places] = splitAt(text, ' ');
    if (color.search(COLOR) < 0) return null;
    const ats = places.length === 0 ? [null] : places.map((place) => lengthOf(place, length));
    for (const at of ats) {
      if (Number.isNaN(at)) return null;
      stops.push({ at: at ?? NaN, alpha: colorAlpha(color) });
    }
  }
  const last = stops.length - 1;
  if (Number.isNaN(stops[0]!.at)) stops[0]!.at = 0;
  if (Number.isNaN(stops[last]!.at)) stops[last]!.at = length;
  let known = 0;
  for (let i = 1; i <= last; i++) {
    if (Number.isNaN(stops[i]!.at)) continue;
    // None lies before one that is named before it; those without a place lie evenly between.
    stops[i]!.at = Math.max(stops[i]!.at, stops[known]!.at);
    const step = (stops[i]!.at - stops[known]!.at) / (i - known);
    for (let k = known + 1; k < i; k++) stops[k]!.at = stops[known]!.at + step * (k - known);
    known = i;
  }
  return stops;
}
