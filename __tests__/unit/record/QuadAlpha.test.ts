import * as fc from 'fast-check';
import type * as Phaser from 'phaser';

import { QuadAlpha } from '../../../src/record/draws/QuadAlpha.js';
import type { AlphaMaps } from '../../../src/textures/AlphaMaps.js';
import type { AlphaLookup } from '../../../src/textures/AlphaReader.js';
import { Blend } from '../../../src/textures/Blend.js';

type Frame = Phaser.Textures.Frame;
type Box = readonly [x: number, y: number, width: number, height: number];

/** Each texel has an alpha of its own, as far as a byte can tell. */
const alphaAt = (x: number, y: number): number => (37 * x + 101 * y) % 256;

/** A texture with some frames, and what is asked of its pixels. */
function atlas(width: number, height: number, cuts: readonly Box[], { isPowerOf2 = false, flipY = true, scaleMode = 0, isOpaque = false } = {}) {
  const texture = { key: 'atlas', frameTotal: cuts.length + 1 };
  const source = { texture, width, height, glTexture: {}, image: {}, isPowerOf2, flipY, scaleMode, isCanvas: false };
  const frames = ([[0, 0, width, height], ...cuts] as Box[]).map(([cutX, cutY, cutWidth, cutHeight]) => ({ source, cutX, cutY, cutWidth, cutHeight, u0: 0, u1: 1 }) as unknown as Frame);
  Object.assign(texture, { source: [source], frames: Object.fromEntries(frames.map((frame, i) => [i === 0 ? '__BASE' : `${i}`, frame])) });
  const read = new Map<Frame, AlphaLookup>();
  const maps = {
    frameOf: () => null,
    lookup: (frame: Frame): AlphaLookup => {
      const { cutX, cutY, cutWidth: width, cutHeight: height } = frame;
      const alpha = width * height === 1 ? Uint8Array.of(alphaAt(cutX, cutY)) : new Uint8Array(0);
      if (!read.has(frame)) read.set(frame, isOpaque ? { kind: 'opaque', brightest: 1 } : { kind: 'map', map: { width, height, alpha }, brightest: 1 });
      return read.get(frame)!;
    },
  };
  const game = { textures: { list: { other: { source: [{ glTexture: {} }] }, atlas: texture } } };
  const alphaOf = (isUpward: boolean): QuadAlpha => new QuadAlpha(game as unknown as Phaser.Game, maps as unknown as AlphaMaps, isUpward);
  /** The part of the texture that was read for an answer. */
  const partOf = (lookup: AlphaLookup): Frame => [...read].find(([, answer]) => answer === lookup)![0];
  return { source, frames, alphaOf, partOf };
} // prettier-ignore

/** Texture coordinates of a box of texels, as the four corners of a quad have them. */
function uvOf([x, y, width, height]: Box, source: { width: number; height: number }, isUpward: boolean): Float64Array {
  const [u0, u1] = [x / source.width, (x + width) / source.width];
  const [v0, v1] = [y / source.height, (y + height) / source.height].map((v) => (isUpward ? 1 - v : v));
  return Float64Array.of(u0, v0!, u0, v1!, u1, v1!, u1, v0!);
}

const side = fc.integer({ min: 60, max: 600 });
const cut = (most: number): fc.Arbitrary<Box> =>
  fc.tuple(fc.nat(40), fc.nat(40), fc.integer({ min: 1, max: most }), fc.integer({ min: 1, max: most }));
const offset = fc.constantFrom(0, 0, 0.25, -0.25, -70);

test('a quad shows the texels it shows, of the frame, the texture or a part of it, whichever way up a texture is', () => {
  const setting = fc.record({ isPowerOf2: fc.boolean(), isOpaque: fc.boolean() });
  fc.assert(
    fc.property(side, side, fc.array(cut(20), { maxLength: 4 }), cut(20), fc.nat(5), offset, offset, fc.boolean(), setting, (width, height, cuts, any, which, right, down, isUpward, setting) => {
      const { source, frames, alphaOf, partOf } = atlas(width, height, cuts, setting);
      const of = cuts[which] ?? any;
      const shown: Box = [of[0] + right, of[1] + down, of[2], of[3]];
      const alpha = alphaOf(isUpward);
      const uv = uvOf(shown, source, isUpward);
      const { lookup, u, v, du, dv, isRepeated } = alpha.lookup(source.glTexture, null, uv, Blend.COVER, 1);
      expect([alpha.isMissing, isRepeated]).toEqual([false, false]);
      const isBeyond = shown[0] < 0 || shown[1] < 0 || shown[0] + of[2] > width || shown[1] + of[3] > height;
      // Beyond its edges a texture may repeat, which its map does not tell.
      expect(lookup.kind).toBe(setting.isOpaque ? 'opaque' : isBeyond && source.isPowerOf2 ? 'unknown' : 'map');
      if (lookup.kind !== 'map') return;
      const { cutX, cutY, cutWidth, cutHeight } = partOf(lookup);
      for (let i = 0; i < 8; i += 2) {
        expect(cutX + ((uv[i]! - u) / du) * lookup.map.width).toBeCloseTo(uv[i]! * width, 6);
        const y = (isUpward ? 1 - uv[i + 1]! : uv[i + 1]!) * height;
        expect(cutY + ((uv[i + 1]! - v) / dv) * lookup.map.height).toBeCloseTo(y, 6);
      }
      const [left, top] = [Math.floor(shown[0]), Math.floor(shown[1])];
      const [toX, toY] = [Math.ceil(shown[0] + of[2]), Math.ceil(shown[1] + of[3])];
      const isFrame = frames.some((frame) => frame.cutX === shown[0] && frame.cutY === shown[1] && frame.cutWidth === of[2] && frame.cutHeight === of[3]);
      const isRead = (...box: number[]): void => expect([cutX, cutY, cutX + cutWidth, cutY + cutHeight]).toEqual(box);
      if (!isFrame && (isBeyond || width * height <= 2 ** 16)) isRead(0, 0, width, height);
      else isRead(left, top, toX, toY);
      if (isFrame) expect(frames).toContain(partOf(lookup));
      // What is known is not read again.
      expect(alpha.lookup(source.glTexture, null, uv, Blend.COVER, 1).lookup).toBe(lookup);
    }),
  );
}); // prettier-ignore

