import { sha256 } from '@noble/hashes/sha2';
import fc from 'fast-check';

import { AdsError, isAdsError } from '../../../src/errors.js';
import type { ConnectRequest, Grant } from '../../../src/service/decode.js';
import { type PlainSessionCalls, type PopupChallenge, PopupSignIn } from '../../../src/service/PopupSignIn.js';
import { SessionStore } from '../../../src/service/SessionStore.js';
import { UserSession } from '../../../src/service/UserSession.js';
import type { ConnectResult } from '../../../src/service/ConnectResult.js';
import type { FirstGrant } from '../../../src/service/decode.js';
import type { PollAnswer } from '../../../src/service/SessionCalls.js';
import { LAST_WORD_MS, type PollVerdict, type SessionState } from '../../../src/service/SessionMachine.js';
import { FakePopup, FakeStorage, FakeTabs, FakeWorld } from './FakeWorld.js';

/*
 * Random sequences of what players, games, tabs, popups, clocks, thieves and the service can do, compared with the transition table
 * below. The table is written from the promised behaviour and shares no code with the session.
 *
 * Answers and timers are tasks of fast-check's scheduler: each arrives at any time after its request, in any order with
 * the others and with the calls of the game, timers as late as a browser makes them in a hidden tab.
 */

const RUNS = process.env['DEEP'] ? 100_000 : 10_000;

const LIFETIME_MS = 600_000;
const SESSION_MS = 8 * 3_600_000;
const REQUEST_MS = 300_000;
const INTERVAL_MS = 5_000;

type Kind = 'connect' | 'login' | 'poll' | 'exchange' | 'refresh';
/** `unproven`: the key of this browser cannot be read now, or the service wants another proof of it. */
type Ending = 'ok' | 'network' | 'unproven' | 'refused' | PollVerdict;

