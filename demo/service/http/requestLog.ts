import { matchedRoutes } from 'hono/route';
import type { MiddlewareHandler } from 'hono';
import { newId, type Random } from '../secrets.js';
import type { ServiceEnv } from './ServiceEnv.js';

/**
 * Names each request and writes one line for it: id, method, route, status, milliseconds.
 *
 * The route's pattern is written, not the path that came, so that nothing a caller puts into an address can get into
 * the log.
 */
export function requestLog(
  log: (line: string) => void,
  now: () => number,
  random: Random,
): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const requestId = newId('req', random);
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    const start = now();
    await next();
    const served = matchedRoutes(c).find((candidate) => candidate.method !== 'ALL')?.path;
    const route = served ?? (c.req.method === 'OPTIONS' ? '(preflight)' : '(no such route)');
    log(`${requestId} ${c.req.method} ${route} ${String(c.res.status)} ${String(Math.round(now() - start))}ms`);
  };
}
