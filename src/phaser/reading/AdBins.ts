/** Columns and rows of the raster. */
const BINS = 32;
/** Bits of one mask; with more ads than that some share one. */
const BITS = 31;

/**
 * Tells which of several ads a box may touch, at the cost of four look-ups whatever their number. The area around all ads
 * is divided into columns and rows, and for each of them is noted which ads begin before its end, and which end after its
 * beginning.
 */
export class AdBins {
  private readonly beginsBefore = [new Int32Array(BINS), new Int32Array(BINS)] as const;
  private readonly endsAfter = [new Int32Array(BINS), new Int32Array(BINS)] as const;
  private minX = 0;
  private minY = 0;
  private scaleX = 0;
  private scaleY = 0;
  /** The boxes of the last {@link fill}. */
  private boxes = new Float64Array(0);
  private count = 0;

  /**
   * Starts anew with the area around the first `count` of the boxes, four numbers each: minX, minY, maxX, maxY. Ads
   * mostly stay where they are, and then nothing is to be done.
   */
  fill(boxes: Float64Array, count: number): void {
    if (this.isSame(boxes, count)) return;
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let b = 0; b < 4 * count; b += 4) {
      if (boxes[b]! < minX) minX = boxes[b]!;
      if (boxes[b + 1]! < minY) minY = boxes[b + 1]!;
      if (boxes[b + 2]! > maxX) maxX = boxes[b + 2]!;
      if (boxes[b + 3]! > maxY) maxY = boxes[b + 3]!;
    }
    this.minX = minX;
    this.minY = minY;
    this.scaleX = maxX > minX ? BINS / (maxX - minX) : 0;
    this.scaleY = maxY > minY ? BINS / (maxY - minY) : 0;
    for (const masks of [this.beginsBefore[0], this.beginsBefore[1], this.endsAfter[0], this.endsAfter[1]])
      masks.fill(0);
    for (let i = 0; i < count; i++) {
      const bit = 1 << (i % BITS);
      const b = 4 * i;
      this.note(0, bit, this.column(boxes[b]!), this.column(boxes[b + 2]!));
      this.note(1, bit, this.row(boxes[b + 1]!), this.row(boxes[b + 3]!));
    }
  }

  /** Bit i % 31 is set when the box may touch ad i; 0 when it touches none. */
  touching(minX: number, minY: number, maxX: number, maxY: number): number {
    return (
      this.beginsBefore[0][this.column(maxX)]! &
      this.endsAfter[0][this.column(minX)]! &
      this.beginsBefore[1][this.row(maxY)]! &
      this.endsAfter[1][this.row(minY)]!
    );
  }

  /** Compares with the boxes of the last call, and keeps them. */
  private isSame(boxes: Float64Array, count: number): boolean {
    let same = count === this.count;
    if (this.boxes.length < 4 * count) this.boxes = new Float64Array(8 * count);
    for (let k = 0; k < 4 * count; k++) {
      if (this.boxes[k] === boxes[k]) continue;
      this.boxes[k] = boxes[k]!;
      same = false;
    }
    this.count = count;
    return same;
  }

  private note(axis: 0 | 1, bit: number, from: number, to: number): void {
    const begins = this.beginsBefore[axis];
    const ends = this.endsAfter[axis];
    for (let bin = from; bin < BINS; bin++) begins[bin]! |= bit;
    for (let bin = 0; bin <= to; bin++) ends[bin]! |= bit;
  }

  private column(x: number): number {
    return clamp((x - this.minX) * this.scaleX);
  }

  private row(y: number): number {
    return clamp((y - this.minY) * this.scaleY);
  }
}

/** What lies beyond the area counts as lying in its outermost bin: a box outside was refused before. */
function clamp(bin: number): number {
  return bin > 0 ? (bin < BINS ? bin | 0 : BINS - 1) : 0;
}