test('one texel all over is the mean of the four that meet there, those beyond an edge where the texture repeats, or the one below', () => {
  const at = fc.tuple(fc.nat(64), fc.nat(60));
  fc.assert(
    fc.property(at, fc.boolean(), fc.constantFrom(0, 1), fc.boolean(), ([column, row], isPowerOf2, scaleMode, isUpward) => {
      const [x, y] = [column + scaleMode / 2, row + scaleMode / 2];
      const { source, alphaOf } = atlas(64, 60, [], { isPowerOf2, scaleMode });
      const { lookup, u, v, du, dv } = alphaOf(isUpward).lookup(source.glTexture, null, uvOf([x, y, 0, 0], source, isUpward), Blend.COVER, 1);
      const wrap = (at: number, size: number): number => (isPowerOf2 ? (at + size) % size : Math.min(Math.max(at, 0), size - 1));
      const texel = (x: number, y: number): number => alphaAt(wrap(x, 64), wrap(y, 60));
      const mean = [0, 1, 2, 3].reduce((sum, k) => sum + texel(column - (k & 1), row - (k >> 1)) / 4, 0);
      if (lookup.kind !== 'map') throw new Error(lookup.kind);
      expect(Math.abs(lookup.map.alpha[0]! - (scaleMode === 0 ? mean : texel(column, row)))).toBeLessThanOrEqual(0.5);
      // It lies in the middle of the only cell.
      expect((x / 64 - u) / du).toBeCloseTo(0.5, 6);
      expect(((isUpward ? 1 - y / 60 : y / 60) - v) / dv).toBeCloseTo(0.5, 6);
    }),
  );
}); // prettier-ignore

test('a part that is repeated is known where it is what was read, and unknown where it is not', () => {
  fc.assert(
    fc.property(cut(20), fc.boolean(), fc.constantFrom(0, 0.5), (of, isUpward, off) => {
      const { source, alphaOf, partOf, frames } = atlas(600, 500, [of]);
      const [u0, v0, , v1, u1] = uvOf([of[0] + off, of[1], of[2], of[3]], source, isUpward) as unknown as number[];
      const tile = Float64Array.of(u0!, v0!, u1! - u0!, v1! - v0!);
      const { lookup, isRepeated, u, v, du, dv } = alphaOf(isUpward).lookupTile(source.glTexture, null, tile, Blend.COVER, 1);
      if (off === 0) expect(partOf(lookup)).toBe(frames[1]);
      else expect(lookup.kind).toBe('unknown');
      expect([isRepeated, u, v, du, dv]).toEqual([off === 0, 0, 0, 1, 1]);
    }),
  );
}); // prettier-ignore

test('nothing is known of a texture that the game does not have, that lies the other way up, or of no place at all', () => {
  const { source, alphaOf } = atlas(100, 100, [], { flipY: false });
  const uv = uvOf([0, 0, 9, 9], source, true);
  const upward = alphaOf(true);
  expect(upward.lookup(source.glTexture, null, uv, Blend.COVER, 1).lookup.kind).toBe('unknown');
  expect(upward.isMissing).toBe(false);
  expect(upward.lookup({}, null, uv, Blend.COVER, 1).lookup.kind).toBe('unknown');
  expect(upward.isMissing).toBe(true);
  const downward = alphaOf(false);
  expect(downward.lookup(source.glTexture, null, uv, Blend.COVER, 1).lookup.kind).toBe('map');
  expect(downward.lookup(source.glTexture, null, uv.fill(NaN), Blend.COVER, 1).lookup.kind).toBe('unknown');
});
