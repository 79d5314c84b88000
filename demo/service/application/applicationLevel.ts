import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../http/ServiceError.js';
import type { ServiceContext, ServiceEnv } from '../http/ServiceEnv.js';
import { equalSecrets } from '../secrets.js';
import type { Application, Applications } from './Applications.js';
import type { ApplicationTokens } from './ApplicationTokens.js';
import {
  contentDigest,
  parseSignature,
  parseSignatureInput,
  signatureBase,
  verifyHmacSha256,
} from './httpSignature.js';
import type { NonceMemory } from './NonceMemory.js';
import { isOriginAllowed } from './origins.js';

/** How far the clocks of a signed request and of the service may be apart. */
const SIGNATURE_WINDOW_MS = 300_000;

/** How an application may prove itself. */
export type Credential = 'signature' | 'token' | 'plain';

export interface ApplicationLevelParts {
  readonly applications: Applications;
  readonly tokens: ApplicationTokens;
  readonly nonces: NonceMemory;
  readonly now: () => number;
}

/**
 * The minimum level of authentication: lets a request pass that proves which application it comes from, by signature,
 * by a token of the game's backend, or by the plain key, and that comes from a page the application registered.
 *
 * @param accepted which proofs count for a path.
 */
export function applicationLevel(
  parts: ApplicationLevelParts,
  accepted: (path: string) => readonly Credential[],
): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const credential = offeredCredential(c);
    const counting = accepted(c.req.path);
    if (credential === undefined || !counting.includes(credential)) {
      throw invalidClient(`Prove the application by one of: ${counting.join(', ')}.`);
    }
    const application = await verifiers[credential](c, parts);
    const origin = c.req.header('Origin');
    if (origin !== undefined && !isOriginAllowed(application.allowedOrigins, origin)) throw originNotAllowed();
    c.set('application', application);
    return next();
  };
}

function offeredCredential(c: ServiceContext): Credential | undefined {
  if (c.req.header('Signature-Input') !== undefined) return 'signature';
  if (c.req.header('Application-Token') !== undefined) return 'token';
  if (c.req.header('Api-Key') !== undefined) return 'plain';
  return undefined;
}

type Verifier = (c: ServiceContext, parts: ApplicationLevelParts) => Promise<Application>;

const verifiers: Readonly<Record<Credential, Verifier>> = {
  async signature(c, { applications, nonces, now }) {
    const input = parseSignatureInput(c.req.header('Signature-Input') ?? '');
    const signature = parseSignature(c.req.header('Signature') ?? '');
    if (input === undefined || signature === undefined) throw invalidClient('The signature headers are malformed.');

    const body = Buffer.from(await c.req.arrayBuffer());
    const missing = requiredComponents(c, body).find((name) => !input.components.includes(name));
    if (missing !== undefined) throw invalidClient(`The signature does not cover "${missing}".`);

    const application = await applications.byApiKey(input.keyId);
    const base = signatureBase(
      input.components.map((name) => [name, componentValue(c, name)]),
      input.parameters,
    );
    // With an unknown key the same work is done, so that the time does not tell which keys exist.
    const key = Buffer.from(application?.privateKey ?? 'no such application', 'utf8');
    const genuine = verifyHmacSha256(key, base, signature);
    if (application === undefined || !genuine) throw invalidClient('The signature does not fit.');

    const digest = c.req.header('Content-Digest');
    if (digest !== undefined && digest !== contentDigest(body)) {
      throw invalidClient('The body does not have the signed digest.');
    }
    const createdAt = input.created * 1000;
    if (Math.abs(now() - createdAt) > SIGNATURE_WINDOW_MS) {
      throw new ServiceError(401, 'clock_skew', 'The request was signed too long ago or in the future.', {
        serverTime: Math.floor(now() / 1000),
      });
    }
    if (!(await nonces.use(application.applicationId, input.nonce, createdAt + SIGNATURE_WINDOW_MS))) {
      throw new ServiceError(401, 'replayed_request', 'A request with this nonce was accepted before.');
    }
    return application;
  },

  async token(c, { applications, tokens }) {
    const grant = await tokens.check(c.req.header('Application-Token') ?? '');
    const application = grant && (await applications.byId(grant.applicationId));
    if (grant === undefined || application === undefined) {
      throw invalidClient('The application token is unknown or expired.');
    }
    const origin = c.req.header('Origin');
    if (grant.origin !== undefined && origin !== undefined && grant.origin !== origin) throw originNotAllowed();
    return application;
  },

  async plain(c, { applications }) {
    const application = await applications.byApiKey(c.req.header('Api-Key') ?? '');
    const genuine = equalSecrets(application?.privateKey ?? 'no such application', c.req.header('Private-Key') ?? '');
    if (application === undefined || !genuine) throw invalidClient('The API key or the private key is wrong.');
    return application;
  },
};

/** What a signature must cover so that nothing that matters can be exchanged under it. */
function requiredComponents(c: ServiceContext, body: Buffer): string[] {
  const required = ['@method', '@path', '@query'];
  if (body.length > 0) required.push('content-digest');
  if (c.req.header('Authorization') !== undefined) required.push('authorization');
  return required;
}

function componentValue(c: ServiceContext, name: string): string {
  const url = new URL(c.req.url);
  switch (name) {
    case '@method':
      return c.req.method;
    case '@authority':
      return url.host;
    case '@path':
      return url.pathname;
    case '@query':
      return url.search === '' ? '?' : url.search;
    default: {
      const value = name.startsWith('@') ? undefined : c.req.header(name);
      if (value === undefined) throw invalidClient(`The signature covers "${name}", which the request does not have.`);
      return value.trim();
    }
  }
}

function invalidClient(description: string): ServiceError {
  return new ServiceError(401, 'invalid_client', description);
}

function originNotAllowed(): ServiceError {
  return new ServiceError(403, 'origin_not_allowed', 'The application did not register the origin of this page.');
}
