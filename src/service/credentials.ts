import { bytesToHex } from '@noble/hashes/utils';

import { AdsError } from '../errors.js';
import { isLoopbackHost } from '../hosts.js';
import type { TokenProvider } from '../options.js';
import type { RawCredentials } from '../resolveOptions.js';
import { bounded, destroyedFault } from '../waiting.js';
import type { ClientEnvironment } from './environment.js';
import { createSigner, type SignedRequest } from './signing.js';

/** How long `getToken` may take. */
const TOKEN_PROVIDER_TIMEOUT_MS = 10_000;
/** A minted token is renewed this long before its end. */
const TOKEN_RENEWAL_MS = 30_000;
/** Signatures and tokens live for minutes; a token that claims more than a day is a mistake in the units. */
const MAX_TOKEN_SECONDS = 86_400;

/** The headers that prove the application. */
type ProofHeaders = Readonly<Record<string, string>>;

/** Adds the application level to requests. */
export interface Authorizer {
  /**
   * Waits at most `timeoutMs`.
   * @throws AdsError `config/token-provider`
   */
  headersFor(request: SignedRequest, timeoutMs: number): Promise<ProofHeaders>;
  /** Whether the proof is at hand; absent where it always is. */
  isReady?(): boolean;
  /** Takes over the service's time; true when another try may then succeed. */
  correctClock?(serverTimeSeconds: number): boolean;
  /** The service refused this proof; true when another try would carry a new one. */
  renew?(refused: ProofHeaders): boolean;
  /** Stops a token request in flight. */
  destroy?(): void;
}

/** Makes the authorizer of one client. What it knows lives in closures only. */
export function createAuthorizer(credentials: RawCredentials, environment: ClientEnvironment): Authorizer {
  if (credentials.kind === 'token') return tokenAuthorizer(credentials.getToken, environment);
  warnOfPublicKey(environment);
  const { kind, apiKey, privateKey } = credentials;
  if (kind === 'signed') return signingAuthorizer(apiKey, privateKey, environment);
  return { headersFor: () => Promise.resolve({ 'Api-Key': apiKey, 'Private-Key': privateKey }) };
}

function signingAuthorizer(apiKey: string, privateKey: string, environment: ClientEnvironment): Authorizer {
  const sign = createSigner(apiKey, privateKey);
  let offsetMs = 0;
  return {
    headersFor(request) {
      const createdSeconds = Math.floor((environment.wallNow() + offsetMs) / 1_000);
      return Promise.resolve(sign(request, createdSeconds, bytesToHex(environment.randomBytes(16))));
    },
    correctClock(serverTimeSeconds) {
      offsetMs = serverTimeSeconds * 1_000 - environment.wallNow();
      return true;
    },
  };
}

function tokenAuthorizer(getToken: TokenProvider, environment: ClientEnvironment): Authorizer {
  let token: string | null = null;
  let renewAt = 0;
  let inFlight: Promise<string> | null = null;
  let end = new AbortController();

  async function fetchToken(): Promise<string> {
    const startedAt = environment.now();
    end = new AbortController();
    const late = (): AdsError => providerFault(`did not settle within ${TOKEN_PROVIDER_TIMEOUT_MS} ms`);
    try {
      const bounds = { clock: environment, ms: TOKEN_PROVIDER_TIMEOUT_MS, late, end: end.signal };
      const answer = readToken(await bounded(bounds, provide));
      token = answer.token;
      // Counted from the start of the request: the token may be older than its arrival, never younger. One that lives
      // less than a minute is used for half of its life.
      const lifetimeMs = answer.expiresInSeconds * 1_000;
      renewAt = startedAt + Math.max(lifetimeMs - TOKEN_RENEWAL_MS, lifetimeMs / 2);
      return answer.token;
    } finally {
      inFlight = null;
    }
  }

  async function provide(signal: AbortSignal): Promise<unknown> {
    try {
      return await getToken({ signal });
    } catch (error) {
      // Only the kind of error: its message and properties are the provider's, and may hold what it was sent.
      const { name }: { readonly name?: unknown } = error instanceof Error ? error : { name: 'no Error' };
      throw providerFault(`failed with ${String(name).slice(0, 40)}`);
    }
  }

  const isReady = (): boolean => token !== null && environment.now() < renewAt;

  return {
    isReady,
    async headersFor(_request, timeoutMs) {
      if (isReady()) return { 'Application-Token': token! };
      // Shared by all calls. The fault of one that waits too long for it blames the provider, not the network.
      const flight = (inFlight ??= fetchToken());
      const bounds = { clock: environment, ms: timeoutMs, late: () => providerFault('did not settle in time') };
      return { 'Application-Token': await bounded(bounds, () => flight) };
    },
    renew(refused) {
      // Another call may have brought a new token since.
      if (token === refused['Application-Token']) token = null;
      return true;
    },
    destroy() {
      // One that has succeeded hears of no end.
      if (inFlight !== null) end.abort(destroyedFault());
    },
  };
}

/** Reads both ways of writing an {@link ApplicationToken}; if both names are given, the one of this package counts. */
function readToken(answer: unknown): { token: string; expiresInSeconds: number } {
  let token: unknown;
  let expiresInSeconds: unknown;
  try {
    const given = answer as Record<'token' | 'access_token' | 'expiresInSeconds' | 'expires_in', unknown>;
    token = given.token ?? given.access_token;
    expiresInSeconds = given.expiresInSeconds ?? given.expires_in;
  } catch {
    throw providerFault('did not resolve to an object');
  }
  if (typeof token !== 'string' || token.length > 8_192 || !/^[\x21-\x7e]+$/.test(token)) {
    throw providerFault('resolved without a `token` (or `access_token`) of 1–8192 visible ASCII characters');
  }
  // OAuth servers may leave the lifetime out, and then the token is used until it is refused. Some write it as text.
  if (expiresInSeconds === undefined || expiresInSeconds === null) return { token, expiresInSeconds: Infinity };
  if (typeof expiresInSeconds === 'string' && /^\d{1,12}(\.\d+)?$/.test(expiresInSeconds)) {
    expiresInSeconds = Number(expiresInSeconds);
  }
  if (typeof expiresInSeconds !== 'number' || !(expiresInSeconds > 0 && expiresInSeconds <= MAX_TOKEN_SECONDS)) {
    throw providerFault(
      `resolved to \`expiresInSeconds\` (or \`expires_in\`) not above 0, or above ${MAX_TOKEN_SECONDS}`,
    );
  }
  return { token, expiresInSeconds };
}

function providerFault(what: string): AdsError {
  return new AdsError('config/token-provider', `getToken ${what}`);
}

function warnOfPublicKey({ page, warn }: ClientEnvironment): void {
  if (page === null || page.hostname === '' || isLoopbackHost(page.hostname)) return;
  warn(
    'phaser-inview: a private key runs in this page, where every player can read it. ' +
      'Pass getToken instead of privateKey, so that the key stays on your own server.',
  );
}
