import { isOwn } from './OwnArea.js';
import { LIGHT_TOLERANCE, type MeasureOptions } from './ViewMeasurement.js';

/** Shares of light that differ by no more than this are the same: what 8 bits cannot tell apart. */
const SAME = 0.016;

/** A pixel with at least this many equal neighbours lies within an even patch. Along a straight edge two are equal. */
const PATCH = 3;

/** A pixel that belongs to the ad by less than this share tells nothing about its neighbours. */
const LEAST_SHARE = 0.25;

/**
 * How much of an ad is seen on a grid of whole pixels, each with the light it keeps as drawn.
 *
 * A pixel on the edge of a cover (a smoothed edge, or that of a texture that lies between pixels) keeps a share of light
 * between the shares of its neighbours on both sides. If these lie on different sides of the threshold, the pixel counts by
 * its place between them. Counting whole pixels would round each such edge to the grid, and always the same way where a
 * cover lies at half a pixel: the bars of a fence would all grow by one.
 */
export class SeenPixels {
  #light = new Float32Array(1024);
  #share = new Float32Array(1024);
  /** How many points of each pixel were added. */
  #points = 0;
  /** Light above which a point is seen. */
  #threshold = 0.5;
  /** Seen area in pixels, by {@link sumUp}: a field, since fractions that are passed or returned may be boxed by the engine. */
  area = 0.5;

  /**
   * Starts anew with a grid of `size` pixels.
   * @param blockingOpacity from this opacity on a point is not seen
   */
  begin(size: number, { blockingOpacity }: Pick<MeasureOptions, 'blockingOpacity'>): void {
    this.#threshold = 1 - blockingOpacity + LIGHT_TOLERANCE;
    if (this.#light.length < size) {
      this.#light = new Float32Array(2 * size);
      this.#share = new Float32Array(2 * size);
    }
    this.#light.fill(0, 0, size);
    this.#share.fill(0, 0, size);
    this.#points = 0;
  }

  /** Adds one point of each pixel: what the ad leaves clear there, see {@link isOwn}, and the light it keeps. */
  add(clear: Float32Array, light: Float32Array, size: number): void {
    for (let k = 0; k < size; k++) {
      if (!isOwn(clear[k]!)) continue;
      this.#share[k]! += 1;
      this.#light[k]! += light[k]!;
    }
    this.#points++;
  }

  /** Sets the share of each pixel that is ad, 0–1, and the light it keeps; instead of {@link add}. */
  set(share: Float32Array, light: Float32Array, size: number): void {
    for (let k = 0; k < size; k++) {
      this.#share[k] = share[k]!;
      this.#light[k] = light[k]!;
    }
  }

  /** Finds the seen {@link area}, without the outermost row and column on each side, which are only neighbours. */
  sumUp(columns: number, rows: number): void {
    const light = this.#light;
    const share = this.#share;
    const points = this.#points;
    const size = columns * rows;
    for (let k = 0; k < size && points > 0; k++) {
      // Not-a-number where there is no ad: nobody looks there.
      light[k]! /= share[k]!;
      share[k]! /= points;
    }
    let area = 0;
    for (let row = 1; row < rows - 1; row++) {
      const end = (row + 1) * columns - 1;
      for (let k = row * columns + 1; k < end; k++) {
        area += share[k]! * this.#seenOf(k, columns);
      }
    }
    this.area = area;
  }

  /** Share that is seen of the part of pixel k that is ad, 0–1. */
  #seenOf(k: number, columns: number): number {
    const light = this.#light;
    const share = this.#share;
    const threshold = this.#threshold;
    const here = light[k]!;
    if (share[k]! >= LEAST_SHARE) {
      let low = here;
      let high = here;
      let equal = 0;
      for (let line = k - columns; line <= k + columns; line += columns) {
        for (let n = line - 1; n <= line + 1; n++) {
          if (n === k || share[n]! < LEAST_SHARE) continue;
          const there = light[n]!;
          if (there < low) low = there;
          if (there > high) high = there;
          if (Math.abs(there - here) <= SAME && ++equal === PATCH) return here > threshold ? 1 : 0;
        }
      }
      if (low <= threshold && high > threshold) return (here - low) / (high - low);
    }
    return here > threshold ? 1 : 0;
  }
}