const ENDINGS: Readonly<Record<Kind, readonly Ending[]>> = {
  connect: ['ok', 'ok', 'network', 'unproven'],
  login: ['ok', 'refused', 'unproven'],
  poll: ['ok', 'authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'unknown-request', 'broken', 'network', 'unproven'], // prettier-ignore
  exchange: ['ok', 'refused', 'network', 'unproven'],
  refresh: ['ok', 'ok', 'refused', 'network', 'unproven'],
};
/** Passing faults: nothing has changed, and the same is tried again. */
const isPassing = (ending: Ending): boolean => ending === 'network' || ending === 'unproven';

/** Where an answer of the current generation leads: by kind, the state it needs, and its ending. */
const ANSWERS: Readonly<
  Record<Kind, { readonly needs: SessionState; readonly to: Partial<Record<Ending, SessionState | 'resting'>> }>
> =
  // prettier-ignore
  {
    connect: { needs: 'connecting', to: { ok: 'pending', network: 'resting', unproven: 'resting' } },
    login: { needs: 'authenticating', to: { ok: 'connected', refused: 'resting', unproven: 'resting' } },
    poll: {
      needs: 'pending',
      to: {
        ok: 'connected',
        authorization_pending: 'pending',
        slow_down: 'pending',
        network: 'pending',
        unproven: 'pending',
        access_denied: 'denied',
        expired_token: 'expired',
        'unknown-request': 'expired',
        broken: 'expired',
      },
    },
    exchange: { needs: 'pending', to: { ok: 'connected', refused: 'pending', network: 'pending', unproven: 'pending' } },
    refresh: { needs: 'connected', to: { ok: 'connected', refused: 'expired', network: 'connected', unproven: 'connected' } },
  };

/** A request the session has sent and the service has not answered yet. */
interface Flight {
  readonly kind: Kind;
  /** The model's generation when it was sent. */
  readonly generation: number;
  readonly serial: number;
  readonly sentAt: number;
  readonly ending: Ending;
  /** Whether what is granted can be refreshed. */
  readonly isRenewable: boolean;
  /** A poll the service may hold. */
  readonly isHeld: boolean;
  /** The key of the browser when it was sent. */
  readonly key: number;
  /** Of a connect: its popup, when it was opened, and what it was told. */
  readonly window: FakePopup | null;
  readonly challenge: PopupChallenge | null;
  readonly resolve: (answer: never) => void;
  readonly reject: (fault: AdsError) => void;
}

/** A world whose timers ring as tasks of the scheduler: on time or late, but never early. */
class ScheduledWorld extends FakeWorld {
  /** Timers that are due and have not rung. */
  due = 0;
  readonly #waiting = new Set<() => boolean>();

  /**
   * @param plan lets the scheduler call back in its own time
   * @param onRing told of each timer of the session that rings, before it does
   */
  constructor(
    tabs: FakeTabs,
    readonly plan: (callback: () => void) => void,
    readonly onRing: () => void,
  ) {
    super(tabs);
  }

  override after = (ms: number, callback: () => void): (() => void) =>
    this.#after(ms, () => {
      this.onRing();
      callback();
    });

  /** The same world for the popup, whose timers are not the session's. */
  readonly beside = Object.create(this, { after: { value: (ms: number, callback: () => void) => this.#after(ms, callback) } }) as this; // prettier-ignore

  #after(ms: number, callback: () => void): () => void {
    const at = this.monotonic + ms;
    let isOver = false;
    let isDue = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      if (isDue) this.due--;
      this.#waiting.delete(look);
    };
    const look = (): boolean => {
      if (isDue || this.monotonic < at) return false;
      isDue = true;
      this.due++;
      this.plan(() => {
        if (isOver) return;
        end();
        callback();
      });
      return true;
    };
    this.#waiting.add(look);
    look();
    return end;
  }

  override get leftovers(): number {
    return super.leftovers + this.#waiting.size;
  }

  pass(ms: number): void {
    this.monotonic += ms;
    this.wall += ms;
    for (const look of [...this.#waiting]) look();
  }
}

/** What should be, by the table. */
class Model {
  state: SessionState = 'application';
  resting: SessionState = 'application';
  generation = 0;
  requestEndsAt = 0;
  sessionEndsAt = 0;
  tokenEndsAt = 0;
  refreshDueAt = 0;
  coolUntil = 0;
  failedRefreshes = 0;
  isRenewable = true;
  access: string | null = null;
  /** The key the session is bound to. */
  boundTo = 0;
  isHidden = false;
  /** The popup of the request that is pending, and what the player has said in it. */
  popup: {
    readonly window: FakePopup;
    readonly challenge: PopupChallenge;
    answer: 'agreed' | 'declined' | null;
  } | null = null;
  /** What the waiters of each connect request, in order, should be told. */
  readonly waits: (boolean | string | null)[] = [];
  readonly undone: string[] = [];
  /** Generations whose session went on in a copy of the tab, and what of them the service must not be told to end. */
  readonly moved = new Set<number>();
  readonly kept: string[] = [];

  begin(to: 'connecting' | 'authenticating'): boolean {
    if (this.state === 'connected' || this.state === 'destroyed') return false;
    if (this.state === 'pending') this.resting = 'application';
    else if (this.state !== 'connecting' && this.state !== 'authenticating') this.resting = this.state;
    this.generation++;
    this.enter(to);
    return true;
  }

  leave(to: SessionState): void {
    if (this.state === 'destroyed') return;
    this.generation++;
    this.enter(to);
  }

  enter(to: SessionState): void {
    if (this.state === 'pending' && to !== 'pending') {
      this.waits[this.waits.length - 1] = to === 'destroyed' ? 'lifecycle/destroyed' : to === 'connected';
    }
    if (to !== 'connected') this.access = null;
    if (to !== 'pending') this.popup = null;
    this.state = to;
  }

  /** The session asks how its request stands, and the popup has a word to say. */
  asked(): void {
    if (this.state === 'pending' && this.popup?.answer === 'declined') this.enter('denied');
  }

  grant(now: number, access: string): void {
    this.access = access;
    this.tokenEndsAt = now + LIFETIME_MS;
    this.sessionEndsAt = now + (this.isRenewable ? SESSION_MS : LIFETIME_MS);
    this.refreshDueAt = now + LIFETIME_MS - 90_000;
    this.coolUntil = 0;
    this.failedRefreshes = 0;
  }

  pass(now: number): void {
    if (this.state === 'pending' && now >= this.requestEndsAt + LAST_WORD_MS) this.enter('expired');
    if (this.state === 'connected' && now >= this.sessionEndsAt) this.enter('expired');
  }
}

/** The session under test, with a service that answers when the scheduler wants. */
class Real implements PlainSessionCalls {
  readonly tabs = new FakeTabs();
  readonly world: ScheduledWorld;
  readonly flights: Flight[] = [];
  readonly undone: string[] = [];
  readonly results: ConnectResult[] = [];
  readonly waits: { value?: boolean; code?: string }[] = [];
  readonly open = new Set<Promise<unknown>>();
  /** Connects and logins that have not settled. */
  underWay = 0;
  readonly illegal: string[] = [];
  readonly storage = new FakeStorage();
  readonly popups: PopupSignIn;
  readonly session: UserSession;
  readonly windows: FakePopup[] = [];
  /** The key that lies with this browser. */
  key = 0;
  /** When the session asked last, and whether it still waits for the answer. */
  asked: { readonly at: number; readonly signal: AbortSignal } | null = null;
  attempt = new AbortController();
  #serial = 0;
  #last: SessionState = 'application';

  constructor(
    readonly model: Model,
    readonly scheduler: fc.Scheduler,
    readonly draws: Iterator<number>,
  ) {
    this.world = new ScheduledWorld(
      this.tabs,
      (callback) => this.#plan('timer', callback),
      // Every timer that rings is the session's: the one of a sign-out is cancelled before time can pass.
      () => model.pass(this.world.monotonic),
    );
    this.popups = new PopupSignIn(this, this.world.beside);
    const { calls } = this.popups;
    const poll: typeof calls.poll = (id, holdMs, signal) => {
      const asked = (this.asked = { at: this.world.monotonic, signal });
      model.asked();
      return calls.poll(id, holdMs, signal).finally(() => {
        if (this.asked === asked) this.asked = null;
      });
    };
    this.session = new UserSession({ ...calls, poll }, this.world, new SessionStore(this.storage, 'session'), 'tabs');
    this.session.changes.on(({ previous, session }) => {
      if (previous !== this.#last || previous === session.state || previous === 'destroyed') {
        this.illegal.push(`${previous}→${session.state}`);
      }
      this.#last = session.state;
    });
  }

  connect = (_email: string, challenge: PopupChallenge | null): Promise<ConnectRequest> =>
    this.#fly('connect', false, undefined, challenge);
  login = (): Promise<FirstGrant> => this.#fly('login');
  poll = (id: string, holdMs: number, signal: AbortSignal): Promise<PollAnswer> => {
    const { state, popup, requestEndsAt } = this.model;
    if (state !== 'pending' || id !== this.current) this.illegal.push(`${id} is polled in ${state}`);
    if (popup !== null && !popup.window.isClosed && (popup.answer !== null || this.world.monotonic < requestEndsAt))
      this.illegal.push('A poll goes past an open popup');
    return this.#fly('poll', holdMs > 0, signal);
  };
  exchange = (code: string, verifier: string): Promise<FirstGrant | 'refused'> => {
    const { popup } = this.model;
    const challenge = Buffer.from(sha256(verifier)).toString('base64url');
    if (popup?.answer !== 'agreed' || code !== codeOf(popup.challenge) || challenge !== popup.challenge.challenge)
      this.illegal.push('A code is exchanged that nobody gave');
    return this.#fly('exchange');
  };
  refresh = (): Promise<Grant> => this.#fly('refresh');
  revoke = (token: string): Promise<void> => this.#undo(token);
  cancel = (id: string): Promise<void> => this.#undo(id);

  #undo(what: string): Promise<void> {
    this.undone.push(what);
    return Promise.resolve();
  }

  #fly<T>(kind: Kind, isHeld = false, signal?: AbortSignal, challenge: PopupChallenge | null = null): Promise<T> {
    return new Promise((resolve, reject) => {
      const { generation, boundTo } = this.model;
      const { key } = this;
      const endings = ENDINGS[kind];
      let ending = endings[this.#draw() % endings.length]!;
      // Without the key it is bound to, a session is renewed by nobody.
      if (kind === 'refresh' && ending === 'ok' && key !== boundTo) ending = 'refused';
      const window = challenge === null ? null : this.windows.at(-1)!;
      const isRenewable = kind === 'refresh' || this.#draw() % 10 > 0;
      const sentAt = this.asked?.at ?? this.world.monotonic;
      const flight = { kind, generation, serial: ++this.#serial, sentAt, ending, isRenewable, isHeld, key, window, challenge, resolve, reject }; // prettier-ignore
      this.flights.push(flight);
      signal?.addEventListener('abort', () => {
        if (!this.flights.includes(flight)) return;
        this.flights.splice(this.flights.indexOf(flight), 1);
        reject(new AdsError('net/aborted', 'given up'));
      });
      this.#plan(`${kind} ${flight.serial}: ${ending}${isRenewable ? '' : ' for good'}`, () => this.#answer(flight));
    });
  }

  #draw(): number {
    return this.draws.next().value as number;
  }

  /** Does something when the scheduler wants; then everything has to be as the table says. */
  #plan(label: string, act: () => void): void {
    const planned = this.scheduler.schedule(Promise.resolve(), label, undefined, async (run) => {
      await run();
      await microtasks();
      try {
        check(this.model, this);
      } catch (error) {
        this.illegal.push(String(error));
      }
    });
    void planned.then(act);
  }

  #answer(flight: Flight): void {
    if (!this.flights.includes(flight)) return;
    this.flights.splice(this.flights.indexOf(flight), 1);
    told.add(`${flight.kind}: ${flight.ending}`);
    predict(this.model, this, flight);
    give(flight);
  }

  /** Requests of a kind that are in flight for the session that is current. */
  inFlight(kind: Kind): number {
    return this.flights.filter((flight) => flight.kind === kind && flight.generation === this.model.generation).length;
  }

  /** Of the request that is pending. */
  current = '';

  /** Every promise the session has given must settle in the end. */
  keep(promise: Promise<unknown>): void {
    this.open.add(promise);
    const done = (): boolean => this.open.delete(promise);
    promise.then(done, done);
  }
}

