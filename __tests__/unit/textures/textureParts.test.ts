import * as fc from 'fast-check';
import type * as Phaser from 'phaser';

import { partOf } from '../../../src/textures/textureParts.js';

const SIZE = fc.tuple(fc.nat(3), fc.nat(3), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }));

test('a part of a texture is one object however often it is asked for, and no other part is that', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1), SIZE), { maxLength: 60 }), (asked) => {
      const sources = [{}, {}] as Phaser.Textures.TextureSource[];
      const known = new Map<string, unknown>();
      for (const [which, [x, y, width, height]] of asked) {
        // Some begin between two texels.
        const part = partOf(sources[which]!, x / 2, y, width, height);
        expect(part).toMatchObject({ cutX: x / 2, cutY: y, cutWidth: width, cutHeight: height });
        expect(part.source).toBe(sources[which]);
        const key = String([which, x, y, width, height]);
        expect(known.has(key)).toBe([...known.values()].includes(part));
        expect(known.get(key) ?? part).toBe(part);
        known.set(key, part);
      }
    }),
  );
});
