import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { RunningService } from '../../../demo/service/startService.js';
import { DEMO_APPLICATION, DEMO_PLAYER } from '../../../demo/service/seedDemo.js';
import { contractViolation } from './ContractChecker.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface TokenBody {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly refresh_expires_in: number;
  readonly token_type: string;
  readonly player: { readonly playerId: string; readonly displayName: string };
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Access token of a player. */
  readonly bearer?: string;
  /** Headers that prove the application; default: a fresh, right signature. */
  readonly credential?: Record<string, string>;
}

export interface SigningOptions {
  readonly method: string;
  /** With the base path, and the query if there is one. */
  readonly target: string;
  readonly body?: string;
  readonly authorization?: string;
  readonly keyId?: string;
  readonly key?: string;
  readonly nonce?: string;
  /** Seconds since 1970. */
  readonly created?: number;
  readonly components?: readonly string[];
}

export const CIBA = 'urn:openid:params:grant-type:ciba';

/** Signs as contract v1 says, written independently of the service and of the client. */
export function sign(options: SigningOptions): Record<string, string> {
  const { method, target, body, authorization } = options;
  const { keyId = DEMO_APPLICATION.apiKey, key = DEMO_APPLICATION.privateKey } = options;
  const { nonce = randomBytes(16).toString('hex'), created = Math.floor(Date.now() / 1000) } = options;
  const [path = '', query = ''] = target.split('?');
  const values: Record<string, string> = { '@method': method, '@path': path, '@query': `?${query}` };
  if (body !== undefined) {
    values['content-digest'] = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  }
  if (authorization !== undefined) values['authorization'] = authorization;
  const components = options.components ?? Object.keys(values);
  const list = components.map((name) => `"${name}"`).join(' ');
  const parameters = `(${list});created=${String(created)};nonce="${nonce}";keyid="${keyId}";alg="hmac-sha256"`;
  const base = [...components.map((name) => `"${name}": ${values[name] ?? ''}`), `"@signature-params": ${parameters}`];
  const signature = createHmac('sha256', key).update(base.join('\n')).digest('base64');
  return {
    'Signature-Input': `sig1=${parameters}`,
    Signature: `sig1=:${signature}:`,
    ...(values['content-digest'] === undefined ? {} : { 'Content-Digest': values['content-digest'] }),
  };
}

/** Calls a running service over HTTP and holds every JSON answer against the OpenAPI document. */
export class ServiceCaller {
  readonly #service: RunningService;

  constructor(service: RunningService) {
    this.#service = service;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const authorization = options.bearer === undefined ? undefined : `Bearer ${options.bearer}`;
    const credential =
      options.credential ??
      sign({
        method,
        target: `/api${path}`,
        created: Math.floor(this.#service.clock.now() / 1000),
        ...(body === undefined ? {} : { body }),
        ...(authorization === undefined ? {} : { authorization }),
      });
    const response = await fetch(this.#service.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(authorization === undefined ? {} : { Authorization: authorization }),
        ...credential,
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
    const violation = contractViolation(method, path.split('?')[0] ?? '', answer);
    if (violation !== undefined) throw new Error(`${method} ${path} ${String(answer.status)}: ${violation}`);
    return answer;
  }

  get(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.call('GET', path, options);
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call('POST', path, { ...options, body });
  }

  /** Logs the demo's player in. */
  async login(): Promise<TokenBody> {
    const { email, password } = DEMO_PLAYER;
    return tokens(await this.post('/v1/login', { email, password }));
  }

  refresh(refreshToken: string): Promise<Answer> {
    return this.post('/v1/token', { grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  poll(authReqId: string): Promise<Answer> {
    return this.post('/v1/token', { grant_type: CIBA, auth_req_id: authReqId });
  }

  /** Starts a connect request and gives its id. */
  async connect(email: string = DEMO_PLAYER.email): Promise<{ authReqId: string; code: string }> {
    const { status, body } = await this.post('/v1/bc-authorize', { login_hint: email });
    if (status !== 200) throw new Error(`bc-authorize answered ${String(status)}`);
    return { authReqId: String(body['auth_req_id']), code: String(body['binding_message']) };
  }

  player(accessToken: string): Promise<Answer> {
    return this.get('/v1/player', { bearer: accessToken });
  }
}

export function tokens(answer: Answer): TokenBody {
  if (answer.status !== 200 || answer.body['access_token'] === undefined)
    throw new Error(`expected tokens, got ${String(answer.status)} ${JSON.stringify(answer.body)}`);
  return answer.body as unknown as TokenBody;
}

/** Runs work on several things at the same time. */
export function atOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
