import type { AlphaMap } from './AlphaMap.js';
import type { FrameSnapshot } from './FrameSnapshot.js';

/** Neighbouring texels whose alpha differs by more than this, of 255, are an edge; by less, a gradient. */
const STEP = 64;

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

  /**
   * The alpha, 0–255, that the sample at {@link point} in polygon i stands for. −1 where {@link sharpened} does as well: between
   * clear and opaque, and at the edge of the polygon or its texture, where others have a say in what the neighbours show.
   */
  alphaIn(snapshot: FrameSnapshot, i: number, { width, height, alpha }: AlphaMap): number {
    const { box, uv } = snapshot;
    const { point } = this;
    const at = 6 * i;
    const x = Math.floor(point[0]!);
    const y = Math.floor(point[1]!);
    if (x < box[4 * i]! + 0.5 || x + 1.5 > box[4 * i + 2]!) return -1;
    if (y < box[4 * i + 1]! + 0.5 || y + 1.5 > box[4 * i + 3]!) return -1;
    let here = 0;
    let low = 255;
    let high = 0;
    let equal = 0;
    for (let n = 0; n < 9; n++) {
      const dx = x + 0.5 + AROUND_X[n]! - point[0]!;
      const dy = y + 0.5 + AROUND_Y[n]! - point[1]!;
      const u = point[2]! + uv[at]! * dx + uv[at + 2]! * dy;
      const v = point[3]! + uv[at + 1]! * dx + uv[at + 3]! * dy;
      if (!(u >= 0 && v >= 0 && u < width - 1 && v < height - 1)) return -1;
      const column = u | 0;
      const line = v | 0;
      const upper = line * width + column;
      const lower = upper + width;
      const there = between(alpha[upper]!, alpha[upper + 1]!, alpha[lower]!, alpha[lower + 1]!, u - column, v - line);
      if (n === 0) here = there;
      else if (Math.abs(there - here) <= SAME && ++equal === PATCH) return Math.round(here);
      if (there < low) low = there;
      if (there > high) high = there;
    }
    if (low <= SAME && high >= 255 - SAME) return -1;
    return Math.round(chanceAt(x, y) * (high - low) < here - low ? high : low);
  }
}

/** The alpha of a point between the centres of four cells, given by rows, as a GPU's linear filter finds it. */
export function between(a: number, b: number, c: number, d: number, tx: number, ty: number): number {
  const top = a + (b - a) * tx;
  return top + (c + (d - c) * tx - top) * ty;
}

/**
 * As {@link between}, for a scattered sample in a step: it takes the nearest cell as it is. Where opacity leaps from clear to
 * just above the blocking one, the mixture would begin to block far from the middle of the step, and each edge would be off by
 * as much.
 */
export function sharpened(a: number, b: number, c: number, d: number, tx: number, ty: number): number {
  const nearest = ty < 0.5 ? (tx < 0.5 ? a : b) : tx < 0.5 ? c : d;
  // A cell that is covered in part itself lies on the edge: counted as a whole, all of a slope would be of one side.
  const isOnEdge = Math.min(a, b, c, d) < nearest - STEP && Math.max(a, b, c, d) > nearest + STEP;
  return isOnEdge ? between(a, b, c, d, tx, ty) : nearest;
}

/** Whether the alphas of four cells, by rows, make a step somewhere between neighbours. */
export function isStep(a: number, b: number, c: number, d: number): boolean {
  return Math.abs(a - b) > STEP || Math.abs(c - d) > STEP || Math.abs(a - c) > STEP || Math.abs(b - d) > STEP;
}

/** 0–1, the same for a pixel each time; along each row and column of pixels, and of every second, third, …, spread evenly. */
function chanceAt(x: number, y: number): number {
  const place = x * GOLDEN + y * Math.SQRT2;
  return place - Math.floor(place);
}
