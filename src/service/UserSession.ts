import { AdsError, isAdsError, isLasting } from '../errors.js';
import type { CallOptions } from './AdService.js';
import { readCallOptions, readEmail, readPassword } from './arguments.js';
import type { ConnectRequest, Grant, Player } from './decode.js';
import type { ClientEnvironment, TabChannel } from './environment.js';
import type { OperationTag } from './operations.js';
import { SessionMachine } from './SessionMachine.js';
import type { ExpiredReason, PollVerdict, SessionInput, SessionState, SessionStep } from './SessionMachine.js';
import type { SessionStore } from './SessionStore.js';
import { shortHash } from './signing.js';

/** The requests a session makes. Each settles within the client's time limit and rejects with AdsError only. */
export interface SessionCalls {
  connect(email: string): Promise<ConnectRequest>;
  poll(requestId: string): Promise<{ readonly verdict: PollVerdict } | { readonly grant: FirstGrant }>;
  login(email: string, password: string): Promise<FirstGrant>;
  refresh(refreshToken: string): Promise<Grant | 'refused'>;
  revoke(token: string): Promise<void>;
  cancel(requestId: string): Promise<void>;
}

export type FirstGrant = Grant & { readonly player: Player };

export const SessionEvents = {
  /** The session has entered another state. */
  CHANGE: 'sessionchange',
} as const;

/** What can be told of a session; holds no token and no e-mail address. */
export interface SessionSnapshot {
  readonly state: SessionState;
  /** `user` while a player is signed in. */
  readonly level: OperationTag;
  readonly player: Player | null;
  /** Signed in, but the access token is over and could not be renewed yet. */
  readonly isStale: boolean;
  /** Only in state `expired`. */
  readonly expiredReason: ExpiredReason | null;
  /** Only in state `pending`: the code the player compares. */
  readonly bindingCode: string | null;
  /** Only in state `pending`: when the request ends, in milliseconds since 1970 by this device's clock. */
  readonly requestExpiresAt: number | null;
}

export interface SessionEventMap {
  sessionchange: { readonly previous: SessionState; readonly session: SessionSnapshot };
}

/** `replace` signs the present player out first, where else `session/already-connected` is the answer. */
export interface ConnectOptions extends CallOptions {
  readonly replace?: boolean;
}

/** A connect request the player is asked to confirm in the service's web app. */
export interface ConnectResult {
  readonly game: {
    /**
     * Resolves true when the player confirms; false when the player denies, the request expires, is cancelled or
     * replaced. Aborting the signal cancels the request.
     * @throws AdsError `net/aborted`, `lifecycle/destroyed`, or the fault that broke the request
     */
    waitForGameConnect(options?: CallOptions): Promise<boolean>;
  };
  /** When the request ends, in milliseconds since 1970 by this device's clock: for a countdown. */
  readonly expiresAt: number;
  /** Show it: the web app shows the same code, so that the player confirms the right request. Empty when there is none. */
  readonly bindingCode: string;
  /** Withdraws the request; waiters get false. Does nothing once it is settled. */
  cancel(): void;
}

/** Answer of a login. The tokens stay inside the client. */
export interface LoginResult {
  readonly player: Player;
  /** When the access token ends, in milliseconds since 1970 by this device's clock; it is renewed by itself. */
  readonly expiresAt: number;
}

/** How long `logout` waits for the service to hear of it. */
const REVOKE_PATIENCE_MS = 2_000;
/** Timers stand still while a device sleeps, so they are short and compare times when they ring. */
const LONGEST_PENDING_TICK_MS = 5_000;
const LONGEST_CONNECTED_TICK_MS = 30_000;
const SIGNED_OUT = 'signed-out';
/** Followed by the fingerprint of the refresh token a page has taken up. */
const TAKEN_UP = 'taken-up:';

interface PendingRequest {
  readonly id: string;
  readonly bindingCode: string;
  readonly expiresAt: number;
  /** Null while the player has not answered. */
  outcome: boolean | AdsError | null;
  readonly waiters: Set<(outcome: boolean | AdsError) => void>;
}

