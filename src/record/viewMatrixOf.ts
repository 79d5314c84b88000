import type * as Phaser from 'phaser';

import type { Affine } from './phaser3/internals.js';

/**
 * From places in a scene, less the camera's scroll times an object's scroll factors, to the canvas. Phaser 3 keeps just that as
 * the camera's matrix; that of Phaser 4 is without the place of the camera, and has scrolled already.
 */
export function viewMatrixOf(camera: Phaser.Cameras.Scene2D.Camera): Affine {
  const { matrix, matrixCombined } = camera as unknown as { matrix: Affine; matrixCombined?: Affine };
  if (matrixCombined === undefined) return matrix;
  const { scrollX, scrollY } = camera;
  const { a, b, c, d, e, f } = matrixCombined;
  return { a, b, c, d, e: e + a * scrollX + c * scrollY, f: f + b * scrollX + d * scrollY };
}
