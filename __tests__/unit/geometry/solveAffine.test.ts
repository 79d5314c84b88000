import fc from 'fast-check';
import { evenly } from '../../helpers/evenly.js';
import { solveAffine } from '../../../src/geometry/solveAffine.js';

const place = evenly(-1000, 1000);
const three = fc.tuple(place, place, place, place, place, place);

/** Twice the area of the triangle of three points. */
function areaOf([x0, y0, x1, y1, x2, y2]: readonly [number, number, number, number, number, number]): number {
  return Math.abs((x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0));
}

describe('solveAffine', () => {
  it('takes three points to where they shall go', () => {
    fc.assert(
      fc.property(three, three, (points, values) => {
        fc.pre(areaOf(points) > 1);
        const m = new Float64Array(6);
        solveAffine(Float64Array.from(points), Float64Array.from(values), m);
        for (let i = 0; i < 6; i += 2) {
          const x = points[i]!;
          const y = points[i + 1]!;
          expect(m[0]! * x + m[2]! * y + m[4]!).toBeCloseTo(values[i]!, 3);
          expect(m[1]! * x + m[3]! * y + m[5]!).toBeCloseTo(values[i + 1]!, 3);
        }
      }),
    );
  });

  it('of points on a line leaves nothing but where the first one goes', () => {
    const m = new Float64Array(6).fill(NaN);
    solveAffine(Float64Array.of(1, 1, 2, 2, 3, 3), Float64Array.of(5, 6, 7, 8, 9, 10), m);
    expect([...m]).toEqual([0, 0, 0, 0, 5, 6]);
  });
});
