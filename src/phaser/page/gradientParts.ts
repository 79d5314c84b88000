import { type Box, boxAround, overlap } from './Box.js';
import { colorAlpha } from './colorAlpha.js';
import { cssLength, cssWords } from './cssLength.js';
import { cutToBox } from './cutToBox.js';
import { isPolygon, type Shape } from './RoundBox.js';
import { splitAtCommas } from './splitAtCommas.js';

/** A convex part of a gradient, taken to be of one opacity. */
export interface GradientPart {
  readonly shape: Shape;
  readonly opacity: number;
}

/**
 * Into how many steps of opacity a gradient is cut; an even number, for half to lie between two of them. Each of them is one
 * part, but for the rings of a round one.
 */
const LINEAR_STEPS = 16;
const RADIAL_STEPS = 8;
const DISC_STEPS = 32;

/** Colours that follow each other so closely make a smooth edge, not a gradient. */
const SHARP_PX = 1;

/** Of a round gradient. */
const MOST_SIDES = 32;

/** Of one that repeats: with more of them its strongest colour counts everywhere. */
const MOST_PERIODS = 128;

/** How a gradient goes, before it is known how large it is. */
export interface Gradient {
  readonly kind: 'linear' | 'radial' | 'conic';
  readonly isRepeating: boolean;
  /** What comes before the colours. */
  readonly head: string;
  readonly colors: readonly string[];
}

/** Null for other pictures. */
export function gradientOf(image: string): Gradient | null {
  const [, repeating, kind, text] = /^(repeating-)?(linear|radial|conic)-gradient\((.*)\)$/.exec(image) ?? [];
  if (kind === undefined || text === undefined) return null;
  const words = splitAtCommas(text);
  const isFirstColor = colorAndPlaces(words[0]!) !== null;
  const [head, colors] = isFirstColor ? ['', words] : [words[0]!, words.slice(1)];
  return { kind: kind as Gradient['kind'], isRepeating: repeating !== undefined, head, colors };
}

/** The direction in which nothing in a straight gradient changes. */
export function samenessOf({ kind, head }: Gradient): { isSameAcross: boolean; isSameDown: boolean } {
  const [x, y] = (kind === 'linear' ? directionOf(head, 1, 1) : null) ?? [1, 1];
  return { isSameAcross: Math.abs(x) < 1e-9, isSameDown: Math.abs(y) < 1e-9 };
}

/** Parts of one opacity each, which may go beyond the box it fills. Null where nobody can tell. */
export function gradientParts(gradient: Gradient, tile: Box): GradientPart[] | null {
  return { linear: linearParts, radial: radialParts, conic: conicParts }[gradient.kind](gradient, tile);
}

interface Stop {
  at: number;
  readonly alpha: number;
}

function colorAndPlaces(text: string): { alpha: number; places: string[] } | null {
  const [, color, places] = /^((?:rgba?|color|hsla?|hwb|lab|lch|oklab|oklch)\([^()]*\))(.*)$/.exec(text) ?? [];
  return color === undefined ? null : { alpha: colorAlpha(color), places: cssWords(places!) };
}

/**
 * In pixels along a line of some length; null where there is something else among them.
 * @param end How far they matter, where they repeat.
 */
function stopsOf({ colors, isRepeating }: Gradient, length: number, end: number): Stop[] | null {
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
  return isRepeating ? repeated(stops, end) : stops;
}

/** From the start of the line on. */
function repeated(stops: readonly Stop[], end: number): Stop[] | null {
  const first = stops[0]!.at;
  const period = stops.at(-1)!.at - first;
  const low = Math.floor(-first / period);
  const high = Math.ceil((end - first) / period);
  if (!(period > 0) || !(high - low <= MOST_PERIODS)) return null;
  return Array.from({ length: high - low }, (_, i) =>
    stops.map(({ at, alpha }) => ({ at: at + (low + i) * period, alpha })),
  ).flat();
}

interface Stretch {
  readonly from: number;
  to: number;
  readonly opacity: number;
}

/**
 * The line between the stops, and beyond them, in stretches of one opacity. Null where that is the same everywhere.
 * @param sharp What changes within such a length changes at once.
 */
function stretchesOf(stops: readonly Stop[], steps: number, sharp: number): Stretch[] | null {
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
    if (b.at - a.at <= sharp) {
      const middle = (a.at + b.at) / 2;
      add(a.at, middle, a.alpha);
      add(middle, b.at, b.alpha);
      continue;
    }
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
  const angle = Number(count) * ((2 * Math.PI) / TURNS[unit!]!);
  return [Math.sin(angle), -Math.cos(angle)];
}

