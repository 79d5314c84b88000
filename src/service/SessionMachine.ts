/** Where a player's session stands. Ads, measuring and reporting work in all states but `destroyed`. */
export type SessionState =
  /** Only the application is known: no player yet. */
  | 'application'
  /** A connect request is on its way to the service. */
  | 'connecting'
  /** The service has asked the player; the answer is awaited. */
  | 'pending'
  /** A login is on its way to the service. */
  | 'authenticating'
  /** A player is signed in: the user level. */
  | 'connected'
  /** The player declined the connect request. */
  | 'denied'
  /** The connect request or the session ended by time or by the service; see {@link ExpiredReason}. */
  | 'expired'
  /** The player signed out, here or in another tab; or a copy of this tab has taken up the session. */
  | 'signedOut'
  /** The client is gone for good. */
  | 'destroyed';

/** What expired: a connect request, a session, or a request the service does not know (any more). */
export type ExpiredReason = 'request' | 'session' | 'unknown-request';

/** Lifetimes of a grant, in milliseconds from its receipt. */
interface GrantTimes {
  readonly lifetimeMs: number;
  /** How long the session may be renewed; null when it cannot be. */
  readonly sessionMs: number | null;
}

/**
 * What can happen to a session. Answers of the service carry the generation of the moment they were asked for; those
 * of an earlier generation are late and change nothing.
 */
export type SessionInput =
  | { readonly type: 'connect' | 'login' | 'cancel' | 'logout' | 'logoutElsewhere' | 'destroy' | 'time' }
  | ({ readonly type: 'connectAccepted'; readonly generation: number } & PollTimes)
  /** The connect or the login did not get through, or was refused. */
  | { readonly type: 'attemptFailed'; readonly generation: number }
  | { readonly type: 'pollAnswered'; readonly generation: number; readonly answer: PollVerdict }
  /** The poll did not get through. `retryAfterMs` is the pause the service asked for, or 0. */
  | { readonly type: 'pollFailed'; readonly generation: number; readonly retryAfterMs: number }
  | ({ readonly type: 'confirmed' | 'loginAccepted' | 'refreshed'; readonly generation: number } & GrantTimes)
  | { readonly type: 'refreshRefused' | 'refreshFailed'; readonly generation: number }
  /** The service refused the access token. */
  | { readonly type: 'unauthorized' }
  /** The page is shown again, or the network is back. `sinceGrantMs` by the wall clock, which runs on during sleep. */
  | { readonly type: 'awake'; readonly sinceGrantMs: number }
  /** Stored by an earlier page of this tab. */
  | { readonly type: 'restoreSession'; readonly sessionMs: number }
  | ({ readonly type: 'restoreRequest' } & PollTimes);

/** How a pending request is asked about. */
interface PollTimes {
  readonly expiresInMs: number;
  readonly intervalMs: number;
  /** The longest a poll may be held; 0 when the service holds none. */
  readonly holdMs: number;
}

/** CIBA's error words; `unknown-request` stands for `invalid_grant`, `broken` for a fault that lasts. */
export type PollVerdict =
  'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'unknown-request' | 'broken';

/** What an input did, and what is to be done now. */
export interface SessionStep {
  /** False when the input was late or not legal in this state: nothing has changed. */
  readonly accepted: boolean;
  readonly from: SessionState;
  readonly to: SessionState;
  /**
   * The one request to send now. Its answer comes back as an input. A poll replaces one that is in flight: the answer to
   * the old poll is lost, and the new poll asks for it again.
   */
  readonly request: 'poll' | 'refresh' | null;
}

/** `slow_down` lengthens the poll interval by this, for good (CIBA Core 1.0 §11). */
const SLOW_DOWN_MS = 5_000;
/** After failed polls: this long after the first, twice this from the second on. */
const POLL_BACKOFF_MS = 5_000;
/** A poll that could be held for less than this is not held at all. */
const LEAST_HOLD_MS = 1_000;
/** A page that is shown again polls at once, unless it polled within this time. */
const MIN_POLL_GAP_MS = 1_000;
/** A refresh is due this long before the access token's end (at half of its life when that is later). */
const REFRESH_LEAD_MS = 90_000;
/** The shortest time between two automatic refreshes, for access tokens with a very short life. */
const MIN_REFRESH_GAP_MS = 1_000;
/**
 * The pause after the first failed refresh, after the second, and so on; the last one repeats for ever. The answer to a
 * failed refresh may have been lost, and the service accepts a token it has replaced only for a while
 * (`repeatGraceSeconds` of the contract): many tries fit into that time, even if each takes {@link REFRESH_TIMEOUT_MS}.
 */
