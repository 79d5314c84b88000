import type { ServiceContext } from '../http/ServiceEnv.js';

/** What a form of ours is answered with when it has done its work. */
export function done(c: ServiceContext, path = '/app'): Response {
  return wantsJson(c) ? c.json({}) : c.redirect(path, 303);
}

/** Scripts of our pages ask for JSON, so that the page stays. */
export function wantsJson(c: ServiceContext): boolean {
  return c.req.header('Accept') === 'application/json';
}
