import type { Affine } from './internals.js';

/** How a camera maps the world to the canvas: x' = a·(x − scrollX) + c·(y − scrollY) + e, and likewise with b, d, f. */
export class CameraView {
  a = 1;
  b = 0;
  c = 0;
  d = 1;
  e = 0;
  f = 0;
  scrollX = 0;
  scrollY = 0;

  /** @param matrix Camera → canvas, without scroll */
  take(matrix: Affine, scrollX: number, scrollY: number): void {
    this.a = matrix.a;
    this.b = matrix.b;
    this.c = matrix.c;
    this.d = matrix.d;
    this.e = matrix.e;
    this.f = matrix.f;
    this.scrollX = scrollX;
    this.scrollY = scrollY;
  }
}
