import axios from 'axios';

import { AdsError, isAdsError } from '../errors.js';
import type { ClientEnvironment } from './environment.js';
import { parseJson } from './json.js';
import { parseRetryAfter } from './retry.js';

/** The most bytes an answer may have. */
export const MAX_ANSWER_BYTES = 262_144;
/** After so many failures in a row that the browser does not explain, something on this device blocks the service. */
export const BLOCKED_AFTER = 3;

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base address, beginning with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  /** Total time for the answer with its whole body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /**
   * The request goes on when the page ends; browsers allow 64 KiB of such at once. A failure says nothing of the network.
   */
  readonly outlivesPage?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** The parsed body; undefined when a refusal has no JSON body, and with 204. */
  readonly body: unknown;
  /** The `Retry-After` header, read and clamped; undefined when there is none. */
  readonly retryAfterMs: number | undefined;
}

/** Sends requests to one base address. */
export interface Http {
  /**
   * Resolves with any status the service gives; a 2xx other than 204 always has a JSON body.
   * @throws AdsError `net/…`, `response/…`, `service/redirected`
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** True after {@link BLOCKED_AFTER} unexplained failures in a row: repeating by itself is pointless now. */
  isBlocked(): boolean;
  /** Forgets past failures, because the network has changed. */
  reset(): void;
}

const FETCH_OPTIONS = Object.freeze({ cache: 'no-store', referrerPolicy: 'strict-origin' } as const);

/** How long the look whether a host answers at all may take. */
const PROBE_TIMEOUT_MS = 2_000;

/**
 * HTTP by axios over fetch: nothing is sent but what is asked for (no cookies, no XSRF header), redirects are not
 * followed, and the answer is bounded in time and size. This is the one file that knows axios: its errors carry
 * headers and bodies, so none of them leaves, not even as a cause.
 */
