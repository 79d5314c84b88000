import fc from 'fast-check';

import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { checkDimensions, readImageHeader } from '../../../src/creative/imageHeader.js';
import { isAdsError } from '../../../src/errors.js';
import { avif, gif, jpeg, png, webpExtended, webpLossless, webpLossy } from './imageFiles.js';
import { withCode } from '../../helpers/withCode.js';

const makers = [
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/jpeg', (width: number, height: number) => jpeg(width, height, 40)],
  ['image/gif', (width: number, height: number) => gif(width, height)],
  ['image/webp', webpLossy],
  ['image/webp', webpLossless],
  ['image/webp', webpExtended],
  ['image/avif', avif],
] as const;

const side = fc.integer({ min: 1, max: 16_383 });
const wholeFile = fc
  .tuple(fc.constantFrom(...makers), side, side)
  .map(([[type, make], width, height]) => ({ type, width, height, bytes: make(width, height) }));

/** The header, or the code of the typed error; anything else escapes and fails the test. */
function outcome(bytes: Uint8Array, isComplete: boolean) {
  try {
    return readImageHeader(bytes, isComplete);
  } catch (error) {
    if (!isAdsError(error)) throw error;
    return error.code;
  }
}

describe('the header of an image', () => {
  it('gives the type and the dimensions of every kind of file', () => {
    fc.assert(
      fc.property(wholeFile, ({ bytes, type, width, height }) => {
        expect(readImageHeader(bytes, true)).toEqual({ type, width, height });
      }),
    );
  });

  it('says the same of any beginning of a file, or asks for more, but never anything else', () => {
    fc.assert(
      fc.property(wholeFile, fc.nat(), ({ bytes, type, width, height }, at) => {
        const length = at % (bytes.length + 1);
        const header = readImageHeader(bytes.subarray(0, length), false);
        if (header !== null) expect(header).toEqual({ type, width, height });
      }),
    );
  });

  it('is found behind the metadata a camera writes', () => {
    expect(readImageHeader(jpeg(300, 250, 60_000), true)).toMatchObject({ width: 300, height: 250 });
  });

  it('counts the first picture of a GIF that is larger than its screen', () => {
    const file = gif(1, 1, { x: 10, y: 20, width: 5000, height: 6000 });
    expect(readImageHeader(file, true)).toMatchObject({ width: 5010, height: 6020 });
  });

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><html></html>'],
    ['a BMP', 'BM012345678901234567890'],
    ['a HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['a WAV', 'RIFF\0\0\0\0WAVEfmt '],
  ])('refuses %s by its type', (_, text) => {
    expect(
      outcome(
        Uint8Array.from(text, (character) => character.charCodeAt(0)),
        true,
      ),
    ).toBe('ad/type');
  });

  it.each([
    ['no pixels', png(0, 5)],
    ['no pixels', jpeg(5, 0)],
    ['another first chunk', Uint8Array.from(png(5, 5), (byte, i) => (i === 12 ? 88 : byte))],
    ['data before the frame', Uint8Array.of(0xff, 0xd8, 0xff, 0xda, 0, 4, 0, 0, 0, 0, 0, 0)],
    ['a segment of length 0', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['boxes that end before they begin', Uint8Array.from(avif(5, 5), (byte, i) => (i === 27 ? 3 : byte))],
  ])('refuses a broken file: %s', (_, bytes) => {
    expect(outcome(bytes, true)).toBe('ad/decode');
  });

  it('asks for more as long as it cannot know, and refuses what ends there', () => {
    for (const [, make] of makers) {
      const cut = make(300, 250).subarray(0, 13);
      expect(outcome(cut, false)).toBeNull();
      expect(outcome(cut, true)).toBe('ad/decode');
    }
  });

  it('never throws anything but its two typed errors, whatever the bytes', () => {
    const mutated = fc
      .tuple(wholeFile, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }), fc.nat())
      .map(([{ bytes }, changes, length]) => {
        const copy = bytes.slice(0, 200);
        for (const [at, value] of changes) copy[at % copy.length] = value;
        return copy.subarray(0, length % (copy.length + 1));
      });
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 200 })), fc.boolean(), (bytes, isComplete) => {
        const found = outcome(bytes, isComplete);
        if (typeof found === 'string') expect(['ad/type', 'ad/decode']).toContain(found);
        else if (found === null) expect(isComplete).toBe(false);
        else expect(found.width > 0 && found.height > 0).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is not looked for through more parts than a real file has', () => {
    const segments = new Uint8Array(1_048_576);
    for (let i = 2; i + 4 <= segments.length; i += 4) segments.set([0xff, 0xe0, 0, 2], i);
    segments.set([0xff, 0xd8]);
    const blocks = new Uint8Array(1_048_576).fill(1);
    blocks.set(gif(5, 5).subarray(0, 27));
    const boxes = new Uint8Array(1_048_576);
    boxes.set(avif(5, 5).subarray(0, 24));
    for (let i = 24; i + 8 <= boxes.length; i += 8) boxes.set([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65], i);
    for (const bytes of [segments, blocks, boxes]) expect(outcome(bytes, false)).toBe('ad/decode');
  });

  it('is none in a sequence, whose tracks have sizes of their own', () => {
    const file = Uint8Array.from(avif(5, 5), (byte, i) => (i === 23 ? 0x73 : byte));
    expect(new TextDecoder().decode(file.subarray(16, 24))).toBe('mif1avis');
    expect(outcome(file, true)).toBe('ad/type');
  });
});

describe('the dimensions of a creative', () => {
  const check = (width: number, height: number) => () =>
    checkDimensions({ type: 'image/png', width, height }, DEFAULT_CREATIVE_LIMITS);

  it.each([
    [4096, 2048],
    [2048, 4096],
    [1, 4096],
  ])('may be %d × %d', (width, height) => {
    expect(check(width, height)).not.toThrow();
  });

  it.each([
    [4097, 1],
    [1, 4097],
    [4096, 2049],
    [20_000, 100],
    [16_384, 16_384],
  ])('may not be %d × %d', (width, height) => {
    expect(check(width, height)).toThrow(withCode('ad/dimensions'));
  });
});
