import { clipConvex } from '../../geometry/clipConvex.js';
import type { Box } from './Box.js';

/** The part of a convex polygon, x and y alternating, that lies in a box; less than three points when none does. */
export function cutToBox(points: readonly number[], { left, top, right, bottom }: Box): number[] {
  const corners = [left, top, right, top, right, bottom, left, bottom];
  const cut = new Float64Array(points.length + corners.length);
  const length = clipConvex(points, 0, points.length / 2, corners, 0, 4, cut);
  return [...cut.subarray(0, 2 * length)];
}
