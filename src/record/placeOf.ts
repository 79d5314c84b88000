import type * as Phaser from 'phaser';

import type { ParentMatrix } from '../rehearsal/RehearsedEngine.js';
import { viewMatrixOf } from './viewMatrixOf.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;
type Place = readonly [number, number, number, number, number, number];

interface Scrolled {
  readonly scrollFactorX: number;
  readonly scrollFactorY: number;
}

/** From the containers of an object to the canvas: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export function placeOf(object: GameObject, camera: Camera, parent: ParentMatrix | undefined): Place {
  const { a, b, c, d, e, f } = viewMatrixOf(camera);
  const { scrollFactorX, scrollFactorY } = object as unknown as Scrolled;
  const inner = parent ?? { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  const x = inner.e - camera.scrollX * scrollFactorX;
  const y = inner.f - camera.scrollY * scrollFactorY;
  return [
    a * inner.a + c * inner.b,
    b * inner.a + d * inner.b,
    a * inner.c + c * inner.d,
    b * inner.c + d * inner.d,
    a * x + c * y + e,
    b * x + d * y + f,
  ];
}
