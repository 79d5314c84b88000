import * as fc from 'fast-check';
import type * as Phaser from 'phaser';

import { QUAD, SpriteQuads } from '../../../src/record/canvas2d/SpriteQuads.js';
import { STRIDE } from '../../../src/record/frame/NearQuads.js';
import type { TexturedObject } from '../../../src/record/phaser3/internals.js';
import { evenly } from '../../helpers/evenly.js';

const near = evenly(-300, 300);
const scale = evenly(-3, 3);
const sprite = fc.record({
  x: near,
  y: near,
  scrollFactorX: evenly(-2, 2),
  scrollFactorY: evenly(-2, 2),
  rotation: evenly(-4, 4),
  _scaleX: scale,
  _scaleY: scale,
  flipX: fc.boolean(),
  flipY: fc.boolean(),
  across: evenly(0, 1),
  down: evenly(0, 1),
  frame: fc.record({
    // Where what is left of a trimmed picture lies in it.
    x: fc.nat(9),
    y: fc.nat(9),
    cutWidth: fc.integer({ min: 1, max: 60 }),
    cutHeight: fc.integer({ min: 1, max: 60 }),
    trimX: fc.nat(9),
    trimY: fc.nat(9),
    resolution: fc.constantFrom(1, 2),
    customPivot: fc.boolean(),
  }),
});
const camera = fc.record({ scrollX: near, scrollY: near, matrix: fc.tuple(scale, scale, scale, scale, near, near) });

test('each of several sprites is a quad where a Canvas paints it, by its own matrices', () => {
  const quads = new SpriteQuads(8);
  fc.assert(
    fc.property(camera, fc.array(sprite, { minLength: 1, maxLength: 8 }), ({ scrollX, scrollY, matrix }, sprites) => {
      const [a, b, c, d, e, f] = matrix;
      quads.aim({ scrollX, scrollY, roundPixels: false } as Phaser.Cameras.Scene2D.Camera, { a, b, c, d, e, f });
      sprites.forEach(({ frame, across, down, ...more }, i) => {
        const { x: offX, y: offY, cutWidth, cutHeight, resolution } = frame;
        const [width, height] = [cutWidth / resolution, cutHeight / resolution];
        const [realWidth, realHeight] = [offX + width + frame.trimX, offY + height + frame.trimY];
        const [originX, originY] = [across * realWidth, down * realHeight];
        const object = { ...more, _displayOriginX: originX, _displayOriginY: originY, frame: { ...frame, realWidth, realHeight, source: { resolution } } };
        expect(quads.put(object as unknown as TexturedObject, i, false)).toBe(true);
        const corner = (right: number, down: number): [number, number] => {
          let [x, y] = [offX + right * width, offY + down * height];
          // Mirrored within its whole picture, or about a pivot of its own.
          const [wide, high] = frame.customPivot ? [2 * originX, 2 * originY] : [realWidth, realHeight];
          [x, y] = [(more.flipX ? wide - x : x) - originX, (more.flipY ? high - y : y) - originY];
          [x, y] = [x * more._scaleX, y * more._scaleY];
          const [cos, sin] = [Math.cos(more.rotation), Math.sin(more.rotation)];
          [x, y] = [x * cos - y * sin + more.x - scrollX * more.scrollFactorX, x * sin + y * cos + more.y - scrollY * more.scrollFactorY];
          return [a * x + c * y + e, b * x + d * y + f];
        };
        const known = [corner(0, 0), corner(0, 1), corner(1, 1), corner(0, 0), corner(1, 1), corner(1, 0)];
        const { vertexViewF32 } = quads.batch;
        const found = known.map((_, k) => [...vertexViewF32.subarray(STRIDE * (QUAD * i + k), STRIDE * (QUAD * i + k) + 2)]);
        const off = known.flatMap((at, k) => at.map((value, axis) => Math.abs(found[k]![axis]! - value)));
        expect(Math.max(...off)).toBeLessThan(0.01);
        const sides = [0, 1].map((axis) => known.map((at) => at[axis]!));
        const box = [...sides.map((of) => Math.min(...of)), ...sides.map((of) => Math.max(...of))];
        expect(Math.max(...box.map((value, k) => Math.abs(quads.box[k]! - value)))).toBeLessThan(0.01);
      });
    }),
  );
}); // prettier-ignore
