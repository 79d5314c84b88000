import fc from 'fast-check';

import { shrinkTexels } from '../../../src/textures/shrinkTexels.js';

/** A picture and the size of a smaller one. */
const shrinking = fc
  .record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 12 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      toWidth: fc.integer({ min: 1, max: width }),
      toHeight: fc.integer({ min: 1, max: height }),
      texels: fc.uint8ClampedArray({ minLength: 4 * width * height, maxLength: 4 * width * height }),
    }),
  );

test('each cell is the mean of the texels that lie in it, or of which half does', () => {
  fc.assert(
    fc.property(shrinking, ({ texels, width, height, toWidth, toHeight }) => {
      const cells = shrinkTexels(texels, width, height, toWidth, toHeight);
      expect(cells).toHaveLength(4 * toWidth * toHeight);
      cells.forEach((value, at) => {
        const column = Math.floor(at / 4) % toWidth;
        const row = Math.floor(at / 4 / toWidth);
        const inside: number[] = [];
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const isInRow = Math.floor(((2 * y + 1) * toHeight) / (2 * height)) === row;
            const isInColumn = Math.floor(((2 * x + 1) * toWidth) / (2 * width)) === column;
            if (isInRow && isInColumn) inside.push(texels[4 * (y * width + x) + (at % 4)]!);
          }
        }
        const mean = inside.reduce((sum, one) => sum + one, 0) / inside.length;
        expect(Math.abs(value - mean)).toBeLessThanOrEqual(0.51);
      });
    }),
  );
});
