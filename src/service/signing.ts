import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** What of a request is signed. */
export interface SignedRequest {
  readonly method: string;
  /** Host of the service, with its port where that is not the scheme's own. */
  readonly authority?: string;
  /** As the service sees it, percent-encoded, with the path of `baseUrl`. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly body?: string | undefined;
  /** The whole `Authorization` header, when there is one. */
  readonly authorization?: string | undefined;
}

/** Signs one request made at `createdSeconds` (seconds since 1970), with a nonce never used before. */
type RequestSigner = (
  request: SignedRequest,
  createdSeconds: number,
  nonce: string,
) => Readonly<Record<string, string>>;

/**
 * Makes a signer after HTTP Message Signatures (RFC 9421) with HMAC-SHA-256: label `sig1`, components `@method`,
 * `@path`, `@query`, and `@authority`, `content-digest` and `authorization` where they are given.
 *
 * The key lives in the closure of the returned function, as the absorbed HMAC state, and nowhere else. The arithmetic
 * is not WebCrypto's because that is missing on http: pages.
 */
export function createSigner(keyId: string, privateKey: string): RequestSigner {
  const keyed = hmac.create(sha256, utf8ToBytes(privateKey));
  const quotedKeyId = `"${keyId.replace(/[\\"]/g, '\\$&')}"`;
  return (request, createdSeconds, nonce) => {
    const headers: Record<string, string> = {};
    const names = ['@method', '@path', '@query'];
    const values = [request.method, request.path, `?${request.query}`];
    if (request.authority !== undefined) {
      names.push('@authority');
      values.push(request.authority);
    }
    if (request.body !== undefined) {
      const digest = contentDigest(request.body);
      headers['Content-Digest'] = digest;
      names.push('content-digest');
      values.push(digest);
    }
    if (request.authorization !== undefined) {
      names.push('authorization');
      values.push(request.authorization);
    }
    const components = names.map((name) => `"${name}"`).join(' ');
    const parameters = `(${components});created=${createdSeconds};nonce="${nonce}";keyid=${quotedKeyId};alg="hmac-sha256"`;
    const base = names.map((name, i) => `"${name}": ${values[i]}\n`).join('') + `"@signature-params": ${parameters}`;
    headers['Signature-Input'] = `sig1=${parameters}`;
    headers['Signature'] = `sig1=:${base64(keyed.clone().update(utf8ToBytes(base)).digest())}:`;
    return headers;
  };
}

/** The `Content-Digest` field of a body (RFC 9530). */
export function contentDigest(body: string): string {
  return `sha-256=:${base64(sha256(utf8ToBytes(body)))}:`;
}

/** First 64 bits of SHA-256 in hex: names storage and channels after an API key without showing it. */
export function shortHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 8));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function base64url(bytes: Uint8Array): string {
  return base64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}
