import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { NonceMemory } from '../application/NonceMemory.js';
import { ServiceError } from '../http/ServiceError.js';
import { hashSecret } from '../secrets.js';

/** How far the clocks of whoever made a proof and of the service may be apart. */
const PROOF_WINDOW_MS = 300_000;
const MAX_PROOF_LENGTH = 4_096;

/** A request as its proof has to name it. */
export interface ProvenRequest {
  /** The header `DPoP`. */
  readonly proof: string | undefined;
  readonly method: string;
  /** Where the world sends it, without query: what a proxy was asked is not what the service sees. */
  readonly url: string;
  /** The access token that goes with it. */
  readonly accessToken?: string;
}

/**
 * Checks proofs that whoever sends a request holds a private key (DPoP, RFC 9449), with ES256 alone. What is granted to such
 * a request is worth nothing to whoever has the tokens and not the key.
 */
export class DpopProofs {
  readonly #nonces: NonceMemory;
  readonly #now: () => number;

  constructor(nonces: NonceMemory, now: () => number) {
    this.#nonces = nonces;
    this.#now = now;
  }

  /**
   * The thumbprint of the key (RFC 7638); undefined when the request has no proof.
   *
   * @throws ServiceError `invalid_dpop_proof`, or 401 `clock_skew` when it was made too long ago or in the future
   */
  async keyOf(request: ProvenRequest): Promise<string | undefined> {
    const { proof, method, url, accessToken } = request;
    if (proof === undefined) return undefined;
    const status = accessToken === undefined ? 400 : 401;
    const read = readProof(proof);
    if (typeof read === 'string') throw invalidProof(status, read);
    const { claims, thumbprint } = read;
    if (claims.htm !== method) throw invalidProof(status, 'htm is not the method of the request');
    if (plainUrl(claims.htu) !== url) throw invalidProof(status, 'htu is not the address of the request');
    if (accessToken !== undefined && claims.ath !== Buffer.from(hashSecret(accessToken), 'hex').toString('base64url')) {
      throw invalidProof(status, 'ath is not the hash of the access token');
    }
    const madeAt = claims.iat * 1000;
    if (Math.abs(this.#now() - madeAt) > PROOF_WINDOW_MS) {
      throw new ServiceError(401, 'clock_skew', 'The proof was made too long ago or in the future.', {
        serverTime: Math.floor(this.#now() / 1000),
      });
    }
    if (!(await this.#nonces.use(`dpop ${thumbprint}`, hashSecret(claims.jti), madeAt + PROOF_WINDOW_MS))) {
      throw invalidProof(status, 'a proof with this jti was accepted before');
    }
    return thumbprint;
  }
}

interface Claims {
  readonly jti: string;
  readonly htm: string;
  readonly htu: string;
  readonly iat: number;
  readonly ath: unknown;
}

/** A proof whose signature fits the key it carries, or what is wrong with it. */
function readProof(proof: string): { readonly claims: Claims; readonly thumbprint: string } | string {
  const [, head, payload, signature] = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/.exec(proof) ?? [];
  if (proof.length > MAX_PROOF_LENGTH || head === undefined || payload === undefined || signature === undefined) {
    return 'it is not one compact JWS with an ES256 signature';
  }
  const header = parseObject(head);
  if (header?.['typ'] !== 'dpop+jwt' || header['alg'] !== 'ES256') return 'its header is not that of an ES256 proof';
  const key = readKey(header['jwk']);
  if (key === undefined) return 'jwk is not a public key on P-256';
  const signed = Buffer.from(`${head}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  if (!verify('sha256', signed, { key: key.key, dsaEncoding: 'ieee-p1363' }, bytes))
    return 'its signature does not fit';
  const { jti, htm, htu, iat, ath } = parseObject(payload) ?? {};
  const isWhole =
    typeof jti === 'string' &&
    jti.length >= 8 &&
    jti.length <= 128 &&
    typeof htm === 'string' &&
    typeof htu === 'string' &&
    typeof iat === 'number' &&
    Number.isSafeInteger(iat);
  return isWhole
    ? { claims: { jti, htm, htu, iat, ath }, thumbprint: key.thumbprint }
    : 'jti, htm, htu or iat is missing';
}

function readKey(jwk: unknown): { readonly key: KeyObject; readonly thumbprint: string } | undefined {
  const { kty, crv, x, y, d } = (jwk ?? {}) as Record<'kty' | 'crv' | 'x' | 'y' | 'd', unknown>;
  const isCoordinate = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{43}$/.test(value);
  if (kty !== 'EC' || crv !== 'P-256' || d !== undefined || !isCoordinate(x) || !isCoordinate(y)) return undefined;
  try {
    const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
    // Written anew by the key itself: two ways to write one key are one key.
    const { x: canonicalX, y: canonicalY } = key.export({ format: 'jwk' });
    const members = JSON.stringify({ crv, kty, x: canonicalX, y: canonicalY });
    return { key, thumbprint: createHash('sha256').update(members).digest('base64url') };
  } catch {
    // No point of the curve.
    return undefined;
  }
}

function parseObject(base64url: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Without query and fragment, as both sides compare it. */
function plainUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}

function invalidProof(status: 400 | 401, what: string): ServiceError {
  return new ServiceError(status, 'invalid_dpop_proof', `The DPoP proof is not valid: ${what}.`);
}
