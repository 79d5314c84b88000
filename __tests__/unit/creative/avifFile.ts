/** AVIF files in every way their boxes may be written. */

type Box = number[];

export const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

/** Big-endian, of so many bytes. */
export function be(value: number, length: number): number[] {
  return Array.from({ length }, (_, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256);
}

/** How a box says where it ends: in 32 bits, in 64, or not at all, as the last one may. */
export type BoxSize = 'short' | 'long' | 'open';

export function box(type: string, content: readonly number[], size: BoxSize = 'short'): Box {
  if (size === 'long') return [...be(1, 4), ...ascii(type), ...be(16 + content.length, 8), ...content];
  return [...be(size === 'open' ? 0 : 8 + content.length, 4), ...ascii(type), ...content];
}

export const ftyp = (...brands: string[]): Box =>
  box('ftyp', [...ascii(brands[0] ?? 'avif'), ...be(0, 4), ...brands.slice(1).flatMap(ascii)]);

/** Fields of so many bits each, one after the other. */
export function bits(...fields: readonly (readonly [value: number, width: number])[]): number[] {
  const text = fields.map(([value, width]) => value.toString(2).padStart(width, '0').slice(0, width)).join('');
  return (text.match(/.{1,8}/g) ?? []).map((byte) => parseInt(byte.padEnd(8, '0'), 2));
}

/** An open bitstream unit of AV1, with its size as libaom writes it. */
export function unit(
  type: number,
  content: readonly number[],
  { hasExtension = false, hasSize = true } = {},
): number[] {
  const head = (type << 3) | (hasExtension ? 4 : 0) | (hasSize ? 2 : 0);
  const size = content.length < 128 ? [content.length] : [128 | (content.length & 127), content.length >> 7];
  return [head, ...(hasExtension ? [0] : []), ...(hasSize ? size : []), ...content];
}

export const SEQUENCE_HEADER = 1;
const TEMPORAL_DELIMITER = 2;
const widthOf = (value: number): number => Math.max(1, Math.ceil(Math.log2(value)));

/** The data of a still picture. */
export function picture(width: number, height: number): number[] {
  const [w, h] = [widthOf(width), widthOf(height)];
  // seq_profile, still_picture and reduced_still_picture_header, level, sizes of the sizes, sizes
  const sequence = bits([0, 3], [3, 2], [0, 5], [w - 1, 4], [h - 1, 4], [width - 1, w], [height - 1, h], [0, 16]);
  return [...unit(TEMPORAL_DELIMITER, []), ...unit(SEQUENCE_HEADER, sequence)];
}

export interface AvifItem {
  readonly id: number;
  /** Empty: the item has a place, and no entry among those that say what it is. */
  readonly type: string;
  readonly data: readonly number[];
  /** In so many pieces. */
  readonly extents?: number;
}

export interface AvifLayout {
  readonly brands?: readonly string[];
  readonly locationVersion?: 0 | 1 | 2;
  readonly infoVersion?: 0 | 1;
  readonly entryVersion?: 2 | 3;
  /** 1: in the box `idat` beside the list of places. */
  readonly method?: number;
  readonly hasStore?: boolean;
  /** Bytes of each number of a place. */
  readonly offsetSize?: number;
  readonly lengthSize?: number;
  readonly baseSize?: number;
  readonly indexSize?: number;
  readonly meta?: BoxSize;
  readonly properties?: BoxSize;
  readonly sizes?: readonly (readonly [width: number, height: number])[];
  /** Items that are listed and have no place. */
  readonly withoutPlace?: readonly number[];
}

/** A file of these items, whose boxes are written as the layout says. */
export function avifFile(items: readonly AvifItem[], layout: AvifLayout = {}): Uint8Array<ArrayBuffer> {
  const { brands = ['avif', 'mif1', 'avif'], method = 0, meta: metaSize = 'short', hasStore = method === 1 } = layout;
  const data = items.flatMap((item) => item.data);
  const head = ftyp(...brands);
  const build = (from: number): Box => {
    const store = hasStore ? [box('idat', data)] : [];
    const sizes = (layout.sizes ?? [[1, 1]]).flatMap(([w, h]) => box('ispe', [...be(0, 4), ...be(w, 4), ...be(h, 4)]));
    const properties = box('iprp', box('ipco', sizes, layout.properties), layout.properties);
    const parts = [box('hdlr', be(0, 4)), ...store, places(items, layout, from), info(items, layout), properties];
    return box('meta', [...be(0, 4), ...parts.flat()], metaSize);
  };
  // Places have the same length whatever they say.
  const dataAt = method === 1 ? 0 : head.length + build(0).length + 8;
  const rest = method === 1 || metaSize === 'open' ? [] : box('mdat', data);
  return Uint8Array.from([...head, ...build(dataAt), ...rest]);
}

function info(items: readonly AvifItem[], { infoVersion = 0, entryVersion = 2 }: AvifLayout): Box {
  const listed = items.filter(({ type }) => type !== '');
  const entries = listed.flatMap(({ id, type }) =>
    box('infe', [entryVersion, 0, 0, 0, ...be(id, entryVersion === 3 ? 4 : 2), 0, 0, ...ascii(type), 0]),
  );
  return box('iinf', [infoVersion, 0, 0, 0, ...be(listed.length, infoVersion === 0 ? 2 : 4), ...entries]);
}

function places(items: readonly AvifItem[], layout: AvifLayout, from: number): Box {
  const { locationVersion: version = 0, method = 0, withoutPlace = [] } = layout;
  const { offsetSize = 4, lengthSize = 4, baseSize = 0, indexSize = 0 } = layout;
  const placed = items.filter(({ id }) => !withoutPlace.includes(id));
  const idSize = version < 2 ? 2 : 4;
  let at = 0;
  const entries = placed.flatMap(({ id, data, extents = 1 }) => {
    const begin = at;
    at += data.length;
    // With a base the offsets count from it.
    const base = baseSize === 0 ? 0 : from;
    const hasBytes = indexSize + offsetSize + lengthSize > 0;
    const pieces = Array.from({ length: hasBytes ? extents : 0 }, (_, i) => [
      ...(version === 0 ? [] : be(i, indexSize)),
      ...be((baseSize === 0 ? from : 0) + begin + i, offsetSize),
      ...be(i === extents - 1 ? data.length - i : 1, lengthSize),
    ]);
    const how = version === 0 ? [] : be(method, 2);
    return [...be(id, idSize), ...how, ...be(0, 2), ...be(base, baseSize), ...be(extents, 2), ...pieces.flat()];
  });
  const numbers = [(offsetSize << 4) | lengthSize, (baseSize << 4) | indexSize];
  return box('iloc', [version, 0, 0, 0, ...numbers, ...be(placed.length, idSize), ...entries]);
}
