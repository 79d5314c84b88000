import type { FrameSnapshot } from './FrameSnapshot.js';

/** Up to this height in pixels, every row of pixels has samples. */
const MOST_WHOLE_ROWS = 512;

const GOLDEN = 0.6180339887498949;
/** As the golden ratio for two dimensions: together they spread points evenly over rows and columns alike. */
const PLASTIC = 0.7548776662466927;

/**
 * For each row of samples: where in its step it begins, and how far it is moved down, 0–1. Multiples of the golden ratio are
 * spread evenly, but come back nearly to the same place after each Fibonacci number of rows: tiles of 13 or 21 pixels would
 * meet the same samples all the way down. So every {@link BLOCK} rows the sequence starts somewhere else.
 */
const ROWS = 1024;
const BLOCK = 13;
const ACROSS = placesOf(GOLDEN);
const DOWN = placesOf(PLASTIC);

/**
 * Points of a pixel that together say how light it is, x and y in sixteenths from its centre, by their number: where GPUs
 * sample to smooth edges (the patterns of Direct3D and Vulkan; WebGL's upside down, as its pictures are).
 */
const PIXEL_POINTS: Readonly<Record<number, readonly number[]>> = {
  1: [0, 0],
  4: [-2, 6, 6, 2, -6, -2, 2, -6],
  8: [1, -3, -1, 3, 5, 1, -3, -5, -5, 5, -7, -1, 3, 7, 7, -7],
};

/**
 * A grid of sample points over a rectangle of the canvas, row by row, and which of a row lie in a polygon.
 *
 * Samples farther apart than a pixel stand denser down than along, and each row starts elsewhere and lies a little higher or
 * lower, so that upright and level edges, frequent in games, do not fall between or on the samples of every row alike. With
 * a step of 1 the samples are the centres of pixels, where renderers draw.
 *
 * A point belongs to a polygon when it lies in the half-open span [left, right) of a half-open row [top, bottom), so two
 * polygons that share an edge never both cover a point, as on a GPU.
 */
export class SampleRows {
  /** Where the samples begin, where they end, and how far they are apart, in canvas pixels. */
  protected x = 0;
  protected y = 0;
  protected stepX = 1;
  #stepY = 1;
  #endX = 0;
  #lastY = 0;
  /** Samples are farther apart than pixels. */
  protected isScattered = false;
  /** How far rows may lie above or below their even places. */
  #scatterY = 0;
  #shiftX = 0;
  #shiftY = 0;
  /** Where the next grid of scattered samples begins, as shares of the distance between them: see {@link turn}. */
  #turnX = 0;
  #turnY = 0;
  /** For each row: where its first sample lies, and how many samples it has; the rest of the row's buffer is never covered. */
  protected rowX = new Float64Array(128);
  protected rowY = new Float64Array(128);
  #rowLength = new Int32Array(128);
  columns = 0;
  rows = 0;
  /** Number of samples. */
  size = 0;
  /** Canvas area one sample stands for, in pixels². */
  sampleArea = 0;

  #edgeCount = 0;
  #edgeTop = new Float64Array(256);
  #edgeBottom = new Float64Array(256);
  #edgeX = new Float64Array(256);
  #edgeSlope = new Float64Array(256);

  /**
   * How far the polygon taken last is moved along with shifted samples: a CENTRED polygon covers them where it covers their
   * pixels' centres.
   */
  protected offX = 0;
  protected offY = 0;
  /** Of the polygon taken last: its first row, and which samples of the row given to {@link span} lie in it. */
  protected firstRow = 0;
  protected spanFrom = 0;
  protected spanTo = 0;

  /**
   * Grids laid from now on have their samples at other places, unless every pixel has one. The samples of the first 2, 4, 8
   * … turns together are spread as evenly as those of one turn.
   * @param number 0 for the usual places, up to 255
   */
  turn(number: number): void {
    this.#turnX = 0;
    for (let bits = number, share = 1 / 2; bits > 0; bits >>= 1, share /= 2) this.#turnX += (bits & 1) * share;
    this.#turnY = (number * GOLDEN) % 1;
  }

