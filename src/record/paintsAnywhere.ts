import type * as Phaser from 'phaser';

import type { CameraInternals } from './phaser3/internals.js';

/**
 * True when a pipeline of a game's own is drawn over the whole canvas after all the camera shows, even where that is nothing.
 * Phaser's own effects leave what is empty empty.
 */
export function paintsAnywhere(camera: Phaser.Cameras.Scene2D.Camera): boolean {
  const { postPipelines } = camera as unknown as CameraInternals;
  if (!postPipelines) return false;
  for (let i = 0; i < postPipelines.length; i++) {
    const { active, controller } = postPipelines[i]!;
    if (active && !controller) return true;
  }
  return false;
}
