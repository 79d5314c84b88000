/** Numbers per vertex of MultiPipeline: x, y and five more. A constant of this file, which the engine knows for one. */
const STRIDE = 7;

/** Vertices of a quad: two triangles. */
const QUAD = 6;

/** No batch has more vertices. A bound the compiler can see saves it from checking every index for overflow. */
const MAX_VERTEX = 0xffffff;

/**
 * Finds the quads and triangles of a batch whose box may touch a rectangle of the canvas. This is the one loop that looks
 * at every object of a game, so it reads as little as it can, and calls nothing.
 *
 * Coordinates are compared as the bit patterns of floats: those of positive numbers are ordered like whole numbers, those
 * of negative ones are negative, and the rectangle is positive, since it lies on the canvas. Without its last bit any two
 * of them can be subtracted, and the signs of four differences joined: all corners to the left, or all to the right, in
 * one branch. Most quads are elsewhere, but on a random side, which processors foresee badly.
 */
export class NearQuads {
  /** How many were found. */
  count = 0;
  /**
   * First vertex of each quad, whose corners are its vertices 0, 1, 2 and 5; for what is no quad ~v, where v is the first
   * vertex of two triangles, or of one that is the last.
   */
  found = new Int32Array(64);

  private readonly bounds = new Float32Array(4);
  private readonly boundBits = new Int32Array(this.bounds.buffer);

  /** Sets the rectangle, in canvas pixels. What of it lies beyond the canvas to the left or above does not count. */
  near(minX: number, minY: number, maxX: number, maxY: number): void {
    const { bounds } = this;
    // Also minus nought is to be nought: its bits are those of the least number of all.
    bounds[0] = minX > 0 ? minX : 0;
    bounds[1] = minY > 0 ? minY : 0;
    bounds[2] = maxX > 0 ? maxX : 0;
    bounds[3] = maxY > 0 ? maxY : 0;
  }

  /** Looks through the vertices `from ≤ v < to` of a batch, two triangles at a time. */
  find(bits: Uint32Array, from: number, to: number): void {
    const { boundBits } = this;
    const left = boundBits[0]! >> 1;
    const top = boundBits[1]! >> 1;
    const right = boundBits[2]! >> 1;
    const bottom = boundBits[3]! >> 1;
    const most = Math.ceil((to - from) / QUAD) + 1;
    if (this.found.length < most) this.found = new Int32Array(most);
    const { found } = this;
    let count = 0;
    let v = from;
    for (; v + QUAD <= to; v += QUAD) {
      const at = (v & MAX_VERTEX) * STRIDE;
      const bx0 = bits[at]!;
      const bx2 = bits[at + 2 * STRIDE]!;
      // The second triangle of a quad begins and goes on at corners of the first.
      const isWide = bx0 === bits[at + 3 * STRIDE]! && bx2 === bits[at + 4 * STRIDE]!;
      if (isWide) {
        const x0 = (bx0 | 0) >> 1;
        const x1 = (bits[at + STRIDE]! | 0) >> 1;
        const x2 = (bx2 | 0) >> 1;
        const x5 = (bits[at + 5 * STRIDE]! | 0) >> 1;
        const isLeft = (x0 - left) & (x1 - left) & (x2 - left) & (x5 - left);
        const isRight = (right - x0) & (right - x1) & (right - x2) & (right - x5);
        if ((isLeft | isRight) < 0) continue;
      }
      const by0 = bits[at + 1]!;
      const by2 = bits[at + 2 * STRIDE + 1]!;
      const isHigh = by0 === bits[at + 3 * STRIDE + 1]! && by2 === bits[at + 4 * STRIDE + 1]!;
      if (isHigh) {
        const y0 = (by0 | 0) >> 1;
        const y1 = (bits[at + STRIDE + 1]! | 0) >> 1;
        const y2 = (by2 | 0) >> 1;
        const y5 = (bits[at + 5 * STRIDE + 1]! | 0) >> 1;
        const isAbove = (y0 - top) & (y1 - top) & (y2 - top) & (y5 - top);
        const isBelow = (bottom - y0) & (bottom - y1) & (bottom - y2) & (bottom - y5);
        if ((isAbove | isBelow) < 0) continue;
      }
      found[count++] = isWide && isHigh ? v : ~v;
    }
    if (v + 3 <= to) found[count++] = ~v;
    this.count = count;
  }
}
