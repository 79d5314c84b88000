/**
 * A local rectangle showing a part of an alpha map, as `Pen.texturedQuad` takes it. An object that is used again, since the
 * engine may make one of each fraction that is handed over.
 */
export class TexturedArea {
  x = 0;
  y = 0;
  width = 0;
  height = 0;
  /** The map's own coordinates, 0–1, at the top left and the bottom right. */
  u0 = 0;
  v0 = 0;
  u1 = 1;
  v1 = 1;
  /** 0–1. */
  opacity = 1;

  // In two methods, so short that the engine always puts them where they are called.

  lie(x: number, y: number, width: number, height: number): void {
    this.x = x;
    this.y = y;
    this.width = width;
    this.height = height;
  }

  show(u0: number, v0: number, u1: number, v1: number): void {
    this.u0 = u0;
    this.v0 = v0;
    this.u1 = u1;
    this.v1 = v1;
  }
}
