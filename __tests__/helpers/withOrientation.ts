const be = (value: number, length: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes.subarray(4 - length);
};
const le = (value: number, length: number): Buffer => Buffer.from(be(value, 4)).reverse().subarray(0, length);

/** Exif data (TIFF) with nothing but the orientation, 1–8. */
function exif(orientation: number): Buffer {
  const entry = [le(0x0112, 2), le(3, 2), le(1, 4), le(orientation, 4)];
  return Buffer.concat([Buffer.from('II*\0'), le(8, 4), le(1, 2), ...entry, le(0, 4)]);
}

/** The same picture, with the wish to be shown turned or mirrored. */
export function withOrientation(file: Buffer, type: 'png' | 'jpeg' | 'webp', orientation: number): Buffer {
  const data = exif(orientation);
  if (type === 'png') {
    const afterHeader = 8 + 25;
    const chunk = Buffer.concat([Buffer.from('eXIf'), data]);
    const inserted = Buffer.concat([be(data.length, 4), chunk, be(crc32(chunk), 4)]);
    return Buffer.concat([file.subarray(0, afterHeader), inserted, file.subarray(afterHeader)]);
  }
  if (type === 'jpeg') {
    const segment = Buffer.concat([Buffer.from('Exif\0\0'), data]);
    return Buffer.concat([file.subarray(0, 2), be(0xffe1, 2), be(segment.length + 2, 2), segment, file.subarray(2)]);
  }
  return webp(file, data);
}

/** An extended WebP, the kind that may hold Exif data, as browsers write it. */
function webp(file: Buffer, data: Buffer): Buffer {
  if (file.toString('latin1', 12, 16) !== 'VP8X') throw new Error('not an extended WebP');
  const HAS_EXIF = 8;
  const added = Buffer.concat([Buffer.from('EXIF'), le(data.length, 4), data]);
  const turned = Buffer.concat([file, added]);
  turned[20]! |= HAS_EXIF;
  turned.writeUInt32LE(turned.length - 8, 4);
  return turned;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
