import { sha256 } from '@noble/hashes/sha2';
import { utf8ToBytes } from '@noble/hashes/utils';

/**
 * Whether a placement's reports carry a trace. The hash of its id decides, so that nobody picks traces by what they show, and
 * the receiver can tell that one is missing.
 */
export function choosesTrace(placementId: string, ratio: number): boolean {
  const [a, b, c, d] = sha256(utf8ToBytes(placementId));
  return (((a! << 24) | (b! << 16) | (c! << 8) | d!) >>> 0) / 2 ** 32 < ratio;
}
