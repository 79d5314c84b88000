import fc from 'fast-check';

import { av1PictureSizes } from '../../../src/creative/av1PictureSizes.js';
import { checkDecodeCost } from '../../../src/creative/checkDecodeCost.js';
import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { readImageHeader } from '../../../src/creative/imageHeader.js';
import { withCode } from '../../helpers/withCode.js';
import { avifFile, type AvifItem, type AvifLayout, be, bits, box, picture, SEQUENCE_HEADER, unit } from './avifFile.js';

const side = fc.integer({ min: 2, max: 65_536 });
const size = fc.tuple(side, side);
const version = <T extends number>(...values: T[]) => fc.constantFrom(...values);

/** Every way the standard leaves to say where a picture lies. */
const layout: fc.Arbitrary<AvifLayout> = fc.record({
  locationVersion: version(0, 1, 2),
  infoVersion: version(0, 1),
  entryVersion: version(2, 3),
  hasStore: fc.boolean(),
  offsetSize: version(4, 8),
  lengthSize: version(0, 4, 8),
  baseSize: version(0, 4, 8),
  indexSize: version(0, 4, 8),
  meta: fc.constantFrom('short', 'long'),
});
const inStore: AvifLayout = { locationVersion: 1, method: 1 };
/** Each part of an item is all of it, and takes no byte of the list. */
const byBase: AvifLayout = { locationVersion: 1, offsetSize: 0, lengthSize: 0, baseSize: 4 };

const item = (id: number, data: readonly number[], more: Partial<AvifItem> = {}): AvifItem => ({
  id,
  type: 'av01',
  data,
  ...more,
});
const one = item(1, picture(640, 480));
const sizesOf = (data: readonly number[]) => av1PictureSizes(avifFile([item(1, data)]));

/** A sequence header that is not the short one of still pictures. */
const longHeader = fc
  .record({
    widthBits: fc.integer({ min: 1, max: 16 }),
    heightBits: fc.integer({ min: 1, max: 16 }),
    hasInitialDelay: fc.boolean(),
    points: fc.array(fc.record({ level: fc.integer({ min: 0, max: 31 }), hasParts: fc.boolean() }), {
      minLength: 1,
      maxLength: 32,
    }),
  })
  .map(({ widthBits, heightBits, hasInitialDelay, points }) => {
    const ones = (width: number) => Array.from({ length: width }, () => [1, 1] as const);
    const fields = [
      // Still profile, no reduced header; no timing.
      [0, 5] as const,
      [0, 1] as const,
      [Number(hasInitialDelay), 1] as const,
      [points.length - 1, 5] as const,
      ...points.flatMap(({ level, hasParts }) => [
        ...ones(12),
        [level, 5] as const,
        ...(level > 7 ? ones(1) : []),
        ...(hasInitialDelay ? [[Number(hasParts), 1] as const, ...(hasParts ? ones(4) : [])] : []),
      ]),
      [widthBits - 1, 4] as const,
      [heightBits - 1, 4] as const,
      [0, widthBits + heightBits] as const,
    ].filter(([, width]) => width > 0);
    return { content: bits(...fields), width: 2 ** widthBits, height: 2 ** heightBits };
  });

