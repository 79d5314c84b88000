import * as fc from 'fast-check';

import { evenly } from '../../helpers/evenly.js';
import { SeenPixels } from '../../../src/measure/SeenPixels.js';

const HALF = { blockingOpacity: 0.5 };

/** Seen area of rows of pixels with the given light, repeated downwards; all of them ad unless told otherwise. */
function seen(row: readonly number[], clear: readonly number[] = row.map(() => 0), rows = 5): number {
  const pixels = new SeenPixels();
  const light = Float32Array.from({ length: rows * row.length }, (_, k) => row[k % row.length]!);
  const outside = Float32Array.from({ length: rows * row.length }, (_, k) => clear[k % row.length]!);
  pixels.begin(light.length, HALF);
  pixels.add(outside, light, light.length);
  pixels.sumUp(row.length, rows);
  return pixels.area;
}

test('an edge pixel counts by its place between its neighbours, wherever the edge lies', () => {
  fc.assert(
    fc.property(evenly(0.05, 0.95), evenly(0, 0.4), (share, dark) => {
      // Five columns within the margin, three rows: two lit, one on the edge, two dark.
      const edge = dark + share * (1 - dark);
      expect(seen([1, 1, 1, edge, dark, dark, dark])).toBeCloseTo(3 * (2 + share), 4);
    }),
  );
});

test('an even patch is seen or not as a whole', () => {
  expect(seen([0.6, 0.6, 0.6, 0.6])).toBe(6);
  expect(seen([0.4, 0.4, 0.4, 0.4])).toBe(0);
});

test('what is no ad is neither seen nor a neighbour', () => {
  expect(seen([1, 0.6, 0, 0, 0], [0, 0, 1, 1, 1])).toBeCloseTo(3, 6);
});

test('each pixel is the mean of its points', () => {
  const pixels = new SeenPixels();
  pixels.begin(9, HALF);
  pixels.add(new Float32Array(9), new Float32Array(9).fill(1), 9);
  pixels.add(new Float32Array(9).fill(1), new Float32Array(9), 9);
  // Half of the pixel is ad, and all of that is lit.
  pixels.sumUp(3, 3);
  expect(pixels.area).toBeCloseTo(0.5, 6);
});
