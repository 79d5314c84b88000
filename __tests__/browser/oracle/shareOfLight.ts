/**
 * How much light of the ad each canvas pixel shows, in one channel: the difference of two pictures of the same frame,
 * one with the ad lit in that channel and one with it black. 0–255.
 */
export function lightOf(lit: Uint8Array, black: Uint8Array, channel: number, out: Uint8Array): Uint8Array {
  for (let i = 0, from = channel; i < out.length; i++, from += 4) {
    const difference = lit[from]! - black[from]!;
    out[i] = difference > 0 ? difference : 0;
  }
  return out;
}

export interface SeenArea {
  /** Canvas pixels² of the ad that keep at least half of its light, edges counted by how far they are covered. */
  area: number;
  /** The plain count of pixels that keep at least half of the ad's full light. */
  pixels: number;
  /** Pixels so near to half that rounding to 8 bits decides them. */
  undecided: number;
}

/** Shares this near to one half are decided by 8-bit rounding, and not judged. */
const UNDECIDED = 0.014;

/** Shares of light that differ by no more than this are the same. */
const SAME = 0.016;

/** A pixel with at least this many equal neighbours lies within an even patch. Along a straight edge two are equal. */
const PATCH = 3;

/** Where the bare ad itself has less than this share of its full light, 8 bits are too few to compare neighbours. */
const FAINT = 0.25;

/**
 * The area that keeps at least half of the light it has in the `bare` picture, where nothing covers the ad; `full` is
 * the most light a pixel has there. How far a pixel belongs to the ad at all is its light in the bare picture, or in the one
 * where only its masks are there: behind a bitmap mask edges are not smoothed, pixels shown whole make up for those left out.
 *
 * A pixel on the edge of a cover is covered in part, so the share it keeps lies between those of its neighbours on both
 * sides. Where these fall on different sides of one half, the pixel counts by its place between them: as exact as the
 * renderer's smoothing, where counting whole pixels would round every edge to the grid.
 */
export function seenArea(
  light: Uint8Array,
  bare: Uint8Array,
  masked: Uint8Array,
  width: number,
  height: number,
  full: number,
): SeenArea {
  const result: SeenArea = { area: 0, pixels: 0, undecided: 0 };
  const faint = full * FAINT;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const most = bare[at]!;
      if (most === 0) continue;
      if (2 * light[at]! >= full) result.pixels++;
      const belongs = Math.min(1, Math.max(most, masked[at]!) / full);
      const here = Math.min(1, light[at]! / most);
      if (most < faint) {
        if (here >= 0.5) result.area += belongs;
        continue;
      }
      let low = here;
      let high = here;
      let equal = -1;
      for (let ny = y - 1; ny <= y + 1; ny++) {
        for (let nx = x - 1; nx <= x + 1; nx++) {
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
          const neighbour = ny * width + nx;
          if (bare[neighbour]! < faint) continue;
          const there = Math.min(1, light[neighbour]! / bare[neighbour]!);
          if (there < low) low = there;
          if (there > high) high = there;
          if (Math.abs(there - here) <= SAME) equal++;
        }
      }
      if (equal < PATCH && low < 0.5 && high >= 0.5) result.area += (belongs * (here - low)) / (high - low);
      else if (here >= 0.5) result.area += belongs;
      // On an edge, half light is half an area. Where no neighbour is lighter, or none darker, it is a question of shade.
      if (Math.abs(here - 0.5) <= UNDECIDED && (high - here <= SAME || here - low <= SAME)) result.undecided++;
    }
  }
  return result;
}

/** Marks the pixels that keep less than half of the light they have in the `bare` picture. */
export function isLost(light: Uint8Array, bare: Uint8Array, at: number, full: number): boolean {
  return bare[at]! >= full * FAINT && 2 * light[at]! < bare[at]!;
}

/** As {@link isLost}, and also where rounding to 8 bits may have saved the pixel. */
export function isNearlyLost(light: Uint8Array, bare: Uint8Array, at: number, full: number): boolean {
  return bare[at]! >= full * FAINT && light[at]! < bare[at]! * (0.5 + UNDECIDED);
}
