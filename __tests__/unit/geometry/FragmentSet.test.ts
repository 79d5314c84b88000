import * as fc from 'fast-check';

import { evenly } from '../../helpers/evenly.js';
import { convexArea } from '../../../src/geometry/convexArea.js';
import { FragmentSet } from '../../../src/geometry/FragmentSet.js';
import {
  cellsIn,
  convexPolygon,
  cornersOf,
  GRID,
  gridRectangle,
  orSkip,
  referenceDifference,
  spreadPolygon,
  square,
} from './support.js';

/** How much of the subject the covers leave. */
function uncovered(subject: readonly number[], covers: readonly (readonly number[])[]): number {
  const fragments = new FragmentSet();
  fragments.add(subject, 0, subject.length / 2);
  for (const cover of covers) fragments.subtract(cover, 0, cover.length / 2);
  fragments.sumUp();
  return fragments.area;
}

describe('what covers leave of a polygon', () => {
  test('agrees with an independent polygon library on any convex polygons', () => {
    fc.assert(
      fc.property(spreadPolygon, fc.array(spreadPolygon, { maxLength: 12 }), (subject, covers) => {
        const total = convexArea(subject, 0, subject.length / 2);
        const expected = orSkip(() => referenceDifference(subject, covers));
        expect(Math.abs(uncovered(subject, covers) - expected)).toBeLessThanOrEqual(1e-6 * total);
      }),
      { numRuns: 150 },
    );
  });

  test('agrees with the library under many covers', () => {
    fc.assert(
      fc.property(fc.array(spreadPolygon, { minLength: 25, maxLength: 60 }), (covers) => {
        const small = covers.map((cover) => cover.map((value, i) => (value - cover[i % 2]!) / 6 + cover[i % 2]!));
        const expected = orSkip(() => referenceDifference(square, small));
        expect(Math.abs(uncovered(square, small) - expected)).toBeLessThanOrEqual(1e-6 * 10_000);
      }),
      { numRuns: 15 },
    );
  });

  test('does not depend on the order of the covers', () => {
    fc.assert(
      fc.property(fc.array(convexPolygon, { maxLength: 10 }), (covers) => {
        expect(uncovered(square, [...covers].reverse())).toBeCloseTo(uncovered(square, covers), 6);
      }),
    );
  });

  test('never grows when a cover is added', () => {
    fc.assert(
      fc.property(fc.array(convexPolygon, { maxLength: 10 }), convexPolygon, (covers, more) => {
        expect(uncovered(square, [...covers, more])).toBeLessThanOrEqual(uncovered(square, covers) + 1e-8);
      }),
    );
  });

  test.each([1e-6, 1e6])('is the same share when everything is scaled by %p', (factor) => {
    const scale = (points: readonly number[]): number[] => points.map((value) => value * factor);
    fc.assert(
      fc.property(fc.array(convexPolygon, { maxLength: 8 }), (covers) => {
        const scaled = uncovered(scale(square), covers.map(scale)) / factor ** 2;
        expect(Math.abs(scaled - uncovered(square, covers))).toBeLessThanOrEqual(1e-6 * 10_000);
      }),
    );
  });

  test('is the same when everything is turned about any point', () => {
    const turn = (points: readonly number[], angle: number): number[] =>
      points.map((value, i) =>
        i % 2 === 0
          ? value * Math.cos(angle) - points[i + 1]! * Math.sin(angle) + 700
          : points[i - 1]! * Math.sin(angle) + value * Math.cos(angle) - 300,
      );
    fc.assert(
      fc.property(fc.array(convexPolygon, { maxLength: 8 }), evenly(0, 6.3), (covers, angle) => {
        const covered = uncovered(
          turn(square, angle),
          covers.map((cover) => turn(cover, angle)),
        );
        expect(Math.abs(covered - uncovered(square, covers))).toBeLessThanOrEqual(1e-6 * 10_000);
      }),
    );
  });

  test('loses nothing to covers that only touch an edge or a corner', () => {
    const touching = [
      [100, 0, 200, 0, 200, 100, 100, 100],
      [-50, -50, 0, -50, 0, 0, -50, 0],
      [0, 100, 100, 100, 50, 150],
    ];
    expect(uncovered(square, touching)).toBe(10_000);
  });

  test('is nothing at all under a cover of the same shape, whichever way it turns', () => {
    expect(uncovered(square, [square])).toBe(0);
    expect(uncovered(square, [[0, 100, 100, 100, 100, 0, 0, 0]])).toBe(0);
  });

  test('regards a corner given twice as one', () => {
    expect(uncovered(square, [[0, 0, 50, 0, 50, 0, 50, 100, 0, 100, 0, 100]])).toBeCloseTo(5000, 9);
  });

  test.each([0, -1000])('regards two corners as one that differ by rounding, also %i px from the middle', (offset) => {
    const at = (points: readonly number[]): number[] => points.map((value) => value + offset);
    // The edge between the two points back: on its own it would cut all off.
    expect(uncovered(at(square), [at([0, 0, 50, 0, 50, 100, 50 - 3e-13, 100 - 9e-13, 0, 100])])).toBeCloseTo(5000, 6);
  });

  test('is nothing at all under two halves that share an edge, however they are turned', () => {
    for (let angle = 0.05; angle < 6.2; angle += 0.1) {
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const turn = (points: readonly number[]): number[] =>
        points.map((value, i) =>
          i % 2 === 0 ? value * cos - points[i + 1]! * sin + 300 : points[i - 1]! * sin + value * cos + 200,
        );
      const fragments = new FragmentSet();
      fragments.add(turn(square), 0, 4);
      for (const half of [
        [0, 0, 100 / 3, 0, 100 / 3, 100, 0, 100],
        [100 / 3, 0, 100, 0, 100, 100, 100 / 3, 100],
      ])
        fragments.subtract(turn(half), 0, 4);
      expect(fragments.count).toBe(0);
    }
  });

  test('is cut as ever after a polygon without area was added', () => {
    const fragments = new FragmentSet();
    fragments.add([5, 5, 5, 50, 5, 70], 0, 3);
    fragments.add([5, 5, 60, 50], 0, 2);
    expect(fragments.count).toBe(0);
    fragments.add(square, 0, 4);
    fragments.subtract([0, 0, 50, 0, 50, 100, 0, 100], 0, 4);
    fragments.sumUp();
    expect(fragments.area).toBe(5000);
  });

  test('counts nothing of a polygon with coordinates that are no numbers', () => {
    const fragments = new FragmentSet();
    for (const broken of [[0, 0, 100, 0, NaN, 100, 0, 100], [0, 0, 100, 0, Infinity, 100, 0, 100]]) fragments.add(broken, 0, 4); // prettier-ignore
    fragments.add([200, 0, 300, 0, 300, 100, 200, 100], 0, 4);
    fragments.sumUp();
    expect([fragments.area, fragments.weightedArea]).toEqual([10_000, 10_000]);
  });

  test('ignores covers without area and coordinates that are no numbers', () => {
    const broken = [
      [10, 10, 90, 90, 50, 50],
      [20, 20, 20, 20, 20, 20],
      [NaN, 0, 50, NaN, 50, 50],
      [0, 0, 0, 100, 0, 50, 0, 20],
    ];
    expect(uncovered(square, broken)).toBeCloseTo(10_000, 6);
  });

  test('stays finite and within the polygon under thousands of slivers', () => {
    const slivers = Array.from({ length: 2000 }, (_, i) => {
      const x = (i * 37) % 100;
      return [x, 0, x + 1e-7, 0, (i * 61) % 100, 100];
    });
    const left = uncovered(square, slivers);
    expect(left).toBeGreaterThan(9_990);
    expect(left).toBeLessThanOrEqual(10_000);
  });
});

