import { clipConvex } from '../../geometry/clipConvex.js';
import { type Box, boxAround, overlap } from './Box.js';
import { colorAlpha } from './colorAlpha.js';
import { cssLength, cssWords } from './cssLength.js';
import { cutToBox } from './cutToBox.js';
import { isPolygon, pointsOf, type Shape } from './RoundBox.js';

/** A convex part of a gradient, taken to be of one opacity. */
export interface GradientPart {
  readonly shape: Shape;
  readonly opacity: number;
}

/** Into how many steps of opacity a gradient is cut; an even number, for half to lie between two of them. */
const LINEAR_STEPS = 16;
const RADIAL_STEPS = 8;

/** Of a round gradient. */
const MOST_SIDES = 32;

/** Where more copies of a gradient lie side by side, its strongest colour counts everywhere. */
const MOST_TILES = 4;

/**
 * What a background paints that is a single gradient, straight or round: parts of one opacity each.
 * @param origin The box in which it is laid out.
 * @param filled What it is cut to; convex.
 * @returns Null for all other pictures, and where it is of one opacity all over.
 */
export function gradientParts(style: CSSStyleDeclaration, origin: Box, filled: Shape): GradientPart[] | null {
  const { backgroundImage, backgroundAttachment } = style;
  if (!/^(?:linear|radial)-gradient\(/.test(backgroundImage) || backgroundAttachment !== 'scroll') return null;
  const [first, ...others] = splitAtCommas(backgroundImage);
  const [, kind, text] = /^(linear|radial)-gradient\((.*)\)$/.exec(first!) ?? [];
  if (others.length > 0 || kind === undefined || text === undefined) return null;
  const within = isPolygon(filled) ? boxAround(filled) : filled;
  const tiles = tilesOf(style, origin, within);
  if (tiles === null) return null;
  const words = splitAtCommas(text);
  const isFirstColor = colorAndPlaces(words[0]!) !== null;
  const [head, colors] = isFirstColor ? ['', words] : [words[0]!, words.slice(1)];
  const parts: GradientPart[] = [];
  for (const tile of tiles) {
    const own = kind === 'linear' ? linearParts(head, colors, tile) : radialParts(head, colors, tile);
    if (own === null) return null;
    for (const { shape, opacity } of own) {
      for (const cut of commonPart(commonPart([shape], tile), filled)) parts.push({ shape: cut, opacity });
    }
  }
  return parts;
}

function commonPart(shapes: readonly Shape[], other: Shape): Shape[] {
  return shapes.flatMap((shape): Shape[] => {
    if (!isPolygon(shape) && !isPolygon(other)) {
      const both = overlap(shape, other);
      return both === null ? [] : [both];
    }
    const [points, cutter] = [pointsOf(shape), pointsOf(other)];
    const cut = new Float64Array(points.length + cutter.length);
    const length = clipConvex(points, 0, points.length / 2, cutter, 0, cutter.length / 2, cut);
    return length < 3 ? [] : [[...cut.subarray(0, 2 * length)]];
  });
}

/** At commas outside of parentheses. */
function splitAtCommas(text: string): string[] {
  return (text.match(/(?:[^,()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+/g) ?? []).map((part) => part.trim());
}

/** Where the copies of the picture lie; null where that is hard to say, or they are many. */
function tilesOf(style: CSSStyleDeclaration, origin: Box, within: Box): Box[] | null {
  const { backgroundSize, backgroundPosition, backgroundRepeat } = style;
  const [repeatX = 'repeat', repeatY = repeatX] = REPEATS[backgroundRepeat] ?? backgroundRepeat.split(' ');
  const [sizeX = 'auto', sizeY = 'auto'] = cssWords(backgroundSize);
  const [fromX = '0%', fromY = '50%'] = cssWords(backgroundPosition);
  const across = tilesAlong(origin.left, origin.right, sizeX, fromX, repeatX, within.left, within.right);
  const down = tilesAlong(origin.top, origin.bottom, sizeY, fromY, repeatY, within.top, within.bottom);
  if (across === null || down === null || across.length * down.length > MOST_TILES) return null;
  return across.flatMap(([left, right]) => down.map(([top, bottom]) => ({ left, top, right, bottom })));
}

const REPEATS: Readonly<Record<string, readonly string[]>> = {
  'repeat-x': ['repeat', 'no-repeat'],
  'repeat-y': ['no-repeat', 'repeat'],
};

function tilesAlong(
  start: number,
  end: number,
  size: string,
  position: string,
  repeat: string,
  from: number,
  to: number,
): [number, number][] | null {
  // A gradient has no size of its own: it fills the box.
  const isWhole = size === 'auto' || size === 'cover' || size === 'contain';
  const length = isWhole ? end - start : cssLength(size, end - start);
  const first = start + cssLength(position, end - start - length);
  if (!Number.isFinite(first) || !(length >= 0)) return null;
  if (length === 0) return [];
  if (repeat === 'no-repeat') return [[first, first + length]];
  if (repeat !== 'repeat') return null;
  const low = Math.floor((from - first) / length + ROUNDING);
  const high = Math.ceil((to - first) / length - ROUNDING);
  if (high - low > MOST_TILES) return null;
  return Array.from({ length: Math.max(0, high - low) }, (_, i) => [
    first + (low + i) * length,
    first + (low + i + 1) * length,
  ]);
}
const ROUNDING = 1e-3;

interface Stop {
  at: number;
  readonly alpha: number;
}

function colorAndPlaces(text: string): { alpha: number; places: string[] } | null {
  const [, color, places] = /^((?:rgba?|color|hsla?|hwb|lab|lch|oklab|oklch)\([^()]*\))(.*)$/.exec(text) ?? [];
  return color === undefined ? null : { alpha: colorAlpha(color), places: cssWords(places!) };
}

/** In pixels along a line of some length; null where there is something else among them. */
function stopsOf(colors: readonly string[], length: number): Stop[] | null {
  const stops: Stop[] = [];
  for (const text of colors) {
    const color = colorAndPlaces(text);
    if (color === null) return null;
    const { alpha, places } = color;
    if (places.length === 0) stops.push({ at: NaN, alpha });
    for (const place of places) {
      const at = cssLength(place, length);
      if (!Number.isFinite(at)) return null;
      stops.push({ at, alpha });
    }
  }
  if (stops.length < 2) return null;
  const last = stops.length - 1;
  if (Number.isNaN(stops[0]!.at)) stops[0]!.at = 0;
  if (Number.isNaN(stops[last]!.at)) stops[last]!.at = length;
  let known = 0;
  for (let i = 1; i <= last; i++) {
    if (Number.isNaN(stops[i]!.at)) continue;
    // None lies before one that is named before it.
    stops[i]!.at = Math.max(stops[i]!.at, stops[known]!.at);
    const step = (stops[i]!.at - stops[known]!.at) / (i - known);
    for (let between = known + 1; between < i; between++)
      stops[between]!.at = stops[known]!.at + step * (between - known);
    known = i;
  }
  return stops;
}

interface Stretch {
  readonly from: number;
  to: number;
  readonly opacity: number;
}

/** The line between the stops, and beyond them, in stretches of one opacity. Null where that is the same everywhere. */
function stretchesOf(stops: readonly Stop[], steps: number): Stretch[] | null {
  if (stops.every(({ alpha }) => alpha === stops[0]!.alpha)) return null;
  const stretches: Stretch[] = [];
  const add = (from: number, to: number, opacity: number): void => {
    const last = stretches.at(-1);
    if (last !== undefined && last.opacity === opacity) last.to = to;
    else if (to > from) stretches.push({ from, to, opacity });
  };
  add(-Infinity, stops[0]!.at, stops[0]!.alpha);
  for (let i = 1; i < stops.length; i++) {
    const [a, b] = [stops[i - 1]!, stops[i]!];
    const low = Math.floor(Math.min(a.alpha, b.alpha) * steps) + 1;
    const high = Math.ceil(Math.max(a.alpha, b.alpha) * steps) - 1;
    const levels = [a.alpha];
    for (let level = low; level <= high; level++) levels.push(level / steps);
    if (b.alpha < a.alpha) levels.splice(1, levels.length, ...levels.slice(1).reverse());
    if (b.alpha !== a.alpha) levels.push(b.alpha);
    const place = (alpha: number): number =>
      a.alpha === b.alpha ? a.at : a.at + ((alpha - a.alpha) / (b.alpha - a.alpha)) * (b.at - a.at);
    if (levels.length === 1) add(a.at, b.at, a.alpha);
    for (let at = 1; at < levels.length; at++) {
      const [from, to] = [levels[at - 1]!, levels[at]!];
      add(place(from), place(to), (from + to) / 2);
    }
  }
  const end = stops.at(-1)!;
  add(end.at, Infinity, end.alpha);
  return stretches.filter(({ opacity }) => opacity > 0);
}

/** The direction in which a straight gradient goes, x and y; null where that is given in another way. */
function directionOf(head: string, width: number, height: number): [number, number] | null {
  const text = head.replace(/\s*\bin [a-z0-9-]+(?: \w+ hue)?\s*/, '').trim();
  if (text === '') return [0, 1];
  if (text.startsWith('to ')) {
    const x = text.includes('left') ? -1 : text.includes('right') ? 1 : 0;
    const y = text.includes('top') ? -1 : text.includes('bottom') ? 1 : 0;
    // Towards a corner: half of it lies on the line between the two others.
    return x !== 0 && y !== 0 ? [x * height, y * width] : [x, y];
  }
  const [, count, unit] = /^(-?[\d.e-]+)(deg|turn|rad|grad)$/.exec(text) ?? [];
  if (count === undefined) return null;
  const angle = Number(count) * { deg: Math.PI / 180, turn: 2 * Math.PI, rad: 1, grad: Math.PI / 200 }[unit!]!;
  return [Math.sin(angle), -Math.cos(angle)];
}

function linearParts(head: string, colors: readonly string[], tile: Box): GradientPart[] | null {
  const width = tile.right - tile.left;
  const height = tile.bottom - tile.top;
  const direction = directionOf(head, width, height);
  if (direction === null) return null;
  const size = Math.hypot(...direction);
  const [dx, dy] = direction.map((value) => (Math.abs(value / size) < 1e-9 ? 0 : value / size)) as [number, number];
  const length = Math.abs(width * dx) + Math.abs(height * dy);
  const stops = stopsOf(colors, length);
  if (stops === null) return null;
  const stretches = stretchesOf(stops, LINEAR_STEPS);
  if (stretches === null) return strongAllOver(stops, tile);
  const middleX = (tile.left + tile.right) / 2;
  const middleY = (tile.top + tile.bottom) / 2;
  const side = width + height;
  return stretches.flatMap(({ from, to, opacity }): GradientPart[] => {
    const near = Math.max(from, 0) - length / 2;
    const far = Math.min(to, length) - length / 2;
    if (far <= near) return [];
    const stripe = [near, near, far, far].flatMap((along, i) => {
      const beside = i === 0 || i === 3 ? -side : side;
      return [middleX + dx * along - dy * beside, middleY + dy * along + dx * beside];
    });
    const isStraight = dx === 0 || dy === 0;
    const shape = isStraight ? (overlap(boxAround(stripe), tile) ?? []) : cutToBox(stripe, tile);
    return isPolygon(shape) && shape.length < 6 ? [] : [{ shape, opacity }];
  });
}

function strongAllOver(stops: readonly Stop[], tile: Box): GradientPart[] {
  const { alpha } = stops[0]!;
  return alpha > 0 ? [{ shape: tile, opacity: alpha }] : [];
}

interface Ellipse {
  readonly x: number;
  readonly y: number;
  readonly across: number;
  readonly down: number;
}

function ellipseOf(head: string, tile: Box): Ellipse | null {
  const words = cssWords(head.replace(/\s*\bin [a-z0-9-]+(?: \w+ hue)?\s*/, ''));
  const at = words.indexOf('at');
  const [left = '50%', top = '50%'] = at < 0 ? [] : words.slice(at + 1);
  const sizes = (at < 0 ? words : words.slice(0, at)).filter((word) => word !== 'circle' && word !== 'ellipse');
  const width = tile.right - tile.left;
  const height = tile.bottom - tile.top;
  const x = cssLength(left, width);
  const y = cssLength(top, height);
  const sidesX = [Math.abs(x), Math.abs(width - x)];
  const sidesY = [Math.abs(y), Math.abs(height - y)];
  const isCircle = words.includes('circle') || (sizes.length === 1 && sizes[0]!.endsWith('px'));
  const [first = 'farthest-corner', second = first] = sizes;
  const keyword = /^(closest|farthest)-(side|corner)$/.exec(first);
  let across = cssLength(first, width);
  let down = isCircle ? across : cssLength(second, height);
  if (keyword !== null) {
    const pick = keyword[1] === 'closest' ? Math.min : Math.max;
    const isCorner = keyword[2] === 'corner';
    across = pick(...sidesX);
    down = pick(...sidesY);
    if (isCircle) across = down = isCorner ? Math.hypot(across, down) : pick(across, down);
    else if (isCorner) [across, down] = [across * Math.SQRT2, down * Math.SQRT2];
  }
  if (![x, y].every(Number.isFinite) || !(across > 0) || !(down > 0)) return null;
  return { x: tile.left + x, y: tile.top + y, across, down };
}

function radialParts(head: string, colors: readonly string[], tile: Box): GradientPart[] | null {
  const ellipse = ellipseOf(head, tile);
  const stops = ellipse && stopsOf(colors, ellipse.across);
  if (ellipse === null || stops === null) return null;
  const stretches = stretchesOf(stops, RADIAL_STEPS);
  if (stretches === null) return strongAllOver(stops, tile);
  const { x, y, across, down } = ellipse;
  const farX = Math.max(Math.abs(tile.left - x), Math.abs(tile.right - x)) / across;
  const farY = Math.max(Math.abs(tile.top - y), Math.abs(tile.bottom - y)) / down;
  // The polygons stay a little within the curve where they are the nearest to the middle.
  const farthest = 1.1 * across * Math.hypot(farX, farY);
  const sides = (radius: number): number =>
    Math.max(8, Math.min(MOST_SIDES, Math.ceil(Math.PI * Math.sqrt(radius * Math.max(1, down / across)))));
  const count = sides(Math.min(farthest, Math.max(...stops.map(({ at }) => at), 0)));
  // Of the same area as the ellipse.
  const wide = Math.sqrt((2 * Math.PI) / count / Math.sin((2 * Math.PI) / count));
  const point = (corner: number, radius: number): [number, number] => {
    const angle = (2 * Math.PI * (corner % count)) / count;
    return [x + wide * radius * Math.cos(angle), y + wide * radius * (down / across) * Math.sin(angle)];
  };
  const parts: GradientPart[] = [];
  for (const { from, to, opacity } of stretches) {
    const inner = Math.max(0, from);
    const outer = Math.min(farthest, to);
    if (outer <= inner) continue;
    const corners = Array.from({ length: count }, (_, i) => i);
    if (inner === 0) {
      parts.push({ shape: corners.flatMap((corner) => point(corner, outer)), opacity });
      continue;
    }
    for (const i of corners) {
      const shape = [...point(i, inner), ...point(i, outer), ...point(i + 1, outer), ...point(i + 1, inner)];
      if (overlap(boxAround(shape), tile) !== null) parts.push({ shape, opacity });
    }
  }
  return parts;
}