/** What came to pass in any life. */
const told = new Set<string>();
const codeOf = ({ state }: PopupChallenge): string => `code_${state}`;
/** The service offers a popup two times in three. */
const hasPopup = ({ serial, window }: Flight): boolean => window !== null && serial % 3 > 0;

/** One connect or login; counted until it settles. */
function attempt(real: Real, call: Promise<unknown>): void {
  real.underWay++;
  const done = (): number => real.underWay--;
  call.then(done, done);
  real.keep(call);
}

async function microtasks(): Promise<void> {
  for (let i = 0; i < 12; i++) await Promise.resolve();
}

function check(model: Model, real: Real): void {
  const { session, world } = real;
  const { state, player, expiredReason } = session.snapshot;
  if (state !== model.state) throw new Error(`The session is ${state}, the table says ${model.state}`);
  if (real.illegal.length > 0) throw new Error(`Illegal change told: ${real.illegal.join()}`);
  if ((player !== null) !== (model.state === 'connected'))
    throw new Error('A player without a session, or the reverse');
  if ((expiredReason !== null) !== (model.state === 'expired'))
    throw new Error('Expired without a reason, or the reverse');
  const isUnderWay = model.state === 'connecting' || model.state === 'authenticating';
  if (real.underWay !== (isUnderWay ? 1 : 0)) throw new Error(`${real.underWay} attempts are open in ${model.state}`);
  if (real.inFlight('refresh') > 1) throw new Error('Two refreshes in flight');
  if (real.inFlight('poll') + real.inFlight('exchange') > 1) throw new Error('Two polls in flight');
  const isStored = model.state === 'pending' || (model.state === 'connected' && model.isRenewable);
  if (real.storage.entries.size !== (model.isHidden && isStored ? 1 : 0))
    throw new Error(`In ${model.state}, ${model.isHidden ? 'hidden' : 'shown'}: ${real.storage.entries.size} stored`);
  const looking = real.windows.filter(({ listeners }) => listeners.size > 0).length;
  // Past the end of its request it closes as soon as its timer rings.
  const mayShow = model.state === 'pending' || world.monotonic >= model.requestEndsAt;
  if (looking > (mayShow ? 1 : 0)) throw new Error(`A popup is left in ${model.state}`);
  if (real.windows.some((w) => w.url !== '' && !w.isClosed && w.listeners.size === 0))
    throw new Error('A popup is open that nobody listens to');
  if (model.state !== 'pending' && real.flights.some(({ isHeld }) => isHeld))
    throw new Error('A poll is held for nobody');
  if (model.state === 'connected' && model.isRenewable) {
    const isDue = world.monotonic >= Math.max(model.refreshDueAt, model.coolUntil);
    // A timer that rings late brings it yet.
    if (isDue && world.due === 0 && real.inFlight('refresh') === 0) throw new Error('A refresh was forgotten');
  }
  const hasTimer = world.leftovers - looking > (model.state === 'destroyed' ? 0 : 2);
  const needsTimer = model.state === 'pending' || model.state === 'connected';
  if (hasTimer !== needsTimer) throw new Error(`In ${model.state} there is ${hasTimer ? 'a' : 'no'} timer`);
  model.undone.forEach((what) => {
    if (!real.undone.includes(what)) throw new Error(`${what} arrived late and was not undone`);
  });
  model.kept.forEach((what) => {
    if (real.undone.includes(what)) throw new Error(`${what} was undone, though a copy of the tab goes on with it`);
  });
  model.waits.forEach((expected, i) => {
    const { value, code } = real.waits[i]!;
    const actual = code ?? value ?? null;
    // A broken poll tells its fault instead of false.
    if (actual !== expected && !(expected === false && actual === 'response/schema')) {
      throw new Error(`Waiters of request ${i} got ${String(actual)}, the table says ${String(expected)}`);
    }
  });
}

