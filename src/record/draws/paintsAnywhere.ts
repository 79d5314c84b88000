import type * as Phaser from 'phaser';

import type { CameraInternals } from '../phaser3/internals.js';
import { keepsAlpha } from './colourMatrix.js';

/** Effects in `Phaser.FX` that may paint where nothing was drawn. */
const COLOR_MATRIX = 14;
const CIRCLE = 15;

/**
 * True when a post pipeline paints over the whole canvas after the camera has drawn, even where the camera shows
 * nothing: a pipeline of the game's own, a circle, or a colour matrix that makes something of nothing. Phaser's other
 * effects leave empty places empty.
 */
export function paintsAnywhere(camera: Phaser.Cameras.Scene2D.Camera): boolean {
  const { postPipelines } = camera as unknown as CameraInternals;
  if (!postPipelines) return false;
  for (let i = 0; i < postPipelines.length; i++) {
    const { active, controller } = postPipelines[i]!;
    if (!active) continue;
    if (!controller || controller.type === CIRCLE) return true;
    if (controller.type === COLOR_MATRIX && !keepsAlpha(controller.getData!())) return true;
  }
  return false;
}
