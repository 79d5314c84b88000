import type * as Phaser from 'phaser';

import { keepsAlpha } from './colourMatrix.js';
import type { CameraInternals } from './phaser3/internals.js';

/** `Phaser.FX`: they may paint where nothing is. */
const COLOR_MATRIX = 14;
const CIRCLE = 15;

/**
 * True when a pipeline is drawn over the whole canvas after all the camera shows, even where that is nothing: one of a game's
 * own, a circle, or a colour matrix that makes something of nothing. Phaser's other effects leave what is empty empty.
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
