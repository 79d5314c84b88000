import type { MiddlewareHandler } from 'hono';
import type { ServiceEnv } from '../http/ServiceEnv.js';
import { passingPage } from './pages.js';

/** See {@link passingPage}. What browsers do not say where they come from get the page as a stranger would. */
export const passCrossSite: MiddlewareHandler<ServiceEnv> = (c, next) => {
  const site = c.req.header('Sec-Fetch-Site');
  if (c.req.method !== 'GET' || (site !== 'cross-site' && site !== 'same-site')) return next();
  const { pathname, search } = new URL(c.req.url);
  return Promise.resolve(c.html(passingPage(pathname + search)));
};
