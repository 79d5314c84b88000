import type * as Phaser from 'phaser';

import type { ParentMatrix } from '../../rehearsal/RehearsedEngine.js';
import type { DrawnObject } from '../phaser3/internals.js';
import type { ObjectBox } from './registerBounds.js';
import { viewMatrixOf } from './viewMatrixOf.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;
/** x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Place = readonly [number, number, number, number, number, number];

/** Matrix from the coordinates of an object's containers to the canvas. */
export function placeOf(
  { scrollFactorX, scrollFactorY }: Pick<DrawnObject, 'scrollFactorX' | 'scrollFactorY'>,
  camera: Camera,
  parent: ParentMatrix | undefined,
): Place {
  const { a, b, c, d, e, f } = viewMatrixOf(camera);
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

/** Matrix from an object's own coordinates to the place where `place`, the matrix of the list around it, leads. */
export function matrixOf(object: DrawnObject, place: Place): Place {
  const matrix = new Float64Array(6);
  placeWithin(object, place, matrix);
  return matrix as unknown as Place;
}

/** Writes the matrix of {@link matrixOf}, for a list with the matrix `around`, to `out`. */
export function placeWithin(
  { x, y, rotation, scaleX, scaleY }: DrawnObject,
  around: ArrayLike<number>,
  out: Float64Array,
): void {
  const a = around[0]!;
  const b = around[1]!;
  const c = around[2]!;
  const d = around[3]!;
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  out[0] = (a * cos + c * sin) * scaleX;
  out[1] = (b * cos + d * sin) * scaleX;
  out[2] = (c * cos - a * sin) * scaleY;
  out[3] = (d * cos - b * sin) * scaleY;
  out[4] = a * x + c * y + around[4]!;
  out[5] = b * x + d * y + around[5]!;
}

/** Where the corners of a box in an object's own coordinates are on the canvas, in order around. */
export function cornersOf({ x, y, width, height }: ObjectBox, object: GameObject, place: Place): Float64Array {
  const [a, b, c, d, e, f] = matrixOf(object as unknown as DrawnObject, place);
  const at = (px: number, py: number): [number, number] => [a * px + c * py + e, b * px + d * py + f];
  const right = x + width;
  const bottom = y + height;
  return Float64Array.of(...at(x, y), ...at(right, y), ...at(right, bottom), ...at(x, bottom));
}
