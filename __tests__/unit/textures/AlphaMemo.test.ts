import * as fc from 'fast-check';

import { AlphaMemo } from '../../../src/textures/AlphaMemo.js';
import { ShownAlpha } from '../../../src/textures/ShownAlpha.js';

const TEXTURES = [{}, {}];
const LOOKUPS = [0, 255].map((brightest) => ({ kind: 'opaque', brightest }) as const);

test('what is remembered is the last answer for the same part of the same texture, and known at once', () => {
  const part = fc.tuple(fc.nat(20), fc.nat(2), fc.nat(20), fc.nat(2)).map((of) => of.map((at) => Math.fround(at / 21)));
  const look = fc.record({
    texture: fc.constantFrom(...TEXTURES),
    part,
    isAsked: fc.boolean(),
    isRepeated: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(look, { maxLength: 200 }), (looks) => {
      const memo = new AlphaMemo();
      const known = new Map<object, Map<string, number>>(TEXTURES.map((texture) => [texture, new Map()]));
      // One object for all answers, as it is in a frame.
      const answer = new ShownAlpha();
      looks.forEach(({ texture, part, isAsked, isRepeated }, i) => {
        memo.corners.set(part);
        if (!isAsked) {
          Object.assign(answer, { lookup: LOOKUPS[i % 2], u: i, v: 2 * i, du: 3 * i, dv: 4 * i, isRepeated });
          // It is asked first, as for every quad.
          if (memo.recall(texture) === null) {
            memo.remember(texture, answer);
            known.get(texture)!.set(String(part), i);
            expect(memo.recall(texture)).toEqual(answer);
          }
        }
        const found = memo.recall(texture);
        if (found === null) return;
        const at = known.get(texture)!.get(String(part))!;
        expect(found.lookup).toBe(LOOKUPS[at % 2]);
        expect([found.u, found.v, found.du, found.dv]).toEqual([at, 2 * at, 3 * at, 4 * at]);
      });
    }),
  );
});

test.each([0, 1, 2, 3])('a part is another one if only one of its sides differs: %d', (side) => {
  const memo = new AlphaMemo();
  const part = [0.25, 0.125, 0.75, 0.875];
  memo.corners.set(part);
  memo.remember(TEXTURES[0]!, new ShownAlpha());
  expect(memo.recall(TEXTURES[0]!)).not.toBeNull();
  for (let by = 1; by < 100; by++) {
    memo.corners.set(part);
    memo.corners[side] = part[side]! + by / 1024;
    expect(memo.recall(TEXTURES[0]!)).toBeNull();
  }
});

test('it is forgotten when some pixels have changed, and within 32 frames in any case', () => {
  const memo = new AlphaMemo();
  const isKept = (): boolean => memo.recall(TEXTURES[0]!) !== null;
  for (const isChanged of [true, false]) {
    memo.beginFrame(1);
    memo.remember(TEXTURES[0]!, new ShownAlpha());
    let frames = 0;
    while (isKept()) {
      expect(memo.beginFrame(isChanged && frames === 5 ? 2 : 1)).toBe(!isKept());
      frames++;
    }
    expect(frames).toBe(isChanged ? 6 : 32);
  }
});
