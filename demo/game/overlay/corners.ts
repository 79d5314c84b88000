import type * as Phaser from 'phaser';
import { canvasMatrix } from './canvasMatrix.js';

/** The four corners of an object of some size, in units of the layout. */
export function corners(object: Phaser.GameObjects.Image, camera: Phaser.Cameras.Scene2D.Camera): DOMPoint[] {
  const matrix = canvasMatrix(object, camera);
  const left = -object.displayOriginX;
  const top = -object.displayOriginY;
  const points = [
    [left, top],
    [left + object.width, top],
    [left + object.width, top + object.height],
    [left, top + object.height],
  ] as const;
  return points.map(([x, y]) => matrix.transformPoint(new DOMPoint(x, y)));
}
