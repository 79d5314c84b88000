import type * as Phaser from 'phaser';

import type { Affine } from '../phaser3/internals.js';

/**
 * Matrix to the canvas from places in a scene, from which the camera's scroll times an object's scroll factors is
 * subtracted before. In Phaser 3 it is the camera's `matrix`. Phaser 4's `matrix` lacks the place of the camera, and
 * has scrolled already.
 */
export function viewMatrixOf(camera: Phaser.Cameras.Scene2D.Camera): Affine {
  const { matrix, matrixCombined } = camera as unknown as { matrix: Affine; matrixCombined?: Affine };
  if (matrixCombined === undefined) return matrix;
  const { scrollX, scrollY } = camera;
  const { a, b, c, d, e, f } = matrixCombined;
  return { a, b, c, d, e: e + a * scrollX + c * scrollY, f: f + b * scrollX + d * scrollY };
}
