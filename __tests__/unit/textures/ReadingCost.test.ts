import * as fc from 'fast-check';
import type * as Phaser from 'phaser';

import { ReadingCost } from '../../../src/textures/ReadingCost.js';

const frameOf = (cutWidth: number, cutHeight: number): Phaser.Textures.Frame =>
  ({ source: { image: {} }, cutWidth, cutHeight }) as unknown as Phaser.Textures.Frame;

test('a reading is expected to take as long lying as upright, and longer the more texels there are', () => {
  const side = fc.integer({ min: 1, max: 2000 });
  fc.assert(
    fc.property(side, side, fc.integer({ min: 2, max: 4 }), (width, height, times) => {
      const cost = new ReadingCost();
      const ms = cost.expectedMs(frameOf(width, height), 0);
      expect(cost.expectedMs(frameOf(height, width), 0)).toBe(ms);
      expect(cost.expectedMs(frameOf(times * width, height), 0)).toBeGreaterThan(ms);
      expect(cost.expectedMs(frameOf(width, times * height), 0)).toBeGreaterThan(ms);
    }),
  );
});