export function createHttp(baseUrl: string, environment: ClientEnvironment): Http {
  const client = axios.create(
    Object.freeze({
      baseURL: baseUrl,
      adapter: 'fetch',
      allowAbsoluteUrls: false,
      maxBodyLength: MAX_ANSWER_BYTES,
      // 'manual' in fetch's words: the redirect is the answer.
      maxRedirects: 0,
      withCredentials: false,
      withXSRFToken: false,
      // Read here: axios leaves the rest of an answer that is too large on the wire, and its connection open.
      responseType: 'stream',
      validateStatus: () => true,
      transformRequest: (data: unknown) => data,
      transformResponse: (data: unknown) => data,
      fetchOptions: FETCH_OPTIONS,
    } as const),
  );
  let unexplainedFailures = 0;
  let hostAnswers: boolean | null = null;

  async function exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    let response;
    let bytes;
    try {
      response = await client.request<ReadableStream<Uint8Array> | null>({
        method: request.method,
        url: request.path,
        // axios would name itself, which makes some browsers ask the service for leave first.
        headers: { Accept: 'application/json', 'User-Agent': false, ...request.headers },
        ...(request.body === undefined ? {} : { data: request.body }),
        signal,
        ...(request.outlivesPage ? { fetchOptions: { ...FETCH_OPTIONS, keepalive: true } } : {}),
      });
      bytes = await readBody(response.data, Number(headerOf(response.headers, 'content-length') ?? 0));
    } catch (error) {
      throw isAdsError(error) ? error : await faultOf(error, signal, request);
    }
    unexplainedFailures = 0;
    hostAnswers = null;
    const { status } = response;
    // Browsers show a redirect that was not followed as status 0.
    if (status === 0 || (status >= 300 && status < 400)) {
      throw new AdsError('service/redirected', 'The service answered with a redirect', { status });
    }
    const retryAfterMs = parseRetryAfter(headerOf(response.headers, 'retry-after'), environment.wallNow());
    if (status === 204) return { status, body: undefined, retryAfterMs };
    if (status >= 200 && status < 300) return { status, body: parseJson(bytes), retryAfterMs };
    return { status, body: parseOrUndefined(bytes), retryAfterMs };
  }

  async function faultOf(error: unknown, signal: AbortSignal, request: HttpRequest): Promise<AdsError> {
    if (signal.aborted) return abortFault();
    if (!environment.isOnline()) return new AdsError('net/offline', 'The device is offline');
    const socketCode = socketCodeOf(error);
    if (socketCode !== null) {
      return new AdsError('net/unreachable', `The service cannot be reached (${socketCode})`);
    }
    if (request.outlivesPage) return new AdsError('net/unreachable', 'The browser did not send the request');
    // A browser does not tell a page why a request to another origin failed. Whether the host answers a request that
    // needs no leave to be read tells a missing header from a missing service.
    if (environment.page !== null && environment.page.origin !== new URL(baseUrl).origin) {
      hostAnswers ??= await probe(signal);
    }
    if (++unexplainedFailures >= BLOCKED_AFTER || hostAnswers === true) {
      return new AdsError('net/blocked-or-cors', 'The browser did not let the request through');
    }
    return new AdsError('net/unreachable', 'The service cannot be reached');
  }

  async function probe(signal: AbortSignal): Promise<boolean> {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const cancelTimer = environment.after(PROBE_TIMEOUT_MS, stop);
    signal.addEventListener('abort', stop, { once: true });
    try {
      await fetch(baseUrl, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: controller.signal });
      return true;
    } catch {
      return false;
    } finally {
      cancelTimer();
      signal.removeEventListener('abort', stop);
    }
  }

  return {
    async send(request) {
      const { signal } = request;
      if (signal?.aborted) throw abortFault();
      const controller = new AbortController();
      // The race holds the deadline even where fetch, patched by the page or a blocker, ignores its signal.
      let cut!: (fault: AdsError) => void;
      const cutOff = new Promise<never>((_, reject) => (cut = reject));
      const onAbort = (): void => cut(abortFault());
      const cancelTimer = environment.after(request.timeoutMs, () => cut(timeoutFault()));
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        return await Promise.race([exchange(request, controller.signal), cutOff]);
      } finally {
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
        // Closes the socket of a request that was cut or broken off; does nothing to one that is done.
        controller.abort();
      }
    },
    isBlocked: () => unexplainedFailures >= BLOCKED_AFTER,
    reset() {
      unexplainedFailures = 0;
      hostAnswers = null;
    },
  };
}

/**
 * Reads an answer's body to its end.
 * @param declaredBytes what the service says it weighs: the packed size, if it is packed; 0 or NaN when unknown
 * @throws AdsError `response/too-large` after {@link MAX_ANSWER_BYTES}; the rest is not read
 */
async function readBody(body: ReadableStream<Uint8Array> | null, declaredBytes: number): Promise<Uint8Array> {
  // A redirect that was not followed has none.
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let tooLarge = declaredBytes > MAX_ANSWER_BYTES; ; tooLarge = size > MAX_ANSWER_BYTES) {
    if (tooLarge) {
      void reader.cancel().catch(() => undefined);
      throw new AdsError('response/too-large', `The answer has more than ${MAX_ANSWER_BYTES} bytes`);
    }
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The operating system's word for a failed connection, where the runtime gives one. */
function socketCodeOf(error: unknown): string | null {
  let current = error;
  for (let depth = 0; depth < 5 && typeof current === 'object' && current !== null; depth++) {
    const { code, cause } = current as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return code;
    current = cause;
  }
  return null;
}

function headerOf(headers: unknown, name: string): string | undefined {
  const value = (headers as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    // A gateway's HTML page: the status says what there is to say.
    return undefined;
  }
}

function timeoutFault(): AdsError {
  return new AdsError('net/timeout', 'The service did not answer in time');
}

function abortFault(): AdsError {
  return new AdsError('net/aborted', 'The call was cancelled');
}