  /**
   * Lays the grid over one of several rectangles, minX, minY, width, height each, about one sample per step². With a step of
   * 1, and whole edges, the samples are the centres of all pixels.
   * @param steps one for each rectangle
   * @param s which of them
   * @param margin pixels added around it
   * @param rowStep least distance of the rows, as far as `step` allows
   */
  place(rectangles: Float64Array, steps: Float64Array, s: number, margin = 0, rowStep = 1): void {
    const minX = rectangles[4 * s]! - margin;
    const minY = rectangles[4 * s + 1]! - margin;
    const width = rectangles[4 * s + 2]! + 2 * margin;
    const height = rectangles[4 * s + 3]! + 2 * margin;
    const step = steps[s]!;
    let stepX = step;
    let stepY = step;
    if (step > 1) {
      // In a low rectangle every row has samples, and they lie farther apart along the rows: every row of a banner tells.
      const densest = height <= MOST_WHOLE_ROWS ? 1 : Math.ceil(step / 3);
      stepY = Math.min(Math.max(densest, Math.min(rowStep, Math.floor(step + 1e-9))), height);
      stepX = Math.min(Math.round((step * step) / stepY + 1e-9), width);
      stepY = Math.min(Math.max(stepY, Math.round((step * step) / stepX)), height);
    }
    const isScattered = (this.isScattered = step > 1);
    // Rows that lie on the centres of pixels lie where edges are drawn.
    const isOnPixels = stepY === 1;
    this.columns = Math.max(1, Math.ceil(width / stepX - 1e-9));
    this.rows = Math.max(1, Math.ceil(height / stepY - 1e-9));
    stepY = height / this.rows;
    this.stepX = stepX;
    this.#stepY = stepY;
    this.size = this.columns * this.rows;
    this.#endX = minX + width;
    // Scattered rows begin anywhere in their first step.
    this.x = isScattered ? minX : minX + (width - stepX * (this.columns - 1)) / 2;
    this.y = minY + (height - stepY * (this.rows - 1)) / 2;
    this.#scatterY = isScattered && !isOnPixels ? stepY / 2 : 0;
    this.#lastY = this.y + stepY * (this.rows - 1);
    if (this.rowX.length < this.rows) {
      this.rowX = new Float64Array(2 * this.rows);
      this.rowY = new Float64Array(2 * this.rows);
      this.#rowLength = new Int32Array(2 * this.rows);
    }
    let samples = 0;
    for (let r = 0; r < this.rows; r++) {
      const place = r & (ROWS - 1);
      const shift = isScattered ? ((ACROSS[place]! + this.#turnX) % 1) * stepX : 0;
      const length = isScattered ? Math.ceil((width - shift) / stepX - 1e-9) : this.columns;
      this.rowX[r] = this.x + shift;
      this.rowY[r] = this.y + r * stepY + this.#scatterY * (2 * ((DOWN[place]! + this.#turnY) % 1) - 1);
      this.#rowLength[r] = length;
      samples += length;
    }
    this.sampleArea = samples === 0 ? 0 : (width * height) / samples;
    this.#shiftX = this.#shiftY = 0;
  }

  /** Moves all samples to one of `count` (1, 4 or 8) points of their pixels, until {@link centre} or {@link place}. */
  shift(point: number, count: number): void {
    const points = PIXEL_POINTS[count]!;
    this.shiftTo(points[2 * point]!, points[2 * point + 1]!);
  }

  /** Moves all samples back to the centres of their pixels. */
  centre(): void {
    this.shiftTo(0, 0);
  }

  /** In sixteenths of a pixel. */
  protected shiftTo(x: number, y: number): void {
    const dx = (x - this.#shiftX) / 16;
    const dy = (y - this.#shiftY) / 16;
    this.#shiftX = x;
    this.#shiftY = y;
    this.x += dx;
    this.y += dy;
    this.#lastY += dy;
    for (let r = 0; r < this.rows; r++) {
      this.rowX[r]! += dx;
      this.rowY[r]! += dy;
    }
  }

  /** Takes the edges of polygon i, upper end first. Sets {@link firstRow} and returns the row after the last. */
  protected takeEdges(snapshot: FrameSnapshot, i: number): number {
    const { xy, box } = snapshot;
    const isCentred = snapshot.isCentred(i);
    const offX = (this.offX = isCentred ? this.#shiftX / 16 : 0);
    const offY = (this.offY = isCentred ? this.#shiftY / 16 : 0);
    if (snapshot.length[i]! > this.#edgeTop.length) this.#growEdges(snapshot.length[i]!);
    const { y } = this;
    const edgeTop = this.#edgeTop;
    const edgeBottom = this.#edgeBottom;
    const edgeX = this.#edgeX;
    const edgeSlope = this.#edgeSlope;
    const stepY = this.#stepY;
    const scatterY = this.#scatterY;
    this.firstRow = 0;
    if (box[4 * i]! + offX > this.#endX || box[4 * i + 2]! + offX < this.x) return 0;
    const upper = box[4 * i + 1]! + offY;
    const lower = box[4 * i + 3]! + offY;
    if (upper > this.#lastY + scatterY || lower < y - scatterY) return 0;
    const top = Math.ceil((upper - scatterY - y) / stepY);
    const bottom = Math.ceil((lower + scatterY - y) / stepY);
    this.firstRow = top > 0 ? top : 0;
    const last = bottom < this.rows ? bottom : this.rows;
    const from = 2 * snapshot.start[i]!;
    const end = from + 2 * snapshot.length[i]!;
    let count = 0;
    let ax = xy[end - 2]! + offX;
    let ay = xy[end - 1]! + offY;
    for (let k = from; k < end; k += 2) {
      const bx = xy[k]! + offX;
      const by = xy[k + 1]! + offY;
      if (ay < by) {
        edgeTop[count] = ay;
        edgeBottom[count] = by;
        edgeX[count] = ax;
        edgeSlope[count++] = (bx - ax) / (by - ay);
      } else if (by < ay) {
        edgeTop[count] = by;
        edgeBottom[count] = ay;
        edgeX[count] = bx;
        edgeSlope[count++] = (ax - bx) / (ay - by);
      }
      ax = bx;
      ay = by;
    }
    this.#edgeCount = count;
    return last;
  }

  #growEdges(count: number): void {
    this.#edgeTop = new Float64Array(2 * count);
    this.#edgeBottom = new Float64Array(2 * count);
    this.#edgeX = new Float64Array(2 * count);
    this.#edgeSlope = new Float64Array(2 * count);
  }

  /** Finds the samples of a row that lie inside the polygon taken last; false when there are none. */
  protected span(r: number): boolean {
    const y = this.rowY[r]!;
    const edgeTop = this.#edgeTop;
    const edgeBottom = this.#edgeBottom;
    const edgeX = this.#edgeX;
    const edgeSlope = this.#edgeSlope;
    const edgeCount = this.#edgeCount;
    let left = Infinity;
    let right = -Infinity;
    for (let e = 0; e < edgeCount; e++) {
      if (y < edgeTop[e]! || y >= edgeBottom[e]!) continue;
      const x = edgeX[e]! + (y - edgeTop[e]!) * edgeSlope[e]!;
      if (x < left) left = x;
      if (x > right) right = x;
    }
    if (!(right > left)) return false;
    const x = this.rowX[r]!;
    const length = this.#rowLength[r]!;
    const first = Math.ceil((left - x) / this.stepX);
    const end = Math.ceil((right - x) / this.stepX);
    this.spanFrom = first > 0 ? first : 0;
    this.spanTo = end < length ? end : length;
    return this.spanTo > this.spanFrom;
  }
}

function placesOf(ratio: number): Float64Array {
  let scrambled = 1;
  return Float64Array.from({ length: ROWS }, (_, row) => {
    // The steps of a common generator of random numbers.
    if (row % BLOCK === 0) scrambled = (scrambled * 16807) % 2147483647;
    return ((row % BLOCK) * ratio + scrambled / 2147483647) % 1;
  });
}