/** A command that predicts on the model first, so that the service knows the generation its requests belong to. */
function command(
  name: string,
  act: (model: Model, real: Real) => unknown,
): fc.AsyncCommand<Model, Real> & { toString(): string } {
  return {
    check: () => true,
    async run(model, real) {
      await act(model, real);
      await microtasks();
      check(model, real);
    },
    toString: () => name,
  };
}

function connectBy(model: Model, real: Real, popup: boolean): void {
  real.attempt = new AbortController();
  model.begin('connecting');
  const call = real.session.connect('a@b.c', { signal: real.attempt.signal, popup });
  attempt(real, call);
  call.then(
    (result) => {
      real.results.push(result);
      const wait: { value?: boolean; code?: string } = {};
      real.waits.push(wait);
      const promise = result.game.waitForGameConnect();
      real.keep(promise);
      promise.then(
        (value) => (wait.value = value),
        (fault: unknown) => (wait.code = isAdsError(fault) ? fault.code : String(fault)),
      );
    },
    () => undefined,
  );
}

const connect = command('connect', (model, real) => connectBy(model, real, false));

const connectInPopup = (isBlocked: boolean) =>
  command(`connect in a ${isBlocked ? 'blocked ' : ''}popup`, (model, real) => {
    real.world.popup = null;
    if (!isBlocked) real.windows.push((real.world.popup = new FakePopup()));
    connectBy(model, real, true);
    // Refused at once, as when a player is signed in, it has opened none.
    if (!isBlocked && model.state !== 'connecting') real.windows.pop();
  });