function linearParts(gradient: Gradient, tile: Box): GradientPart[] | null {
  const width = tile.right - tile.left;
  const height = tile.bottom - tile.top;
  const direction = directionOf(gradient.head, width, height);
  if (direction === null) return null;
  const size = Math.hypot(...direction);
  const [dx, dy] = direction.map((value) => (Math.abs(value / size) < 1e-9 ? 0 : value / size)) as [number, number];
  const length = Math.abs(width * dx) + Math.abs(height * dy);
  const stops = stopsOf(gradient, length, length);
  if (stops === null) return null;
  const stretches = stretchesOf(stops, LINEAR_STEPS, SHARP_PX);
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

function radialParts(gradient: Gradient, tile: Box): GradientPart[] | null {
  const ellipse = ellipseOf(gradient.head, tile);
  if (ellipse === null) return null;
  const { x, y, across, down } = ellipse;
  const farX = Math.max(Math.abs(tile.left - x), Math.abs(tile.right - x)) / across;
  const farY = Math.max(Math.abs(tile.top - y), Math.abs(tile.bottom - y)) / down;
  // The polygons stay a little within the curve where they are the nearest to the middle.
  const farthest = 1.1 * across * Math.hypot(farX, farY);
  const stops = stopsOf(gradient, across, farthest);
  if (stops === null) return null;
  const fine = ringsOf(stops, DISC_STEPS, farthest);
  if (fine === null) return strongAllOver(stops, tile);
  const rings = discsIn(fine) === fine.length ? fine : ringsOf(stops, RADIAL_STEPS, farthest)!;
  const discs = discsIn(rings);
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
  const corners = Array.from({ length: count }, (_, i) => i);
  for (let at = 0; at < discs; at++) {
    const { outer, opacity } = rings[at]!;
    // It lies on those around it.
    const around = at + 1 < discs ? 1 - rings[at + 1]!.opacity : 1;
    parts.push({ shape: corners.flatMap((corner) => point(corner, outer)), opacity: 1 - (1 - opacity) / around });
  }
  for (const { inner, outer, opacity } of rings.slice(discs)) {
    for (const i of corners) {
      const shape = [...point(i, inner), ...point(i, outer), ...point(i + 1, outer), ...point(i + 1, inner)];
      if (overlap(boxAround(shape), tile) !== null) parts.push({ shape, opacity });
    }
  }
  return parts;
}

interface Ring {
  readonly inner: number;
  readonly outer: number;
  readonly opacity: number;
}

/** Null where all have the same opacity. */
function ringsOf(stops: readonly Stop[], steps: number, farthest: number): Ring[] | null {
  const stretches = stretchesOf(stops, steps, SHARP_PX);
  if (stretches === null) return null;
  return stretches
    .map(({ from, to, opacity }) => ({ inner: Math.max(0, from), outer: Math.min(farthest, to), opacity }))
    .filter(({ inner, outer }) => outer > inner);
}

/** How many rings from the middle on each are fainter than those within: discs on each other make them in few parts. */
function discsIn(rings: readonly Ring[]): number {
  if (rings.length === 0 || rings[0]!.inner > 0) return 0;
  let count = 1;
  while (count < rings.length && isWithinNext(rings[count - 1]!, rings[count]!)) count++;
  return count;
}

function isWithinNext(ring: Ring, next: Ring): boolean {
  return next.inner === ring.outer && next.opacity < ring.opacity;
}

/** Pieces of a turn in which a sector is cut: what is narrower than half a turn is convex. */
const SECTORS = 4;

function conicParts(gradient: Gradient, tile: Box): GradientPart[] | null {
  const { head } = gradient;
  const angle = /from (-?[\d.e-]+)(deg|turn|rad|grad)/.exec(head);
  const start = angle === null ? 0 : Number(angle[1]) / TURNS[angle[2]!]!;
  const [left = '50%', top = '50%'] = cssWords(/\bat (.*)$/.exec(head)?.[1] ?? '');
  const x = tile.left + cssLength(left, tile.right - tile.left);
  const y = tile.top + cssLength(top, tile.bottom - tile.top);
  const inShares = gradient.colors.map((color) =>
    color.replace(/(-?[\d.e-]+)(deg|turn|rad|grad)(?=\s|$)/g, (_, count: string, unit: string) => {
      return `${(100 * Number(count)) / TURNS[unit]!}%`;
    }),
  );
  const stops = stopsOf({ ...gradient, colors: inShares }, 1, 1);
  if (stops === null || !Number.isFinite(x) || !Number.isFinite(y)) return null;
  const stretches = stretchesOf(stops, LINEAR_STEPS, 0);
  if (stretches === null) return strongAllOver(stops, tile);
  const far = Math.max(x - tile.left, tile.right - x) + Math.max(y - tile.top, tile.bottom - y);
  const radius = far / Math.cos(Math.PI / SECTORS);
  const point = (turn: number): [number, number] => {
    const radians = 2 * Math.PI * (turn + start);
    return [x + radius * Math.sin(radians), y - radius * Math.cos(radians)];
  };
  return stretches.flatMap(({ from, to, opacity }): GradientPart[] => {
    const first = Math.max(0, from);
    const last = Math.min(1, to);
    const count = last > first ? Math.ceil((last - first) * SECTORS) : 0;
    const at = (i: number): [number, number] => point(first + ((last - first) * i) / count);
    return Array.from({ length: count }, (_, i) => ({ shape: [x, y, ...at(i), ...at(i + 1)], opacity }));
  });
}

/** How many of a unit make a turn. */
const TURNS: Readonly<Record<string, number>> = { deg: 360, turn: 1, rad: 2 * Math.PI, grad: 400 };
