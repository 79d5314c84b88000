import { createHash } from 'node:crypto';
import { canonicalJson } from './canonicalJson.js';

/** What the next event of the same placement names as its `previousHash`: SHA-256 of the canonical JSON, hexadecimal. */
export function eventHash(event: unknown): string {
  return createHash('sha256').update(canonicalJson(event)).digest('hex');
}