/** The player answers in the popup, or leaves it. */
const answer = (how: 'agreed' | 'declined' | 'closed' | 'strange') =>
  command(`popup ${how}`, (model, { windows, asked }) => {
    const { popup } = model;
    if (popup === null || popup.window.isClosed || popup.answer !== null) return;
    const { window, challenge } = popup;
    if (how === 'closed') window.isClosed = true;
    else if (how === 'strange') {
      for (const message of [null, 'code', { code: 'x' }, { state: windows.length, error: 'access_denied' }, { state: challenge.state }]) window.say(message); // prettier-ignore
    } else if (window.listeners.size > 0) {
      popup.answer = how;
      if (asked !== null && !asked.signal.aborted) model.asked();
      window.say({ state: challenge.state, ...(how === 'agreed' ? { code: codeOf(challenge) } : { error: 'access_denied' }) }); // prettier-ignore
    }
    told.add(`popup ${how}`);
  });

const hide = command('hide', (model, real) => {
  model.isHidden = true;
  real.world.tell('hidden');
});

/** Storage was emptied, or the browser has lost it. */
const loseKey = command('the key is gone', (_model, real) => (real.key += 1));

/** Another browser with a copy of the storage opens nothing, without the key, and ends nothing either. */
const steal = command('the storage is stolen', async (_model, real) => {
  const storage = new FakeStorage();
  real.storage.entries.forEach((value, key) => storage.setItem(key, value));
  if (storage.entries.size === 0) return;
  const world = new FakeWorld(new FakeTabs());
  Object.assign(world, { wall: real.world.wall });
  const never = (): Promise<never> => Promise.reject(new Error('A thief ends something'));
  const calls = { connect: never, login: never, exchange: never, revoke: never, poll: never, cancel: never, refresh: () => Promise.resolve('refused' as const), letGo: () => undefined }; // prettier-ignore
  const thief = new UserSession(calls, world, new SessionStore(storage, 'session'), 'tabs');
  thief.restore();
  await microtasks();
  const { state } = thief.snapshot;
  told.add(`thief ${state}`);
  if (state === 'connected') throw new Error('A copy of the storage opens the session');
  thief.destroy();
});