const REFRESH_PAUSES_MS: readonly number[] = [2_000, 4_000, 8_000, 16_000, 30_000];
/** The longest a refresh may take, so that several fit into `repeatGraceSeconds`. */
export const REFRESH_TIMEOUT_MS = 10_000;
/** At its end, a connect request is polled once more. While that poll does not get through, it is repeated for this long. */
export const LAST_WORD_MS = 180_000;

/**
 * The player's session as a state machine: fed with (input, time), it says what is to be done. It knows no clock, no
 * network and no secret. Times are milliseconds on any one monotonic clock.
 *
 * ```
 * application, denied, expired, signedOut ─connect─▶ connecting ─▶ pending ─▶ connected | denied | expired
 *                                         ─login──▶ authenticating ─────────▶ connected
 * connected ─refresh refused, or too old─▶ expired        any ─logout─▶ signedOut        any ─destroy─▶ destroyed
 * ```
 */
export class SessionMachine {
  #state: SessionState = 'application';
  /** The state a failed connect or login falls back to. */
  #resting: SessionState = 'application';
  #generation = 0;
  #expiredReason: ExpiredReason | null = null;

  #intervalMs = 0;
  #requestEndsAt = 0;
  #waitEndsAt = 0;
  #pollAt = 0;
  #polledAt = 0;
  #isPolling = false;
  /** How long polls may be held: what the service offers, or what the network has let through. */
  #holdMs = 0;
  /** How long the poll in flight may be held. */
  #heldMs = 0;
  #failedPolls = 0;

  #isRenewable = false;
  #tokenEndsAt = 0;
  #lifetimeMs = 0;
  #sessionEndsAt = 0;
  #refreshAt = 0;
  #coolUntil = 0;
  #failedRefreshes = 0;
  #isRefreshing = false;

  get state(): SessionState {
    return this.#state;
  }

  /** Grows with every connect, login, cancel, sign-out and destroy. */
  get generation(): number {
    return this.#generation;
  }

  /** Why the state is `expired`; null in other states. */
  get expiredReason(): ExpiredReason | null {
    return this.#state === 'expired' ? this.#expiredReason : null;
  }

  /** The present poll interval; only in `pending`. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  /** How long polls of the pending request may be held. */
  get holdMs(): number {
    return this.#holdMs;
  }

  /** How long the poll now asked for may be held; 0 for an answer at once. */
  get heldMs(): number {
    return this.#heldMs;
  }

  /** True when a player is signed in and the access token is alive. */
  isTokenAlive(now: number): boolean {
    return this.#state === 'connected' && now < this.#tokenEndsAt;
  }

