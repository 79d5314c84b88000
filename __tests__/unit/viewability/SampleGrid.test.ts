import * as fc from 'fast-check';

import { evenly } from '../../helpers/evenly.js';
import { PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { OPAQUE, SampleGrid } from '../../../src/measure/SampleGrid.js';
import { FrameBuilder, rectangle, turned } from './support/FrameBuilder.js';

/** Which samples of a grid lie in a polygon. */
function within(grid: SampleGrid, points: readonly number[], flags = 0): boolean[] {
  const { snapshot } = new FrameBuilder().paint(points, { flags });
  const left = new Float32Array(grid.size).fill(1);
  grid.coverFlat(snapshot, 0, OPAQUE, 0, left);
  return Array.from(left, (light) => light === 0);
}
const countOf = (is: readonly boolean[]): number => is.filter(Boolean).length;

const side = fc.integer({ min: 20, max: 700 });
const place = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }), side, side);
type Place = [number, number, number, number];
const step = fc.constantFrom(1, Math.SQRT2, 2, 3, 5.5);
const laid = (at: Place, step: number, turn = 0, rowStep = 1): SampleGrid => {
  const grid = new SampleGrid();
  grid.turn(turn);
  // One rectangle of several, as in a plan.
  grid.place(Float64Array.of(0, 0, 1, 1, ...at), Float64Array.of(9, step), 1, 0, rowStep);
  return grid;
};

test('with a step of 1 the samples are the centres of the pixels, row by row', () => {
  fc.assert(
    fc.property(place, evenly(0, 0.999), evenly(0, 0.999), fc.nat(255), ([x, y, width, height], u, v, turn) => {
      const grid = laid([x, y, width, height], 1, turn);
      expect([grid.columns, grid.rows, grid.size, grid.sampleArea]).toEqual([width, height, width * height, 1]);
      const [column, row] = [Math.floor(u * width), Math.floor(v * height)];
      const near = within(grid, rectangle(x + column + 0.49, y + row + 0.49, 0.02, 0.02));
      expect([countOf(near), near.indexOf(true)]).toEqual([1, row * width + column]);
    }),
  );
});

test('a margin adds pixels all around', () => {
  const grid = new SampleGrid();
  grid.place(Float64Array.of(10, 20, 4, 3), Float64Array.of(1), 0, 1);
  expect([grid.columns, grid.rows]).toEqual([6, 5]);
  expect(within(grid, rectangle(9.4, 19.4, 0.2, 0.2))[0]).toBe(true);
  expect(within(grid, rectangle(14.4, 23.4, 0.2, 0.2)).at(-1)).toBe(true);
});

test('of two polygons that share an edge just one covers each sample of both', () => {
  const shape = fc.tuple(evenly(0, 300), evenly(0, 300), evenly(5, 400), evenly(5, 400), evenly(0, 6.3));
  fc.assert(
    fc.property(place, step, shape, evenly(0.1, 0.9), fc.nat(255), fc.nat(3), (at, step, shape, cut, turn, point) => {
      const grid = laid(at, step, turn);
      grid.shift(point, 4);
      const [ax, ay, bx, by, cx, cy, dx, dy] = turned(...shape) as [number, number, number, number, number, number, number, number];
      const [ex, ey, fx, fy] = [ax + cut * (bx - ax), ay + cut * (by - ay), dx + cut * (cx - dx), dy + cut * (cy - dy)];
      const [one, other] = [within(grid, [ax, ay, ex, ey, fx, fy, dx, dy]), within(grid, [ex, ey, bx, by, cx, cy, fx, fy])];
      expect(one.some((is, k) => is && other[k]!)).toBe(false);
      // Rounding moves the two outer edges by nearly nothing.
      const whole = within(grid, [ax, ay, bx, by, cx, cy, dx, dy]);
      expect(Math.abs(countOf(whole) - countOf(one) - countOf(other))).toBeLessThanOrEqual(2);
    }),
  );
}); // prettier-ignore

