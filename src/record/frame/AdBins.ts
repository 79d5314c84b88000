/** Columns and rows of the raster. `nearQuads.wat` relies on this number and on the order in memory. */
const BINS = 32;
/** Bits of one mask; with more ads than that some share one. */
const BITS = 31;
const ALL_ADS = 2 ** BITS - 1;

/**
 * Tells which of several ads a box may touch, at the cost of four look-ups whatever their number. The area around all ads
 * is divided into columns and rows, and for each of them is noted which ads begin before its end, and which end after its
 * beginning.
 */
export class AdBins {
  /** The rectangle around all ads in the bins: minX, minY, maxX, maxY. */
  readonly rectangle: Float32Array;
  /** minX twice, minY twice, then bins per canvas pixel across twice and down twice: four numbers are looked up at once. */
  readonly #place: Float32Array;
  /** Masks by column, then by row: ads that begin before its end, ads that end after its beginning. */
  readonly #masks: Int32Array;
  /** The ads that count, one bit each: see {@link fill}. */
  readonly #drawn: Int32Array;
  /** The boxes of the ads in the bins: those that count, and perhaps more behind them. */
  #boxes = new Float64Array(0);
  #count = 0;
  #margin = 0;
  #drawnCount = 0;

  /**
   * @param offset where in the memory the bins lie, a multiple of eight: 32 bytes of place, four masks of 128 bytes, 16
   *   of the rectangle, 4 of the ads that count
   */
  constructor(memory: ArrayBuffer, offset: number) {
    this.#place = new Float32Array(memory, offset, 8);
    this.#masks = new Int32Array(memory, offset + 32, 4 * BINS);
    this.rectangle = new Float32Array(memory, offset + 32 + 16 * BINS, 4);
    this.#drawn = new Int32Array(memory, offset + 48 + 16 * BINS, 1);
  }

  /** The bit of the i-th ad. */
  static bitOf(i: number): number {
    return 1 << (i % BITS);
  }

  /**
   * Makes the first `count` of the boxes count, four numbers each: minX, minY, maxX, maxY. Ads are drawn one after the
   * other in every frame, and mostly stay where they are; then the bins of the last frame still hold.
   * @param margin how far beyond an ad's box something may be and still touch the ad
   */
  fill(boxes: Float64Array, count: number, margin = 0): void {
    this.#drawn[0] = count < BITS ? (1 << count) - 1 : ALL_ADS;
    this.#drawnCount = count;
    if (this.#holds(boxes, count, margin)) return;
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let b = 0; b < 4 * count; b += 4) {
      if (boxes[b]! - margin < minX) minX = boxes[b]! - margin;
      if (boxes[b + 1]! - margin < minY) minY = boxes[b + 1]! - margin;
      if (boxes[b + 2]! + margin > maxX) maxX = boxes[b + 2]! + margin;
      if (boxes[b + 3]! + margin > maxY) maxY = boxes[b + 3]! + margin;
    }
    const { rectangle } = this;
    const place = this.#place;
    rectangle[0] = minX;
    rectangle[1] = minY;
    rectangle[2] = maxX;
    rectangle[3] = maxY;
    place[0] = place[1] = minX;
    place[2] = place[3] = minY;
    place[4] = place[5] = maxX > minX ? BINS / (maxX - minX) : 0;
    place[6] = place[7] = maxY > minY ? BINS / (maxY - minY) : 0;
    this.#masks.fill(0);
    for (let i = 0; i < count; i++) {
      const bit = AdBins.bitOf(i);
      const b = 4 * i;
      this.#note(0, bit, this.#bin(boxes[b]! - margin, 0), this.#bin(boxes[b + 2]! + margin, 0));
      this.#note(2 * BINS, bit, this.#bin(boxes[b + 1]! - margin, 1), this.#bin(boxes[b + 3]! + margin, 1));
    }
  }

  /** Bits of the ads that count and that box number `box` of `boxes`, four numbers each, may touch; 0 for none. */
  touching(boxes: Float64Array, box: number): number {
    const masks = this.#masks;
    return (
      this.#drawn[0]! &
      masks[this.#bin(boxes[4 * box + 2]!, 0)]! &
      masks[BINS + this.#bin(boxes[4 * box]!, 0)]! &
      masks[2 * BINS + this.#bin(boxes[4 * box + 3]!, 1)]! &
      masks[3 * BINS + this.#bin(boxes[4 * box + 1]!, 1)]!
    );
  }

  /** Ends a frame: if some boxes in the bins did not count at its end, none of them is kept. */
  end(): void {
    if (this.#drawnCount < this.#count) this.#count = 0;
  }

  /** True when these boxes are those in the bins; otherwise keeps these instead. */
  #holds(boxes: Float64Array, count: number, margin: number): boolean {
    let same = count <= this.#count && margin === this.#margin;
    this.#margin = margin;
    if (this.#boxes.length < 4 * count) this.#boxes = new Float64Array(8 * count);
    for (let k = 0; k < 4 * count; k++) {
      if (this.#boxes[k] === boxes[k]) continue;
      this.#boxes[k] = boxes[k]!;
      same = false;
    }
    if (!same) this.#count = count;
    return same;
  }

  #note(masks: number, bit: number, from: number, to: number): void {
    for (let bin = from; bin < BINS; bin++) this.#masks[masks + bin]! |= bit;
    for (let bin = 0; bin <= to; bin++) this.#masks[masks + BINS + bin]! |= bit;
  }

  /**
   * The bin of a coordinate. Beyond the area it is the outermost one: a box that lies outside was refused before.
   * Calculated in 32-bit floats, as in `nearQuads.wat`: where rounding moves a coordinate to another bin, it must move
   * ads and what touches them alike.
   */
  #bin(value: number, axis: 0 | 1): number {
    const place = this.#place;
    const bin = Math.fround(Math.fround(Math.fround(value) - place[2 * axis]!) * place[4 + 2 * axis]!);
    return bin > 0 ? (bin < BINS ? bin | 0 : BINS - 1) : 0;
  }
}
