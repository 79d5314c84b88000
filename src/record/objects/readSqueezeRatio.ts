import type * as Phaser from 'phaser';

import type { PageView } from '../../page/PageView.js';
import type { CameraInternals } from '../phaser3/internals.js';

interface Placed {
  readonly rotation?: number;
  readonly scaleX?: number;
  readonly scaleY?: number;
  readonly parentContainer?: Placed | null;
  /** Mesh and Plane turn in space. */
  readonly modelRotation?: { readonly x: number; readonly y: number } | null;
}

/**
 * Notes how far a game object is squeezed on its way from its texture to the page: the ratio of the two main stretches of that
 * map, 0–1. A board that looks turned away by an angle has the cosine of it; turning in the plane of the screen, zooming
 * and mirroring leave it at 1.
 *
 * @param page where the canvas is: its CSS pixels per canvas pixel across, divided by the same down
 * @param to gets the ratio; a fraction that is returned may cost an object
 */
export function readSqueezeRatio(
  object: Phaser.GameObjects.GameObject,
  camera: Phaser.Cameras.Scene2D.Camera,
  { cssAspectRatio }: Pick<PageView, 'cssAspectRatio'>,
  to: { squeezeRatio: number },
): void {
  const { matrix } = camera as unknown as CameraInternals;
  let placed: Placed | null = object;
  // The object's own map last: [a c; b d] = camera × containers × object, gathered from the object outward.
  let a = 1;
  let b = 0;
  let c = 0;
  let d = 1;
  while (placed !== null) {
    const { rotation = 0, scaleX = 1, scaleY = 1 } = placed;
    const cos = Math.cos(rotation);
    const sin = Math.sin(rotation);
    const na = cos * scaleX * a - sin * scaleY * b;
    const nb = sin * scaleX * a + cos * scaleY * b;
    const nc = cos * scaleX * c - sin * scaleY * d;
    const nd = sin * scaleX * c + cos * scaleY * d;
    a = na;
    b = nb;
    c = nc;
    d = nd;
    placed = placed.parentContainer ?? null;
  }
  const pa = (matrix.a * a + matrix.c * b) * cssAspectRatio;
  const pb = matrix.b * a + matrix.d * b;
  const pc = (matrix.a * c + matrix.c * d) * cssAspectRatio;
  const pd = matrix.b * c + matrix.d * d;
  const sum = pa * pa + pb * pb + pc * pc + pd * pd;
  const determinant = Math.abs(pa * pd - pb * pc);
  // The product of the two stretches is the determinant, the sum of their squares is the sum of all squares.
  const larger = (sum + Math.sqrt(Math.max(0, sum * sum - 4 * determinant * determinant))) / 2;
  const ratio = larger > 0 ? determinant / larger : 0;
  const { modelRotation } = object as Placed;
  to.squeezeRatio = modelRotation ? ratio * Math.abs(Math.cos(modelRotation.x) * Math.cos(modelRotation.y)) : ratio;
}
