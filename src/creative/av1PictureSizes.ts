import { broken, ByteView, OutOfBytes } from './ByteView.js';
import { boxesIn, findBox, type IsoBox } from './isoBoxes.js';

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A large creative in tiles of 512 px has 128. */
const MAX_PICTURES = 256;
/** A picture begins with at most a temporal delimiter before its sequence header. */
const MAX_UNITS_BEFORE = 4;
const SEQUENCE_HEADER = 1;

/**
 * The size of every AV1 picture in an AVIF, by the sequence header in its data: what a decoder allocates, whatever the
 * boxes around it say.
 * @throws AdsError `ad/decode` for a file whose pictures cannot be found
 */
export function av1PictureSizes(bytes: Uint8Array): PictureSize[] {
  const view = new ByteView(bytes);
  try {
    const meta = findBox(view, 'meta', 0, view.length);
    const children = [...boxesIn(view, meta.contentFrom + 4, meta.end)];
    const pictures = av1Items(view, child(children, 'iinf'));
    const store = children.find(({ type }) => type === 'idat');
    const sizes: PictureSize[] = [];
    for (const { item, at } of itemPlaces(view, child(children, 'iloc'), store)) {
      if (pictures.has(item)) sizes.push(sequenceSize(view, at));
    }
    if (sizes.length < pictures.size || sizes.length === 0) throw broken('An AVIF picture has no data');
    return sizes;
  } catch (error) {
    if (error instanceof OutOfBytes) throw broken('The AVIF ends before its pictures');
    throw error;
  }
}

function child(boxes: readonly IsoBox[], type: string): IsoBox {
  const box = boxes.find((candidate) => candidate.type === type);
  if (box === undefined) throw broken(`The AVIF has no ${type} box`);
  return box;
}

/** Item information (ISO/IEC 14496-12, 8.11.6): the ids of the items that are AV1 pictures. */
function av1Items(view: ByteView, { contentFrom, end }: IsoBox): Set<number> {
  const entriesFrom = contentFrom + (view.uint8(contentFrom) === 0 ? 6 : 8);
  const items = new Set<number>();
  for (const entry of boxesIn(view, entriesFrom, end)) {
    if (entry.type !== 'infe') continue;
    const isLong = view.uint8(entry.contentFrom) === 3;
    const idAt = entry.contentFrom + 4;
    const typeAt = idAt + (isLong ? 6 : 4);
    if (view.text(typeAt, 4) === 'av01') items.add(isLong ? view.uint32(idAt) : view.uint16(idAt));
    if (items.size > MAX_PICTURES) throw broken('The AVIF holds more pictures than any real one');
  }
  return items;
}

/** Item location (ISO/IEC 14496-12, 8.11.3): where the data of each item begins, in the file. */
function* itemPlaces(
  view: ByteView,
  { contentFrom, end }: IsoBox,
  store: IsoBox | undefined,
): Generator<{ readonly item: number; readonly at: number }> {
  const version = view.uint8(contentFrom);
  const offsetSize = view.uint8(contentFrom + 4) >> 4;
  const lengthSize = view.uint8(contentFrom + 4) & 15;
  const baseSize = view.uint8(contentFrom + 5) >> 4;
  const indexSize = version === 0 ? 0 : view.uint8(contentFrom + 5) & 15;
  const idSize = version < 2 ? 2 : 4;
  let at = contentFrom + 6;
  const read = (size: number): number => {
    let value = 0;
    for (let i = 0; i < size; i++) value = value * 256 + view.uint8(at + i);
    at += size;
    return value;
  };
  const count = read(idSize);
  if (count > 4 * MAX_PICTURES) throw broken('The AVIF holds more items than any real one');
  for (let i = 0; i < count; i++) {
    const item = read(idSize);
    const method = version === 0 ? 0 : read(2) & 15;
    read(2);
    const base = read(baseSize);
    const extents = read(2);
    if (extents === 0) continue;
    read(indexSize);
    const offset = read(offsetSize);
    // Where the other extents lie does not matter. They are skipped in one step: any number of them may take no byte at all.
    at += lengthSize + (extents - 1) * (indexSize + offsetSize + lengthSize);
    if (at > end) throw broken('An item of the AVIF lies nowhere');
    if (method > 1 || (method === 1 && store === undefined)) throw broken('An item of the AVIF lies nowhere');
    yield { item, at: (method === 1 ? store!.contentFrom : 0) + base + offset };
  }
}

/** The first sequence header of a picture's open bitstream units (AV1 specification, 5.3). */
function sequenceSize(view: ByteView, from: number): PictureSize {
  let at = from;
  for (let unit = 0; unit < MAX_UNITS_BEFORE; unit++) {
    const header = view.uint8(at);
    at += header & 0x04 ? 2 : 1;
    // A unit without its size runs to the end of the picture: there is none after it.
    let length = Infinity;
    if (header & 0x02) {
      length = 0;
      for (let i = 0; i < 8; i++) {
        const byte = view.uint8(at++);
        length += (byte & 0x7f) * 2 ** (7 * i);
        if ((byte & 0x80) === 0) break;
      }
    }
    if (((header >> 3) & 15) === SEQUENCE_HEADER) return readSequenceHeader(view, at);
    at += length;
  }
  throw broken('An AVIF picture has no sequence header');
}

/** AV1 specification, 5.5. */
function readSequenceHeader(view: ByteView, from: number): PictureSize {
  let position = from * 8;
  const bits = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, position++) {
      value = value * 2 + ((view.uint8(position >> 3) >> (7 - (position & 7))) & 1);
    }
    return value;
  };
  bits(4); // seq_profile, still_picture
  const isReduced = bits(1) === 1; // reduced_still_picture_header
  if (isReduced) bits(5);
  else skipOperatingPoints(bits);
  const widthBits = bits(4) + 1;
  const heightBits = bits(4) + 1;
  const width = bits(widthBits) + 1;
  const height = bits(heightBits) + 1;
  // Without the reduced header a frame may name a size of its own, of as many bits.
  return isReduced ? { width, height } : { width: 2 ** widthBits, height: 2 ** heightBits };
}

function skipOperatingPoints(bits: (count: number) => number): void {
  // timing_info_present_flag
  if (bits(1) === 1) throw broken('An AVIF picture has the timing of a video');
  const hasInitialDelay = bits(1) === 1;
  const points = bits(5) + 1;
  for (let point = 0; point < points; point++) {
    bits(12); // operating_point_idc
    if (bits(5) > 7) bits(1); // seq_level_idx, seq_tier
    if (hasInitialDelay && bits(1) === 1) bits(4);
  }
}
