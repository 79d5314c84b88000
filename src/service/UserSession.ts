import { AdsError, isAdsError, isLasting } from '../errors.js';
import { abortFault, bounded, destroyedFault } from '../waiting.js';
import { readCallOptions, readEmail, readPassword } from './arguments.js';
import type { ConnectResult, LoginResult } from './ConnectResult.js';
import type { Grant, Player } from './decode.js';
import type { ClientEnvironment, TabChannel } from './environment.js';
import type { OperationTag } from './operations.js';
import { PendingConnect } from './PendingConnect.js';
import type { SessionCalls } from './SessionCalls.js';
import { SessionChanges } from './SessionChanges.js';
import { type SessionInput, SessionMachine, type SessionState, type SessionStep } from './SessionMachine.js';
import type { SessionSnapshot } from './SessionSnapshot.js';
import type { SessionStore, StoredSession } from './SessionStore.js';
import { base64url } from './signing.js';

/** How long `logout` waits for the service to hear of it. */
const REVOKE_PATIENCE_MS = 2_000;
/** Timers stand still while a device sleeps, so they are short and compare times when they ring. */
const LONGEST_PENDING_TICK_MS = 5_000;
const LONGEST_CONNECTED_TICK_MS = 30_000;
const SIGNED_OUT = 'signed-out';
/** Followed by the mark of the session a page has taken up. */
const TAKEN_UP = 'taken-up:';
/** Followed by the mark of a session whose page should renew it. */
const RENEW = 'renew:';

interface Tokens extends Pick<Grant, 'accessToken' | 'refreshToken'> {
  readonly player: Player;
  /** By the wall clock: when they arrived, and when the session ends. */
  readonly grantedAt: number;
  readonly endsAt: number;
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
  readonly changes: SessionChanges;
  #tokens: Tokens | null = null;
  #request: PendingConnect | null = null;
  /** The last connect or login, until something has replaced it. */
  #attempt: { readonly generation: number; fail(fault: AdsError): void } | null = null;
  /** A poll that the service holds; ended when its request was left, or another poll takes its place. */
  #heldPoll: AbortController | null = null;
  /** The last refresh. */
  #refreshFlight: Promise<void> | null = null;
  #refreshFault: AdsError | null = null;
  /** Names the session, or the request it begins with, to pages that have a copy of it. */
  #mark = '';
  /** The mark of the last session that went to another page. */
  #movedMark: string | null = null;
  /** The call that tells the service of the last sign-out. */
  #revocation: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = nothing;
  #isPageHidden = false;

