import fc from 'fast-check';

import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { checkDimensions, readImageHeader } from '../../../src/creative/imageHeader.js';
import { isAdsError } from '../../../src/errors.js';
import { ascii, avifFile, be, box, ftyp } from './avifFile.js';
import { avif, gif, jpeg, png, webpExtended, webpLossless, webpLossy } from './imageFiles.js';
import { withCode } from '../../helpers/withCode.js';

const withByte = (file: Uint8Array<ArrayBuffer>, at: number, value: number) =>
  file.map((byte, i) => (i === at ? value : byte));
const sizeBox = (side: number) => box('ispe', [...be(0, 4), ...be(side, 4), ...be(side, 4)]);
const longAvif = (width: number, height: number) =>
  avifFile([], { meta: 'long', properties: 'long', sizes: [[1, 1], [width, 1], [1, height], [1, 1]] }); // prettier-ignore

const makers = [
  ['image/png', png],
  ['image/jpeg', jpeg],
  ['image/jpeg', (width: number, height: number) => jpeg(width, height, 40)],
  ['image/gif', (width: number, height: number) => gif(width, height)],
  ['image/gif', (width: number, height: number) => withByte(gif(width, height), 4, 0x37)], // GIF87a
  ['image/webp', webpLossy],
  ['image/webp', webpLossless],
  ['image/webp', webpExtended],
  ['image/avif', avif],
  ['image/avif', longAvif],
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

  it.each([
    ['a table for Huffman codes', [0xff, 0xc4, 0, 8, 9, 9, 9, 9, 9, 9]],
    ['an extension', [0xff, 0xc8, 0, 8, 9, 9, 9, 9, 9, 9]],
    ['a table for arithmetic codes', [0xff, 0xcc, 0, 8, 9, 9, 9, 9, 9, 9]],
    ['a marker that stands alone', [0xff, 0xd0, 0xff, 0xd7, 0xff, 0x01]],
    ['bytes that fill up', [0xff, 0xff, 0xff]],
  ])('is that of the frame of a JPEG, not %s before it', (_, before) => {
    const file = jpeg(300, 250);
    const bytes = Uint8Array.from([...file.subarray(0, 8), ...before, ...file.subarray(8)]);
    expect(readImageHeader(bytes, true)).toEqual({ type: 'image/jpeg', width: 300, height: 250 });
  });

  it.each([0x00, 0xd8, 0xd9, 0xda])('is none of a JPEG that has no frame before marker %i', (marker) => {
    const file = jpeg(300, 250);
    const bytes = Uint8Array.from([...file.subarray(0, 8), 0xff, marker, 0, 4, 0, 0, ...file.subarray(8)]);
    expect(outcome(bytes, true)).toBe('ad/decode');
  });

  const withBrands = (...brands: string[]) => outcome(avifFile([], { brands, sizes: [[300, 250]] }), true);

  it('is that of an AVIF whose first, last or sixtieth brand says that it is one', () => {
    const avif = { type: 'image/avif', width: 300, height: 250 };
    expect(withBrands('avif')).toEqual(avif);
    expect(withBrands('mif1', 'mif1', 'miaf', 'avif')).toEqual(avif);
    expect(withBrands('mif1', ...Array<string>(58).fill('miaf'), 'avif')).toEqual(avif);
  });

  it('is none when no brand says so, one among hundreds does, or another says that it is a sequence', () => {
    expect(withBrands('mif1', 'mif1', 'heic')).toBe('ad/type');
    expect(withBrands('mif1', ...Array<string>(63).fill('miaf'), 'avif')).toBe('ad/type');
    expect(withBrands('avis', 'avif')).toBe('ad/type');
    expect(withBrands('avif', 'mif1', 'avis')).toBe('ad/type');
  });

  it('takes no version number and no box that follows for a brand of an AVIF', () => {
    const rest = avifFile([], { brands: ['avif'] }).subarray(16);
    const version = Uint8Array.from([...ftyp('mif1', 'miaf'), ...rest]);
    version.set(new TextEncoder().encode('avif'), 12);
    const behind = Uint8Array.from([...ftyp('mif1', 'miaf'), ...box('avif', []), ...rest]);
    const cut = Uint8Array.from([...be(18, 4), ...ftyp('mif1', 'avif').slice(4), ...rest]);
    for (const bytes of [version, behind, cut]) expect(outcome(bytes, true)).toBe('ad/type');
  });

  it('counts the sizes of an AVIF that stand where sizes of pictures stand, and no others', () => {
    const list = box('ipco', [...sizeBox(30), ...box('pixi', be(9_001, 12))]);
    const properties = box('iprp', [...sizeBox(9_002), ...list, ...sizeBox(9_003)]);
    const meta = box('meta', [...be(0, 4), ...properties, ...sizeBox(9_004)]);
    const bytes = Uint8Array.from([...ftyp('avif', 'avif'), ...sizeBox(9_005), ...meta, ...sizeBox(9_006)]);
    expect(readImageHeader(bytes, true)).toEqual({ type: 'image/avif', width: 30, height: 30 });
  });

  it.each<[string, number[]]>([
    ['ends before it begins', [...be(4, 4), ...be(12, 4), ...ascii('skip'), ...be(0, 4)]],
    [
      'ends before it begins, told in 64 bits',
      [...be(1, 4), ...ascii('free'), ...be(12, 8), ...ascii('skip'), ...be(0, 4)],
    ],
    ['is larger than 4 GiB', [...be(1, 4), ...ascii('free'), ...be(2, 4), ...be(16, 4)]],
    ['reaches out of the one around it', [...box('iprp', [...be(28, 4), ...ascii('ipco')]), ...sizeBox(5)]],
  ])('is none of an AVIF of which a box %s', (_, wrong) => {
    const properties = box('iprp', box('ipco', sizeBox(5)));
    const meta = box('meta', [...be(0, 4), ...wrong, ...properties]);
    const bytes = Uint8Array.from([...ftyp('avif', 'avif'), ...meta, ...Array<number>(999).fill(0)]);
    expect(outcome(bytes, true)).toBe('ad/decode');
  });

  it.each<[string, number[], number[]]>([
    ['properties', [], box('iprp', box('ipco', sizeBox(5)))],
    ['sizes', [...box('iprp', box('free', [])), ...box('ipco', sizeBox(5))], []],
  ])('is none of an AVIF whose %s stand in another box', (_, inMeta, behind) => {
    const bytes = Uint8Array.from([...ftyp('avif', 'avif'), ...box('meta', [...be(0, 4), ...inMeta]), ...behind]);
    expect(outcome(bytes, true)).toBe('ad/decode');
  });

  it('counts the first picture of a GIF that is larger than its screen, and the screen that is larger', () => {
    const file = gif(1, 1, { x: 10, y: 20, width: 5000, height: 6000 });
    expect(readImageHeader(file, true)).toMatchObject({ width: 5010, height: 6020 });
    const screen = gif(7000, 8000, { x: 10, y: 20, width: 1, height: 1 });
    expect(readImageHeader(screen, true)).toMatchObject({ width: 7000, height: 8000 });
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
    ['another first chunk', withByte(png(5, 5), 12, 88)],
    ['a WebP with a first chunk nobody knows', withByte(webpLossy(5, 5), 15, 0x59)],
    ['a lossy WebP without a key frame', withByte(webpLossy(5, 5), 25, 0)],
    ['a lossless WebP without its signature', withByte(webpLossless(5, 5), 20, 0)],
    ['data before the frame', Uint8Array.of(0xff, 0xd8, 0xff, 0xda, 0, 4, 0, 0, 0, 0, 0, 0)],
    ['a frame that nothing leads', Uint8Array.from([...jpeg(5, 5).subarray(0, 8), 0x11, ...jpeg(5, 5).subarray(10)])],
    ['a GIF that ends without a picture', gif(5, 5).map((byte) => (byte === 0x2c ? 0x3b : byte))],
    ['a segment of length 0', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['boxes that end before they begin', withByte(avif(5, 5), 27, 3)],
  ])('refuses a broken file: %s', (_, bytes) => {
    expect(outcome(bytes, true)).toBe('ad/decode');
  });

  it('is that of a frame of each kind a JPEG may have', () => {
    const kinds = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
    const found = kinds.map((kind) =>
      outcome(
        jpeg(300, 250).map((byte) => (byte === 0xc2 ? kind : byte)),
        true,
      ),
    );
    expect(found).toEqual(kinds.map(() => ({ type: 'image/jpeg', width: 300, height: 250 })));
  });

  it('asks for more as long as it cannot know, and refuses what ends there', () => {
    for (const [, make] of makers) {
      const cut = make(300, 250).subarray(0, 13);
      expect(outcome(cut, false)).toBeNull();
      expect(outcome(cut, true)).toBe('ad/decode');
    }
  });

  it('is broken of a file that ends within the mark of its kind, and of no image where that is another', () => {
    for (const [type, make] of makers) {
      const file = make(300, 250);
      for (const length of [1, 2, 3]) {
        expect(outcome(file.subarray(0, length), true)).toBe('ad/decode');
        // An ISO file begins with a size of any value.
        if (type === 'image/avif') continue;
        expect(outcome(withByte(file.slice(0, length), length - 1, 0x21), true)).toBe('ad/type');
      }
    }
  });

  it.each([
    ['PNG', png, [0, 1, 2, 3, 4, 5, 6, 7]],
    ['JPEG', jpeg, [0, 1, 2]],
    ['WebP', webpLossy, [0, 1, 2, 3, 8, 9, 10, 11]],
    ['GIF', gif, [0, 1, 2, 3, 4, 5]],
    ['AVIF', avif, [4, 5, 6, 7]],
  ] as const)('is none of a %s of whose mark a single byte is another', (_kind, make, mark) => {
    for (const at of mark) expect(outcome(withByte(make(300, 250), at, 0x21), true)).toBe('ad/type');
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
    const empties = new Uint8Array(1_048_576);
    empties.set(gif(5, 5).subarray(0, 25));
    for (let i = 25; i + 3 <= empties.length; i += 3) empties.set([0x21, 0xfe, 0], i);
    for (const bytes of [segments, blocks, boxes, empties]) expect(outcome(bytes, false)).toBe('ad/decode');
  });

  it('is none in a sequence, whose tracks have sizes of their own', () => {
    const file = withByte(avif(5, 5), 23, 0x73);
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
