import { AdsError } from '../errors.js';
import { broken, ByteView, OutOfBytes } from './ByteView.js';
import type { CreativeLimits } from './CreativeLimits.js';
import { boxesIn, brandsOf, findBox } from './isoBoxes.js';

type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif' | 'image/avif';

/** What the first bytes of an image file say, before anything is decoded. */
export interface ImageHeader {
  readonly type: ImageType;
  /** In pixels, before any orientation the file asks for is applied. */
  readonly width: number;
  readonly height: number;
}

/** Real files have fewer than a hundred JPEG segments or blocks of a GIF comment before the picture; XMP in a GIF makes more. */
const MAX_PARTS = 4_096;

/**
 * Reads type and dimensions from the bytes received so far.
 * @param isComplete no more bytes will come
 * @returns null when more bytes are needed
 * @throws AdsError `ad/type` for what is none of the five image types, `ad/decode` for a broken header
 */
export function readImageHeader(bytes: Uint8Array, isComplete: boolean): ImageHeader | null {
  const view = new ByteView(bytes);
  try {
    return withSize(typeOf(view), view);
  } catch (error) {
    if (!(error instanceof OutOfBytes)) throw error;
    if (!isComplete) return null;
    if (!beginsLikeImage(view.text(0, Math.min(bytes.length, 4)))) throw noImage();
    throw broken('The image file ends before its dimensions', error);
  }
}

/**
 * @throws AdsError `ad/dimensions`
 */
export function checkDimensions(header: ImageHeader, limits: CreativeLimits): void {
  const { width, height } = header;
  if (width > limits.maxSidePx || height > limits.maxSidePx || width * height > limits.maxAreaPx) {
    throw new AdsError('ad/dimensions', `The creative measures ${width}×${height} px`);
  }
}

function typeOf(view: ByteView): ImageType {
  if (view.text(0, 4) === '\x89PNG' && view.text(4, 4) === '\r\n\x1a\n') return 'image/png';
  if (view.text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (view.text(0, 4) === 'RIFF' && view.text(8, 4) === 'WEBP') return 'image/webp';
  if (view.text(0, 6) === 'GIF87a' || view.text(0, 6) === 'GIF89a') return 'image/gif';
  if (view.text(4, 4) === 'ftyp' && isAvifBrand(view)) return 'image/avif';
  throw noImage();
}

/** For a file that ends before it has said what it is. An ISO file begins with its size, which is small. */
function beginsLikeImage(head: string): boolean {
  return ['\x89PNG', '\xff\xd8\xff', 'RIFF', 'GIF8', '\0'].some(
    (begin) => begin.startsWith(head) || head.startsWith(begin),
  );
}

function noImage(): AdsError {
  return new AdsError('ad/type', 'The file is none of the types creatives may have');
}

function withSize(type: ImageType, view: ByteView): ImageHeader {
  const [width, height] = sizeReaders[type](view);
  if (width === 0 || height === 0) throw broken('The image has no pixels');
  return { type, width, height };
}

const sizeReaders: Record<ImageType, (view: ByteView) => [width: number, height: number]> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
  'image/gif': readGif,
  'image/avif': readAvif,
};

function readPng(view: ByteView): [number, number] {
  if (view.uint32(8) !== 13 || view.text(12, 4) !== 'IHDR') throw broken('The PNG does not begin with its header');
  return [view.uint32(16), view.uint32(20)];
}

/** Walks the segments up to the start of frame, which may come after hundreds of kilobytes of metadata. */
function readJpeg(view: ByteView): [number, number] {
  let at = 2;
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    if (view.uint8(at) !== 0xff) throw broken('The JPEG has bytes between its segments');
    const marker = view.uint8(at + 1);
    if (marker === 0xff) {
      at += 1;
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
    } else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return [view.uint16(at + 7), view.uint16(at + 5)];
    } else if (marker === 0x00 || marker === 0xd8 || marker === 0xd9 || marker === 0xda) {
      throw broken('The JPEG has no frame before its data');
    } else {
      // One that is shorter than its own length is followed by that, which is no segment.
      at += 2 + view.uint16(at + 2);
    }
  }
  throw broken('The JPEG has more segments than any real one');
}

function readWebp(view: ByteView): [number, number] {
  const chunk = view.text(12, 4);
  if (chunk === 'VP8X') return [1 + view.uint24le(24), 1 + view.uint24le(27)];
  if (chunk === 'VP8L') {
    if (view.uint8(20) !== 0x2f) throw broken('The lossless WebP has no signature');
    const bits = view.uint32le(21);
    return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
  }
  if (chunk === 'VP8 ') {
    if (view.text(23, 3) !== '\x9d\x01\x2a') throw broken('The WebP does not begin with a key frame');
    return [view.uint16le(26) & 0x3fff, view.uint16le(28) & 0x3fff];
  }
  throw broken('The WebP begins with an unknown chunk');
}

/** Decoders grow a GIF's logical screen to hold its first picture, so both count. */
function readGif(view: ByteView): [number, number] {
  const width = view.uint16le(6);
  const height = view.uint16le(8);
  const flags = view.uint8(10);
  let at = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  let parts = 0;
  while (view.uint8(at) === 0x21) {
    at += 2;
    let length;
    do {
      if (++parts > MAX_PARTS) throw broken('The GIF has more blocks before its picture than any real one');
      length = view.uint8(at);
      at += 1 + length;
    } while (length !== 0);
  }
  if (view.uint8(at) !== 0x2c) throw broken('The GIF has no picture');
  return [
    Math.max(width, view.uint16le(at + 1) + view.uint16le(at + 5)),
    Math.max(height, view.uint16le(at + 3) + view.uint16le(at + 7)),
  ];
}

/** A sequence (`avis`) is decoded by the sizes of its tracks, which nothing here reads: a still image only. */
function isAvifBrand(view: ByteView): boolean {
  const brands = brandsOf(view);
  return brands.includes('avif') && !brands.includes('avis');
}

/** An AVIF lists the size of every picture in it (tiles, thumbnails, alpha); the largest is the image. */
function readAvif(view: ByteView): [number, number] {
  const meta = findBox(view, 'meta', 0, Infinity);
  const properties = findBox(view, 'iprp', meta.contentFrom + 4, meta.end);
  const list = findBox(view, 'ipco', properties.contentFrom, properties.end);
  let width = 0;
  let height = 0;
  for (const { type, contentFrom } of boxesIn(view, list.contentFrom, list.end)) {
    if (type !== 'ispe') continue;
    width = Math.max(width, view.uint32(contentFrom + 4));
    height = Math.max(height, view.uint32(contentFrom + 8));
  }
  return [width, height];
}
