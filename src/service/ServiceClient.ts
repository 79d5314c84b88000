import { browserFault } from '../browserFault.js';
import { AdsError, isAdsError } from '../errors.js';
import { isLoopbackHost } from '../hosts.js';
import { type AdsOptions, DEFAULT_BASE_URL } from '../options.js';
import { credentialsOf, type ResolvedOptions, resolveOptions } from '../resolveOptions.js';
import { bounded, destroyedFault } from '../waiting.js';
import type { Ad, AdService, AdSurfaceList, CallOptions } from './AdService.js';
import { readCallOptions, readSurfaceId } from './arguments.js';
import type { ConnectOptions, ConnectResult, LoginResult } from './ConnectResult.js';
import { type Authorizer, createAuthorizer } from './credentials.js';
import {
  type Acknowledgement,
  decodeAcknowledgement,
  decodeAd,
  decodeConnect,
  decodeFault,
  decodeFirstGrant,
  decodeGrant,
  decodePlayer,
  decodeSurfaces,
  type Player,
  type TokenType,
} from './decode.js';
import { DpopProver } from './DpopProver.js';
import { browserEnvironment, type ClientEnvironment } from './environment.js';
import { createHttp, type Http, type HttpAnswer, isSuccess } from './http.js';
import { type Operation, operations } from './operations.js';
import { type CallInput, Requester } from './Requester.js';
import { present } from './present.js';
import { PopupSignIn, type PlainSessionCalls } from './PopupSignIn.js';
import type { PollAnswer } from './SessionCalls.js';
import { type SessionEventMap, SessionEvents } from './SessionChanges.js';
import { type PollVerdict, REFRESH_TIMEOUT_MS } from './SessionMachine.js';
import { serviceFault } from './serviceFault.js';
import type { SessionSnapshot } from './SessionSnapshot.js';
import { SessionStore } from './SessionStore.js';
import { shortHash } from './signing.js';
import { UserSession } from './UserSession.js';

/** A call that its own limits have not ended is ended this long after its deadline. */
const BACKSTOP_MS = 100;
const KNOWN_IDS_IN_HINT = 10;

/** Poll answers that bring no tokens, by CIBA's error words. */
const pollVerdicts: Readonly<Record<string, PollVerdict>> = Object.freeze({
  authorization_pending: 'authorization_pending',
  slow_down: 'slow_down',
  access_denied: 'access_denied',
  expired_token: 'expired_token',
  invalid_grant: 'unknown-request',
});

interface RunLimits {
  /** It is not ended when the client is destroyed. */
  readonly outlivesClient?: boolean;
  /** How long the service may hold its answer, beyond the time limit of a call. */
  readonly holdMs?: number;
  /** The time limit of a call that must be shorter than others. */
  readonly atMostMs?: number;
}

/** What goes with a batch of reports. */
export interface ReportEnvelope {
  /** Whether what the game records outlives its page. Default `'memory'`. */
  readonly durability?: 'disk' | 'memory';
  /** The books of the outbox the events come from. */
  readonly ledger?: object | null;
  /** The page may be gone before the answer. */
  readonly outlivesPage?: boolean;
  /** Called right before each request, which waits for what it returns. */
  readonly leaves?: (() => Promise<void> | undefined) | undefined;
}

/**
 * The client of the ad and account service (contract v1). Works without Phaser; two clients share nothing.
 *
 * Every method that returns a promise settles within `timeoutMs` and rejects with {@link AdsError} only;
 * `waitForGameConnect` within the time the service gives the player.
 */
export class ServiceClient implements AdService {
  readonly #options: ResolvedOptions;
  readonly #environment: ClientEnvironment;
  readonly #http: Http;
  readonly #authorizer: Authorizer;
  readonly #requester: Requester;
  readonly #tokenType: TokenType;
  readonly #popup: PopupSignIn;
  readonly #session: UserSession;
  readonly #unwatch: () => void;
  /** Aborted by {@link ServiceClient.destroy}. */
  readonly #end = new AbortController();
  #running = 0;
  readonly #note: (message: string) => void;
  /**
   * Names storage of this application and service; holds no secret.
   * @internal
   */
  readonly storageName: string;
  #knownSurfaceIds: readonly string[] = [];

