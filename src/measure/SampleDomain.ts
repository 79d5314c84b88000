import { type FrameSnapshot, NONE, PolygonFlag } from './FrameSnapshot.js';
import { opaqueTiles } from './opaqueTiles.js';

/** Parts across and down into which the neighbourhood of an ad is divided. */
const PARTS = 8;

/** In a rectangle smaller than this on both sides, in canvas pixels, whole pixels are too coarse: samples lie between them. */
const TINY = 32;

/** With more repetitions of a texture than this, the whole polygon is marked. */
const MAX_REPEATS = 16;

/** No part is sampled at fewer points than this, unless it has fewer pixels. */
const MIN_SAMPLES = 64;

/**
 * Plans which rectangles near an ad to sample, and how densely. Callers mark whatever can decide anything. Marks are
 * gathered in an 8 × 8 division, so rectangles never overlap, and small features stay small and get every pixel; the budget
 * is spread over the rest. The plan: rectangles in {@link rectangle}, each with its {@link step} in canvas pixels.
 */
export class SampleDomain {
  count = 0;
  /** minX, minY, width, height of each rectangle. */
  readonly rectangle = new Float64Array(4 * PARTS * PARTS);
  readonly step = new Float64Array(PARTS * PARTS);
  /** True when the plan is one rectangle, the whole neighbourhood. */
  isWhole = false;

  #minX = 0;
  #minY = 0;
  #maxX = 0;
  #maxY = 0;
  #isTiny = false;
  #partWidth = 1;
  #partHeight = 1;
  #marked = false;
  /** minX, minY, maxX, maxY of what is marked in each part. */
  readonly #marks = new Float64Array(4 * PARTS * PARTS);
  /** Argument of {@link mark}: fractions that are passed one by one may be boxed by the engine. */
  readonly #within = new Float64Array(4);

  /**
   * Starts a plan for a rectangle of the canvas: minX, minY, maxX, maxY.
   * @param onPixels samples never lie between pixels, however small the rectangle
   */
  reset(box: Float64Array, onPixels = false): void {
    this.#isTiny = !onPixels && box[2]! - box[0]! < TINY && box[3]! - box[1]! < TINY;
    this.#minX = Math.floor(box[0]!);
    this.#minY = Math.floor(box[1]!);
    this.#maxX = Math.ceil(box[2]!);
    this.#maxY = Math.ceil(box[3]!);
    this.#partWidth = Math.ceil((this.#maxX - this.#minX) / PARTS);
    this.#partHeight = Math.ceil((this.#maxY - this.#minY) / PARTS);
    this.#marked = false;
    const marks = this.#marks;
    for (let i = 0; i < marks.length; i += 4) {
      marks[i] = marks[i + 1] = Infinity;
      marks[i + 2] = marks[i + 3] = -Infinity;
    }
  }

  markAll(): void {
    const within = this.#within;
    within[0] = within[1] = -Infinity;
    within[2] = within[3] = Infinity;
    this.mark(within, 0);
  }