describe('fragments with weights', () => {
  test('keep total area, and their weights multiply where translucent polygons overlap', () => {
    fc.assert(
      fc.property(fc.array(convexPolygon, { maxLength: 8 }), (covers) => {
        const fragments = new FragmentSet();
        fragments.add(square, 0, 4);
        fragments.keep = 0.5;
        for (const cover of covers) fragments.attenuate(cover, 0, cover.length / 2);
        fragments.sumUp();
        expect(fragments.area).toBeCloseTo(10_000, 5);
        // By inclusion and exclusion of two: light lost = half of each, less a quarter of what they share.
        if (covers.length === 1) {
          const covered = 10_000 - uncovered(square, covers);
          expect(fragments.weightedArea).toBeCloseTo(10_000 - covered / 2, 5);
        }
      }),
    );
  });

  test('count as area only above the asked weight', () => {
    const fragments = new FragmentSet();
    fragments.add(square, 0, 4);
    fragments.keep = 0.7;
    fragments.attenuate([0, 0, 60, 0, 60, 100, 0, 100], 0, 4);
    fragments.attenuate([40, 0, 100, 0, 100, 100, 40, 100], 0, 4);
    for (const [threshold, area] of [
      [0.5, 8000],
      [0.6, 8000],
      [0.7, 0],
    ] as const) {
      fragments.threshold = threshold;
      fragments.sumUp();
      expect(fragments.area).toBeCloseTo(area, 9);
    }
    expect(fragments.weightedArea).toBeCloseTo(8000 * 0.7 + 2000 * 0.49, 9);
  });

  test('are what a grid shows that is dimmed cell by cell, however it is turned', () => {
    const fragments = new FragmentSet();
    const dimmed = fc.tuple(gridRectangle, fc.constantFrom(0, 0.25, 0.5, 1), fc.boolean());
    const many = fc.array(dimmed, { maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(many, fc.constantFrom(0, 0.25, 0.4), evenly(0, 6.3), (covers, threshold, angle) => {
        const turn = (points: readonly number[]): number[] =>
          points.map((value, i) =>
            i % 2 === 0
              ? value * Math.cos(angle) - points[i + 1]! * Math.sin(angle)
              : points[i - 1]! * Math.sin(angle) + value * Math.cos(angle),
          );
        fragments.reset();
        fragments.add(turn(cornersOf([0, 0, GRID, GRID])), 0, 4);
        let cells = new Array<number>(GRID * GRID).fill(1);
        for (const [cover, keep, isReversed] of covers) {
          fragments.keep = keep;
          // Other numbers stand around those of the cover.
          fragments.attenuate([NaN, 7, ...turn(cornersOf(cover, isReversed)), NaN, 5, 9], 2, 4);
          const isIn = cellsIn(cover);
          cells = cells.map((light, i) => (isIn[i] ? light * keep : light));
        }
        fragments.threshold = threshold;
        fragments.sumUp();
        expect(fragments.area).toBeCloseTo(cells.filter((light) => light > threshold).length, 6);
        expect(fragments.weightedArea).toBeCloseTo(
          cells.reduce((sum, light) => sum + light, 0),
          6,
        );
      }),
    );
  });

  test('take no more room the more often they are dimmed', () => {
    const fragments = new FragmentSet();
    const room = fragments.xy.length;
    fragments.add(square, 0, 4);
    fragments.keep = 0.999;
    for (let i = 0; i < 500; i++) fragments.attenuate([0, 0, 60, 0, 60, 100, 0, 100], 0, 4);
    expect(fragments.xy.length).toBe(room);
    fragments.sumUp();
    expect(fragments.weightedArea).toBeCloseTo(4000 + 6000 * 0.999 ** 500, 6);
  });

  test('can be used again after much use without growing', () => {
    const fragments = new FragmentSet();
    const fill = (): number => {
      fragments.reset();
      fragments.add(square, 0, 4);
      for (let i = 0; i < 200; i++) {
        const x = (i * 37) % 97;
        fragments.subtract([x, (i * 53) % 89, x + 9, (i * 53) % 89, x + 4, ((i * 53) % 89) + 8], 0, 3);
      }
      fragments.sumUp();
      return fragments.area;
    };
    const first = fill();
    const buffer = fragments.xy;
    for (let i = 0; i < 20; i++) expect(fill()).toBe(first);
    expect(fragments.xy.length).toBeLessThanOrEqual(2 * buffer.length);
  });
});
