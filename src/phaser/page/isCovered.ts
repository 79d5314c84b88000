import type { PageCover } from './PageView.js';

/**
 * True when something of the page may lie over a rectangle of the canvas: minX, minY, maxX, maxY from number `at` of `box` on.
 * Numbers handed over one by one would become objects.
 */
export function isCovered(covers: readonly PageCover[], box: Float64Array, at: number): boolean {
  for (let i = 0; i < covers.length; i++) if (liesOver(covers[i]!, box, at)) return true;
  return false;
}

/** As {@link isCovered}, of one cover. */
export function liesOver({ minX, minY, maxX, maxY }: PageCover, box: Float64Array, at: number): boolean {
  return minX < box[at + 2]! && maxX > box[at]! && minY < box[at + 3]! && maxY > box[at + 1]!;
}
