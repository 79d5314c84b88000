import { cornersOf } from './Box.js';
import type { PageCover } from './PageView.js';
import { cut } from './shapes.js';

/**
 * The HTML that covers some of an area, each element once; Phaser's own DOM elements are game objects, and left out.
 * @param area convex polygons in canvas pixels
 * @param leastOpacity below it something does not cover
 */
export function elementsOver(
  covers: readonly PageCover[],
  area: readonly ArrayLike<number>[],
  leastOpacity: number,
): Element[] {
  const found = covers.filter((cover) => {
    if (cover.owner !== null || (cover.isCertain && cover.opacity < leastOpacity)) return false;
    const { minX: left, minY: top, maxX: right, maxY: bottom, shape } = cover;
    const corners = shape === null ? cornersOf({ left, top, right, bottom }) : [...shape];
    return area.some((piece) => cut(corners, Array.from(piece)).length > 0);
  });
  return [...new Set(found.map(({ element }) => element))];
}
