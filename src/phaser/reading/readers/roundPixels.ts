import type * as Phaser from 'phaser';

import type { CameraInternals } from '../internals.js';
import type { ReadContext } from '../ObjectReader.js';
import { PenMode, Snap } from '../Pen.js';

/**
 * True where sprites are placed at the floor of their position: on Canvas, and in WebGL from 3.70 on, where their corners are
 * rounded only at whole zoom levels. Before, `roundPixels` alone rounded every corner.
 */
export function floorsPosition({ camera, isWebGL }: ReadContext): boolean {
  return camera.roundPixels && (!isWebGL || roundsByZoom(camera));
}

/** By so much, of their own pixels, Canvas draws rounded sprites larger from 3.70 on. */
export const SEAM_PX = 0.5;

/** True from 3.70 on. */
export function roundsByZoom(camera: Phaser.Cameras.Scene2D.Camera): boolean {
  return 'renderRoundPixels' in camera;
}

/** How `MultiPipeline.batchSprite` and `batchTexture` round the corners of what they draw. */
export function snapOfSprite({ camera, isWebGL, pen }: ReadContext): Snap {
  if (!isWebGL || !camera.roundPixels) return Snap.NONE;
  const { renderRoundPixels } = camera as unknown as CameraInternals;
  if (renderRoundPixels === undefined) return snapOfPart(camera.roundPixels, pen.mode);
  return renderRoundPixels ? Snap.FIRST : Snap.NONE;
}

/**
 * How a corner is rounded that is rounded for itself. The shape of an ad keeps its size even so: its area is what the
 * game asked for.
 */
export function snapOfPart(rounds: boolean, mode: PenMode): Snap {
  if (!rounds) return Snap.NONE;
  return mode === PenMode.PAINT ? Snap.EACH : Snap.FIRST;
}
