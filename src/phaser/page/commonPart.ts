import { clipConvex } from '../../geometry/clipConvex.js';
import { overlap } from './Box.js';
import { isPolygon, pointsOf, type Shape } from './RoundBox.js';

/** What convex shapes have in common with another one. */
export function commonPart(shapes: readonly Shape[], other: Shape): Shape[] {
  return shapes.flatMap((shape): Shape[] => {
    if (!isPolygon(shape) && !isPolygon(other)) {
      const both = overlap(shape, other);
      return both === null ? [] : [both];
    }
    const [points, cutter] = [pointsOf(shape), pointsOf(other)];
    const cut = new Float64Array(points.length + cutter.length);
    const length = clipConvex(points, 0, points.length / 2, cutter, 0, cutter.length / 2, cut);
    return length < 3 ? [] : [[...cut.subarray(0, 2 * length)]];
  });
}