test('and so it is where the edge runs through samples, upright or level', () => {
  const grid = laid([0, 0, 20, 20], 1);
  const [left, right] = [rectangle(2.5, 2.5, 4, 6), rectangle(6.5, 2.5, 3, 6)];
  const [upper, lower] = [rectangle(2.5, 2.5, 6, 4), rectangle(2.5, 6.5, 6, 3)];
  expect([left, right, upper, lower].map((of) => countOf(within(grid, of)))).toEqual([24, 18, 24, 18]);
  expect(within(grid, left).some((is, k) => is && within(grid, right)[k]!)).toBe(false);
  expect(within(grid, upper).some((is, k) => is && within(grid, lower)[k]!)).toBe(false);
});

test('each sample stands for as much area, and together they tell how large a polygon is', () => {
  const shape = fc.tuple(evenly(0.2, 0.8), evenly(0.2, 0.8), evenly(0.1, 0.5), evenly(0.1, 0.5), evenly(0, 6.3));
  fc.assert(
    fc.property(place, step, shape, fc.nat(255), fc.integer({ min: 1, max: 4 }), (at, step, [u, v, p, q, angle], turn, rowStep) => {
      const [x, y, width, height] = at;
      const grid = laid(at, step, turn, rowStep);
      const least = Math.min(width, height);
      const points = turned(x + u * width, y + v * height, p * least, q * least, angle);
      const counted = (of: readonly number[]): number => grid.sampleArea * countOf(within(grid, of));
      expect(counted(rectangle(x, y, width, height))).toBeCloseTo(width * height, 4);
      const isInside = points.every((at, i) => (i % 2 === 0 ? at >= x && at < x + width : at >= y && at < y + height));
      // Along the edges samples lie on either side as it happens.
      if (!isInside) return;
      const around = 2 * (p + q) * least;
      expect(Math.abs(counted(points) - p * q * least * least)).toBeLessThan(step * (step + around / 2));
    }),
  );
}); // prettier-ignore

test('the turns of a picture that stands still fill the gaps between each other', () => {
  const strip = fc.tuple(evenly(0, 80), evenly(0, 80));
  fc.assert(
    fc.property(strip, ([x, y]) => {
      let total = 0;
      const turns = Array.from({ length: 16 }, (_, turn) => {
        const grid = laid([0, 0, 100, 100], 5, turn);
        const counted = grid.sampleArea * countOf(within(grid, rectangle(x, y, 13, 17)));
        total += counted / 16;
        return Math.abs(counted - 221);
      });
      expect(Math.abs(total - 221)).toBeLessThan(8);
      expect(Math.max(...turns)).toBeGreaterThan(Math.abs(total - 221));
    }),
  );
});

test('what was drawn apart covers each point of the pixels whose centres lie in it, and no other', () => {
  const flags = PolygonFlag.CENTRED;
  fc.assert(
    fc.property(evenly(2, 20), evenly(2, 20), evenly(2, 20), evenly(2, 20), fc.nat(7), (x, y, width, height, point) => {
      const grid = laid([0, 0, 50, 50], 1);
      const centres = within(grid, rectangle(x, y, width, height), flags);
      grid.shift(point, 8);
      expect(within(grid, rectangle(x, y, width, height), flags)).toEqual(centres);
      const [left, top] = [(centres.indexOf(true) % 50) - 0.01, Math.floor(centres.indexOf(true) / 50) - 0.01];
      // The points of a pixel lie within it.
      const [right, bottom] = [Math.ceil(x + width - 0.5) + 0.01, Math.ceil(y + height - 0.5) + 0.01];
      expect(within(grid, rectangle(left, top, right - left, bottom - top))).toEqual(centres);
      grid.centre();
      expect(within(grid, rectangle(x, y, width, height))).toEqual(centres);
    }),
  );
});
