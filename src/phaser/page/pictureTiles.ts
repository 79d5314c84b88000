import type { BackgroundLayer } from './backgroundLayers.js';
import type { Box } from './Box.js';
import { cssLength, cssWords } from './cssLength.js';

/** Of more copies nobody looks at each. */
const MOST_TILES = 128;

/** What the copies of a picture have in common side by side. */
export interface Sameness {
  /** Nothing in the picture changes from left to right, */
  readonly isSameAcross: boolean;
  /** or from top to bottom: copies in this direction are as good as one. */
  readonly isSameDown: boolean;
  /** It fills what it is laid out in where no size is given. */
  readonly hasNoSize: boolean;
}

/** Where the copies of the picture lie; null where that is hard to say, or they are many. */
export function pictureTiles(layer: BackgroundLayer, origin: Box, within: Box, sameness: Sameness): Box[] | null {
  const { isSameAcross, isSameDown, hasNoSize } = sameness;
  const [repeatX = 'repeat', repeatY = repeatX] = REPEATS[layer.repeat] ?? layer.repeat.split(' ');
  const [sizeX = 'auto', sizeY = 'auto'] = cssWords(layer.size);
  const [fromX = '0%', fromY = '50%'] = cssWords(layer.position);
  // Such a size depends on the shape of the picture.
  if (!hasNoSize && !/^[\d.]+(?:px|%) [\d.]+(?:px|%)$/.test(layer.size)) return null;
  const across = tilesAlong(origin.left, origin.right, sizeX, fromX, repeatX, within.left, within.right, isSameAcross);
  const down = tilesAlong(origin.top, origin.bottom, sizeY, fromY, repeatY, within.top, within.bottom, isSameDown);
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
  isSame: boolean,
): [number, number][] | null {
  // A gradient has no size of its own: it fills the box.
  const isWhole = size === 'auto' || size === 'cover' || size === 'contain';
  const length = isWhole ? end - start : cssLength(size, end - start);
  const first = start + cssLength(position, end - start - length);
  if (!Number.isFinite(first) || !(length >= 0)) return null;
  if (length === 0) return [];
  if (repeat === 'no-repeat') return [[first, first + length]];
  if (repeat !== 'repeat') return null;
  if (isSame) return [[from, to]];
  const low = Math.floor((from - first) / length + ROUNDING);
  const high = Math.ceil((to - first) / length - ROUNDING);
  if (high - low > MOST_TILES) return null;
  return Array.from({ length: Math.max(0, high - low) }, (_, i) => [
    first + (low + i) * length,
    first + (low + i + 1) * length,
  ]);
}
const ROUNDING = 1e-3;
