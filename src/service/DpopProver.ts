import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

import { AdsError } from '../errors.js';
import { writeJson } from '../writeJson.js';
import { bounded } from '../waiting.js';
import type { ClientEnvironment } from './environment.js';
import type { KeyStore } from './KeyStore.js';
import { base64url } from './signing.js';

const KEY = Object.freeze({ name: 'ECDSA', namedCurve: 'P-256' } as const);
const SIGNATURE = Object.freeze({ name: 'ECDSA', hash: 'SHA-256' } as const);
/** How long the browser's storage may take. In some browsers it hangs until it is opened once more. */
const STORAGE_PATIENCE_MS = 2_000;

/** What a proof is made for. */
interface ProofTarget {
  readonly method: string;
  /** Without query. */
  readonly url: string;
  /** The player's access token, when one goes along. */
  readonly accessToken?: string | undefined;
}

/**
 * Proves that a request comes from this browser (DPoP, RFC 9449): the tokens a player is granted are bound to a key made
 * here, which WebCrypto uses and never gives away, and which stays with the browser for later pages.
 */
export class DpopProver {
  readonly #environment: ClientEnvironment;
  readonly #name: string;
  #signer: Promise<{ readonly key: CryptoKey; readonly jwk: object }> | null = null;
  #offsetMs = 0;

  /** @param name of the key in the browser's storage */
  constructor(environment: ClientEnvironment, name: string) {
    this.#environment = environment;
    this.#name = name;
  }

  /**
   * The header `DPoP` of one request.
   * @throws AdsError `config/browser` without WebCrypto, `session/refresh-failed` while the key cannot be read
   */
  async proofFor({ method, url, accessToken }: ProofTarget): Promise<string> {
    const signer = (this.#signer ??= this.#open());
    signer.catch(() => {
      // The next request tries again.
      if (this.#signer === signer) this.#signer = null;
    });
    const { key, jwk } = await signer;
    const claims = {
      jti: bytesToHex(this.#environment.randomBytes(16)),
      htm: method,
      htu: url,
      iat: Math.floor((this.#environment.wallNow() + this.#offsetMs) / 1_000),
      ...(accessToken === undefined ? {} : { ath: base64url(sha256(utf8ToBytes(accessToken))) }),
    };
    const text = `${encode({ typ: 'dpop+jwt', alg: 'ES256', jwk })}.${encode(claims)}`;
    const signature = await this.#subtle().sign(SIGNATURE, key, new TextEncoder().encode(text));
    return `${text}.${base64url(new Uint8Array(signature))}`;
  }

  /** The service says what time it is. */
  correctClock(serverTimeSeconds: number): void {
    this.#offsetMs = serverTimeSeconds * 1_000 - this.#environment.wallNow();
  }

  async #open(): Promise<{ readonly key: CryptoKey; readonly jwk: object }> {
    const subtle = this.#subtle();
    let store: KeyStore | null = null;
    let pair: CryptoKeyPair | null = null;
    try {
      store = this.#environment.openKeyStore();
      if (store !== null) pair = await this.#inTime(store.get(this.#name));
    } catch (error) {
      // A sandboxed frame has no storage. Elsewhere a session may be bound to the key that lies there: another one would end it.
      if ((error as Error).name !== 'SecurityError') throw unreadableFault();
    }
    pair ??= await this.#make(subtle, store);
    const { kty, crv, x, y } = await subtle.exportKey('jwk', pair.publicKey);
    return { key: pair.privateKey, jwk: { kty, crv, x, y } };
  }

  async #make(subtle: SubtleCrypto, store: KeyStore | null): Promise<CryptoKeyPair> {
    const fresh = await subtle.generateKey(KEY, false, ['sign', 'verify']);
    // Some browsers keep no keys in private windows: then it holds for this page.
    return store === null ? fresh : this.#inTime(store.keep(this.#name, fresh)).catch(() => fresh);
  }

  #inTime<T>(access: Promise<T>): Promise<T> {
    return bounded({ clock: this.#environment, ms: STORAGE_PATIENCE_MS, late: unreadableFault }, () => access);
  }

  #subtle(): SubtleCrypto {
    const subtle = this.#environment.subtle();
    if (subtle !== null) return subtle;
    throw new AdsError('config/browser', 'Tokens can be bound to a key on pages served over https only');
  }
}

function unreadableFault(): AdsError {
  return new AdsError('session/refresh-failed', 'The key of this browser cannot be read now');
}

function encode(value: object): string {
  return base64url(utf8ToBytes(writeJson(value)));
}
