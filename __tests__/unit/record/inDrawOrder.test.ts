import * as fc from 'fast-check';
import type * as Phaser from 'phaser';

import { inDrawOrder } from '../../../src/record/objects/inDrawOrder.js';
import { isDrawn } from '../../../src/record/objects/isDrawn.js';

test('a list is drawn by depth where it is yet to be sorted, and the game finds it as it was', () => {
  const objects = fc.array(fc.record({ _depth: fc.integer({ min: -2, max: 2 }) }), { maxLength: 12 });
  fc.assert(
    fc.property(objects, fc.constantFrom(true, false, undefined), (list, sortChildrenFlag) => {
      const before = list.slice();
      const drawn = inDrawOrder({ list, ...(sortChildrenFlag === undefined ? {} : { sortChildrenFlag }) });
      expect(list.every((object, i) => object === before[i])).toBe(true);
      const sorted = [-2, -1, 0, 1, 2].flatMap((depth) => before.filter(({ _depth }) => _depth === depth));
      const known = sortChildrenFlag === true ? sorted : before;
      expect(drawn.length === known.length && drawn.every((object, i) => object === known[i])).toBe(true);
    }),
  );
});

/** `Phaser.Scenes`, from PENDING to DESTROYED. */
test.each([
  ['pending', 0, false],
  ['in its init', 1, false],
  ['about to load', 2, false],
  ['loading', 3, true],
  ['being created', 4, true],
  ['running', 5, true],
  ['paused', 6, true],
  ['asleep', 7, false],
  ['shut down', 8, false],
  ['destroyed', 9, false],
])('a scene that is %s is drawn unless it is hidden, or never', (_what, status, isShown) => {
  const drawn = [true, false].map((visible) => isDrawn({ sys: { settings: { visible, status } } } as Phaser.Scene));
  expect(drawn).toEqual([isShown, false]);
});
