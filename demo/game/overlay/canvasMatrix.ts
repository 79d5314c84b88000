import * as Phaser from 'phaser';
import { RESOLUTION } from '../resolution.js';

type Transformed = Phaser.GameObjects.GameObject & Phaser.GameObjects.Components.Transform;

const own = new Phaser.GameObjects.Components.TransformMatrix();
const scratch = new Phaser.GameObjects.Components.TransformMatrix();

/** From the object's own coordinates to units of the layout, as `camera` draws it. */
export function canvasMatrix(object: Transformed, camera: Phaser.Cameras.Scene2D.Camera): DOMMatrix {
  let scrollX = 1;
  let scrollY = 1;
  for (let at: Phaser.GameObjects.GameObject | null = object; at; at = at.parentContainer) {
    const { scrollFactorX, scrollFactorY } = at as unknown as Phaser.GameObjects.Components.ScrollFactor;
    scrollX *= scrollFactorX;
    scrollY *= scrollFactorY;
  }
  object.getWorldTransformMatrix(own, scratch);
  own.e -= camera.scrollX * scrollX;
  own.f -= camera.scrollY * scrollY;
  // Phaser's types leave out what its renderers read from a camera: scroll apart, this is how it draws.
  const { matrix: view } = camera as unknown as { readonly matrix: Phaser.GameObjects.Components.TransformMatrix };
  return new DOMMatrix([1 / RESOLUTION, 0, 0, 1 / RESOLUTION, 0, 0])
    .multiply(new DOMMatrix([view.a, view.b, view.c, view.d, view.e, view.f]))
    .multiply(new DOMMatrix([own.a, own.b, own.c, own.d, own.e, own.f]));
}