interface Tokens {
  readonly access: string;
  readonly refresh: string | null;
  readonly player: Player;
  /** By the wall clock: when they arrived, and when the session ends. */
  readonly grantedAt: number;
  readonly sessionEndsAt: number;
}

/**
 * The player's session: {@link SessionMachine} with requests, timers, waiters and events around it.
 *
 * Every answer carries the generation it was asked in; what arrives for an earlier one is dropped and, if it brought
 * tokens, they are revoked. So no late answer ever revives a session that was ended.
 */
export class UserSession {
  readonly #machine = new SessionMachine();
  readonly #calls: SessionCalls;
  readonly #environment: ClientEnvironment;
  readonly #store: SessionStore | null;
  readonly #channel: TabChannel | null;
  readonly #unwatch: () => void;
  readonly #handlers = new Set<(change: SessionEventMap['sessionchange']) => void>();
  /** Changes not told yet, while handlers are told of an earlier one. */
  readonly #untold: SessionEventMap['sessionchange'][] = [];
  #isTelling = false;
  #tokens: Tokens | null = null;
  #request: PendingRequest | null = null;
  #attempt: { readonly generation: number; fail(fault: AdsError): void } | null = null;
  #refreshFlight: Promise<void> | null = null;
  #refreshFault: AdsError | null = null;
  /** The service being told of the last sign-out. */
  #revocation: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = nothing;
  #isPageHidden = false;

