import { AdsError } from '../errors.js';

/** The bytes end before what was asked for. */
export class OutOfBytes extends Error {}

/** A file that is not as its format has it. */
export function broken(message: string, cause?: unknown): AdsError {
  return new AdsError('ad/decode', message, { cause });
}

/** Bytes of an untrusted file, read without ever leaving them. Reads big-endian numbers unless named otherwise. */
export class ByteView {
  constructor(private readonly bytes: Uint8Array) {}

  get length(): number {
    return this.bytes.length;
  }

  uint8(at: number): number {
    const byte = this.bytes[at];
    if (byte === undefined) throw new OutOfBytes();
    return byte;
  }

  uint16(at: number): number {
    return (this.uint8(at) << 8) | this.uint8(at + 1);
  }

  uint16le(at: number): number {
    return this.uint8(at) | (this.uint8(at + 1) << 8);
  }

  uint24le(at: number): number {
    return this.uint16le(at) | (this.uint8(at + 2) << 16);
  }

  uint32(at: number): number {
    return ((this.uint16(at) << 16) | this.uint16(at + 2)) >>> 0;
  }

  uint32le(at: number): number {
    return (this.uint16le(at) | (this.uint16le(at + 2) << 16)) >>> 0;
  }

  /** One character per byte. */
  text(at: number, length: number): string {
    let text = '';
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.uint8(at + i));
    return text;
  }
}