  /**
   * @param options `{ apiKey, getToken, baseUrl }` (recommended) or `{ apiKey, privateKey, baseUrl }`
   * @throws AdsError `config/…`
   */
  constructor(options: AdsOptions | ResolvedOptions, environment: ClientEnvironment = browserEnvironment()) {
    const resolved = resolveOptions(options, (message) => environment.warn(message));
    const credentials = credentialsOf(resolved);
    const hostname = environment.page?.hostname ?? '';
    if (resolved.baseUrl === DEFAULT_BASE_URL && hostname !== '' && !isLoopbackHost(hostname)) {
      throw new AdsError(
        'config/base-url',
        '`baseUrl` is missing, and this page is not on the machine of the local service',
      );
    }
    this.#options = resolved;
    this.#environment = environment;
    this.#note = resolved.debug ? (message) => environment.note(`phaser-inview: ${message}`) : () => undefined;
    this.#http = createHttp(resolved.baseUrl, environment);
    this.#authorizer = createAuthorizer(credentials, environment);
    // Games of one portal share its origin: their keys, hashed, keep their sessions apart. What is meant for one service, such
    // as a session or a report, must never reach another.
    const name = `phaser-inview:${shortHash(`${credentials.apiKey}\n${resolved.baseUrl}`)}`;
    this.storageName = name;
    this.#tokenType = resolved.sessionBinding === 'dpop' ? 'dpop' : 'bearer';
    const prover = this.#tokenType === 'dpop' ? new DpopProver(environment, name) : null;
    this.#requester = new Requester(resolved.baseUrl, this.#http, this.#authorizer, environment, prover);
    const storage = resolved.persistSession === 'tab' ? environment.openTabStorage() : null;
    this.#popup = new PopupSignIn(this.#sessionCalls(), environment);
    this.#session = new UserSession(
      this.#popup.calls,
      environment,
      storage === null ? null : new SessionStore(storage, name),
      name,
    );
    const ignore = (): void => undefined;
    this.#unwatch = environment.watchPage({ visible: ignore, hidden: ignore, online: () => this.#http.reset() });
    this.#session.restore();
  }

  /** The player's session as it stands. */
  get session(): SessionSnapshot {
    return this.#session.snapshot;
  }

  /**
   * False while the next request has to wait for a token of the application.
   * @internal
   */
  get isReady(): boolean {
    return this.#authorizer.isReady?.() ?? true;
  }

  /** The ad surfaces of this application. No surfaces is an empty list, not an error. */
  async getAdSurfaces(options?: CallOptions): Promise<AdSurfaceList> {
    const surfaces = decodeSurfaces(await this.#ask(operations.getAdSurfaces, options), this.#note);
    this.#knownSurfaceIds = surfaces.items.map((surface) => surface.adSurfaceId);
    return surfaces;
  }

  /** An ad for one surface. No ad is `{ adId: '', url: '' }`, not an error. */
  async getAd(adSurfaceId: string, options?: CallOptions): Promise<Ad> {
    const id = readSurfaceId(adSurfaceId);
    try {
      return decodeAd(await this.#ask(operations.getAd, options, { adSurfaceId: id }));
    } catch (error) {
      throw isAdsError(error, 'ad/unknown-surface') ? this.#unknownSurface(id, error) : error;
    }
  }

  /**
   * Asks the player with this e-mail address, through the service's web app, to confirm that this game may know them.
   * The answer is the same whether or not the service knows the address.
   * @throws AdsError `arg/email`, `session/already-connected`, `session/superseded`, `net/…`, `service/…`
   */
  connect(email: string, options?: ConnectOptions): Promise<ConnectResult> {
    return this.#session.connect(email, options);
  }

  /** Waits for the connect request that is pending now, for instance one taken up after a reload. */
  waitForGameConnect(options?: CallOptions): Promise<boolean> {
    return this.#session.waitForGameConnect(options);
  }

  /**
   * Signs the player in with a password, which is forgotten when the call settles.
   * @throws AdsError `session/invalid-credentials` and as {@link ServiceClient.connect}
   */
  login(email: string, password: string, options?: ConnectOptions): Promise<LoginResult> {
    return this.#session.login(email, password, options);
  }

  /** Signs out. Always succeeds; the service and other tabs are told as far as they can be reached. */
  logout(): Promise<void> {
    return this.#session.logout();
  }

  /** The signed-in player's profile: a private operation. */
  async getPlayer(options?: CallOptions): Promise<Player> {
    return decodePlayer(await this.#ask(operations.getPlayer, options));
  }

  /**
   * Reports what happened to ads, at most 50 events and 64 KiB at once, each known to the service by its `id`. Resolves
   * to what became of those the service named; the others may be reported again. Outlives {@link ServiceClient.destroy},
   * so that a game can report its own end.
   */
  async reportEvents(
    events: readonly { readonly id: string }[],
    envelope: ReportEnvelope = {},
    options?: CallOptions,
  ): Promise<Acknowledgement> {
    const { durability = 'memory', ledger, outlivesPage = false, leaves } = envelope;
    const environment = this.#environment;
    const body = {
      // Of each request anew: it may have waited, even while the device slept, and corrects the times of the events.
      get sentAt() {
        return Math.round(environment.wallNow());
      },
      durability,
      ...(ledger ? { ledger } : {}),
      events,
    };
    const input = { body, outlivesPage, leaves };
    const answer = await this.#ask(operations.reportEvents, options, input, { outlivesClient: true });
    return decodeAcknowledgement(answer, new Set(events.map(({ id }) => id)));
  }

  on<K extends keyof SessionEventMap>(event: K, handler: (payload: SessionEventMap[K]) => void): this {
    if (typeof handler !== 'function') throw new AdsError('arg/handler', 'Expected the handler to be a function');
    if (event === SessionEvents.CHANGE) this.#session.changes.on(handler);
    return this;
  }

  off<K extends keyof SessionEventMap>(event: K, handler: (payload: SessionEventMap[K]) => void): this {
    if (event === SessionEvents.CHANGE) this.#session.changes.off(handler);
    return this;
  }

  /**
   * Ends everything: open calls and waiters reject with `lifecycle/destroyed`, timers and listeners are gone. Only
   * reports, a sign-out and a withdrawn request on their way are let through.
   */
  destroy(): void {
    this.#session.destroy();
    this.#popup.close();
    this.#unwatch();
    // What has succeeded hears of no end.
    if (this.#running > 0) this.#end.abort(destroyedFault());
    else this.#authorizer.destroy?.();
  }

  /** The body of the answer to a call that carries the player's token, if there is one. */
  async #ask(
    operation: Operation,
    options: CallOptions | undefined,
    input: Pick<CallInput, 'adSurfaceId' | 'body' | 'outlivesPage' | 'leaves'> = {},
    limits: RunLimits = {},
  ): Promise<unknown> {
    const { signal } = readCallOptions(options);
    return this.#run(signal, limits, (bounds) =>
      this.#session.authorize(operation.tag, (bearer) =>
        this.#requester.call(operation, { ...input, ...bounds, bearer }),
      ),
    );
  }

  #sessionCalls(): PlainSessionCalls {
    const call = (operation: Operation, body: object, limits: RunLimits = {}): Promise<unknown> =>
      this.#run(undefined, limits, (bounds) => this.#requester.call(operation, { ...bounds, body }));
    const exchange = (
      operation: Operation,
      body: object,
      limits: RunLimits,
      signal?: AbortSignal,
    ): Promise<HttpAnswer> =>
      this.#run(signal, limits, (bounds) => this.#requester.exchange(operation, { ...bounds, body }));
    return {
      connect: async (email, popup) => {
        const offer = popup === null ? {} : { code_challenge: popup.challenge, state: popup.state };
        return decodeConnect(await call(operations.connect, { login_hint: email, ...offer }), this.#note);
      },
      poll: async (requestId, holdMs, signal) => {
        const wait = Math.floor(holdMs / 1_000);
        const body = {
          grant_type: 'urn:openid:params:grant-type:ciba',
          auth_req_id: requestId,
          ...(wait > 0 ? { wait } : {}),
        };
        const answer = await exchange(operations.poll, body, { holdMs }, signal);
        if (answer.status === 200) return this.#pollSuccess(answer.body);
        const { error } = decodeFault(answer.body);
        if (answer.status !== 400 || error === undefined) throw serviceFault(operations.poll, answer);
        return { verdict: this.#verdictOf(error) };
      },
      login: async (email, password) =>
        decodeFirstGrant(await call(operations.login, { email, password }), this.#tokenType),
      exchange: async (code, verifier) => {
        const body = { grant_type: 'authorization_code', code, code_verifier: verifier };
        const answer = await exchange(operations.exchange, body, {});
        if (isSuccess(answer)) return decodeFirstGrant(answer.body, this.#tokenType);
        if (refusalOf(answer) === 'invalid_grant') return 'refused';
        throw serviceFault(operations.exchange, answer);
      },
      refresh: async (refreshToken) => {
        const body = { grant_type: 'refresh_token', refresh_token: refreshToken };
        const answer = await exchange(operations.refresh, body, { atMostMs: REFRESH_TIMEOUT_MS });
        if (isSuccess(answer)) return decodeGrant(answer.body, this.#tokenType);
        const error = refusalOf(answer);
        // Only these two explicit answers end a session; every other fault may be temporary.
        if (error === 'invalid_grant' || error === 'expired_token') return 'refused';
        throw serviceFault(operations.refresh, answer);
      },
      revoke: async (token) => {
        await call(operations.revoke, { token }, { outlivesClient: true });
      },
      cancel: async (requestId) => {
        await call(operations.cancelConnect, { auth_req_id: requestId }, { outlivesClient: true });
      },
    };
  }

  /** A 200 without tokens tells the state of the request. Contract v1 answers so while the player has not decided. */
  #pollSuccess(body: unknown): PollAnswer {
    const { error, status } = (body ?? {}) as { error?: unknown; status?: unknown };
    const word = error ?? status;
    if (typeof word === 'string' && word !== 'confirmed' && !Object.hasOwn(body as object, 'access_token')) {
      return { verdict: this.#verdictOf(word) };
    }
    return { grant: decodeFirstGrant(body, this.#tokenType) };
  }

  #verdictOf(word: string): PollVerdict {
    if (Object.hasOwn(pollVerdicts, word)) return pollVerdicts[word]!;
    this.#note('Poll answered with an unknown word; still pending');
    return 'authorization_pending';
  }

  /** Gives a call its deadline, and ends it early with its signal or with the client. */
  async #run<T>(
    signal: AbortSignal | undefined,
    { outlivesClient = false, holdMs = 0, atMostMs = Infinity }: RunLimits,
    work: (bounds: { readonly deadline: number; readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    if (this.#session.snapshot.state === 'destroyed') throw destroyedFault();
    const tooOld = browserFault();
    if (tooOld !== null) throw tooOld;
    const timeoutMs = Math.min(this.#options.timeoutMs + holdMs, atMostMs);
    const late = (): AdsError => new AdsError('net/timeout', 'The call did not end in time');
    const end = outlivesClient ? undefined : this.#end.signal;
    const deadline = this.#environment.now() + timeoutMs;
    this.#running++;
    try {
      const bounds = { clock: this.#environment, ms: timeoutMs + BACKSTOP_MS, late, signal, end };
      return await bounded(bounds, (cut) => work({ deadline, signal: cut }));
    } catch (error) {
      throw isAdsError(error) ? error : new AdsError('internal/unexpected', 'A call failed in an unforeseen way');
    } finally {
      // Only now: what is let through may wait for a token.
      if (--this.#running === 0 && this.#end.signal.aborted) this.#authorizer.destroy?.();
    }
  }

  #unknownSurface(id: string, fault: AdsError): AdsError {
    const known = this.#knownSurfaceIds.slice(0, KNOWN_IDS_IN_HINT).map((knownId) => JSON.stringify(knownId));
    const hint = known.length === 0 ? undefined : `Surfaces known from getAdSurfaces(): ${known.join(', ')}.`;
    const details = present({ status: fault.status, requestId: fault.requestId, hint });
    return new AdsError('ad/unknown-surface', `getAd: the service does not know the surface ${JSON.stringify(id)}`, details); // prettier-ignore
  }
}

/** The service's word for a refusal. With a fault of its own (5xx) it says nothing of what it was sent. */
function refusalOf({ status, body }: HttpAnswer): string | undefined {
  return status >= 400 && status < 500 ? decodeFault(body).error : undefined;
}
