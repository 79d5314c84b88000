/**
 * How opaque a texture frame is, cell by cell: a small grid of mean alpha, row by row from the top left.
 * A frame without any transparency has no map at all; a polygon that carries one is decided per cell.
 */
export interface AlphaMap {
  /** Cells in a row, at least 1. */
  readonly width: number;
  /** Rows, at least 1. */
  readonly height: number;
  /** Mean alpha of each cell, 0 (clear) to 255 (opaque). */
  readonly alpha: Uint8Array;
  /** Cells are texels of a texture drawn without smoothing (pixel art): each is even, with a hard edge. Default false. */
  readonly isPixelated?: boolean;
}
