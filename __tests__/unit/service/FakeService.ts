import { browserResponse } from '../../helpers/browserResponse.js';

/** What one request got to the service. */
export interface SeenRequest {
  readonly method: string;
  /** Below the base address. */
  readonly path: string;
  readonly headers: Headers;
  readonly search: string;
  readonly body: Record<string, unknown>;
  readonly redirect: RequestRedirect;
  readonly mode: RequestMode;
  readonly credentials: RequestCredentials;
  readonly cache: RequestCache;
  readonly keepalive: boolean;
  /** Aborted when the client gives the request up. */
  readonly signal: AbortSignal;
}

export type Answer = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> };
/** An answer, a failure of the network, or nothing ever. */
export type Script =
  Answer | Error | 'silence' | ((request: SeenRequest) => Answer | Error | 'silence' | Promise<Answer>);

export const BASE_URL = 'https://ads.example/api';
export const API_KEY = 'test-api-key';
export const PRIVATE_KEY = 'test-private-key';

export const GRANT = {
  access_token: 'access-1',
  token_type: 'Bearer',
  expires_in: 600,
  refresh_token: 'refresh-1',
  refresh_expires_in: 28_800,
  player: { playerId: 'p1', displayName: 'Ada' },
};
export const CONNECT = { auth_req_id: 'request-1', expires_in: 300, interval: 5, binding_message: 'AB12' };

/** Stands in for `fetch`, with one script per path, and keeps what was sent. */
export class FakeService {
  readonly seen: SeenRequest[] = [];
  readonly #scripts = new Map<string, Script[]>();
  readonly #real = globalThis.fetch;

  constructor() {
    globalThis.fetch = (input, init) => this.#answer(input as Request, init);
  }

  restore(): void {
    globalThis.fetch = this.#real;
  }

  /** Answers requests to `path` in this order; the last one goes on for ever. `''` is any path. */
  on(path: string, ...scripts: Script[]): this {
    this.#scripts.set(path, scripts);
    return this;
  }

  to(path: string): SeenRequest[] {
    return this.seen.filter((request) => request.path === path);
  }

  async #answer(input: Request | string, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const path = pathname.replace('/api', '');
    const text = await request.text();
    const seen: SeenRequest = {
      method: request.method,
      path,
      headers: request.headers,
      search,
      redirect: init?.redirect ?? request.redirect,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
      mode: init?.mode ?? request.mode,
      credentials: request.credentials,
      cache: request.cache,
      keepalive: request.keepalive,
      signal: init?.signal ?? request.signal,
    };
    this.seen.push(seen);
    const scripts = this.#scripts.get(path) ?? this.#scripts.get('') ?? [{ status: 404, body: {} }];
    let script: Script = scripts.length > 1 ? scripts.shift()! : scripts[0]!;
    if (typeof script === 'function') script = await script(seen);
    if (script instanceof Error) throw script;
    if (script === 'silence') {
      return new Promise((_, reject) =>
        request.signal.addEventListener('abort', () => reject(new DOMException('cut', 'AbortError'))),
      );
    }
    const { status = 200, body = {}, headers = {} } = script;
    return browserResponse({ text: script.text ?? JSON.stringify(body), status, headers });
  }
}
