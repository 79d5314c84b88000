import fc from 'fast-check';

import { AdsError, isAdsError } from '../../../src/errors.js';
import type { ConnectRequest, Grant } from '../../../src/service/decode.js';
import { UserSession } from '../../../src/service/UserSession.js';
import type { ConnectResult, FirstGrant, SessionCalls } from '../../../src/service/UserSession.js';
import type { PollVerdict, SessionState } from '../../../src/service/SessionMachine.js';
import { FakeTabs, FakeWorld } from './FakeWorld.js';

/*
 * Random sequences of what players, games, tabs, clocks and the service can do, compared with the transition table
 * below. The table is written from the promised behaviour and shares no code with the session.
 */

const RUNS = process.env['DEEP'] === '1' ? 100_000 : 10_000;

const LIFETIME_MS = 600_000;
const SESSION_MS = 8 * 3_600_000;
const REQUEST_MS = 300_000;
const INTERVAL_MS = 5_000;

type Kind = 'connect' | 'login' | 'poll' | 'refresh';
type Ending = 'ok' | 'network' | 'refused' | PollVerdict;

const ENDINGS: Readonly<Record<Kind, readonly Ending[]>> = {
  connect: ['ok', 'network'],
  login: ['ok', 'refused'],
  poll: ['ok', 'authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'unknown-request', 'broken', 'network'], // prettier-ignore
  refresh: ['ok', 'refused', 'network'],
};

/** Where an answer of the current generation leads: by kind, the state it needs, and its ending. */
const ANSWERS: Readonly<
  Record<Kind, { readonly needs: SessionState; readonly to: Partial<Record<Ending, SessionState | 'resting'>> }>
> =
  // prettier-ignore
  {
    connect: { needs: 'connecting', to: { ok: 'pending', network: 'resting' } },
    login: { needs: 'authenticating', to: { ok: 'connected', refused: 'resting' } },
    poll: {
      needs: 'pending',
      to: {
        ok: 'connected',
        authorization_pending: 'pending',
        slow_down: 'pending',
        network: 'pending',
        access_denied: 'denied',
        expired_token: 'expired',
        'unknown-request': 'expired',
        broken: 'expired',
      },
    },
    refresh: { needs: 'connected', to: { ok: 'connected', refused: 'expired', network: 'connected' } },
  };

/** A request the session has sent and the service has not answered yet. */
interface Flight {
  readonly kind: Kind;
  /** The model's generation when it was sent. */
  readonly generation: number;
  readonly serial: number;
  readonly resolve: (answer: never) => void;
  readonly reject: (fault: AdsError) => void;
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
  isRenewable = true;
  access: string | null = null;
  /** What the waiters of each connect request, in order, should be told. */
  readonly waits: (boolean | string | null)[] = [];
  readonly undone: string[] = [];

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
    this.state = to;
  }

  grant(now: number, access: string): void {
    this.access = access;
    this.tokenEndsAt = now + LIFETIME_MS;
    this.sessionEndsAt = now + (this.isRenewable ? SESSION_MS : LIFETIME_MS);
    this.refreshDueAt = now + LIFETIME_MS - 90_000;
    this.coolUntil = 0;
  }

  pass(now: number): void {
    if (this.state === 'pending' && now >= this.requestEndsAt) this.enter('expired');
    if (this.state === 'connected' && now >= this.sessionEndsAt) this.enter('expired');
  }
}

/** The session under test, with a service whose answers wait to be given. */
class Real implements SessionCalls {
  readonly tabs = new FakeTabs();
  readonly world = new FakeWorld(this.tabs, microtasks);
  readonly flights: Flight[] = [];
  readonly undone: string[] = [];
  readonly results: ConnectResult[] = [];
  readonly waits: { value?: boolean; code?: string }[] = [];
  readonly open = new Set<Promise<unknown>>();
  /** Connects and logins that have not settled. */
  underWay = 0;
  readonly illegal: string[] = [];
  readonly session: UserSession;
  attempt = new AbortController();
  #serial = 0;
  #last: SessionState = 'application';

  constructor(readonly model: Model) {
    this.session = new UserSession(this, this.world, null, 'tabs');
    this.session.on(({ previous, session }) => {
      if (previous !== this.#last || previous === session.state || previous === 'destroyed') {
        this.illegal.push(`${previous}→${session.state}`);
      }
      this.#last = session.state;
    });
  }

