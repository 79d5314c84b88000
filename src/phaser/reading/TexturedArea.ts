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
}
