import { getFetch } from 'axios/unsafe/adapters/fetch.js';

import { AdsError } from '../errors.js';
import { bounded, timeoutFault } from '../waiting.js';
import type { ClientEnvironment } from './environment.js';
import { parseJson } from './json.js';
import { Reachability } from './Reachability.js';
import { readBody } from './readBody.js';
import { parseRetryAfter } from './retry.js';

/** The most bytes an answer may have, unless its request says another number. */
export const MAX_ANSWER_BYTES = 262_144;
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base address, beginning with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string | undefined;
  /** Total time for the answer with its whole body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * The request goes on when the page ends; browsers allow 64 KiB of such bodies at once. Its failure says nothing about the
   * network.
   */
  readonly outlivesPage?: boolean;
  /**
   * `text`: the body is not read as JSON, whatever the status. For servers that do not follow contract v1.
   * @default 'json'
   */
  readonly answer?: 'json' | 'text';
  /**
   * The most bytes of the answer.
   * @default MAX_ANSWER_BYTES
   */
  readonly maxBytes?: number;
  /**
   * Redirects are followed, which documents of ads often need. Such an address may count each request, or be the notice of a
   * win: no second request looks into a failure.
   * @default false
   */
  readonly followsRedirects?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /**
   * The parsed body; undefined when there is none, also of a success, and when the body of a refusal is not JSON. Fields of a
   * refusal that only repeat what was sent are left out, since errors are made of it. Always a string when
   * {@link HttpRequest.answer} is `text`.
   */
  readonly body: unknown;
  /** The `Retry-After` header, read and clamped; undefined when there is none. */
  readonly retryAfterMs: number | undefined;
}

/** True when the service did what it was asked for; 304 means that there is nothing new. */
export function isSuccess({ status }: HttpAnswer): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

/** Sends requests to one base address. */
export interface Http {
  /**
   * Resolves with any status the service gives.
   * @throws AdsError `net/…`, `response/…`, `service/redirected`
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Something on this device keeps requests from getting through: repeating by itself is pointless now. */
  isBlocked(): boolean;
  /** Forgets past failures, because the network has changed. */
  reset(): void;
}

/** Any number but 0 leaves redirects to the browser, which follows twenty. */
const MAX_REDIRECTS = 20;

/** Their answers have no body, whatever was sent with them. */
const BODILESS = new Set([204, 205, 304]);

/**
 * HTTP by axios' adapter for fetch, without the interceptors, transformations and other adapters around it, which would
 * cost as much again: nothing is sent but what is asked for (no cookies, no XSRF header), redirects are not
 * followed, and the answer is bounded in time and size. This is the one file that knows axios: its errors carry
 * headers and bodies, so none of them leaves, not even as a cause.
 */
export function createHttp(baseUrl: string, environment: ClientEnvironment): Http {
  const defaults = Object.freeze({
    baseURL: baseUrl,
    allowAbsoluteUrls: false,
    maxBodyLength: MAX_ANSWER_BYTES,
    // 'manual' in fetch's words: the redirect is the answer.
    maxRedirects: 0,
    withCredentials: false,
    withXSRFToken: false,
    env: { fetch: fetchAndTell },
    // `readBody` reads the answer: axios leaves the rest of a too large answer unread, and its connection open.
    responseType: 'stream',
    validateStatus: () => true,
  } as const);
  const reachability = new Reachability(baseUrl, environment);

  async function exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const response = await answerTo(request, signal);
    reachability.reset();
    const { status } = response;
    const { maxBytes = MAX_ANSWER_BYTES } = request;
    const bytes = BODILESS.has(status) ? new Uint8Array() : await readBody(response, maxBytes);
    // Browsers show a redirect that was not followed as status 0.
    if (status === 0) throw new AdsError('service/redirected', 'The service answered with a redirect');
    if (status >= 300 && status < 400 && status !== 304) {
      throw new AdsError('service/redirected', `The service answered with a redirect (${status})`, { status });
    }
    const { headers } = response;
    const retryAfterMs = parseRetryAfter(headers.get('retry-after'), headers.get('date'), environment.wallNow());
    // Bytes that are no UTF-8 become a replacement character; a byte order mark is dropped.
    if (request.answer === 'text') return { status, body: new TextDecoder().decode(bytes), retryAfterMs };
    if (bytes.length === 0) return { status, body: undefined, retryAfterMs };
    const body = status < 300 ? parseJson(bytes) : withoutEcho(parseOrUndefined(bytes), request);
    return { status, body, retryAfterMs };
  }

  /** The answer as it arrived. A failure before its arrival is the network's, a failure after it is not. */
  async function answerTo(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    let arrived: Response | null = null;
    const fetchOptions: TellingInit = {
      referrerPolicy: 'strict-origin',
      // An answer to GET is never taken from the cache. An answer to POST is in no cache, and with `no-store` Chromium repeats
      // the preflight before each request, whatever lifetime the service gave the last one.
      ...(request.method === 'GET' ? { cache: 'no-store' } : {}),
      ...(request.outlivesPage ? { keepalive: true } : {}),
      tell: (response) => (arrived = response),
    };
    try {
      await getFetch(defaults)({
        ...defaults,
        ...(request.followsRedirects === true ? { maxRedirects: MAX_REDIRECTS } : {}),
        method: request.method === 'GET' ? 'get' : 'post',
        url: request.path,
        // axios would set a User-Agent of its own, which makes some browsers send a preflight first.
        headers: { Accept: 'application/json', 'User-Agent': false, ...request.headers },
        ...(request.body === undefined ? {} : { data: request.body }),
        signal,
        fetchOptions,
      });
    } catch (error) {
      if (arrived === null)
        throw await reachability.faultOf(error, signal, request.outlivesPage ?? request.followsRedirects);
    }
    return arrived!;
  }

  return {
    send(request) {
      const { timeoutMs: ms, signal } = request;
      return bounded({ clock: environment, ms, late: timeoutFault, signal }, (cut) => exchange(request, cut));
    },
    isBlocked: () => reachability.isBlocked,
    reset: () => reachability.reset(),
  };
}

type TellingInit = RequestInit & { readonly tell: (response: Response) => void };

/**
 * The `fetch` that axios calls, one for all clients. It hands the answer to `tell` as it arrives and gives axios an answer
 * without a body: axios makes a new `Response` of what it gets, which throws for a status above 599, and for a status that
 * may have no body where browsers give it an empty one.
 */
async function fetchAndTell(request: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { tell, ...options } = init as TellingInit;
  const response = await fetch(request, options);
  tell(response);
  return { status: response.status, headers: new Headers(), body: null } as Response;
}

function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    // A gateway's HTML page: the status says what there is to say.
    return undefined;
  }
}

/** A careless service repeats what it was sent, such as a token in place of the request's id. */
function withoutEcho(body: unknown, { headers, body: sent = '' }: HttpRequest): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const all = [sent, ...Object.values(headers)];
  const isEcho = (value: unknown): boolean => typeof value === 'string' && all.some((text) => text.includes(value));
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isEcho(value)));
}
