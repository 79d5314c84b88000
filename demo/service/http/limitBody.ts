import type { MiddlewareHandler } from 'hono';
import { ServiceError } from './ServiceError.js';
import type { ServiceEnv } from './ServiceEnv.js';

/**
 * Refuses bodies of more than `maxKiB` before anything looks at them.
 *
 * Hono's own limit makes the request anew from one whose body is read already, which Node refuses: whatever comes in
 * pieces, or has no body at all, would be an unforeseen fault.
 */
export function limitBody(maxKiB: number): MiddlewareHandler<ServiceEnv> {
  const maxBytes = maxKiB * 1024;
  return async (c, next) => {
    if (c.req.header('Transfer-Encoding') === undefined) {
      // The server reads no more than is declared.
      if (Number(c.req.header('Content-Length') ?? 0) > maxBytes) throw tooLarge(maxKiB);
      return next();
    }
    const { raw } = c.req;
    // It has no body (RFC 9110, 9.3.8), and none can be made for it.
    if (raw.method === 'TRACE') throw new ServiceError(400, 'invalid_request', 'A body is not for this method.');
    const body = raw.body === null ? new Uint8Array() : await readAtMost(raw.body, maxBytes);
    if (body === undefined) throw tooLarge(maxKiB);
    c.req.raw = new Request(c.req.url, {
      method: raw.method,
      headers: raw.headers,
      ...(body.length === 0 ? {} : { body }),
    });
    return next();
  };
}

/** Undefined when there is more; the rest is not read. */
async function readAtMost(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    if (size > maxBytes) return undefined;
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

function tooLarge(maxKiB: number): ServiceError {
  return new ServiceError(413, 'body_too_large', `A body may have at most ${String(maxKiB)} KiB.`);
}
