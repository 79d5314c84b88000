import type { BackgroundLayer } from './backgroundLayers.js';
import type { Box } from './Box.js';
import { cssLength, cssWords } from './cssLength.js';
import type { PictureSize } from './pictureBox.js';

/** Of more copies nobody looks at each. */
const MOST_TILES = 128;

/** What a picture is like whose copies are laid out. */
export interface TiledPicture {
  /** Nothing in the picture changes from left to right, */
  readonly isSameAcross: boolean;
  /** or from top to bottom: copies in this direction are as good as one. */
  readonly isSameDown: boolean;
  /** It fills what it is laid out in where no size is given. */
  readonly hasNoSize: boolean;
  /** Its own, where that is known. */
  readonly size: PictureSize | null;
}

/** Where the copies of the picture lie; null where that is hard to say, or they are many. */
export function pictureTiles(layer: BackgroundLayer, origin: Box, within: Box, picture: TiledPicture): Box[] | null {
  const { isSameAcross, isSameDown } = picture;
  const [repeatX = 'repeat', repeatY = repeatX] = REPEATS[layer.repeat] ?? layer.repeat.split(' ');
  const [fromX = '0%', fromY = '50%'] = cssWords(layer.position);
  const size = sizeIn(layer.size, origin.right - origin.left, origin.bottom - origin.top, picture);
  if (size === null) return null;
  // What is rounded in one direction is as much wider or narrower in the other, if that follows from it.
  if (!picture.hasNoSize && /auto/.test(layer.size) && (repeatX === 'round') !== (repeatY === 'round')) return null;
  const across = tilesAlong(origin.left, origin.right, size.width, fromX, repeatX, within.left, within.right, isSameAcross); // prettier-ignore
  const down = tilesAlong(origin.top, origin.bottom, size.height, fromY, repeatY, within.top, within.bottom, isSameDown); // prettier-ignore
  if (across === null || down === null || across.length * down.length > MOST_TILES) return null;
  return across.flatMap(([left, right]) => down.map(([top, bottom]) => ({ left, top, right, bottom })));
}

/** How large a picture is in a box; null where that depends on a size that nobody knows. */
function sizeIn(
  size: string,
  width: number,
  height: number,
  { hasNoSize, size: own }: TiledPicture,
): PictureSize | null {
  const [first = 'auto', second = 'auto'] = cssWords(size);
  const isFitted = first === 'cover' || first === 'contain';
  const across = cssLength(first, width);
  const down = cssLength(second, height);
  const isWide = first === 'auto';
  const isHigh = second === 'auto';
  if (hasNoSize) return { width: isFitted || isWide ? width : across, height: isFitted || isHigh ? height : down };
  if (!isFitted && !isWide && !isHigh) return { width: across, height: down };
  if (own === null) return null;
  const scales = [width / own.width, height / own.height];
  const scale = isFitted
    ? (first === 'cover' ? Math.max : Math.min)(...scales)
    : isWide && isHigh
      ? 1
      : isWide
        ? down / own.height
        : across / own.width;
  return { width: own.width * scale, height: own.height * scale };
}

const REPEATS: Readonly<Record<string, readonly string[]>> = {
  'repeat-x': ['repeat', 'no-repeat'],
  'repeat-y': ['no-repeat', 'repeat'],
};

function tilesAlong(
  start: number,
  end: number,
  size: number,
  position: string,
  repeat: string,
  from: number,
  to: number,
  isSame: boolean,
): [number, number][] | null {
  const room = end - start;
  if (size === 0) return [];
  const length = repeat === 'round' ? room / Math.max(1, Math.round(room / size)) : size;
  const count = repeat === 'space' ? Math.floor(room / length + ROUNDING) : 0;
  const first = count > 1 ? start : start + cssLength(position, room - length);
  if (!Number.isFinite(first) || !(length > 0)) return null;
  if (repeat === 'no-repeat' || (repeat === 'space' && count < 2)) return [[first, first + length]];
  const step = count > 1 ? length + (room - count * length) / (count - 1) : length;
  if (isSame && step === length) return [[from, to]];
  const low = Math.floor((from - first) / step + ROUNDING);
  const high = Math.ceil((to - first) / step - ROUNDING);
  if (high - low > MOST_TILES) return null;
  return Array.from({ length: Math.max(0, high - low) }, (_, i) => [
    first + (low + i) * step,
    first + (low + i) * step + length,
  ]);
}

const ROUNDING = 1e-3;
