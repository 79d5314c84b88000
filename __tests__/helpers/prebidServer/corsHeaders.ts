import type { IncomingMessage } from 'node:http';

/** All that Prebid Server lets a page send. */
const ALLOWED_HEADERS = ['origin', 'x-requested-with', 'content-type', 'accept'];
const ALLOWED_METHODS = ['GET', 'POST', 'HEAD'];

/** Every page may ask, but for a header that is not on the list a browser gets no leave at all. */
export function corsHeaders({ headers, method }: IncomingMessage): Record<string, string> {
  const { origin } = headers;
  if (origin === undefined) return { Vary: 'Origin' };
  const granted = { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' };
  if (method !== 'OPTIONS') return granted;
  const wantedMethod = headers['access-control-request-method'] ?? '';
  const wanted = (headers['access-control-request-headers'] ?? '').toLowerCase();
  const names = wanted.split(',').flatMap((name) => name.trim() || []);
  if (!ALLOWED_METHODS.includes(wantedMethod) || !names.every((name) => ALLOWED_HEADERS.includes(name))) {
    return { Vary: 'Origin' };
  }
  return {
    ...granted,
    'Access-Control-Allow-Methods': wantedMethod,
    ...(wanted === '' ? {} : { 'Access-Control-Allow-Headers': wanted }),
  };
}
