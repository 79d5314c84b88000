import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import { PROBLEM_JSON, problem } from '../http/problem.js';
import type { ServiceContext, ServiceEnv } from '../http/ServiceEnv.js';
import type { Fault } from './FaultPlan.js';

/**
 * Lets requests fail as `choose` says. Stands before everything else, so that nothing mends its answers.
 *
 * @param choose undefined: the request is served as it should be.
 */
export function injectFaults(choose: (c: ServiceContext) => Fault | undefined): MiddlewareHandler<ServiceEnv> {
  return async (c, next) => {
    const fault = choose(c);
    if (fault === undefined) return next();
    switch (fault.kind) {
      case 'drop-before':
        return dropConnection(c);
      case 'drop-after':
        await next();
        await c.res.arrayBuffer();
        c.res = undefined;
        c.res = dropConnection(c);
        return;
      case 'delay':
        await sleep(fault.ms, undefined, { ref: false });
        return next();
      case 'status':
      case 'html':
      case 'redirect':
      case 'big':
        return instead(c, fault);
      case 'drip':
      case 'header':
      case 'mutate':
      case 'truncate':
      case 'no-cors':
        await next();
        await spoil(c, fault);
        return;
    }
  };
}

function dropConnection(c: ServiceContext): Response {
  c.env.outgoing?.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** An answer in place of the service's own, readable by pages of every origin. */
function instead(c: ServiceContext, fault: Extract<Fault, { kind: 'status' | 'html' | 'redirect' | 'big' }>): Response {
  const headers = new Headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  const origin = c.req.header('Origin');
  if (origin !== undefined) {
    headers.set('Access-Control-Allow-Origin', origin);
    headers.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id, Date');
  }
  switch (fault.kind) {
    case 'status': {
      if (fault.retryAfter !== undefined) headers.set('Retry-After', fault.retryAfter);
      headers.set('Content-Type', PROBLEM_JSON);
      const body = problem(fault.status, 'injected_fault', 'Ordered by the fault plan.', 'req_fault');
      return new Response(JSON.stringify(body), { status: fault.status, headers });
    }
    case 'html':
      headers.set('Content-Type', 'text/html; charset=utf-8');
      return new Response('<!doctype html><title>Wi-Fi</title><p>Please accept the terms of this hotspot.</p>', {
        headers,
      });
    case 'redirect':
      headers.set('Location', fault.location);
      return new Response(null, { status: 307, headers });
    case 'big':
      return new Response(blanksAndNull(fault.bytes), { headers });
  }
}

async function spoil(
  c: ServiceContext,
  fault: Extract<Fault, { kind: 'drip' | 'header' | 'mutate' | 'truncate' | 'no-cors' }>,
): Promise<void> {
  const headers = new Headers(c.res.headers);
  const body = new Uint8Array(await c.res.arrayBuffer());
  let spoiled: BodyInit | null = body;
  switch (fault.kind) {
    case 'drip':
      spoiled = byteByByte(body, fault.everyMs);
      break;
    case 'header':
      if (fault.value === null) headers.delete(fault.name);
      else headers.set(fault.name, fault.value);
      break;
    case 'mutate':
      spoiled = JSON.stringify(fault.body);
      break;
    case 'truncate':
      spoiled = body.slice(0, Math.floor(body.length / 2));
      break;
    case 'no-cors':
      for (const name of [...headers.keys()]) {
        if (name.startsWith('access-control-') || name.startsWith('cross-origin-')) headers.delete(name);
      }
      break;
  }
  headers.delete('Content-Length');
  const { status } = c.res;
  // Assigning a response merges the headers of the one before into it; without one it stands as it is.
  c.res = undefined;
  c.res = new Response(status === 204 ? null : spoiled, { status, headers });
}

function byteByByte(body: Uint8Array, everyMs: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      if (sent >= body.length) {
        controller.close();
        return;
      }
      await sleep(everyMs, undefined, { ref: false });
      controller.enqueue(body.slice(sent, sent + 1));
      sent += 1;
    },
  });
}

/** Valid JSON of a given size, made piece by piece. */
function blanksAndNull(bytes: number): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(64 * 1024).fill(0x20);
  let left = bytes - 2;
  return new ReadableStream({
    pull(controller) {
      if (left > 0) {
        controller.enqueue(piece.slice(0, Math.min(left, piece.length)));
        left -= piece.length;
        return;
      }
      controller.enqueue(new TextEncoder().encode('{}'));
      controller.close();
    },
  });
}
