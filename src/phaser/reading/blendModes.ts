import { type Inherited, OWN_BLEND_MODE } from './Inherited.js';
import type { DrawnObject } from './internals.js';
import { Blend } from './Pen.js';

/** `Phaser.BlendModes.SKIP_CHECK`: of containers and layers, unless a game gives them a mode. */
export const SKIP_CHECK = -1;

/** `Phaser.BlendModes.ERASE`. */
export const ERASE = 17;

/** The highest number of `Phaser.BlendModes`, XOR; those a game adds to the WebGL renderer come behind it. */
export const LAST_BLEND_MODE = 27;

/** DIFFERENCE and EXCLUSION: what is white below becomes dark, and what is black, bright. */
export const INVERTING = new Set([11, 12]);

/** SOURCE_IN, SOURCE_OUT, DESTINATION_IN, DESTINATION_ATOP, COPY: on Canvas they change what lies beside the picture, too. */
export const CLEARING = new Set([18, 19, 22, 24, 26]);

/** What a mode does to the light below in WebGL, which knows four besides NORMAL; any other number means NORMAL. */
export function blendInWebGL(mode: number): Blend {
  return mode === 1 ? Blend.ADD : mode === 3 ? Blend.LIGHTEN : mode === 2 ? Blend.DARKEN : Blend.COVER;
}

/** What a mode does to the light below on Canvas; null when it leaves it or goes beneath. */
export function blendOnCanvas(mode: number): Blend | null {
  switch (mode) {
    case 1: // ADD
    case 11: // DIFFERENCE
    case 12: // EXCLUSION
    case 25: // LIGHTER
      return Blend.ADD;
    case 3: // SCREEN
    case 6: // LIGHTEN
      return Blend.LIGHTEN;
    case 9: // HARD_LIGHT
      return Blend.HARD_LIGHT;
    case 2: // MULTIPLY
    case 5: // DARKEN
      return Blend.DARKEN;
    case 4: // OVERLAY
    case 7: // COLOR_DODGE
    case 8: // COLOR_BURN
    case 10: // SOFT_LIGHT
    case 21: // DESTINATION_OVER
      return null;
    default:
      return Blend.COVER;
  }
}

/** The mode Canvas draws an object with. */
export function canvasBlendModeOf(object: DrawnObject, { blendMode }: Inherited): number {
  // `TilemapLayerCanvasRenderer` alone sets none.
  if ('gidMap' in object) return 0;
  return blendMode === OWN_BLEND_MODE ? object.blendMode : blendMode;
}
