import { cornersOf } from './Box.js';
import type { PageCover } from './PageView.js';
import { cut } from './shapes.js';

/**
 * The HTML elements that cover some of an area, each once. Leaves out Phaser's own DOM elements, since they are game objects.
 * @param area convex polygons in canvas pixels
 * @param leastOpacity a cover that is fainter does not count
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