  /** Marks a rectangle of the canvas: the four numbers from `at` on, minX, minY, maxX, maxY. */
  mark(box: Float64Array, at: number): void {
    const minX = Math.max(box[at]!, this.#minX);
    const minY = Math.max(box[at + 1]!, this.#minY);
    const maxX = Math.min(box[at + 2]!, this.#maxX);
    const maxY = Math.min(box[at + 3]!, this.#maxY);
    if (!(maxX > minX && maxY > minY)) return;
    this.#marked = true;
    if (this.#isTiny) return;
    const partWidth = this.#partWidth;
    const partHeight = this.#partHeight;
    const marks = this.#marks;
    const x0 = Math.floor(minX) - this.#minX;
    const y0 = Math.floor(minY) - this.#minY;
    const x1 = Math.ceil(maxX) - this.#minX;
    const y1 = Math.ceil(maxY) - this.#minY;
    for (let row = Math.floor(y0 / partHeight); row * partHeight < y1; row++) {
      for (let column = Math.floor(x0 / partWidth); column * partWidth < x1; column++) {
        const m = 4 * (row * PARTS + column);
        marks[m] = Math.min(marks[m]!, Math.max(x0, column * partWidth));
        marks[m + 1] = Math.min(marks[m + 1]!, Math.max(y0, row * partHeight));
        marks[m + 2] = Math.max(marks[m + 2]!, Math.min(x1, (column + 1) * partWidth));
        marks[m + 3] = Math.max(marks[m + 3]!, Math.min(y1, (row + 1) * partHeight));
      }
    }
  }

  /** Marks the bounding box of polygon i. */
  markPolygon(snapshot: FrameSnapshot, i: number): void {
    this.mark(snapshot.box, 4 * i);
  }

  /** Marks where the texels of polygon i are not clear. */
  markTexels(snapshot: FrameSnapshot, i: number): void {
    const mapIndex = snapshot.alphaMap[i]!;
    const uv = snapshot.uv;
    const at = 6 * i;
    const a = uv[at]!;
    const b = uv[at + 1]!;
    const c = uv[at + 2]!;
    const d = uv[at + 3]!;
    const det = a * d - b * c;
    if (mapIndex === NONE || !(det !== 0)) {
      this.markPolygon(snapshot, i);
      return;
    }
    const map = snapshot.alphaMaps[mapIndex]!;
    const tiles = opaqueTiles(map);
    if (tiles.length === 4 && tiles[2]! - tiles[0]! === map.width && tiles[3]! - tiles[1]! === map.height) {
      this.markPolygon(snapshot, i);
      return;
    }
    const within = this.#within;
    const { box } = snapshot;
    const repeat = (snapshot.flags[i]! & PolygonFlag.REPEAT) !== 0;
    let firstX = 0;
    let lastX = 0;
    let firstY = 0;
    let lastY = 0;
    if (repeat) {
      const halfX = (Math.min(this.#maxX, box[4 * i + 2]!) - Math.max(this.#minX, box[4 * i]!)) / 2;
      const halfY = (Math.min(this.#maxY, box[4 * i + 3]!) - Math.max(this.#minY, box[4 * i + 1]!)) / 2;
      const x = Math.max(this.#minX, box[4 * i]!) + halfX;
      const y = Math.max(this.#minY, box[4 * i + 1]!) + halfY;
      const u = a * x + c * y + uv[at + 4]!;
      const v = b * x + d * y + uv[at + 5]!;
      const reachU = Math.abs(a) * halfX + Math.abs(c) * halfY + 1;
      const reachV = Math.abs(b) * halfX + Math.abs(d) * halfY + 1;
      firstX = Math.floor((u - reachU) / map.width);
      lastX = Math.floor((u + reachU) / map.width);
      firstY = Math.floor((v - reachV) / map.height);
      lastY = Math.floor((v + reachV) / map.height);
      if (!((lastX - firstX + 1) * (lastY - firstY + 1) <= MAX_REPEATS)) {
        this.markPolygon(snapshot, i);
        return;
      }
    }
    for (let t = 0; t < tiles.length; t += 4) {
      // Linear filtering carries a cell one half cell further; a clamped edge carries it on without end.
      const left = !repeat && tiles[t] === 0 ? -1e6 : tiles[t]! - 0.5;
      const top = !repeat && tiles[t + 1] === 0 ? -1e6 : tiles[t + 1]! - 0.5;
      const right = !repeat && tiles[t + 2] === map.width ? 1e6 : tiles[t + 2]! + 0.5;
      const bottom = !repeat && tiles[t + 3] === map.height ? 1e6 : tiles[t + 3]! + 0.5;
      for (let ky = firstY; ky <= lastY; ky++) {
        for (let kx = firstX; kx <= lastX; kx++) {
          const u = (left + right) / 2 + kx * map.width - uv[at + 4]!;
          const v = (top + bottom) / 2 + ky * map.height - uv[at + 5]!;
          const x = (d * u - c * v) / det;
          const y = (a * v - b * u) / det;
          const reachX = (Math.abs(d) * (right - left) + Math.abs(c) * (bottom - top)) / 2 / Math.abs(det);
          const reachY = (Math.abs(a) * (bottom - top) + Math.abs(b) * (right - left)) / 2 / Math.abs(det);
          within[0] = Math.max(x - reachX, box[4 * i]!);
          within[1] = Math.max(y - reachY, box[4 * i + 1]!);
          within[2] = Math.min(x + reachX, box[4 * i + 2]!);
          within[3] = Math.min(y + reachY, box[4 * i + 3]!);
          this.mark(within, 0);
        }
      }
    }
  }

  /** Divides `budget` sample points among what is marked. False when nothing is. */
  plan(budget: number): boolean {
    this.count = 0;
    this.isWhole = false;
    if (!this.#marked) return false;
    if (this.#isTiny) {
      const width = this.#maxX - this.#minX;
      const height = this.#maxY - this.#minY;
      this.rectangle[0] = this.#minX;
      this.rectangle[1] = this.#minY;
      this.rectangle[2] = width;
      this.rectangle[3] = height;
      this.count = 1;
      this.isWhole = true;
      // A whole number of samples across each pixel, so that edges between pixels fall between samples.
      this.step[0] = 1 / Math.max(1, Math.min(TINY, Math.floor(Math.sqrt(budget / (width * height)))));
      return true;
    }
    this.#gather();
    const { rectangle, step, count } = this;
    let area = 0;
    for (let i = 0; i < count; i++) area += rectangle[4 * i + 2]! * rectangle[4 * i + 3]!;
    // Canvas pixels per sample.
    let common = Math.max(1, Math.floor(area / budget));
    for (;;) {
      let samples = 0;
      let coarser = false;
      for (let i = 0; i < count; i++) {
        const pixels = rectangle[4 * i + 2]! * rectangle[4 * i + 3]!;
        const finest = Math.max(1, Math.floor(pixels / MIN_SAMPLES));
        const each = Math.min(common, finest);
        step[i] = Math.sqrt(each);
        samples += pixels / each;
        if (common < finest) coarser = true;
      }
      if (samples <= budget || !coarser) break;
      // Grows in proportion: a broken transform can make an ad a billion pixels wide.
      common = Math.ceil(common * 1.1);
    }
    this.isWhole =
      count === 1 &&
      rectangle[0] === this.#minX &&
      rectangle[1] === this.#minY &&
      rectangle[2] === this.#maxX - this.#minX &&
      rectangle[3] === this.#maxY - this.#minY;
    return true;
  }

  // --- inside ---

  /** Joins marks that continue each other, along rows and then down, and lists them as rectangles. */
  #gather(): void {
    const marks = this.#marks;
    for (let row = 0; row < PARTS; row++) {
      for (let column = PARTS - 1; column > 0; column--) {
        const right = 4 * (row * PARTS + column);
        const left = right - 4;
        if (marks[left + 2] !== marks[right]) continue;
        if (marks[left + 1] !== marks[right + 1] || marks[left + 3] !== marks[right + 3]) continue;
        marks[left + 2] = marks[right + 2]!;
        marks[right] = Infinity;
      }
    }
    for (let row = PARTS - 1; row > 0; row--) {
      for (let column = 0; column < PARTS; column++) {
        const lower = 4 * (row * PARTS + column);
        const upper = lower - 4 * PARTS;
        if (marks[upper + 3] !== marks[lower + 1]) continue;
        if (marks[upper] !== marks[lower] || marks[upper + 2] !== marks[lower + 2]) continue;
        marks[upper + 3] = marks[lower + 3]!;
        marks[lower] = Infinity;
      }
    }
    for (let i = 0; i < marks.length; i += 4) {
      if (!(marks[i + 2]! > marks[i]!)) continue;
      const at = 4 * this.count++;
      this.rectangle[at] = marks[i]! + this.#minX;
      this.rectangle[at + 1] = marks[i + 1]! + this.#minY;
      this.rectangle[at + 2] = marks[i + 2]! - marks[i]!;
      this.rectangle[at + 3] = marks[i + 3]! - marks[i + 1]!;
    }
  }
}
