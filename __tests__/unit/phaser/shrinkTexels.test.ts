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

/** Each texel cut into so many parts that none lies in two cells. */
function meanOf(
  texels: Uint8ClampedArray,
  size: { width: number; height: number; toWidth: number; toHeight: number },
  column: number,
  row: number,
  channel: number,
): number {
  const { width, height, toWidth, toHeight } = size;
  let sum = 0;
  for (let y = row * height; y < (row + 1) * height; y++) {
    for (let x = column * width; x < (column + 1) * width; x++) {
      sum += texels[4 * (Math.floor(y / toHeight) * width + Math.floor(x / toWidth)) + channel]!;
    }
  }
  return sum / (width * height);
}

test('each cell is the mean of what lies in it', () => {
  fc.assert(
    fc.property(shrinking, ({ texels, ...size }) => {
      const cells = shrinkTexels(texels, size.width, size.height, size.toWidth, size.toHeight);
      expect(cells).toHaveLength(4 * size.toWidth * size.toHeight);
      cells.forEach((value, at) => {
        const cell = Math.floor(at / 4);
        const mean = meanOf(texels, size, cell % size.toWidth, Math.floor(cell / size.toWidth), at % 4);
        expect(Math.abs(value - mean)).toBeLessThanOrEqual(0.51);
      });
    }),
  );
});
