import type { CreativeLease, PaintOver } from '../creative/CreativeStore.js';
import { MAX_LABEL } from '../placementRules.js';
import { fitCreative } from './fitCreative.js';
import type { Placement } from './placeOptions.js';

/** Used when neither the game nor the ad gives a word. */
const DEFAULT_WORD = 'Ad';

/** Height of the writing as a share of the shorter side of what is shown, and its least height in world pixels. */
const SHARE_OF_SIDE = 1 / 12;
const MIN_HEIGHT = 11;
/** The label never takes more than this share of either side: on a tiny ad the writing is lower than {@link MIN_HEIGHT}. */
const MAX_SHARE = 1 / 3;
/** Texture pixels that make the writing readable, and how many times a creative is enlarged for it at most. */
const SHARP_HEIGHT = 14;
const MAX_SCALE = 4;
const MAX_TEXTURE_SIDE = 2048;

/**
 * Paints the word that tells the player that it is an ad into the upper left corner of what a placement shows of its creative.
 * As a part of the picture it moves, turns, fades and is masked with the ad, covers nothing else, and costs no measuring.
 * @param word as asked for by the game; `true` for the ad's own
 * @param size of the creative, in its own pixels
 */
export function adLabel(
  word: string | true,
  ownWord: unknown,
  box: Pick<Placement, 'width' | 'height' | 'fit'>,
  size: Pick<CreativeLease, 'width' | 'height'>,
): PaintOver {
  const text = word === true ? wordOf(ownWord) : word;
  const { cut, width, height } = fitCreative(box.fit, box.width, box.height, size.width, size.height, 0.5, 0.5);
  const texelsX = cut.width / width;
  const texelsY = cut.height / height;
  const least = Math.max(MIN_HEIGHT, Math.min(width, height) * SHARE_OF_SIDE);
  const wanted = Math.ceil(SHARP_HEIGHT / (least * Math.min(texelsX, texelsY)));
  const most = Math.floor(MAX_TEXTURE_SIDE / Math.max(size.width, size.height));
  return {
    scale: Math.max(1, Math.min(wanted, MAX_SCALE, most)),
    paint(context) {
      context.save();
      context.translate(cut.x, cut.y);
      // A stretched creative does not stretch the word.
      context.scale(texelsX, texelsY);
      context.font = '600 100px system-ui, sans-serif';
      const widthAt1 = context.measureText(text).width / 100;
      const fontSize = Math.min(least, (height * MAX_SHARE) / LINE, (width * MAX_SHARE) / (widthAt1 + 2 * PADDING));
      context.fillStyle = 'rgba(0, 0, 0, 0.72)';
      context.fillRect(0, 0, fontSize * (widthAt1 + 2 * PADDING), fontSize * LINE);
      context.fillStyle = '#fff';
      context.font = `600 ${fontSize}px system-ui, sans-serif`;
      context.textAlign = 'left';
      context.textBaseline = 'middle';
      context.fillText(text, fontSize * PADDING, fontSize * LINE * 0.53);
      context.restore();
    },
  };
}

/** Padding beside the word, and height of the label from edge to edge, in heights of the writing. */
const PADDING = 0.4;
const LINE = 1.4;

/** The word of an ad, or of a game's source, may be anything. */
function wordOf(given: unknown): string {
  if (typeof given !== 'string') return DEFAULT_WORD;
  const text = given.replace(/\p{C}/gu, '').trim();
  return text === '' || text.length > MAX_LABEL ? DEFAULT_WORD : text;
}
