import * as fc from 'fast-check';

import { boxesMeet } from '../../../src/geometry/boxesMeet.js';
import { clipConvex } from '../../../src/geometry/clipConvex.js';
import { convexArea } from '../../../src/geometry/convexArea.js';
import { FragmentSet } from '../../../src/geometry/FragmentSet.js';
import { regular } from '../viewability/support/FrameBuilder.js';
import { convexPolygon, cornersOf, GRID, gridRectangle } from './support.js';

const square = [0, 0, 100, 0, 100, 100, 0, 100];

function clipped(subject: readonly number[], clip: readonly number[], room = 64): number[] {
  const out = new Float64Array(room);
  const length = clipConvex(subject, 0, subject.length / 2, clip, 0, clip.length / 2, out);
  return [...out.subarray(0, 2 * length)];
}

/** Area between the polygon and the x-axis, edge by edge. */
function areaOf(points: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < points.length; i += 2) {
    const [x, y, nextX, nextY] = [0, 1, 2, 3].map((k) => points[(i + k) % points.length]!);
    sum += ((nextX! - x!) * (y! + nextY!)) / 2;
  }
  return Math.abs(sum);
}

describe('a polygon clipped by another', () => {
  it('leaves nothing where it lies outside, and keeps its corners inside', () => {
    expect(clipped([200, 0, 300, 0, 300, 50], square)).toEqual([]);
    expect(clipped([10, 10, 20, 10, 20, 20], square)).toEqual([10, 10, 20, 10, 20, 20]);
  });

  it('makes up the whole with what a cover of the same shape leaves, whatever edges and corners coincide', () => {
    const place = fc.noBias(fc.integer({ min: 0, max: GRID }));
    const triangle = fc.array(place, { minLength: 6, maxLength: 6 }).filter((points) => areaOf(points) > 0);
    const rectangle = fc.tuple(gridRectangle, fc.boolean()).map(([one, isReversed]) => cornersOf(one, isReversed));
    const polygon = fc.oneof(triangle, rectangle, convexPolygon);
    const fragments = new FragmentSet();
    fc.assert(
      fc.property(polygon, polygon, (one, other) => {
        const common = clipped(one, other);
        expect(common.length).toBeLessThanOrEqual(one.length + other.length);
        fragments.reset();
        fragments.add(one, 0, one.length / 2);
        fragments.subtract(other, 0, other.length / 2);
        fragments.sumUp();
        expect(areaOf(common) + fragments.area).toBeCloseTo(areaOf(one), 6);
        expect(areaOf(clipped(other, one))).toBeCloseTo(areaOf(common), 6);
        // Other numbers stand around the polygons.
        const out = new Float64Array(64);
        const length = clipConvex([NaN, 1e9, ...one, 9], 2, one.length / 2, [7, ...other, NaN], 1, other.length / 2, out); // prettier-ignore
        expect([...out.subarray(0, 2 * length)]).toEqual(common);
        expect(convexArea([NaN, 7, ...common, 8, 9], 2, length)).toBeCloseTo(areaOf(common), 6);
      }),
      { numRuns: 500 },
    );
  });

  it('has no corner that is not-a-number', () => {
    expect(clipped([10, 10, 90, 10, NaN, 90, 10, 90], square).some(Number.isNaN)).toBe(false);
  });

  it('throws where a single corner has no room', () => {
    // The square without its upper left corner has five.
    const cut = [0, 40, 40, 0, 100, 0, 100, 100, 0, 100];
    expect(clipped(square, cut, 10)).toHaveLength(10);
    expect(() => clipped(square, cut, 9)).toThrow(RangeError);
  });

  it.each([250, 300, 520, 1030])(
    'keeps the corners of both where two of %i turned corners lie over each other',
    (n) => {
      const turned = [...regular(0, 0, 100, n, Math.PI / n)];
      expect(clipped([...regular(0, 0, 100, n)], turned, 8 * n)).toHaveLength(4 * n);
    },
  );
});

it('boxes meet that share more than an edge', () => {
  const box = (...numbers: number[]): Float64Array => Float64Array.from(numbers);
  const one = box(0, 0, 10, 10);
  for (const beside of [box(10, 0, 20, 10), box(-5, 0, 0, 10), box(0, 10, 10, 20), box(0, -5, 10, 0)]) {
    expect(boxesMeet(one, 0, beside, 0)).toBe(false);
  }
  expect(boxesMeet(one, 0, box(9, 9, 20, 20), 0)).toBe(true);
  expect(boxesMeet(one, 0, box(NaN, 0, 20, 20), 0)).toBe(false);
});