const login = command('login', (model, real) => {
  real.attempt = new AbortController();
  model.begin('authenticating');
  attempt(real, real.session.login('a@b.c', 'secret', { signal: real.attempt.signal }));
});

/** The game aborts the signal of its last connect or login, which may be over by now. */
const abort = command('abort', (model, real) => {
  const isUnderWay = model.state === 'connecting' || model.state === 'authenticating';
  const holdsForRequest = model.state === 'pending' && real.results.length === model.waits.length;
  if (!real.attempt.signal.aborted && isUnderWay) model.leave(model.resting);
  else if (!real.attempt.signal.aborted && holdsForRequest) {
    model.leave('application');
    model.waits[model.waits.length - 1] = 'net/aborted';
  }
  real.attempt.abort();
});

const cancel = command('cancel', (model, real) => {
  const last = real.results.at(-1);
  if (last === undefined) return;
  if (model.state === 'pending') model.leave('application');
  last.cancel();
});

const logout = command('logout', (model, real) => {
  model.leave('signedOut');
  real.keep(real.session.logout());
});

const otherTab = command('sign-out in another tab', (model, real) => {
  if (['connecting', 'authenticating', 'pending', 'connected'].includes(model.state)) model.leave('signedOut');
  for (const listener of real.tabs.listeners.keys()) listener('signed-out');
});

/** The tab is hidden and duplicated: the copy finds in its storage what this one has left there, and says so. */
const copy = command('a copy of the tab begins', (model, real) => {
  model.isHidden = true;
  real.world.tell('hidden');
  const [entry] = real.storage.entries.values();
  if (entry === undefined) return;
  const { mark } = JSON.parse(entry) as { mark: string };
  told.add(`copied ${model.state}`);
  const wasPending = model.state === 'pending';
  model.kept.push(wasPending ? real.current : model.access!.replace('access', 'refresh'));
  model.moved.add(model.generation);
  model.leave('signedOut');
  if (wasPending) model.waits[model.waits.length - 1] = 'session/superseded';
  for (const listener of real.tabs.listeners.keys()) listener(`taken-up:${mark}`);
});

const destroy = command('destroy', (model, real) => {
  model.leave('destroyed');
  real.session.destroy();
  real.popups.close();
});

/** Made before the timer that ends a session has rung, a call finds out itself. */
const privateCall = command('private call', (model, real) => {
  const isOver = model.state === 'connected' && real.world.monotonic >= model.tokenEndsAt;
  if (isOver && !model.isRenewable) model.enter('expired');
  real.keep(real.session.authorize('user', (bearer) => Promise.resolve(bearer)));
});

/** The token an application call carries is the granted one or none: a late token is never used. */
const adCall = command('ad call', async (model, real) => {
  if (model.state === 'destroyed') return;
  const bearer = await real.session.authorize('application', (token) => Promise.resolve(token));
  const expected = real.world.monotonic < model.tokenEndsAt ? (model.access ?? undefined) : undefined;
  if (bearer !== expected) throw new Error(`The call carried ${String(bearer)}, the table says ${String(expected)}`);
});

