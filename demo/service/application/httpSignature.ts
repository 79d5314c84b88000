import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/*
 * HTTP Message Signatures (RFC 9421) as far as contract v1 uses them: one signature `sig1`, HMAC-SHA-256, and a
 * SHA-256 Content-Digest (RFC 9530). The parser accepts exactly the written form of the contract: what it would have to
 * normalise first, it refuses.
 */

/** The value of a `Signature-Input: sig1=…` header, taken apart. */
export interface SignatureInput {
  /** Names of what is signed, in order: `@method`, `@authority`, `@path`, `@query`, header names in lower case. */
  readonly components: readonly string[];
  /** The member's value as it came; the last line of the signature base repeats it. */
  readonly parameters: string;
  /** Whole seconds since 1970 UTC. */
  readonly created: number;
  /** 128 bits as lower-case hexadecimal. */
  readonly nonce: string;
  readonly keyId: string;
}

const INPUT =
  /^sig1=(\(((?:"[@a-z0-9-]+" ?)*)\);created=(\d{1,12});nonce="([0-9a-f]{32})";keyid="([\x21\x23-\x5b\x5d-\x7e]{1,200})";alg="hmac-sha256")$/;
const SIGNATURE = /^sig1=:([A-Za-z0-9+/]{43}=):$/;

/** Undefined when the header does not have the contract's form. */
export function parseSignatureInput(header: string): SignatureInput | undefined {
  const [, parameters, list, created, nonce, keyId] = INPUT.exec(header) ?? [];
  if (parameters === undefined || list === undefined || nonce === undefined || keyId === undefined) return undefined;
  const components = list === '' ? [] : list.split(' ').map((quoted) => quoted.slice(1, -1));
  if (components.includes('') || new Set(components).size !== components.length) return undefined;
  return { components, parameters, created: Number(created), nonce, keyId };
}

/** The bytes of a `Signature: sig1=:…:` header; undefined when it does not have the contract's form. */
export function parseSignature(header: string): Buffer | undefined {
  const [, base64] = SIGNATURE.exec(header) ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

/** The text that is signed (RFC 9421, section 2.5). */
export function signatureBase(
  components: readonly (readonly [name: string, value: string])[],
  parameters: string,
): string {
  return [...components.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${parameters}`].join('\n');
}

export function hmacSha256(key: Buffer, base: string): Buffer {
  return createHmac('sha256', key).update(base, 'utf8').digest();
}

/** Whether `signature` is the HMAC of `base`, in a time that does not tell how much of it was right. */
export function verifyHmacSha256(key: Buffer, base: string, signature: Buffer): boolean {
  const expected = hmacSha256(key, base);
  return expected.length === signature.length && timingSafeEqual(expected, signature);
}

/** The value of a Content-Digest header for these bytes. */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}
