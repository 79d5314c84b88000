import { broken, type ByteView } from './ByteView.js';

/** Real files have a few dozen boxes on a level. */
const MAX_BOXES = 1_024;

/** Real files list fewer than ten brands. */
const MAX_FTYP_LENGTH = 256;

/** A box of the ISO base media file format (ISO/IEC 14496-12, 4.2), of which AVIF files are made. */
export interface IsoBox {
  readonly type: string;
  readonly contentFrom: number;
  /** One past its last byte. */
  readonly end: number;
}

/**
 * The brands of a file that begins with an `ftyp` box.
 * @throws OutOfBytes
 */
export function brandsOf(view: ByteView): string[] {
  const end = Math.min(view.uint32(0), MAX_FTYP_LENGTH);
  const brands: string[] = [];
  // A version follows the first brand.
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.push(view.text(at, 4));
  return brands;
}

/** Content of the first box of a type between two positions. */
export function findBox(view: ByteView, wanted: string, from: number, to: number): IsoBox {
  for (const box of boxesIn(view, from, to)) if (box.type === wanted) return box;
  throw broken(`The file has no ${wanted} box`);
}

/**
 * The boxes between two positions, one after the other.
 * @throws OutOfBytes, AdsError `ad/decode`
 */
export function* boxesIn(view: ByteView, from: number, to: number): Generator<IsoBox> {
  let count = 0;
  for (let at = from; at < to;) {
    if (++count > MAX_BOXES) throw broken('The file has more boxes than any real one');
    const box = readBox(view, at, to);
    yield box;
    at = box.end;
  }
}

function readBox(view: ByteView, at: number, limit: number): IsoBox {
  const size = view.uint32(at);
  const type = view.text(at + 4, 4);
  if (size === 1) {
    if (view.uint32(at + 8) !== 0) throw broken('A box is larger than any creative');
    return boxOf(type, at + 16, at + view.uint32(at + 12), limit);
  }
  return boxOf(type, at + 8, size === 0 ? limit : at + size, limit);
}

function boxOf(type: string, contentFrom: number, end: number, limit: number): IsoBox {
  if (end < contentFrom || end > limit) throw broken('A box has an impossible size');
  return { type, contentFrom, end };
}
