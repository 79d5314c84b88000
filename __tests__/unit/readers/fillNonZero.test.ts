import { convexArea } from '../../../src/geometry/convexArea.js';
import type { Pen } from '../../../src/phaser/reading/Pen.js';
import { fillNonZero } from '../../../src/phaser/reading/readers/fillNonZero.js';
import { PolygonTape } from '../../../src/phaser/reading/readers/PolygonTape.js';

/** The area of all that is filled; what lies over each other counts twice. */
function areaOf(outlines: readonly (readonly number[])[]): number {
  const tape = new PolygonTape();
  tape.reset();
  let at = 0;
  const starts = outlines.map((outline) => (at += outline.length) - outline.length);
  fillNonZero(tape, outlines.flat(), starts, outlines.length, at);
  let area = 0;
  const pen = {
    reaches: () => true,
    strength: () => 1,
    convex: (xy: Float64Array, from: number, length: number) => void (area += convexArea(xy, from, length)),
  };
  tape.play(pen as unknown as Pen, 1);
  return area;
}

const circle = (x: number, corners: number): number[] =>
  Array.from({ length: corners }, (_, i) => (2 * Math.PI * i) / corners).flatMap((angle) => [
    x + 100 * Math.cos(angle),
    100 * Math.sin(angle),
  ]);

test.each([40, 150, 1500])('two circles of %i corners that cross fill what either of them does', (corners) => {
  const lens = 2 * 100 ** 2 * Math.acos(0.25) - 25 * Math.sqrt(4 * 100 ** 2 - 50 ** 2);
  const filled = areaOf([circle(0, corners), circle(50, corners)]);
  expect(Math.abs(filled / (2 * Math.PI * 100 ** 2 - lens) - 1)).toBeLessThan(0.01);
});

test('a scribble with too many crossings to be looked at hides all of its box', () => {
  // Up and down, and each time a little farther: every line crosses every other.
  const scribble = Array.from({ length: 1000 }, (_, i) => [i % 2 === 0 ? i / 10 : 100 - i / 10, i % 2 === 0 ? 0 : 100]);
  expect(areaOf([scribble.flat()])).toBeCloseTo(99.9 * 100, 0);
});
