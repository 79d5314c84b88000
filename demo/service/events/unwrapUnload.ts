import type { MiddlewareHandler } from 'hono';
import { UnloadCopy } from '../contract.js';
import { ServiceError } from '../http/ServiceError.js';
import type { ServiceEnv } from '../http/ServiceEnv.js';

/**
 * Puts the application/json request in place that a text/plain one stands for. A page that goes away can wait for no
 * preflight, so it may send no header of its own; it sends them inside the body, together with the body they belong to.
 * From here on nothing tells the two apart: the signature is that of the inner request.
 */
export const unwrapUnload: MiddlewareHandler<ServiceEnv> = async (c, next) => {
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (c.req.method !== 'POST' || type !== 'text/plain') return next();
  const copy = UnloadCopy.safeParse(parseJson(await c.req.text()));
  if (!copy.success) throw malformed();
  const headers = headersOf(copy.data.headers);
  headers.set('Content-Type', 'application/json');
  // What the browser says about the page stays true; everything else of the outer request is left behind.
  const origin = c.req.header('Origin');
  if (origin !== undefined) headers.set('Origin', origin);
  c.req.raw = new Request(c.req.url, { method: 'POST', headers, body: copy.data.body });
  c.req.bodyCache = {};
  return next();
};

function headersOf(members: Record<string, string>): Headers {
  try {
    return new Headers(members);
  } catch {
    throw malformed();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function malformed(): ServiceError {
  return new ServiceError(400, 'invalid_request', 'A text/plain body must be JSON with "headers" and "body".');
}