  /** @param channelName names the sign-out channel to other tabs of the same application */
  constructor(calls: SessionCalls, environment: ClientEnvironment, store: SessionStore | null, channelName: string) {
    this.#calls = calls;
    this.#environment = environment;
    this.#store = store;
    this.#channel = environment.openChannel(channelName, (message) => {
      if (message === SIGNED_OUT) this.#feed({ type: 'signedOutElsewhere' });
      else if (message === this.#takenUpMessage()) this.#feed({ type: 'unauthorized' });
    });
    this.#unwatch = environment.watchPage({
      visible: () => this.#onVisible(),
      hidden: () => this.#onHidden(),
      online: () => this.#awake(),
    });
  }

  /** Takes up what the tab's former page has left. */
  restore(): void {
    const wallNow = this.#environment.wallNow();
    const stored = this.#store?.take(wallNow) ?? null;
    if (stored === null) return;
    const leftMs = stored.endsAt - wallNow;
    if (stored.kind === 'session') {
      const { refreshToken, player, endsAt } = stored;
      this.#feed({ type: 'restoreSession', sessionMs: leftMs }, () => {
        this.#tokens = { access: '', refresh: refreshToken, player, grantedAt: wallNow, sessionEndsAt: endsAt };
      });
      this.#channel?.post(this.#takenUpMessage()!);
    } else {
      const { requestId, bindingCode, endsAt, intervalMs } = stored;
      this.#feed({ type: 'restoreRequest', expiresInMs: leftMs, intervalMs }, () => {
        this.#request = { id: requestId, bindingCode, expiresAt: endsAt, outcome: null, waiters: new Set() };
      });
    }
  }

  get snapshot(): SessionSnapshot {
    const { state, expiredReason } = this.#machine;
    const isConnected = state === 'connected';
    const request = state === 'pending' ? this.#request : null;
    return Object.freeze({
      state,
      level: isConnected ? 'user' : 'application',
      player: isConnected ? (this.#tokens?.player ?? null) : null,
      isStale: isConnected && !this.#machine.isTokenAlive(this.#environment.now()),
      expiredReason,
      bindingCode: request?.bindingCode ?? null,
      requestExpiresAt: request?.expiresAt ?? null,
    });
  }

  on(handler: (change: SessionEventMap['sessionchange']) => void): void {
    this.#handlers.add(handler);
  }

  off(handler: (change: SessionEventMap['sessionchange']) => void): void {
    this.#handlers.delete(handler);
  }

  async connect(email: unknown, options?: unknown): Promise<ConnectResult> {
    const address = readEmail(email);
    const { signal, replace } = readCallOptions(options);
    const request = await this.#try('connect', signal, replace, {
      send: () => this.#calls.connect(address),
      accept: (answer, generation) => {
        const { requestId: id, bindingCode, expiresInMs, intervalMs } = answer;
        const expiresAt = this.#environment.wallNow() + expiresInMs;
        return this.#feed({ type: 'connectAccepted', generation, expiresInMs, intervalMs }, () => {
          this.#request = { id, bindingCode, expiresAt, outcome: null, waiters: new Set() };
        }).accepted
          ? this.#request
          : null;
      },
      undo: (answer) => this.#tell(this.#calls.cancel(answer.requestId)),
    });
    if (signal !== undefined) this.#cancelOnAbort(request, signal);
    return Object.freeze({
      game: Object.freeze({
        waitForGameConnect: (waitOptions?: CallOptions) => this.#wait(request, waitOptions),
      }),
      expiresAt: request.expiresAt,
      bindingCode: request.bindingCode,
      cancel: () => this.#cancel(request),
    });
  }

  async login(email: unknown, password: unknown, options?: unknown): Promise<LoginResult> {
    const address = readEmail(email);
    const secret = readPassword(password);
    const { signal, replace } = readCallOptions(options);
    const grant = await this.#try('login', signal, replace, {
      send: () => this.#calls.login(address, secret),
      accept: (answer, generation) => (this.#signIn('loginAccepted', generation, answer) ? answer : null),
      undo: (answer) => this.#revoke(answer),
    });
    return Object.freeze({ player: grant.player, expiresAt: this.#environment.wallNow() + grant.lifetimeMs });
  }

  /** Waits for the request that is pending now. */
  async waitForGameConnect(options?: unknown): Promise<boolean> {
    this.#refuseWhenDestroyed();
    const { state } = this.#machine;
    if (state === 'pending' && this.#request !== null) return this.#wait(this.#request, options);
    readCallOptions(options);
    if (state === 'connected') return true;
    throw new AdsError('session/no-pending-request', 'No connect request is pending');
  }

  /** Signs out here at once, then tells the other tabs and, for at most 2 s, the service. */
  async logout(): Promise<void> {
    this.#refuseWhenDestroyed();
    const revoked = this.#signOut();
    this.#channel?.post(SIGNED_OUT);
    let cancelTimer = nothing;
    const patience = new Promise<void>((resolve) => {
      cancelTimer = this.#environment.after(REVOKE_PATIENCE_MS, resolve);
    });
    await Promise.race([revoked, patience]);
    cancelTimer();
  }

  /**
   * Runs a call with the player's token: `user` calls are refused without one, `application` calls carry it when it is
   * there. A token the service refuses is renewed once.
   */
  async authorize<T>(tag: OperationTag, run: (bearer: string | undefined) => Promise<T>): Promise<T> {
    this.#refuseWhenDestroyed();
    const bearer = tag === 'user' ? await this.#liveToken() : this.#tokenIfAlive();
    try {
      return await run(bearer);
    } catch (error) {
      if (bearer === undefined || !isAdsError(error, 'session/user-required')) throw error;
      if (bearer === this.#tokens?.access) this.#feed({ type: 'unauthorized' });
      return run(tag === 'user' ? await this.#liveToken() : undefined);
    }
  }

  destroy(): void {
    if (!this.#feed({ type: 'destroy' }).accepted) return;
    this.#unwatch();
    this.#channel?.close();
  }

  /** One connect or login: settles with the first of its answer, its signal, and whatever replaces it. */
  #try<TAnswer, TResult>(
    type: 'connect' | 'login',
    signal: AbortSignal | undefined,
    replace: boolean,
    steps: {
      send(): Promise<TAnswer>;
      /** Null when the answer came too late. */
      accept(answer: TAnswer, generation: number): TResult | null;
      undo(answer: TAnswer): Promise<void>;
    },
  ): Promise<TResult> {
    this.#refuseWhenDestroyed();
    if (signal?.aborted) throw abortFault();
    if (replace && this.#machine.state === 'connected') void this.#signOut();
    let generation = 0;
    if (!this.#feed({ type }, () => (generation = this.#machine.generation)).accepted) {
      throw new AdsError('session/already-connected', `${type}: a player is signed in`);
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        fail(abortFault());
        if (this.#machine.generation === generation) this.#feed({ type: 'cancel' });
      };
      const leave = (): void => {
        signal?.removeEventListener('abort', onAbort);
        if (this.#attempt?.generation === generation) this.#attempt = null;
      };
      const fail = (fault: AdsError): void => {
        leave();
        reject(fault);
      };
      // A handler of the change just told may have begun something else.
      if (this.#machine.generation !== generation) {
        fail(this.#supersededFault());
        return;
      }
      this.#attempt = { generation, fail };
      signal?.addEventListener('abort', onAbort, { once: true });
      steps.send().then(
        (answer) => {
          const result = steps.accept(answer, generation);
          if (result === null) {
            void steps.undo(answer);
            return;
          }
          leave();
          resolve(result);
        },
        (reason: unknown) => {
          const fault = asFault(reason);
          if (this.#attempt?.generation === generation) fail(fault);
          this.#feed({ type: type === 'connect' ? 'connectFailed' : 'loginFailed', generation });
        },
      );
    });
  }

  /** The one way into the machine: applies an input and does what follows from the step. */
  #feed(input: SessionInput, commit: () => void = nothing, fault: AdsError | null = null): SessionStep {
    const step = this.#machine.apply(input, this.#environment.now());
    if (!step.accepted) return step;
    const { from, to } = step;
    const left = from === 'pending' && to !== 'pending' ? this.#request : null;
    commit();
    if (to !== 'connected' && this.#tokens !== null) {
      // A refused session has nothing left to revoke; a destroyed client is silent.
      if (to === 'signedOut') this.#revocation = this.#revoke(this.#tokens);
      this.#tokens = null;
      this.#refreshFault = null;
    }
    if (this.#attempt !== null && this.#attempt.generation !== this.#machine.generation) {
      this.#attempt.fail(this.#supersededFault());
    }
    if (left !== null) this.#settle(left, to, fault);
    if (step.request === 'poll') this.#poll();
    else if (step.request === 'refresh') this.#refresh();
    this.#keepForNextPage();
    this.#schedule();
    if (from !== to) this.#emit(from);
    return step;
  }

  #signOut(): Promise<void> {
    this.#revocation = Promise.resolve();
    this.#feed({ type: 'logout' });
    return this.#revocation;
  }

  #signIn(type: 'confirmed' | 'loginAccepted' | 'refreshed', generation: number, grant: Grant): boolean {
    const wallNow = this.#environment.wallNow();
    const former = this.#tokens;
    // A refresh that does not rotate the token leaves the old one, with its old end, in place (RFC 6749 §6).
    const keepsToken = type === 'refreshed' && grant.refreshToken === null;
    const refresh = keepsToken ? (former?.refresh ?? null) : grant.refreshToken;
    const sessionMs = keepsToken ? Math.max(0, (former?.sessionEndsAt ?? 0) - wallNow) : grant.refreshLifetimeMs;
    const player = grant.player ?? former?.player;
    if (player === undefined) return false;
    const times = { lifetimeMs: grant.lifetimeMs, sessionMs: refresh === null ? null : sessionMs };
    return this.#feed({ type, generation, ...times }, () => {
      this.#refreshFault = null;
      this.#tokens = {
        access: grant.accessToken,
        refresh,
        player,
        grantedAt: wallNow,
        sessionEndsAt: wallNow + sessionMs,
      };
    }).accepted;
  }

  #poll(): void {
    const { generation } = this.#machine;
    this.#calls.poll(this.#request!.id).then(
      (answer) => {
        if ('verdict' in answer) this.#feed({ type: 'pollAnswered', generation, answer: answer.verdict });
        else if (!this.#signIn('confirmed', generation, answer.grant)) void this.#revoke(answer.grant);
      },
      (reason: unknown) => {
        const fault = asFault(reason);
        const { retryAfterMs } = fault;
        // What the service has granted in a form nobody can read is granted no better the next time.
        const isBroken = isLasting(fault) || fault.code === 'response/schema';
        if (isBroken) this.#feed({ type: 'pollAnswered', generation, answer: 'broken' }, nothing, fault);
        else if (retryAfterMs === undefined) this.#feed({ type: 'pollFailed', generation });
        else this.#feed({ type: 'pollFailed', generation, retryAfterMs });
      },
    );
  }

  #refresh(): void {
    const { generation } = this.#machine;
    const flight: Promise<void> = this.#calls
      .refresh(this.#tokens!.refresh!)
      .then(
        (answer) => {
          if (answer === 'refused') this.#feed({ type: 'refreshRefused', generation });
          else if (!this.#signIn('refreshed', generation, answer)) void this.#revoke(answer);
        },
        (reason: unknown) => {
          const fault = asFault(reason);
          this.#feed({ type: 'refreshFailed', generation }, () => (this.#refreshFault = fault));
        },
      )
      .finally(() => {
        if (this.#refreshFlight === flight) this.#refreshFlight = null;
      });
    this.#refreshFlight = flight;
  }

  #tokenIfAlive(): string | undefined {
    return this.#machine.isTokenAlive(this.#environment.now()) ? this.#tokens?.access : undefined;
  }

  async #liveToken(): Promise<string> {
    let token = this.#tokenIfAlive();
    if (token === undefined && this.#machine.state === 'connected') {
      this.#feed({ type: 'unauthorized' });
      await this.#refreshFlight;
      token = this.#tokenIfAlive();
    }
    if (token !== undefined) return token;
    this.#refuseWhenDestroyed();
    if (this.#machine.state !== 'connected') throw new AdsError('session/user-required', 'No player is signed in');
    throw this.#refreshFault ?? new AdsError('session/refresh-failed', 'The session could not be renewed');
  }

  #wait(request: PendingRequest, options: unknown): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const { signal } = readCallOptions(options);
      if (signal?.aborted) throw abortFault();
      const settle = (outcome: boolean | AdsError): void => {
        request.waiters.delete(settle);
        signal?.removeEventListener('abort', onAbort);
        if (typeof outcome === 'boolean') resolve(outcome);
        else reject(outcome);
      };
      const onAbort = (): void => {
        settle(abortFault());
        this.#cancel(request);
      };
      if (request.outcome !== null) {
        settle(request.outcome);
        return;
      }
      request.waiters.add(settle);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** The signal given to `connect` goes on to hold for the request: its waiters get the abort. */
  #cancelOnAbort(request: PendingRequest, signal: AbortSignal): void {
    const onAbort = (): void => {
      for (const settle of [...request.waiters]) settle(abortFault());
      this.#cancel(request);
    };
    if (signal.aborted) {
      this.#cancel(request);
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    request.waiters.add(function forget() {
      request.waiters.delete(forget);
      signal.removeEventListener('abort', onAbort);
    });
  }

  #cancel(request: PendingRequest): void {
    if (request === this.#request && request.outcome === null) this.#feed({ type: 'cancel' });
  }

  #settle(request: PendingRequest, to: SessionState, fault: AdsError | null): void {
    request.outcome = to === 'destroyed' ? destroyedFault() : (fault ?? to === 'connected');
    for (const settle of [...request.waiters]) settle(request.outcome);
    this.#request = null;
    const withdrawn = to === 'application' || to === 'connecting' || to === 'authenticating' || to === 'signedOut';
    if (withdrawn) void this.#tell(this.#calls.cancel(request.id));
  }

  #revoke(tokens: Grant | Tokens): Promise<void> {
    const { refresh, access } =
      'accessToken' in tokens ? { refresh: tokens.refreshToken, access: tokens.accessToken } : tokens;
    const token = refresh ?? access;
    return token === '' ? Promise.resolve() : this.#tell(this.#calls.revoke(token));
  }

  /** Best effort: here everything is as it should be whether or not the service hears of it. */
  #tell(call: Promise<void>): Promise<void> {
    return call.catch(nothing);
  }

  /**
   * A hidden tab that the player duplicates shares its refresh token with the copy. Whoever holds it renews it as soon
   * as the copy does: together they are a lost answer to the service, one after the other a theft.
   */
  #takenUpMessage(): string | null {
    const refresh = this.#tokens?.refresh ?? null;
    return refresh === null ? null : TAKEN_UP + shortHash(refresh);
  }

  #onVisible(): void {
    this.#isPageHidden = false;
    this.#store?.clear();
    this.#awake();
  }

  #onHidden(): void {
    this.#isPageHidden = true;
    this.#keepForNextPage();
  }

  #awake(): void {
    const { grantedAt } = this.#tokens ?? { grantedAt: Infinity };
    this.#feed({ type: 'awake', sinceGrantMs: this.#environment.wallNow() - grantedAt });
  }

  #keepForNextPage(): void {
    if (this.#store === null || !this.#isPageHidden) return;
    const request = this.#request;
    const tokens = this.#tokens;
    if (request !== null) {
      const { id: requestId, bindingCode, expiresAt: endsAt } = request;
      this.#store.save({ kind: 'request', requestId, bindingCode, endsAt, intervalMs: this.#machine.intervalMs });
    } else if (tokens?.refresh) {
      const { refresh: refreshToken, player, sessionEndsAt: endsAt } = tokens;
      this.#store.save({ kind: 'session', refreshToken, player, endsAt });
    } else this.#store.clear();
  }

  #schedule(): void {
    this.#cancelTimer();
    this.#cancelTimer = nothing;
    const { dueAt, state } = this.#machine;
    if (dueAt === Infinity) return;
    const isConnected = state === 'connected';
    const longestMs = isConnected ? LONGEST_CONNECTED_TICK_MS : LONGEST_PENDING_TICK_MS;
    const delayMs = Math.min(longestMs, Math.max(0, dueAt - this.#environment.now()));
    this.#cancelTimer = this.#environment.after(delayMs, () => {
      if (isConnected) this.#awake();
      else this.#feed({ type: 'time' });
    });
  }

  /** A change that a handler brings about is told after the present one, so that every handler hears them in order. */
  #emit(previous: SessionState): void {
    this.#untold.push(Object.freeze({ previous, session: this.snapshot }));
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let change = this.#untold.shift(); change !== undefined; change = this.#untold.shift()) {
      for (const handler of [...this.#handlers]) {
        try {
          handler(change);
        } catch (error) {
          this.#environment.warn(`phaser-inview: a handler of ${SessionEvents.CHANGE} has thrown`, error);
        }
      }
    }
    this.#isTelling = false;
    if (this.#machine.state === 'destroyed') this.#handlers.clear();
  }

  #refuseWhenDestroyed(): void {
    if (this.#machine.state === 'destroyed') throw destroyedFault();
  }

  #supersededFault(): AdsError {
    return this.#machine.state === 'destroyed'
      ? destroyedFault()
      : new AdsError('session/superseded', 'Another session operation has replaced this one');
  }
}

/** {@link SessionCalls} reject with AdsError only; what is not one is a defect. */
function asFault(reason: unknown): AdsError {
  return isAdsError(reason) ? reason : new AdsError('internal/unexpected', 'A session request failed');
}

function abortFault(): AdsError {
  return new AdsError('net/aborted', 'The call was cancelled');
}

function destroyedFault(): AdsError {
  return new AdsError('lifecycle/destroyed', 'The client has been destroyed');
}

function nothing(): void {}
