import fc from 'fast-check';

import { MAX_TIMELINE_POINTS, ViewTimeline } from '../../../src/viewability/ViewTimeline.js';

type Point = [tMs: number, percentageInView: number];

function pointsOf(added: readonly Point[]): Point[] {
  const timeline = new ViewTimeline();
  for (const [time, percentage] of added) timeline.add(time, percentage);
  return timeline.points();
}

/** What was in view from when on, with at least so long between two points. */
const addedEvery = (minMs: number, maxLength: number): fc.Arbitrary<Point[]> =>
  fc
    .array(fc.tuple(fc.integer({ min: minMs, max: 700 }), fc.constantFrom(0, 30, 50, 99.99, 100)), {
      minLength: 1,
      maxLength,
      size: 'max',
    })
    .map((steps) => {
      let time = -steps[0]![0];
      return steps.map(([ms, percentage]): Point => [(time += ms), percentage]);
    });

it('holds every change, none of them twice, as long as they are few and no closer than a tenth of a second', () => {
  fc.assert(
    fc.property(addedEvery(100, MAX_TIMELINE_POINTS - 1), (added) => {
      expect(pointsOf(added)).toEqual(added.filter(([, percentage], i) => percentage !== added[i - 1]?.[1]));
    }),
  );
});

it('holds nothing but what was added, from the first of it to what was in view last, whatever comes', () => {
  fc.assert(
    fc.property(addedEvery(1, 1_000), (added) => {
      const points = pointsOf(added);
      const values = new Map(added);
      expect(points.map(([time]) => [time, values.get(time)])).toEqual(points);
      expect(points[0]).toEqual(added[0]);
      expect(points.at(-1)![1]).toBe(added.at(-1)![1]);
      const times = points.map(([time]) => time);
      expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true);
      expect(points.length).toBeLessThanOrEqual(MAX_TIMELINE_POINTS);
    }),
  );
});

it('never has more points than it may, though the last of them is the end', () => {
  for (let count = 60; count < 200; count++) {
    // Each change is far from the one before, but for the last.
    const added = Array.from({ length: count }, (_, i): Point => [1_000 * i, i % 2]);
    const points = pointsOf([...added, [1_000 * (count - 1) + 1, 50]]);
    expect(points.length).toBeLessThanOrEqual(MAX_TIMELINE_POINTS);
    expect(points.length).toBeGreaterThan(MAX_TIMELINE_POINTS / 4);
    expect(points.at(-1)).toEqual([1_000 * (count - 1) + 1, 50]);
  }
});

it.each([100, 500, 5_000, 50_000])('covers the end of %i changes as closely as their beginning', (count) => {
  const points = pointsOf(Array.from({ length: count }, (_, i): Point => [200 * i, i % 97]));
  const later = points.filter(([time]) => time >= 100 * count).length;
  expect(later / points.length).toBeGreaterThan(0.3);
  expect(later / points.length).toBeLessThan(0.7);
});