  /** @param channelName names the sign-out channel to other tabs of the same application */
  constructor(calls: SessionCalls, environment: ClientEnvironment, store: SessionStore | null, channelName: string) {
    this.#calls = calls;
    this.#environment = environment;
    this.#store = store;
    this.changes = new SessionChanges((message, error) => environment.warn(message, error));
    this.#channel = environment.openChannel(channelName, (message) => {
      if (message === SIGNED_OUT) this.#feed({ type: 'logoutElsewhere' });
      else if (message === TAKEN_UP + this.#mark) this.#leaveToCopy();
      else if (message === RENEW + this.#mark) this.#feed({ type: 'unauthorized' });
    });
    this.#unwatch = environment.watchPage({
      visible: () => {
        this.#isPageHidden = false;
        this.#store?.clear();
        this.#awake();
      },
      hidden: () => {
        this.#isPageHidden = true;
        this.#keepForNextPage();
      },
      online: () => this.#awake(),
    });
  }

  /** Takes up what the tab's former page, or an ended client of this one, has left; also later, unless it has begun anything. */
  restore(): void {
    this.#store?.join(() => this.restore());
    if (this.#machine.state !== 'application') return;
    const wallNow = this.#environment.wallNow();
    const stored = this.#store?.take(wallNow) ?? null;
    if (stored === null) return;
    const leftMs = stored.endsAt - wallNow;
    this.#mark = stored.mark;
    this.#channel?.post(TAKEN_UP + stored.mark);
    if (stored.kind === 'session') {
      const { refreshToken, player, endsAt } = stored;
      this.#feed({ type: 'restoreSession', sessionMs: leftMs }, () => {
        this.#tokens = { accessToken: '', refreshToken, player, grantedAt: wallNow, endsAt };
      });
    } else {
      const { intervalMs, holdMs } = stored;
      this.#feed({ type: 'restoreRequest', expiresInMs: leftMs, intervalMs, holdMs }, () => {
        this.#request = this.#pending(stored);
      });
    }
  }

  get snapshot(): SessionSnapshot {
    const { state, expiredReason } = this.#machine;
    const isConnected = state === 'connected';
    const request = this.#request;
    return Object.freeze({
      state,
      level: isConnected ? 'user' : 'application',
      player: this.#tokens?.player ?? null,
      isStale: isConnected && !this.#machine.isTokenAlive(this.#environment.now()),
      expiredReason,
      bindingCode: request?.facts.bindingCode ?? null,
      confirmUrl: request?.facts.confirmUrl ?? null,
      requestExpiresAt: request?.facts.endsAt ?? null,
    });
  }

  async connect(email: unknown, options?: unknown): Promise<ConnectResult> {
    const address = readEmail(email);
    const { signal, replace, popup } = readCallOptions(options);
    const request = await this.#try('connect', signal, replace, {
      send: () => this.#calls.connect(address, popup),
      accept: (answer, generation) => {
        const { requestId, bindingCode, confirmUrl, expiresInMs, intervalMs, holdMs } = answer;
        const endsAt = this.#environment.wallNow() + expiresInMs;
        const { accepted } = this.#feed(
          { type: 'connectAccepted', generation, expiresInMs, intervalMs, holdMs },
          () => {
            this.#request = this.#pending({ requestId, bindingCode, confirmUrl, endsAt });
          },
        );
        return accepted ? this.#request : null;
      },
      undo: (answer) => this.#tell(this.#calls.cancel(answer.requestId)),
    });
    if (signal !== undefined) request.cancelOn(signal);
    return request.result;
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
    if (this.#request !== null) return this.#request.wait(options);
    readCallOptions(options);
    if (this.#machine.state === 'connected') return true;
    throw new AdsError('session/no-pending-request', 'No connect request is pending');
  }

  /** Tells the other tabs, signs out here at once, and tells the service, for at most 2 s. */
  async logout(): Promise<void> {
    this.#refuseWhenDestroyed();
    // First: a handler of the sign-out may end the client, and the channel with it.
    this.#channel?.post(SIGNED_OUT);
    const revoked = this.#signOut();
    const bounds = { clock: this.#environment, ms: REVOKE_PATIENCE_MS, late: abortFault };
    await this.#tell(bounded(bounds, () => revoked));
  }

  /**
   * Runs a call with the player's token: `user` calls are refused without one, `application` calls carry it when it is
   * there. A token the service refuses is renewed once.
   */
  async authorize<T>(tag: OperationTag, run: (bearer: string | undefined) => Promise<T>): Promise<T> {
    const bearer = tag === 'user' ? await this.#liveToken() : this.#tokenIfAlive();
    try {
      return await run(bearer);
    } catch (error) {
      if (bearer === undefined || !isAdsError(error, 'session/user-required')) throw error;
      if (bearer === this.#tokens?.accessToken) this.#feed({ type: 'unauthorized' });
      return run(tag === 'user' ? await this.#liveToken() : undefined);
    }
  }

  destroy(): void {
    const kept = this.#toKeep();
    this.#feed({ type: 'destroy' });
    this.#store?.leave(kept);
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
    if (signal?.aborted) throw abortFault();
    if (replace && this.#machine.state === 'connected') void this.#signOut();
    // Also by a handler of the sign-out.
    this.#refuseWhenDestroyed();
    let generation = 0;
    const begin = (): void => {
      generation = this.#machine.generation;
      this.#mark = base64url(this.#environment.randomBytes(12));
    };
    if (!this.#feed({ type }, begin).accepted) {
      throw new AdsError('session/already-connected', `${type}: a player is signed in`);
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        fail(abortFault());
        this.#feed({ type: 'cancel' });
      };
      const leave = (): void => signal?.removeEventListener('abort', onAbort);
      const fail = (fault: AdsError): void => {
        leave();
        reject(fault);
      };
      // A handler called for this change may have begun something else, such as another connect.
      if (this.#machine.generation !== generation) {
        fail(this.#supersededFault());
        return;
      }
      this.#attempt = { generation, fail };
      signal?.addEventListener('abort', onAbort);
      // The handler may have aborted the call, too.
      if (signal?.aborted) {
        onAbort();
        return;
      }
      steps.send().then(
        (answer) => {
          const result = steps.accept(answer, generation);
          if (result === null) void steps.undo(answer);
          else {
            leave();
            resolve(result);
          }
        },
        (reason: unknown) => {
          fail(asFault(reason));
          this.#feed({ type: 'attemptFailed', generation });
        },
      );
    });
  }

  /** The one way into the machine: applies an input and does what follows from the step. */
  #feed(input: SessionInput, commit: () => void = nothing, fault: AdsError | null = null): SessionStep {
    const step = this.#machine.apply(input, this.#environment.now());
    if (!step.accepted) return step;
    const { from, to } = step;
    const left = to === 'pending' ? null : this.#request;
    commit();
    if (to !== 'connected' && this.#tokens !== null) {
      // A refused session has nothing left to revoke; a destroyed client is silent.
      if (to === 'signedOut') this.#revocation = this.#revoke(this.#tokens);
      this.#tokens = null;
    }
    if (this.#attempt !== null && this.#attempt.generation !== this.#machine.generation) {
      this.#attempt.fail(this.#supersededFault());
      this.#attempt = null;
    }
    if (left !== null) this.#settle(left, to, fault);
    if (step.request === 'poll') this.#poll();
    else if (step.request === 'refresh') this.#refresh();
    this.#keepForNextPage();
    this.#schedule();
    if (from !== to) this.changes.tell({ previous: from, session: this.snapshot });
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
    const keepsToken = grant.refreshToken === null;
    const refreshToken = keepsToken ? (former?.refreshToken ?? null) : grant.refreshToken;
    const sessionMs = keepsToken ? Math.max(0, (former?.endsAt ?? 0) - wallNow) : grant.refreshLifetimeMs;
    const player = grant.player ?? former?.player;
    if (player === undefined) return false;
    const { accessToken, lifetimeMs } = grant;
    const times = { lifetimeMs, sessionMs: refreshToken === null ? null : sessionMs };
    return this.#feed({ type, generation, ...times }, () => {
      this.#refreshFault = null;
      this.#tokens = { accessToken, refreshToken, player, grantedAt: wallNow, endsAt: wallNow + sessionMs };
    }).accepted;
  }

  #poll(): void {
    const { generation, heldMs } = this.#machine;
    const mark = this.#mark;
    this.#heldPoll?.abort();
    const flight = new AbortController();
    if (heldMs > 0) this.#heldPoll = flight;
    const { signal } = flight;
    this.#calls.poll(this.#request!.facts.requestId, heldMs, signal).then(
      (answer) => {
        if ('verdict' in answer) {
          if (!signal.aborted) this.#feed({ type: 'pollAnswered', generation, answer: answer.verdict });
        } else if (!this.#signIn('confirmed', generation, answer.grant)) {
          // An aborted poll may bring tokens too. They belong to the session that a later poll has begun.
          const isOurs = this.#machine.state === 'connected' && this.#machine.generation === generation;
          if (!isOurs) this.#discard(answer.grant, mark);
        }
      },
      (reason: unknown) => {
        if (signal.aborted) return;
        const fault = asFault(reason);
        // A grant in a form that cannot be read will not be readable the next time either.
        const isBroken = isLasting(fault) || fault.code === 'response/schema';
        if (isBroken) this.#feed({ type: 'pollAnswered', generation, answer: 'broken' }, nothing, fault);
        else this.#feed({ type: 'pollFailed', generation, retryAfterMs: fault.retryAfterMs ?? 0 });
      },
    );
  }

  #refresh(): void {
    const { generation } = this.#machine;
    const mark = this.#mark;
    this.#refreshFlight = this.#calls.refresh(this.#tokens!.refreshToken!).then(
      (answer) => {
        if (answer === 'refused') this.#feed({ type: 'refreshRefused', generation });
        else if (!this.#signIn('refreshed', generation, answer)) this.#discard(answer, mark);
      },
      (reason: unknown) => {
        const fault = asFault(reason);
        this.#feed({ type: 'refreshFailed', generation }, () => (this.#refreshFault = fault));
        this.#discard(null, mark);
      },
    );
  }

  #tokenIfAlive(): string | undefined {
    return this.#machine.isTokenAlive(this.#environment.now()) ? this.#tokens?.accessToken : undefined;
  }

  async #liveToken(): Promise<string> {
    let token = this.#tokenIfAlive();
    if (token === undefined && this.#machine.state === 'connected') {
      this.#feed({ type: 'unauthorized' });
      await this.#refreshFlight;
      token = this.#tokenIfAlive();
    }
    if (token !== undefined) return token;
    if (this.#machine.state !== 'connected') throw new AdsError('session/user-required', 'No player is signed in');
    throw this.#refreshFault ?? new AdsError('session/refresh-failed', 'The session could not be renewed');
  }

  #pending(facts: PendingConnect['facts']): PendingConnect {
    return new PendingConnect(facts, () => this.#feed({ type: 'cancel' }));
  }

  #settle(request: PendingConnect, to: SessionState, fault: AdsError | null): void {
    this.#request = null;
    this.#heldPoll?.abort();
    request.settle(to === 'destroyed' ? destroyedFault() : (fault ?? to === 'connected'));
    if (to === 'connected' || to === 'denied' || to === 'expired' || to === 'destroyed') return;
    const { requestId } = request.facts;
    // With a fault, a copy of this tab goes on with the request.
    if (fault === null) void this.#tell(this.#calls.cancel(requestId));
    else this.#calls.letGo(requestId);
  }

  #revoke({ accessToken, refreshToken }: Grant | Tokens): Promise<void> {
    return this.#tell(this.#calls.revoke(refreshToken ?? accessToken));
  }

  /** Best effort: the state here is right whether or not the service hears of it. */
  #tell(call: Promise<void>): Promise<void> {
    return call.catch(nothing);
  }

  /**
   * The player has duplicated this tab while it was hidden, and the copy has taken the session up. Only one page may hold it: the
   * service takes a second one for a thief. So it ends here, and the service is told nothing of that.
   */
  #leaveToCopy(): void {
    const forget = (): void => {
      this.#tokens = null;
      this.#movedMark = this.#mark;
    };
    this.#feed({ type: 'logoutElsewhere' }, forget, this.#supersededFault());
  }

  /**
   * Tokens that came too late, or were lost (null), are revoked. But where a copy of this tab goes on with the session, they
   * are the session's. The copy may have been given the older ones, which the service takes for a short time only: it renews.
   */
  #discard(tokens: Grant | null, mark: string): void {
    const isMoved = mark === this.#movedMark;
    if (!isMoved && tokens !== null) void this.#revoke(tokens);
    // The channel of a client that was destroyed is closed.
    if (isMoved && this.#machine.state !== 'destroyed') this.#channel?.post(RENEW + mark);
  }

  #awake(): void {
    const { grantedAt } = this.#tokens ?? { grantedAt: Infinity };
    this.#feed({ type: 'awake', sinceGrantMs: this.#environment.wallNow() - grantedAt });
  }

  #keepForNextPage(): void {
    if (this.#store === null || !this.#isPageHidden) return;
    const kept = this.#toKeep();
    if (kept === null) this.#store.clear();
    else this.#store.save(kept);
  }

  #toKeep(): StoredSession | null {
    const request = this.#request;
    const tokens = this.#tokens;
    const mark = this.#mark;
    if (request !== null) {
      const { intervalMs, holdMs } = this.#machine;
      return { ...request.facts, kind: 'request', mark, intervalMs, holdMs };
    }
    if (!tokens?.refreshToken) return null;
    const { refreshToken, player, endsAt } = tokens;
    return { kind: 'session', mark, refreshToken, player, endsAt };
  }

  #schedule(): void {
    this.#cancelTimer();
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

  #refuseWhenDestroyed(): void {
    if (this.#machine.state === 'destroyed') throw destroyedFault();
  }

  #supersededFault(): AdsError {
    return this.#machine.state === 'destroyed'
      ? destroyedFault()
      : new AdsError('session/superseded', 'Another session operation has replaced this one');
  }
}

/** {@link SessionCalls} reject with AdsError only; anything else is a defect. */
function asFault(reason: unknown): AdsError {
  return isAdsError(reason) ? reason : new AdsError('internal/unexpected', 'A session request failed');
}

function nothing(): void {}