  /** When the input `time` is due next; Infinity for never. */
  get dueAt(): number {
    if (this.#state === 'pending') {
      return this.#isPolling ? this.#waitEndsAt : Math.min(this.#pollAt, this.#waitEndsAt);
    }
    if (this.#state !== 'connected') return Infinity;
    return this.#isRefreshing || !this.#isRenewable
      ? this.#sessionEndsAt
      : Math.min(this.#refreshAt, this.#sessionEndsAt);
  }

  /** Takes one input at the time `now`. */
  apply(input: SessionInput, now: number): SessionStep {
    const from = this.#state;
    if (from === 'destroyed' || ('generation' in input && input.generation !== this.#generation)) {
      return { accepted: false, from, to: from, request: null };
    }
    const request = this.#take(input, now);
    return { accepted: request !== 'refuse', from, to: this.#state, request: request === 'refuse' ? null : request };
  }

  #take(input: SessionInput, now: number): 'poll' | 'refresh' | 'refuse' | null {
    switch (input.type) {
      case 'connect':
        return this.#begin('connecting');
      case 'login':
        return this.#begin('authenticating');
      case 'connectAccepted':
        if (this.#state !== 'connecting') return 'refuse';
        // Nobody has polled yet, so a poll that is held can begin at once.
        return this.#await(input, input.holdMs > 0 ? 0 : input.intervalMs, now);
      case 'attemptFailed':
        return this.#isAttempting ? this.#enter(this.#resting) : 'refuse';
      case 'cancel':
        return this.#cancel();
      case 'pollAnswered':
        return this.#state === 'pending' ? this.#polled(input.answer, now) : 'refuse';
      case 'pollFailed':
        return this.#state === 'pending' ? this.#pollAgain(now, input.retryAfterMs, true) : 'refuse';
      case 'confirmed':
        return this.#state === 'pending' ? this.#signIn(input, now) : 'refuse';
      case 'loginAccepted':
        return this.#state === 'authenticating' ? this.#signIn(input, now) : 'refuse';
      case 'refreshed':
        return this.#isRefreshing ? this.#signIn(input, now) : 'refuse';
      case 'refreshRefused':
        return this.#isRefreshing ? this.#expire('session') : 'refuse';
      case 'refreshFailed':
        if (!this.#isRefreshing) return 'refuse';
        this.#isRefreshing = false;
        this.#coolUntil = this.#refreshAt =
          now + (REFRESH_PAUSES_MS[this.#failedRefreshes++] ?? REFRESH_PAUSES_MS.at(-1)!);
        return null;
      case 'unauthorized':
        return this.#state === 'connected' ? this.#unauthorized(now) : 'refuse';
      case 'awake':
        return this.#awake(now, input.sinceGrantMs);
      case 'time':
        return this.#tick(now);
      case 'restoreSession':
        return this.#restore(input.sessionMs, now);
      case 'restoreRequest':
        if (this.#state !== 'application') return 'refuse';
        return this.#await(input, input.intervalMs, now);
      case 'logoutElsewhere':
        // Where nobody is signed in, and nobody is about to be, there is nothing to end.
        if (!this.#isAttempting && this.#state !== 'pending' && this.#state !== 'connected') return 'refuse';
        return this.#take({ type: 'logout' }, now);
      case 'logout':
        this.#generation++;
        return this.#enter('signedOut');
      case 'destroy':
        this.#generation++;
        return this.#enter('destroyed');
    }
  }

  get #isAttempting(): boolean {
    return this.#state === 'connecting' || this.#state === 'authenticating';
  }

  #begin(state: 'connecting' | 'authenticating'): 'refuse' | null {
    if (this.#state === 'connected') return 'refuse';
    if (this.#state === 'pending') this.#resting = 'application';
    else if (!this.#isAttempting) this.#resting = this.#state;
    this.#generation++;
    return this.#enter(state);
  }

  #cancel(): 'refuse' | null {
    if (this.#state === 'pending') this.#resting = 'application';
    else if (!this.#isAttempting) return 'refuse';
    this.#generation++;
    return this.#enter(this.#resting);
  }

  #await({ expiresInMs, intervalMs, holdMs }: PollTimes, firstPollMs: number, now: number): null {
    this.#intervalMs = intervalMs;
    this.#holdMs = holdMs;
    this.#heldMs = 0;
    this.#requestEndsAt = now + expiresInMs;
    this.#waitEndsAt = this.#requestEndsAt + LAST_WORD_MS;
    this.#polledAt = now;
    this.#pollAt = Math.min(now + firstPollMs, this.#requestEndsAt);
    this.#isPolling = false;
    this.#failedPolls = 0;
    return this.#enter('pending');
  }

  #polled(answer: PollVerdict, now: number): null {
    switch (answer) {
      case 'authorization_pending':
        return this.#pollAgain(now, 0, false);
      case 'slow_down':
        this.#intervalMs += SLOW_DOWN_MS;
        return this.#pollAgain(now, 0, false);
      case 'access_denied':
        return this.#enter('denied');
      case 'expired_token':
      case 'broken':
        return this.#expire('request');
      case 'unknown-request':
        return this.#expire('unknown-request');
    }
  }

  #pollAgain(now: number, pauseMs: number, failed: boolean): null {
    // This poll was sent at the end of the request: the player has not decided in time. An earlier poll cannot tell that.
    if (!failed && this.#polledAt >= this.#requestEndsAt) return this.#expire('request');
    this.#failedPolls = failed ? this.#failedPolls + 1 : 0;
    this.#isPolling = false;
    const wasHeld = this.#heldMs > 0;
    // Proxies cut requests that say nothing for long, some after ten seconds.
    if (wasHeld && failed) this.#holdMs = this.#holdMs / 2 < this.#intervalMs ? 0 : this.#holdMs / 2;
    // Answered early without a decision: the service holds nothing now.
    if (wasHeld && !failed && now - this.#polledAt < this.#heldMs / 2) this.#holdMs = 0;
    if (now >= this.#requestEndsAt) {
      this.#pollAt = failed ? now + Math.max(POLL_BACKOFF_MS, pauseMs) : now;
      return null;
    }
    if (wasHeld && !failed && this.#holdMs > 0) {
      this.#pollAt = Math.min(Math.max(now, this.#polledAt + this.#intervalMs), this.#requestEndsAt);
      return null;
    }
    const backoffMs = POLL_BACKOFF_MS * Math.min(2, this.#failedPolls);
    this.#pollAt = now + Math.max(this.#intervalMs, backoffMs, pauseMs);
    if (pauseMs === 0) this.#pollAt = Math.min(this.#pollAt, this.#requestEndsAt);
    return null;
  }

  #signIn({ lifetimeMs, sessionMs }: GrantTimes, now: number): null {
    this.#lifetimeMs = lifetimeMs;
    this.#tokenEndsAt = now + lifetimeMs;
    this.#isRenewable = sessionMs !== null;
    this.#sessionEndsAt = now + Math.max(lifetimeMs, sessionMs ?? 0);
    this.#refreshAt = now + Math.max(lifetimeMs - REFRESH_LEAD_MS, lifetimeMs / 2, MIN_REFRESH_GAP_MS);
    this.#coolUntil = 0;
    this.#failedRefreshes = 0;
    this.#isRefreshing = false;
    return this.#enter('connected');
  }

  /** Only the refresh token was stored, so the session begins with a refresh. */
  #restore(sessionMs: number, now: number): 'refresh' | 'refuse' {
    if (this.#state !== 'application') return 'refuse';
    this.#lifetimeMs = 0;
    this.#tokenEndsAt = now;
    this.#isRenewable = true;
    this.#sessionEndsAt = now + sessionMs;
    this.#coolUntil = 0;
    this.#failedRefreshes = 0;
    this.#enter('connected');
    return this.#refresh();
  }

  #unauthorized(now: number): 'refresh' | null {
    if (!this.#isRenewable) return this.#expire('session');
    this.#tokenEndsAt = Math.min(this.#tokenEndsAt, now);
    return this.#isRefreshing || now < this.#coolUntil ? null : this.#refresh();
  }

  #awake(now: number, sinceGrantMs: number): 'poll' | 'refresh' | null {
    const due = this.#tick(now);
    if (due !== null) return due;
    // The connection of a poll that is held may have died while the page slept, without a word.
    const gapMs = this.#isPolling ? (this.#heldMs > 0 ? this.#intervalMs : Infinity) : MIN_POLL_GAP_MS;
    if (this.#state === 'pending' && now - this.#polledAt >= gapMs) return this.#poll(now);
    const mayRefresh =
      this.#state === 'connected' && this.#isRenewable && !this.#isRefreshing && now >= this.#coolUntil;
    return mayRefresh && sinceGrantMs >= this.#lifetimeMs - REFRESH_LEAD_MS && sinceGrantMs >= this.#lifetimeMs / 2
      ? this.#refresh()
      : null;
  }

  #tick(now: number): 'poll' | 'refresh' | null {
    if (this.#state === 'pending') {
      if (now >= this.#waitEndsAt) return this.#expire('request');
      return !this.#isPolling && now >= this.#pollAt ? this.#poll(now) : null;
    }
    if (this.#state === 'connected') {
      if (now >= this.#sessionEndsAt) return this.#expire('session');
      return this.#isRenewable && !this.#isRefreshing && now >= this.#refreshAt ? this.#refresh() : null;
    }
    return null;
  }

  #poll(now: number): 'poll' {
    this.#isPolling = true;
    this.#polledAt = now;
    const holdMs = Math.min(this.#holdMs, this.#requestEndsAt - now);
    this.#heldMs = holdMs < LEAST_HOLD_MS ? 0 : holdMs;
    return 'poll';
  }

  #refresh(): 'refresh' {
    this.#isRefreshing = true;
    return 'refresh';
  }

  #expire(reason: ExpiredReason): null {
    this.#expiredReason = reason;
    return this.#enter('expired');
  }

  #enter(state: SessionState): null {
    this.#state = state;
    if (state !== 'connected') this.#isRefreshing = false;
    if (state !== 'pending') this.#isPolling = false;
    return null;
  }
}
