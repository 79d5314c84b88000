/** Headers of image files as encoders write them, followed by a few bytes of anything. */

const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));
const be16 = (value: number): number[] => [(value >>> 8) & 255, value & 255];
const be32 = (value: number): number[] => [...be16(value >>> 16), ...be16(value & 0xffff)];
const le16 = (value: number): number[] => be16(value).reverse();
const le24 = (value: number): number[] => [...le16(value & 0xffff), (value >>> 16) & 255];
const le32 = (value: number): number[] => be32(value).reverse();
const bytes = (...parts: number[][]): Uint8Array<ArrayBuffer> => Uint8Array.from(parts.flat());
const padding = [1, 2, 3, 4];

export function png(width: number, height: number): Uint8Array<ArrayBuffer> {
  const signature = [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a];
  return bytes(signature, be32(13), ascii('IHDR'), be32(width), be32(height), [8, 6, 0, 0, 0], padding);
}

/** With `metadata` bytes of a segment before the frame, as cameras write them. */
export function jpeg(width: number, height: number, metadata = 0): Uint8Array<ArrayBuffer> {
  const frame = [0xff, 0xc2, ...be16(11), 8, ...be16(height), ...be16(width), 1, 1, 0x11, 0];
  const segment = metadata === 0 ? [] : [0xff, 0xe1, ...be16(metadata + 2), ...Array<number>(metadata).fill(0xff)];
  return bytes([0xff, 0xd8], [0xff, 0xe0], be16(4), [0, 0], segment, [0xff], frame, padding);
}

export function gif(width: number, height: number, picture = { x: 0, y: 0, width, height }): Uint8Array<ArrayBuffer> {
  const colours = Array<number>(3 * 4).fill(7);
  const comment = [0x21, 0xfe, 2, ...ascii('hi'), 1, 65, 0];
  const place = [picture.x, picture.y, picture.width, picture.height].flatMap(le16);
  return bytes(ascii('GIF89a'), le16(width), le16(height), [0x81, 0, 0], colours, comment, [0x2c], place, padding);
}

function riff(chunk: string, content: number[]): Uint8Array<ArrayBuffer> {
  const rest = [...ascii(chunk), ...le32(content.length), ...content];
  return bytes(ascii('RIFF'), le32(4 + rest.length), ascii('WEBP'), rest, padding);
}

export const webpLossy = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  riff('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, ...le16(width), ...le16(height)]);

export const webpLossless = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  riff('VP8L', [0x2f, ...le32(((width - 1) | ((height - 1) << 14)) >>> 0)]);

export const webpExtended = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  riff('VP8X', [0, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)]);

function box(type: string, ...content: number[][]): number[] {
  const flat = content.flat();
  return [...be32(8 + flat.length), ...ascii(type), ...flat];
}

const ispe = (width: number, height: number): number[] => box('ispe', be32(0), be32(width), be32(height));

/** With the pictures a tiled AVIF with a thumbnail lists. */
export function avif(width: number, height: number): Uint8Array<ArrayBuffer> {
  const properties = box('ipco', ispe(1, 1), box('pixi', be32(0)), ispe(width, height));
  const meta = box('meta', be32(0), box('hdlr', be32(0)), box('iprp', properties));
  return bytes(box('ftyp', ascii('mif1'), be32(0), ascii('mif1avif')), box('free'), meta, padding);
}
