import * as fc from 'fast-check';

import { PolygonFlag, DARKEST, DARKNESS_SHIFT } from '../../../src/measure/FrameSnapshot.js';
import { brightens, keepsAlpha } from '../../../src/record/draws/colourMatrix.js';
import { lightFlags } from '../../../src/record/draws/lightFlags.js';
import { paintsAnywhere } from '../../../src/record/draws/paintsAnywhere.js';
import { Blend } from '../../../src/textures/Blend.js';

/** All colours whose channels are none or full: a matrix makes its extremes of these. */
const EXTREMES = Array.from({ length: 16 }, (_, bits) => [0, 1, 2, 3].map((k) => (bits >> k) & 1));

/** What a colour matrix, four rows of five, makes of a colour; `added` means full light in a row's fifth number. */
const made = (matrix: readonly number[], colour: readonly number[], added: number): number[] =>
  [0, 5, 10, 15].map((row) => colour.reduce((sum, part, k) => sum + matrix[row + k]! * part, matrix[row + 4]! / added));

const part = fc.constantFrom(0, 0, 0.25, 0.5, 1, -0.5);
const matrix = fc.array(part, { minLength: 20, maxLength: 20 });

test('a colour matrix makes light brighter, or changes alpha, exactly where it does so of some colour', () => {
  fc.assert(
    fc.property(matrix, fc.boolean(), fc.constantFrom(1, 255), (any, isPlain, added) => {
      // What darkens all colours alike is left out of account, to be on the safe side: here there is none of it.
      const matrix = any.map((one, k) => (k % 5 < 4 ? one : added * (k < 15 ? Math.abs(one) : one)));
      if (isPlain) matrix.splice(15, 5, 0, 0, 0, 1, 0);
      const all = EXTREMES.map((colour) => made(matrix, colour, added));
      expect(brightens(matrix, added)).toBe(all.some(([r, g, b]) => Math.max(r!, g!, b!) > 1.001));
      expect(keepsAlpha(matrix)).toBe(all.every((colour, k) => colour[3] === EXTREMES[k]![3]));
    }),
    { numRuns: 300 },
  );
});

test('what adds light does so, what only lightens or darkens is so bright or dark, and a cover is as dark as its brightest place', () => {
  expect(lightFlags(Blend.ADD, 0)).toBe(PolygonFlag.ADDS);
  expect([0, 1].map((brightness) => lightFlags(Blend.LIGHTEN, brightness))).toEqual([0, 0]);
  expect([0, 1].map((brightness) => lightFlags(Blend.DARKEN, brightness) >> DARKNESS_SHIFT)).toEqual([
    DARKEST,
    DARKEST,
  ]);
  const dark = [0, 0.5, 1].map((brightness) => lightFlags(Blend.COVER, brightness) >> DARKNESS_SHIFT);
  expect(dark).toEqual([DARKEST, Math.floor(DARKEST / 2), 0]);
});

describe('what a camera paints where it shows nothing', () => {
  const IDENTITY = [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0];
  const FILLING = IDENTITY.map((value, i) => (i === 19 ? 0.5 : value));
  const [BLUR, COLOR_MATRIX, CIRCLE] = [9, 14, 15];
  const matrixEffect = (of: readonly number[], active = true) => ({ active, controller: { type: COLOR_MATRIX, getData: () => of } }); // prettier-ignore
  const effect = (type: number, active = true) => ({ active, controller: { type } });

  test.each<[string, object, boolean]>([
    ['nothing where effects are not known', {}, false],
    ['nothing without effects', { postPipelines: [] }, false],
    ['nothing by an effect of what is there', { postPipelines: [effect(BLUR)] }, false],
    ['nothing by a matrix that leaves empty places empty', { postPipelines: [matrixEffect(IDENTITY)] }, false],
    ['something by one that does not', { postPipelines: [effect(BLUR), matrixEffect(FILLING)] }, true],
    ['nothing by one that is off', { postPipelines: [matrixEffect(FILLING, false), effect(CIRCLE, false)] }, false],
    ['the ground of a circle', { postPipelines: [matrixEffect(IDENTITY), effect(CIRCLE)] }, true],
    ["perhaps anything, by a game's own effect", { postPipelines: [{ active: true }] }, true],
    ['also behind one that is off', { postPipelines: [{ active: false }, { active: true }] }, true],
  ])('%s', (_what, camera, paints) => {
    expect(paintsAnywhere(camera as never)).toBe(paints);
  });
});
