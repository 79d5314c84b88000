import * as fc from 'fast-check';

import { evenly } from '../../helpers/evenly.js';
import { PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { SampleDomain } from '../../../src/measure/SampleDomain.js';
import { opacityAt } from './support/everyPixel.js';
import { alphaMap, FrameBuilder, turned } from './support/FrameBuilder.js';

/** MinX, minY, maxX, maxY. Small boxes have fewer pixels across than the division has parts. */
const box = fc
  .tuple(evenly(-100, 500), evenly(-100, 500), fc.oneof(evenly(5, 900), fc.integer({ min: 1, max: 80 })), evenly(1, 600))
  .map(([x, y, width, height]) => [x, y, x + width, y + height]); // prettier-ignore
const share = fc.oneof(fc.tuple(evenly(-0.2, 1.2), evenly(0.001, 0.6)), fc.constant([-0.1, 1.2]));
const marks = fc.array(fc.tuple(share, share), { maxLength: 6 });
const budget = fc.constantFrom(16, 512, 4_096, 65_536);

/** Reused from plan to plan. */
const domain = new SampleDomain();

/** A plan for a box, of marks that are shares of it, and the marks themselves. */
function planned(within: readonly number[], shares: readonly (readonly (readonly number[])[])[], most: number) {
  const [minX, minY, maxX, maxY] = within as [number, number, number, number];
  domain.reset(Float64Array.from(within), true);
  const marked = shares.map(([x, y]) => {
    const [left, top] = [minX + x![0]! * (maxX - minX), minY + y![0]! * (maxY - minY)];
    return [left, top, left + x![1]! * (maxX - minX), top + y![1]! * (maxY - minY)];
  });
  for (const each of marked) domain.mark(Float64Array.from([NaN, ...each]), 1);
  const isAny = domain.plan(most);
  expect(isAny).toBe(domain.count > 0);
  return { marked, whole: [Math.floor(minX), Math.floor(minY), Math.ceil(maxX), Math.ceil(maxY)] };
}

/** Left, top, right and bottom of each rectangle. */
const rectangles = (): number[][] =>
  Array.from({ length: domain.count }, (_, i) => {
    const [x, y, width, height] = domain.rectangle.subarray(4 * i);
    return [x!, y!, x! + width!, y! + height!];
  });
const holds = ([left, top, right, bottom]: readonly number[], x: number, y: number): boolean =>
  x >= left! && y >= top! && x < right! && y < bottom!;

test('each point near the ad that is marked lies in one rectangle; they are of whole pixels, and none lies elsewhere', () => {
  const points = fc.array(fc.tuple(fc.nat(5), evenly(0, 1), evenly(0, 1)), { minLength: 20, maxLength: 20 });
  fc.assert(
    fc.property(box, marks, budget, points, (within, shares, most, looked) => {
      const { marked, whole } = planned(within, shares, most);
      const all = rectangles();
      for (const at of all) {
        expect(at.every(Number.isInteger)).toBe(true);
        expect(at.map((side, i) => (i < 2 ? side >= whole[i]! : side <= whole[i]!))).toEqual(Array(4).fill(true));
      }
      for (const [which, u, v] of looked) {
        const [left, top, right, bottom] = marked[which] ?? [0, 0, 0, 0];
        const [x, y] = [left! + u * (right! - left!), top! + v * (bottom! - top!)];
        if (!holds(whole, x, y) || !(right! > left! && bottom! > top!)) continue;
        expect(all.filter((at) => holds(at, x, y))).toHaveLength(1);
      }
      expect(domain.isWhole).toBe(all.length === 1 && String(all[0]) === String(whole));
    }),
  );
});

test('what is marked once is one rectangle, of the pixels that it touches', () => {
  fc.assert(
    fc.property(box, fc.tuple(share, share), (within, once) => {
      const { marked, whole } = planned(within, [once], 512);
      const pixels = marked[0]!.map((side, i) =>
        i < 2 ? Math.max(whole[i]!, Math.floor(side)) : Math.min(whole[i]!, Math.ceil(side)) + 0,
      );
      const isAny = pixels[2]! > pixels[0]! && pixels[3]! > pixels[1]!;
      expect(rectangles()).toEqual(isAny ? [pixels] : []);
    }),
  );
});

test('what is marked apart stays apart, beside and beneath', () => {
  const marks = [[110, 10, 150, 20], [210, 10, 250, 20], [210, 110, 250, 120]]; // prettier-ignore
  domain.reset(Float64Array.of(0, 0, 800, 800));
  for (const each of marks) domain.mark(Float64Array.from(each), 0);
  domain.plan(4_096);
  expect(rectangles()).toEqual(marks);
});

test('every pixel has a sample where they are few enough, else as many have as may; no rectangle has less than 64', () => {
  fc.assert(
    fc.property(box, marks, budget, (within, shares, most) => {
      planned(within, shares, most);
      const pixels = rectangles().map(([left, top, right, bottom]) => (right! - left!) * (bottom! - top!));
      const samples = pixels.map((area, i) => area / domain.step[i]! ** 2);
      const sum = (of: readonly number[]): number => of.reduce((total, each) => total + each, 0);
      samples.forEach((of, i) => expect(of).toBeGreaterThan(Math.min(64, pixels[i]!) - 1e-6));
      if (sum(pixels) <= most) expect(samples).toEqual(pixels);
      else expect(sum(samples)).toBeGreaterThan(most / 3);
      if (sum(samples) > most + 1e-6) expect(Math.max(...samples)).toBeLessThan(128);
    }),
  );
});

test('no opaque texel is left out, however its picture is turned, cut, repeated or clamped', () => {
  const picture = fc.record({
    size: fc.oneof(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })), fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 30 }))),
    opaque: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
    shape: fc.tuple(evenly(0, 400), evenly(0, 300), evenly(20, 400), evenly(20, 300), evenly(0, 6.3)),
    uv: fc.tuple(evenly(-0.2, 0.2), evenly(-0.2, 0.2), evenly(-0.2, 0.2), evenly(-0.2, 0.2), evenly(-40, 40), evenly(-40, 40)),
    repeats: fc.boolean(),
  }); // prettier-ignore
  let seen = 0;
  fc.assert(
    fc.property(picture, ({ size: [width, height], opaque, shape, uv, repeats }) => {
      const cells = new Set(opaque.map((cell) => cell % (width * height)));
      const map = alphaMap(width, height, (column, row) => (cells.has(row * width + column) ? 1 : 0));
      const frame = new FrameBuilder().ad([50, 50, 350, 50, 350, 250, 50, 250]);
      frame.paint(turned(...shape), { map, uv, flags: repeats ? PolygonFlag.REPEAT : 0 });
      domain.reset(Float64Array.of(50, 50, 350, 250));
      domain.markTexels(frame.snapshot, frame.view.pieceTo);
      domain.plan(4_096);
      const all = rectangles();
      for (let y = 53.5; y < 250; y += 7) {
        for (let x = 53.5; x < 350; x += 7) {
          if (opacityAt(frame.snapshot, frame.view.pieceTo, x, y, false) < 0.02) continue;
          seen++;
          expect(all.some((at) => holds(at, x, y))).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(seen).toBeGreaterThan(1_000);
});
