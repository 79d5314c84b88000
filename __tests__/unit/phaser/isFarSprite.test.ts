import fc from 'fast-check';
import { evenly } from '../../helpers/evenly.js';
import type { TexturedObject } from '../../../src/record/phaser3/internals.js';
import { farLimit, isFarSprite, mayPaintAfar } from '../../../src/record/objects/isFarSprite.js';

const HALF_WIDTH = 150;
const HALF_HEIGHT = 45;

const number = (min: number, max: number) => evenly(min, max);
const sprites = fc.record({
  x: number(-600, 600),
  y: number(-600, 600),
  scaleX: number(-3, 3),
  scaleY: number(-3, 3),
  width: number(0, 200),
  height: number(0, 200),
  originX: number(-1, 2),
  originY: number(-1, 2),
});
/** Half a side of the rectangle: of squares and strips. */
const halves = fc.constantFrom(0, 45, 150, 400);
type Drawn = typeof sprites extends fc.Arbitrary<infer T> ? T : never;

function isFar(
  { x, y, scaleX, scaleY, width, height, originX, originY }: Drawn,
  scrollFactor = 1,
  halfWidth = HALF_WIDTH,
  halfHeight = HALF_HEIGHT,
  more: object = {},
): boolean {
  const sprite = {
    x,
    y,
    scrollFactorX: scrollFactor,
    scrollFactorY: scrollFactor,
    _scaleX: scaleX,
    _scaleY: scaleY,
    _displayOriginX: originX * width,
    _displayOriginY: originY * height,
    frame: { realWidth: width, realHeight: height },
    ...more,
  } as unknown as TexturedObject;
  return isFarSprite(sprite, 40, 30, 40 * -scrollFactor, 30 * -scrollFactor, farLimit(halfWidth), farLimit(halfHeight));
}

/** Distance from a sprite's position to the farthest of its corners. */
function reach({ scaleX, scaleY, width, height, originX, originY }: Drawn): number {
  return Math.max(
    ...[0, 1].flatMap((right) =>
      [0, 1].map((bottom) => Math.hypot(scaleX * width * (right - originX), scaleY * height * (bottom - originY))),
    ),
  );
}

it('never leaves out a sprite that touches the rectangle at some rotation', () => {
  fc.assert(
    fc.property(sprites, fc.constantFrom(0, 0.5, 1, 2), halves, halves, (sprite, scrollFactor, width, height) => {
      const radius = reach(sprite);
      const beside = Math.max(0, Math.abs(sprite.x) - width);
      const beyond = Math.max(0, Math.abs(sprite.y) - height);
      const touches = Math.hypot(beside, beyond) <= radius;
      return !(touches && isFar(sprite, scrollFactor, width, height));
    }),
    { numRuns: 5000 },
  );
});

it('leaves out what is a little farther away than that', () => {
  fc.assert(
    fc.property(sprites, (sprite) => {
      const radius = reach(sprite);
      const isBeyond =
        Math.abs(sprite.x) > 1.2 * (HALF_WIDTH + 2) + 3 * radius ||
        Math.abs(sprite.y) > 1.2 * (HALF_HEIGHT + 2) + 3 * radius;
      return !isBeyond || isFar(sprite);
    }),
  );
});

it('never leaves out a sprite whose place is not a number', () => {
  const sprite = { x: NaN, y: 0, scaleX: 1, scaleY: 1, width: 10, height: 10, originX: 0, originY: 0 };
  expect(isFar(sprite)).toBe(false);
});

describe('a small sprite far away from the rectangle', () => {
  const [DIFFERENCE, ERASE, SOURCE_IN] = [12, 17, 18];
  const places = [
    ['in a corner', 5000, 5000],
    ['beside it', 5000, 0],
    ['below it', 0, 5000],
  ] as const;
  const at = (x: number, y: number, more: object): boolean =>
    isFar({ x, y, scaleX: 1, scaleY: 1, width: 10, height: 10, originX: 0, originY: 0 }, 1, 400, 400, more);

  it.each<[string, object, boolean]>([
    ['as it is', {}, true],
    ['that mixes its colours with those below', { _blendMode: DIFFERENCE }, true],
    ['that erases what is below it', { _blendMode: ERASE }, true],
    ['whose blend mode clears what is around it', { _blendMode: SOURCE_IN }, false],
    ['that is cropped', { isCropped: true }, true],
    ['that is mirrored', { flipX: true, flipY: true }, true],
    ['that is cropped and mirrored, which draws it elsewhere', { isCropped: true, flipX: true }, false],
    ['that is cropped and turned over, which draws it elsewhere', { isCropped: true, flipY: true }, false],
    ['whose texture was removed', { frame: { source: null } }, false],
    ['without a picture', { frame: undefined }, false],
  ])('%s', (_which, more, isLeftOut) => {
    for (const [, x, y] of places) expect(at(x, y, more)).toBe(isLeftOut);
    if ('frame' in more) return;
    expect(mayPaintAfar(more as TexturedObject)).toBe(!isLeftOut);
  }); // prettier-ignore

  it('that draws itself may paint anywhere, one that Phaser draws does not', () => {
    const phasers = { type: 'Sprite', renderCanvas: () => undefined };
    const own = Object.create(phasers) as object;
    expect(mayPaintAfar(own as TexturedObject)).toBe(false);
    Object.assign(own, { renderCanvas: () => undefined });
    expect(mayPaintAfar(own as TexturedObject)).toBe(true);
  });
});
