/**
 * The part of the canvas something may paint on: a list of disjoint convex polygons in canvas pixels.
 * Usually one rectangle (viewport ∩ canvas); geometry masks cut it into pieces.
 */
export class ClipRegion {
  /** Vertices of all pieces, x and y alternating. */
  readonly xy: number[] = [];
  /** Index of the first number of each piece in {@link xy}, plus one entry for the end. */
  readonly start: number[] = [0];
  minX = Infinity;
  minY = Infinity;
  maxX = -Infinity;
  maxY = -Infinity;
  /** True when the region is exactly its bounding rectangle. */
  isRectangle = false;

  get pieceCount(): number {
    return this.start.length - 1;
  }

  reset(): void {
    this.xy.length = 0;
    this.start.length = 1;
    this.minX = this.minY = Infinity;
    this.maxX = this.maxY = -Infinity;
    this.isRectangle = false;
  }

  setRectangle(minX: number, minY: number, maxX: number, maxY: number): void {
    this.reset();
    if (!(maxX > minX && maxY > minY)) return;
    this.xy.push(minX, minY, maxX, minY, maxX, maxY, minX, maxY);
    this.start.push(8);
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
    this.isRectangle = true;
  }

  /** Appends a convex piece; the caller keeps the pieces disjoint. */
  addPiece(points: ArrayLike<number>, offset: number, length: number): void {
    for (let i = 0; i < length; i++) {
      const x = points[offset + 2 * i]!;
      const y = points[offset + 2 * i + 1]!;
      this.xy.push(x, y);
      if (x < this.minX) this.minX = x;
      if (x > this.maxX) this.maxX = x;
      if (y < this.minY) this.minY = y;
      if (y > this.maxY) this.maxY = y;
    }
    this.start.push(this.xy.length);
    this.isRectangle = false;
  }
}
