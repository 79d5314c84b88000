import type { AlphaMap } from './AlphaMap.js';
import { between, hasStep, nearest, wrapped } from './betweenTexels.js';
import { type FrameSnapshot, PolygonFlag } from './FrameSnapshot.js';

/** Where the alphas of neighbouring texels differ by no more than this, of 255, a sample goes by the alpha there. */
export const LEAST_STEP = 32;
/** By more than this it is an edge; by less, a gradient. */
const EDGE = 64;

/** As `SeenPixels` has them: alphas that 8 bits of light cannot tell apart, and how many equal neighbours make a patch. */
const SAME = 4;
const PATCH = 3;

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** A pixel and its eight neighbours. */
const AROUND_X = Int8Array.of(0, -1, 0, 1, -1, 1, -1, 0, 1);
const AROUND_Y = Int8Array.of(0, -1, -1, -1, 0, 0, 1, 1, 1);

/**
 * A sample where the alpha of a texture makes a step, and not every pixel is looked at. A pixel in a step shows a mixture, and
 * `SeenPixels` counts it by its place between its neighbours. So the sample takes the lowest or the highest alpha around its
 * pixel, each as often as that place says; the pixel's own where enough of its neighbours have it. Letters are nearly all
 * steps: by the alpha at the sample itself small text would hide too little.
 */
export class SampledStep {
  /** Where the sample lies: x and y on the canvas, u and v in cells of the alpha map, from the centre of the first. */
  readonly point = new Float64Array(4);
  /** The alphas of four cells around a point, by rows, and how far the point is from the first: see {@link #look}. */
  readonly #cells = new Uint8Array(4);
  readonly #within = new Float64Array(2);

  /** The alpha, 0–255, that the sample at {@link point} in polygon i stands for. */
  alphaIn(snapshot: FrameSnapshot, i: number, map: AlphaMap): number {
    const repeats = (snapshot.flags[i]! & PolygonFlag.REPEAT) !== 0;
    const placed = this.#placed(snapshot, i, map, repeats);
    if (placed >= 0) return placed;
    this.#look(map, this.point[2]!, this.point[3]!, repeats);
    return map.isPixelated === true ? this.#nearest() : this.#sharpened();
  }

  /**
   * The lowest or highest alpha around the sample's pixel, or the pixel's own. −1 at the edge of the polygon or its texture,
   * where others have a say in what the neighbours show; and in smooth pictures between clear and opaque, where the alpha at the
   * sample does as well, and better along straight edges.
   */
  #placed(snapshot: FrameSnapshot, i: number, map: AlphaMap, repeats: boolean): number {
    const { box, uv } = snapshot;
    const { point } = this;
    const at = 6 * i;
    const x = Math.floor(point[0]!);
    const y = Math.floor(point[1]!);
    if (x < box[4 * i]! + 0.5 || x + 1.5 > box[4 * i + 2]!) return -1;
    if (y < box[4 * i + 1]! + 0.5 || y + 1.5 > box[4 * i + 3]!) return -1;
    const isPixelated = map.isPixelated === true;
    let here = 0;
    let low = 255;
    let high = 0;
    let equal = 0;
    for (let n = 0; n < 9; n++) {
      const dx = x + 0.5 + AROUND_X[n]! - point[0]!;
      const dy = y + 0.5 + AROUND_Y[n]! - point[1]!;
      const u = point[2]! + uv[at]! * dx + uv[at + 2]! * dy;
      const v = point[3]! + uv[at + 1]! * dx + uv[at + 3]! * dy;
      if (!repeats && !(u >= 0 && v >= 0 && u < map.width - 1 && v < map.height - 1)) return -1;
      this.#look(map, u, v, repeats);
      const there = isPixelated ? this.#nearest() : this.#between();
      if (n === 0) here = there;
      else if (Math.abs(there - here) <= SAME && ++equal === PATCH) return Math.round(here);
      if (there < low) low = there;
      if (there > high) high = there;
    }
    if (!isPixelated && low <= SAME && high >= 255 - SAME) return -1;
    return Math.round(chanceAt(x, y) * (high - low) < here - low ? high : low);
  }

  /** Reads the cells around a point. A texture that does not repeat goes on beyond its edge as it ends there. */
  #look({ width, height, alpha }: AlphaMap, u: number, v: number, repeats: boolean): void {
    const cells = this.#cells;
    const column = Math.floor(u);
    const line = Math.floor(v);
    const left = repeats ? wrapped(column, width) : clamped(column, width);
    const right = repeats ? wrapped(column + 1, width) : clamped(column + 1, width);
    const upper = width * (repeats ? wrapped(line, height) : clamped(line, height));
    const lower = width * (repeats ? wrapped(line + 1, height) : clamped(line + 1, height));
    cells[0] = alpha[upper + left]!;
    cells[1] = alpha[upper + right]!;
    cells[2] = alpha[lower + left]!;
    cells[3] = alpha[lower + right]!;
    this.#within[0] = u - column;
    this.#within[1] = v - line;
  }

  #between(): number {
    const cells = this.#cells;
    return between(cells[0]!, cells[1]!, cells[2]!, cells[3]!, this.#within[0]!, this.#within[1]!);
  }

  #nearest(): number {
    const cells = this.#cells;
    return nearest(cells[0]!, cells[1]!, cells[2]!, cells[3]!, this.#within[0]!, this.#within[1]!);
  }

  /**
   * On an edge, the nearest cell as it is. Where opacity leaps from clear to just above the blocking one, the mixture would begin
   * to block far from the middle of the step, and each edge would be off by as much.
   */
  #sharpened(): number {
    const cells = this.#cells;
    const a = cells[0]!;
    const b = cells[1]!;
    const c = cells[2]!;
    const d = cells[3]!;
    if (!hasStep(a, b, c, d, EDGE)) return this.#between();
    const cell = this.#nearest();
    // A cell that is covered in part itself lies on the edge: counted as a whole, all of a slope would be of one side.
    const isInPart = Math.min(a, b, c, d) < cell - EDGE && Math.max(a, b, c, d) > cell + EDGE;
    return isInPart ? this.#between() : cell;
  }
}

function clamped(index: number, size: number): number {
  return index > 0 ? (index < size ? index : size - 1) : 0;
}

/** 0–1, the same for a pixel each time; along each row and column of pixels, and of every second, third, …, spread evenly. */
function chanceAt(x: number, y: number): number {
  const place = x * GOLDEN + y * Math.SQRT2;
  return place - Math.floor(place);
}
