/**
 * The part of the canvas something may paint on: a list of disjoint convex polygons in canvas pixels.
 * Usually one rectangle (viewport ∩ canvas); geometry masks cut it into pieces.
 */
export class ClipRegion {
  /** Vertices of all pieces, x and y alternating; what lies behind the last piece does not count. */
  readonly xy: number[] = [];
  /** Index of the first number of each piece in {@link xy}, plus one entry for the end. */
  readonly start: number[] = [0];
  pieceCount = 0;
  minX = Infinity;
  minY = Infinity;
  maxX = -Infinity;
  maxY = -Infinity;
  /** True when the region is exactly its bounding rectangle. */
  isRectangle = false;

  /** Empties it. The arrays keep their length: emptied ones would get new memory in every frame. */
  reset(): void {
    this.pieceCount = 0;
    this.minX = this.minY = Infinity;
    this.maxX = this.maxY = -Infinity;
    this.isRectangle = false;
  }

  setRectangle(minX: number, minY: number, maxX: number, maxY: number): void {
    this.reset();
    if (!(maxX > minX && maxY > minY)) return;
    const { xy } = this;
    xy[0] = minX;
    xy[1] = minY;
    xy[2] = maxX;
    xy[3] = minY;
    xy[4] = maxX;
    xy[5] = maxY;
    xy[6] = minX;
    xy[7] = maxY;
    this.start[1] = 8;
    this.pieceCount = 1;
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
    this.isRectangle = true;
  }

  /** Appends a convex piece; the caller keeps the pieces disjoint. */
  addPiece(points: ArrayLike<number>, offset: number, length: number): void {
    const { xy, start } = this;
    let end = start[this.pieceCount]!;
    for (let i = 0; i < length; i++) {
      const x = points[offset + 2 * i]!;
      const y = points[offset + 2 * i + 1]!;
      xy[end++] = x;
      xy[end++] = y;
      if (x < this.minX) this.minX = x;
      if (x > this.maxX) this.maxX = x;
      if (y < this.minY) this.minY = y;
      if (y > this.maxY) this.maxY = y;
    }
    start[++this.pieceCount] = end;
    this.isRectangle = false;
  }
}