describe('the pictures of an AVIF', () => {
  it('are of the size their data says, wherever and however the file keeps them', () => {
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 6 }), layout, (sizes, how) => {
        const isStored = how.hasStore === true && how.locationVersion !== 0;
        const hasLongIds = how.locationVersion === 2 && how.entryVersion === 3;
        const items = sizes.map(([width, height], i) =>
          item((hasLongIds ? 65_537 : 1) + i, picture(width, height), { extents: 1 + (i % 3) }),
        );
        const file = avifFile(items, { ...how, method: isStored ? 1 : 0 });
        expect(av1PictureSizes(file)).toEqual(sizes.map(([width, height]) => ({ width, height })));
      }),
    );
  });

  it('may be of any size their sequence header has room for', () => {
    fc.assert(
      fc.property(longHeader, ({ content, width, height }) => {
        expect(sizesOf(unit(SEQUENCE_HEADER, content))).toEqual([{ width, height }]);
      }),
    );
  });

  it('have other units before their sequence header, sized or extended', () => {
    const sequence = picture(640, 480).slice(2);
    const padding = unit(15, Array<number>(300).fill(255));
    for (const before of [[], padding, unit(2, [], { hasExtension: true }), [...padding, ...unit(2, []), ...padding]]) {
      expect(sizesOf([...before, ...sequence])).toEqual([{ width: 640, height: 480 }]);
    }
    const unsized = [(SEQUENCE_HEADER << 3) | 0, ...sequence.slice(2)];
    expect(sizesOf(unsized)).toEqual([{ width: 640, height: 480 }]);
  });

  it('are those of the items that are pictures, and no others', () => {
    const grid = item(7, [0, 0, 0, 1, 2, 3, 4, 5], { type: 'grid' });
    const sizes = av1PictureSizes(avifFile([grid, one, item(8, picture(30, 20))]));
    expect(sizes).toEqual([
      { width: 640, height: 480 },
      { width: 30, height: 20 },
    ]);
  });

  it('are told from items of no bytes in any number of parts', () => {
    const grid = item(7, [], { type: 'grid', extents: 0 });
    const scattered = Array.from({ length: 1_000 }, (_, i) => item(8 + i, [], { type: '', extents: 65_535 }));
    expect(av1PictureSizes(avifFile([one, grid], byBase))).toEqual([{ width: 640, height: 480 }]);
    expect(av1PictureSizes(avifFile([one, ...scattered], byBase))).toEqual([{ width: 640, height: 480 }]);
  });

  it('lie in the box a file keeps them in, which may reach to its end', () => {
    const file = avifFile([one], { ...inStore, meta: 'open', sizes: [[640, 480]] });
    expect(readImageHeader(file, true)).toEqual({ type: 'image/avif', width: 640, height: 480 });
    expect(av1PictureSizes(file)).toEqual([{ width: 640, height: 480 }]);
  });

  it.each<[string, Uint8Array]>([
    ['there is none', avifFile([item(1, [1, 2, 3], { type: 'grid' })])],
    ['one has no place', avifFile([one, item(2, picture(9, 9))], { withoutPlace: [2] })],
    ['one has no part', avifFile([item(1, picture(9, 9), { extents: 0 })], byBase)],
    ['one is made of other items', avifFile([one], { locationVersion: 1, method: 2, hasStore: true })],
    ['the box they lie in is missing', avifFile([one], { ...inStore, hasStore: false })],
    ['one lies behind the end', avifFile([one]).subarray(0, -picture(640, 480).length)],
    ['one has no sequence header', avifFile([item(1, Array<number[]>(8).fill(unit(2, [])).flat())])],
    ['its header comes after more than a few units', avifFile([item(1, [...Array<number[]>(4).fill(unit(2, [])).flat(), ...picture(9, 9)])])],
    ['one has the timing of a video', avifFile([item(1, unit(SEQUENCE_HEADER, bits([0, 5], [1, 1], [0, 120])))])],
    ['a unit without a size comes before its header', avifFile([item(1, [...unit(2, [], { hasSize: false }), ...picture(9, 9)])])],
    ['the list of places runs over its end', listCutShort()],
    ['more are listed than any real file has', avifFile(Array.from({ length: 257 }, (_, i) => item(1 + i, picture(2, 2))))],
    ['more items have places than any real file has', avifFile(Array.from({ length: 1_025 }, (_, i) => item(1 + i, picture(2, 2), { type: i === 0 ? 'av01' : '' })))],
  ])('are not to be found, and the file is refused, when %s', (_, file) => {
    expect(() => av1PictureSizes(file)).toThrow(withCode('ad/decode'));
  }); // prettier-ignore

  it.each(['meta', 'iinf', 'iloc'])('are not to be found, and the file is refused, when it has no box %s', (type) => {
    const file = avifFile([one]);
    const at = new TextDecoder('latin1').decode(file).indexOf(type);
    file[at] = 0x78;
    expect(() => av1PictureSizes(file)).toThrow(withCode('ad/decode'));
  });

  it('may be 256, among 1,024 items', () => {
    const many = Array.from({ length: 1_024 }, (_, i) => item(1 + i, picture(2, 2), { type: i < 256 ? 'av01' : '' }));
    expect(av1PictureSizes(avifFile(many))).toHaveLength(256);
  });
});

/** A list of places whose last number stands in the box behind it. */
function listCutShort(): Uint8Array {
  const file = avifFile([one], { ...inStore, meta: 'open' });
  const at = Buffer.from(file).indexOf('iloc') - 4;
  const end = at + Buffer.from(file).readUInt32BE(at);
  return Uint8Array.from([
    ...file.subarray(0, at),
    ...be(end - 4 - at, 4),
    ...file.subarray(at + 4, end - 4),
    ...box('free', []),
    ...file.subarray(end),
  ]);
}

describe('what an AVIF costs to decode', () => {
  const check = (...sizes: readonly (readonly [number, number])[]) => {
    const bytes = avifFile(sizes.map(([width, height], i) => item(1 + i, picture(width, height))));
    return () => checkDecodeCost(bytes, { type: 'image/avif', width: 8, height: 8 }, DEFAULT_CREATIVE_LIMITS);
  };

  it('is that of all its pictures together, four of the largest at most', () => {
    expect(check([4096, 2048], [4096, 2048], [2048, 4096], [4096, 2048])).not.toThrow();
    expect(check([4096, 2048], [4096, 2048], [2048, 4096], [4096, 2048], [1, 1])).toThrow(withCode('ad/dimensions'));
  });

  it('has a limit for each side', () => {
    expect(check([4096, 1], [1, 4096])).not.toThrow();
    expect(check([4097, 1])).toThrow(withCode('ad/dimensions'));
    expect(check([1, 4097])).toThrow(withCode('ad/dimensions'));
  });
});