  connect = (): Promise<ConnectRequest> => this.#fly('connect');
  login = (): Promise<FirstGrant> => this.#fly('login');
  poll = (): Promise<{ verdict: PollVerdict } | { grant: FirstGrant }> => this.#fly('poll');
  refresh = (): Promise<Grant> => this.#fly('refresh');
  revoke = (token: string): Promise<void> => this.#undo(token);
  cancel = (id: string): Promise<void> => this.#undo(id);

  #undo(what: string): Promise<void> {
    this.undone.push(what);
    return Promise.resolve();
  }

  #fly<T>(kind: Kind): Promise<T> {
    return new Promise((resolve, reject) => {
      const { generation } = this.model;
      this.flights.push({ kind, generation, serial: ++this.#serial, resolve: resolve, reject });
    });
  }

  /** Refreshes in flight for the session that is current. */
  get refreshes(): number {
    return this.flights.filter((flight) => flight.kind === 'refresh' && flight.generation === this.model.generation)
      .length;
  }

  /** Every promise the session has given must settle in the end. */
  keep(promise: Promise<unknown>): void {
    this.open.add(promise);
    const done = (): boolean => this.open.delete(promise);
    promise.then(done, done);
  }
}

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
  if (real.refreshes > 1) throw new Error('Two refreshes in flight');
  if (model.state === 'connected' && model.isRenewable) {
    const isDue = world.monotonic >= Math.max(model.refreshDueAt, model.coolUntil);
    if (isDue && real.refreshes === 0) throw new Error('A refresh was forgotten');
  }
  const hasTimer = world.leftovers > (model.state === 'destroyed' ? 0 : 2);
  const needsTimer = model.state === 'pending' || model.state === 'connected';
  if (hasTimer !== needsTimer) throw new Error(`In ${model.state} there is ${hasTimer ? 'a' : 'no'} timer`);
  model.undone.forEach((what) => {
    if (!real.undone.includes(what)) throw new Error(`${what} arrived late and was not undone`);
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

const connect = command('connect', (model, real) => {
  real.attempt = new AbortController();
  model.begin('connecting');
  const call = real.session.connect('a@b.c', { signal: real.attempt.signal });
  attempt(real, call);
  call.then(
    (result) => {
      real.results.push(result);
    },
    () => undefined,
  );
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
  if (model.state === 'destroyed') return;
  model.leave('signedOut');
  for (const listener of real.tabs.listeners.values()) listener('signed-out');
});

const destroy = command('destroy', (model, real) => {
  model.leave('destroyed');
  real.session.destroy();
});

const privateCall = command('private call', (_model, real) => {
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
  if (mustRefresh && real.refreshes !== 1) throw new Error('A refused token was not renewed');
});

const advance = (ms: number) =>
  command(`advance ${ms}`, async (model, real) => {
    const end = real.world.monotonic + ms;
    // The model is told at its own limits, so that requests sent after them belong to what holds then.
    await real.world.advance(ms);
    model.pass(end);
  });

const wake = (sleepMs: number) =>
  command(`wake after ${sleepMs}`, (_model, real) => {
    real.world.sleep(sleepMs);
    real.world.tell('visible');
  });

const answer = (pick: number, how: number, isRenewable: boolean) =>
  command(`answer ${pick} ${how}${isRenewable ? '' : ' for good'}`, async (model, real) => {
    if (real.flights.length === 0) return;
    const [flight] = real.flights.splice(pick % real.flights.length, 1) as [Flight];
    const endings = ENDINGS[flight.kind];
    const ending = endings[how % endings.length]!;
    predict(model, real, flight, ending, isRenewable);
    give(flight, ending, isRenewable);
    await microtasks();
    for (const result of real.results.slice(real.waits.length)) {
      const wait: { value?: boolean; code?: string } = {};
      real.waits.push(wait);
      const promise = result.game.waitForGameConnect();
      real.keep(promise);
      promise.then(
        (value) => (wait.value = value),
        (fault: unknown) => (wait.code = isAdsError(fault) ? fault.code : String(fault)),
      );
    }
  });

function predict(model: Model, real: Real, flight: Flight, ending: Ending, isRenewable: boolean): void {
  const { needs, to } = ANSWERS[flight.kind];
  const { serial } = flight;
  const now = real.world.monotonic;
  if (flight.generation !== model.generation || model.state !== needs) {
    if (ending === 'ok' && model.state !== 'destroyed') {
      model.undone.push(flight.kind === 'connect' ? `request-${serial}` : isRenewable || flight.kind === 'refresh' ? `refresh-${serial}` : `access-${serial}`); // prettier-ignore
    }
    return;
  }
  const next = to[ending]!;
  if (ending === 'ok' && flight.kind !== 'connect') {
    if (flight.kind !== 'refresh') model.isRenewable = isRenewable;
    model.enter('connected');
    model.grant(now, `access-${serial}`);
  } else if (flight.kind === 'refresh' && ending === 'network') {
    model.coolUntil = now + 60_000;
    model.refreshDueAt = model.coolUntil;
  } else model.enter(next === 'resting' ? model.resting : next);
  if (flight.kind === 'connect' && ending === 'ok') {
    model.requestEndsAt = now + REQUEST_MS;
    model.waits.push(null);
  }
}

function give(flight: Flight, ending: Ending, isRenewable: boolean): void {
  const { kind, serial } = flight;
  const grant = {
    accessToken: `access-${serial}`,
    lifetimeMs: LIFETIME_MS,
    refreshToken: isRenewable || kind === 'refresh' ? `refresh-${serial}` : null,
    refreshLifetimeMs: SESSION_MS,
    player: kind === 'refresh' ? null : { playerId: `p${serial}`, displayName: 'Ada' },
  };
  const request = { requestId: `request-${serial}`, expiresInMs: REQUEST_MS, intervalMs: INTERVAL_MS, bindingCode: '' };
  if (ending === 'network') flight.reject(new AdsError('net/unreachable', 'lost'));
  else if (ending === 'broken') flight.reject(new AdsError('response/schema', 'no token'));
  else if (kind === 'connect') flight.resolve(request as never);
  else if (kind === 'login' && ending === 'refused') flight.reject(new AdsError('session/invalid-credentials', 'no'));
  else if (kind === 'login' || (kind === 'refresh' && ending === 'ok')) flight.resolve(grant as never);
  else if (kind === 'refresh') flight.resolve('refused' as never);
  else flight.resolve((ending === 'ok' ? { grant } : { verdict: ending }) as never);
}

const commands = fc.commands(
  [
    fc.constant(connect),
    fc.constant(login),
    fc.constant(logout),
    fc.constant(cancel),
    fc.constant(abort),
    fc.constant(otherTab),
    fc.constant(privateCall),
    fc.constant(adCall),
    fc.constant(refusedCall),
    fc.oneof({ arbitrary: fc.constant(adCall), weight: 9 }, { arbitrary: fc.constant(destroy), weight: 1 }),
    // Commands are drawn evenly; answers and time are what most of a session's life is made of.
    ...[1, 2, 3, 4, 5, 6].map(() =>
      fc.tuple(fc.nat(5), fc.nat(23), fc.integer({ min: 0, max: 9 })).map(([pick, how, r]) => answer(pick, how, r > 0)),
    ),
    ...[1, 2, 3].map(() => fc.constantFrom(1, 999, 5_000, 5_001, 60_000, 299_999, 510_000, 600_000).map(advance)),
    fc.constantFrom(0, 1_000, SESSION_MS).map(wake),
  ],
  { maxCommands: 40, size: 'max' },
);

/** In the end the client goes, and everything it ever promised settles. */
async function finish(model: Model, real: Real): Promise<void> {
  await destroy.run(model, real);
  for (const flight of real.flights.splice(0)) flight.reject(new AdsError('lifecycle/destroyed', 'cut'));
  await real.world.advance(2_000);
  if (real.open.size > 0) throw new Error(`${real.open.size} promises never settled`);
  if (real.world.leftovers > 0) throw new Error('Timers or listeners are left');
}

describe(`${RUNS.toLocaleString('en')} random lives of a session`, () => {
  it('follow the table: no illegal transition, at most one refresh in flight, no late commit, no promise left', async () => {
    const visited = new Set<SessionState>();
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const model = new Model();
        const real = new Real(model);
        real.session.on(({ session }) => visited.add(session.state));
        await fc.asyncModelRun(() => ({ model, real }), sequence);
        await finish(model, real);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect([...visited].sort()).toEqual(
      ['application', 'authenticating', 'connected', 'connecting', 'denied', 'destroyed', 'expired', 'pending', 'signedOut'], // prettier-ignore
    );
  }, 1_200_000);
});