const refusedCall = command('call refused with 401', async (model, real) => {
  if (model.state === 'destroyed') return;
  const isAlive = model.state === 'connected' && real.world.monotonic < model.tokenEndsAt;
  if (isAlive) model.tokenEndsAt = Math.min(model.tokenEndsAt, real.world.monotonic);
  if (isAlive && !model.isRenewable) model.enter('expired');
  await real.session.authorize('application', (token) =>
    token === undefined ? Promise.resolve() : Promise.reject(new AdsError('session/user-required', '401')),
  );
  const mustRefresh = isAlive && model.isRenewable && real.world.monotonic >= model.coolUntil;
  if (mustRefresh && real.inFlight('refresh') !== 1) throw new Error('A refused token was not renewed');
});

const advance = (ms: number) => command(`advance ${ms}`, (_model, real) => real.world.pass(ms));

const wake = (sleepMs: number) =>
  command(`wake after ${sleepMs}`, (model, real) => {
    real.world.sleep(sleepMs);
    model.pass(real.world.monotonic);
    model.isHidden = false;
    real.world.tell('visible');
  });

/** The next answers and timers, in the scheduler's order. */
const arrive = (count: number) =>
  command(`${count} arrive`, async (_model, { scheduler }) => {
    // Its successor idles for fifty turns around each task, which would cost more than all the rest of this test.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    for (let i = 0; i < count && scheduler.count() > 0; i++) await scheduler.waitOne();
  });

function predict(model: Model, real: Real, flight: Flight): void {
  const { needs, to } = ANSWERS[flight.kind];
  const { serial, ending, isRenewable } = flight;
  const now = real.world.monotonic;
  if (flight.generation !== model.generation || model.state !== needs) {
    if (ending === 'ok' && model.state !== 'destroyed') {
      const isMoved = model.moved.has(flight.generation);
      if (isMoved) told.add(`${flight.kind} of a moved session`);
      (isMoved ? model.kept : model.undone).push(flight.kind === 'connect' ? `request-${serial}` : isRenewable ? `refresh-${serial}` : `access-${serial}`); // prettier-ignore
    }
    return;
  }
  const next = to[ending]!;
  if (ending === 'ok' && flight.kind !== 'connect') {
    if (flight.kind !== 'refresh') Object.assign(model, { isRenewable, boundTo: flight.key });
    model.enter('connected');
    model.grant(now, `access-${serial}`);
  } else if (flight.kind === 'refresh' && isPassing(ending)) {
    model.coolUntil = now + [2, 4, 8, 16, 30][Math.min(4, model.failedRefreshes++)]! * 1_000;
    model.refreshDueAt = model.coolUntil;
  } else if (
    next === 'pending' &&
    !isPassing(ending) &&
    flight.kind === 'poll' &&
    flight.sentAt >= model.requestEndsAt
  ) {
    // The last word: undecided.
    model.enter('expired');
  } else model.enter(next === 'resting' ? model.resting : next);
  if (flight.kind === 'connect' && ending === 'ok') {
    model.requestEndsAt = now + REQUEST_MS;
    model.waits.push(null);
    real.current = `request-${serial}`;
    const { window, challenge } = flight;
    model.popup = hasPopup(flight) ? { window: window!, challenge: challenge!, answer: null } : null;
  }
  // The code was worth nothing: the request goes on by e-mail.
  if (flight.kind === 'exchange' && ending === 'refused') model.popup = null;
}

