import * as fc from 'fast-check';
import { isConvex } from '../../../src/geometry/isConvex.js';
import { convexPolygon } from './support.js';

describe('isConvex', () => {
  test('is true of convex polygons, whichever way round, and with a corner twice', () => {
    fc.assert(
      fc.property(convexPolygon, (points) => {
        const length = points.length / 2;
        // A corner between two others may be straight but for rounding.
        fc.pre(isWellTurned(points));
        expect(isConvex(points, length)).toBe(true);
        expect(isConvex([...points, ...points.slice(-2)], length + 1)).toBe(true);
      }),
    );
  });

  test('is false where a corner points inward, and for not-a-number', () => {
    expect(isConvex([0, 0, 10, 0, 3, 3, 0, 10], 4)).toBe(false);
    expect(isConvex([0, 0, 10, 10, 10, 0, 0, 10], 4)).toBe(false);
    expect(isConvex([0, 0, 10, 0, NaN, 10], 3)).toBe(false);
  });

  test('is false of a line that goes round twice, wherever it begins', () => {
    const pentagram = Array.from({ length: 5 }, (_, i) => [
      Math.cos((2.4 * i * Math.PI) / 3),
      Math.sin((2.4 * i * Math.PI) / 3),
    ]);
    for (let i = 0; i < 5; i++) {
      const turned = [...pentagram.slice(i), ...pentagram.slice(0, i)];
      expect(isConvex(turned.flat(), 5)).toBe(false);
      expect(isConvex(turned.reverse().flat(), 5)).toBe(false);
    }
  });
});

function isWellTurned(points: readonly number[]): boolean {
  const { length } = points;
  for (let a = 0; a < length; a += 2) {
    const [x0, y0, x1, y1, x2, y2] = [0, 1, 2, 3, 4, 5].map((k) => points[(a + k) % length]!) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    if (Math.abs((x1 - x0) * (y2 - y1) - (y1 - y0) * (x2 - x1)) < 1e-6) return false;
  }
  return true;
}
