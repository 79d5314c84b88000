import { Blend } from '../../textures/Blend.js';
import type { DrawState } from './DrawOp.js';

/** What a draw does to the light below; null where it is unknown. */
export type DrawnBlend = Blend | 'erase' | null;

/** WebGL constants. */
const ZERO = 0;
const ONE = 1;
const ONE_MINUS_SRC_COLOR = 0x301;
const ONE_MINUS_SRC_ALPHA = 0x303;
const DST_ALPHA = 0x304;
const DST_COLOR = 0x306;
const FUNC_ADD = 0x8006;
const FUNC_REVERSE_SUBTRACT = 0x800b;

/** How a draw blends, by the blend function of the context. */
export function blendOf({ isBlending, source, destination, equation }: DrawState): DrawnBlend {
  if (!isBlending) return null;
  if (equation === FUNC_REVERSE_SUBTRACT && source === ZERO && destination === ONE_MINUS_SRC_ALPHA) return 'erase';
  if (equation !== FUNC_ADD) return null;
  if (source === ONE && destination === ONE_MINUS_SRC_ALPHA) return Blend.COVER;
  // Phaser adds by the first of these, many games by the second: the alpha of the canvas is one.
  if (source === ONE && (destination === DST_ALPHA || destination === ONE)) return Blend.ADD;
  if (source === ONE && destination === ONE_MINUS_SRC_COLOR) return Blend.LIGHTEN;
  if (source === DST_COLOR && destination === ONE_MINUS_SRC_ALPHA) return Blend.DARKEN;
  return null;
}

/** Whether a draw covers what is below, as far as it is opaque, whatever its colours are. */
export function covers(state: DrawState): boolean {
  return blendOf(state) === Blend.COVER;
}
