import { bytesToHex } from '@noble/hashes/utils';

/** A UUID of version 4 (RFC 9562) made of 16 random bytes. */
export function uuidOf(randomBytes: Uint8Array): string {
  const bytes = Uint8Array.from(randomBytes);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytesToHex(bytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
