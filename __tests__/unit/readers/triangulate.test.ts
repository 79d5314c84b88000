import fc from 'fast-check';

import { triangulate } from '../../../src/phaser/reading/triangulate.js';

/** A simple outline around a middle: one radius (1–100) for each of its equal angles. */
const outlines = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 3, maxLength: 40 }).map((radii) =>
  radii.flatMap((radius, i) => {
    const angle = (2 * Math.PI * i) / radii.length;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  }),
);

function areaOf(points: readonly number[]): number {
  let twice = 0;
  for (let i = 0; i < points.length; i += 2) {
    const k = (i + 2) % points.length;
    twice += points[i]! * points[k + 1]! - points[k]! * points[i + 1]!;
  }
  return Math.abs(twice) / 2;
}

function trianglesOf(points: readonly number[]): number[][] {
  const indexes: number[] = [];
  const length = triangulate(points, 0, points.length, indexes);
  const triangles: number[][] = [];
  for (let i = 0; i < length; i += 3) {
    triangles.push(indexes.slice(i, i + 3).flatMap((v) => [points[2 * v]!, points[2 * v + 1]!]));
  }
  return triangles;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('the triangles of a simple outline have its area together, so none overlap and nothing is missing', () => {
  fc.assert(
    fc.property(outlines, (points) => {
      const area = areaOf(points);
      expect(Math.abs(sum(trianglesOf(points).map(areaOf)) - area)).toBeLessThan(1e-6 * (1 + area));
    }),
  );
});

test('the direction an outline runs in does not matter', () => {
  fc.assert(
    fc.property(outlines, (points) => {
      const reversed = points.map((_, i) => points[points.length - 2 - i + 2 * (i % 2)]!);
      expect(sum(trianglesOf(reversed).map(areaOf))).toBeCloseTo(sum(trianglesOf(points).map(areaOf)), 6);
    }),
  );
});

test('repeated points, the closing one among them, add no triangle of any area', () => {
  const square = [0, 0, 10, 0, 10, 10, 10, 10, 0, 10, 0, 0];
  expect(sum(trianglesOf(square).map(areaOf))).toBeCloseTo(100);
});

test('only the numbers between from and to are taken, and vertices are counted from there', () => {
  const indexes: number[] = [];
  expect(triangulate([99, 99, 0, 0, 10, 0, 0, 10, 77, 77], 2, 8, indexes)).toBe(3);
  expect([...indexes].sort()).toEqual([0, 1, 2]);
});

test('an outline of fewer than three vertices has no triangles', () => {
  expect(triangulate([0, 0, 5, 5], 0, 4, [])).toBe(0);
  expect(triangulate([], 0, 0, [])).toBe(0);
});

/** Recorded from Earcut 2.2.4 as Phaser 3.60 and 3.90 carry it. */
test.each([
  { name: 'a bow tie', points: [0, 0, 10, 10, 10, 0, 0, 10], expected: [3, 2, 1] },
  { name: 'a pentagram', points: [50, 0, 20, 95, 98, 38, 2, 38, 80, 95], expected: [1, 0, 4, 4, 3, 2] },
  { name: 'a kite with crossed sides', points: [0, 0, 60, 60, 60, 0, 0, 60, 30, 90], expected: [0, 4, 3, 3, 2, 1] },
])('$name, which crosses itself, is cut into the triangles Earcut makes', ({ points, expected }) => {
  const indexes: number[] = [];
  indexes.length = triangulate(points, 0, points.length, indexes);
  expect(indexes).toEqual(expected);
});
