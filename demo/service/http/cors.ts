import type { MiddlewareHandler } from 'hono';
import { ServiceError } from './ServiceError.js';
import type { ServiceEnv } from './ServiceEnv.js';

const ALLOWED_HEADERS = [
  'Content-Type',
  'Authorization',
  'DPoP',
  'Application-Token',
  'Api-Key',
  'Private-Key',
  'Content-Digest',
  'Signature-Input',
  'Signature',
].join(', ');

/**
 * Lets pages of registered origins read the answers. No cookies are involved: the interface knows headers only.
 *
 * @param isRegistered whether any application registered the origin. A preflight names no application; whether the
 *   origin fits the one that asks is checked with its credentials.
 */
export function cors(isRegistered: (origin: string) => Promise<boolean>): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const origin = c.req.header('Origin');
    c.header('Vary', 'Origin');
    const registered = origin !== undefined && (await isRegistered(origin));
    if (registered) {
      c.header('Access-Control-Allow-Origin', origin);
      c.header('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id, Date');
    }
    if (c.req.method !== 'OPTIONS') return next();
    if (!registered) throw new ServiceError(403, 'origin_not_allowed', 'No application registered this origin.');
    c.header('Access-Control-Allow-Methods', 'GET, POST');
    c.header('Access-Control-Allow-Headers', ALLOWED_HEADERS);
    // The longest that Chromium keeps it; it asks for each surface.
    c.header('Access-Control-Max-Age', '7200');
    return c.body(null, 204);
  };
}