function give(flight: Flight): void {
  const { kind, serial, ending, isRenewable } = flight;
  const grant = {
    accessToken: `access-${serial}`,
    lifetimeMs: LIFETIME_MS,
    refreshToken: isRenewable ? `refresh-${serial}` : null,
    refreshLifetimeMs: SESSION_MS,
    player: kind === 'refresh' ? null : { playerId: `p${serial}`, displayName: 'Ada' },
  };
  // Every other service holds polls.
  const holdMs = serial % 2 === 0 ? 25_000 : 0;
  const times = { expiresInMs: REQUEST_MS, intervalMs: INTERVAL_MS, holdMs };
  const popupUrl = hasPopup(flight) ? 'https://accounts.example/popup' : '';
  const request = { requestId: `request-${serial}`, bindingCode: '', confirmUrl: '', popupUrl, ...times };
  if (ending === 'network') flight.reject(new AdsError('net/unreachable', 'lost'));
  else if (ending === 'unproven')
    flight.reject(new AdsError(serial % 2 === 0 ? 'session/refresh-failed' : 'service/refused', 'no proof'));
  else if (ending === 'broken') flight.reject(new AdsError('response/schema', 'no token'));
  else if (kind === 'connect') flight.resolve(request as never);
  else if (kind === 'login' && ending === 'refused') flight.reject(new AdsError('session/invalid-credentials', 'no'));
  else if (kind === 'login' || (kind === 'refresh' && ending === 'ok')) flight.resolve(grant as never);
  else if (ending === 'refused') flight.resolve('refused' as never);
  else if (kind === 'exchange') flight.resolve(grant as never);
  else flight.resolve((ending === 'ok' ? { grant } : { verdict: ending }) as never);
}

const commands = fc.commands(
  [
    fc.constant(connect),
    ...[1, 2].map(() => fc.constantFrom(false, false, true).map(connectInPopup)),
    ...[1, 2].map(() => fc.constantFrom('agreed', 'agreed', 'declined', 'closed', 'strange').map(answer)),
    fc.constantFrom(hide, steal, loseKey),
    fc.oneof({ arbitrary: fc.constant(refusedCall), weight: 2 }, { arbitrary: fc.constant(copy), weight: 1 }),
    fc.constant(login),
    fc.constant(logout),
    fc.constant(cancel),
    fc.constant(abort),
    fc.constant(otherTab),
    fc.constant(privateCall),
    fc.constant(adCall),
    fc.constant(refusedCall),
    fc.oneof({ arbitrary: fc.constant(adCall), weight: 9 }, { arbitrary: fc.constant(destroy), weight: 1 }),
    // Commands are drawn evenly; time and answers are what most of a session's life is made of.
    ...[1, 2, 3, 4, 5].map(() => fc.integer({ min: 1, max: 3 }).map(arrive)),
    ...[1, 2, 3, 4].map(() => fc.constantFrom(1, 999, 5_000, 5_001, 60_000, 299_999, 510_000, 600_000).map(advance)),
    fc.constantFrom(0, 1_000, SESSION_MS).map(wake),
  ],
  { maxCommands: 40, size: 'max' },
);

/** In the end the client goes, and everything it ever promised settles. */
async function finish(model: Model, real: Real): Promise<void> {
  await destroy.run(model, real);
  await real.scheduler.waitIdle();
  check(model, real);
  if (real.open.size > 0) throw new Error(`${real.open.size} promises never settled`);
  if (real.world.leftovers > 0) throw new Error('Timers or listeners are left');
}

describe(`${RUNS.toLocaleString('en')} random lives of a session`, () => {
  it('A3 A5: follow the table, whatever comes first: no illegal transition, one refresh in flight at most, no late commit, no promise left', async () => {
    const visited = new Set<SessionState>();
    const draws = fc.noShrink(fc.infiniteStream(fc.nat(719)));
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), commands, draws, async (scheduler, sequence, numbers) => {
        const model = new Model();
        const real = new Real(model, scheduler, numbers);
        real.session.changes.on(({ session }) => visited.add(session.state));
        await fc.asyncModelRun(() => ({ model, real }), sequence);
        await finish(model, real);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect([...told]).toEqual(
      expect.arrayContaining([
        ...['ok', 'refused', 'network', 'unproven'].map((ending) => `exchange: ${ending}`),
        ...['agreed', 'declined', 'closed', 'strange'].map((how) => `popup ${how}`),
        ...[
          'thief expired',
          'thief pending',
          'copied connected',
          'copied pending',
          'refresh of a moved session',
          'refresh: unproven',
          'refresh: refused',
        ],
      ]),
    );
    expect([...visited].sort()).toEqual(
      ['application', 'authenticating', 'connected', 'connecting', 'denied', 'destroyed', 'expired', 'pending', 'signedOut'], // prettier-ignore
    );
  }, 1_200_000);
});
