import fc from 'fast-check';

import { type SessionInput, SessionMachine, type SessionState } from '../../../src/service/SessionMachine.js';

type Kind = SessionInput['type'];

const ALWAYS: readonly Kind[] = ['logout', 'destroy', 'awake', 'time'];
const ATTEMPT: readonly Kind[] = ['connect', 'login'];
/** What may happen in each state; in `connected` also how a refresh ends, while there is one. */
const LEGAL: Readonly<Record<SessionState, readonly Kind[]>> = {
  application: [...ALWAYS, ...ATTEMPT, 'restoreSession', 'restoreRequest'],
  connecting: [...ALWAYS, ...ATTEMPT, 'cancel', 'logoutElsewhere', 'connectAccepted', 'attemptFailed'],
  pending: [...ALWAYS, ...ATTEMPT, 'cancel', 'logoutElsewhere', 'pollAnswered', 'pollFailed', 'confirmed'],
  authenticating: [...ALWAYS, ...ATTEMPT, 'cancel', 'logoutElsewhere', 'loginAccepted', 'attemptFailed'],
  connected: [...ALWAYS, 'logoutElsewhere', 'unauthorized'],
  denied: [...ALWAYS, ...ATTEMPT],
  expired: [...ALWAYS, ...ATTEMPT],
  signedOut: [...ALWAYS, ...ATTEMPT],
  destroyed: [],
};
const REFRESH_ENDS: readonly Kind[] = ['refreshed', 'refreshRefused', 'refreshFailed'];
const KINDS = [...new Set([...Object.values(LEGAL).flat(), ...REFRESH_ENDS])];

/** One input: any, or the one of this number among those that are legal. Its generation counts from the machine's present one. */
const inputs = fc.record({
  any: fc.option(fc.constantFrom(...KINDS), { freq: 2 }),
  number: fc.nat(719),
  generation: fc.constantFrom(0, 0, 0, 0, -1, 1),
  answer: fc.constantFrom('access_denied', 'authorization_pending', 'slow_down', 'access_denied', 'expired_token', 'unknown-request', 'broken'),
  expiresInMs: fc.integer({ min: 1_000, max: 600_000 }),
  intervalMs: fc.integer({ min: 1_000, max: 60_000 }),
  holdMs: fc.constantFrom(0, 30_000),
  retryAfterMs: fc.constantFrom(0, 30_000),
  lifetimeMs: fc.integer({ min: 1, max: 900_000 }),
  sessionMs: fc.option(fc.integer({ min: 1, max: 9_000_000 })),
  sinceGrantMs: fc.nat(900_000),
  passesMs: fc.constantFrom(0, 0, 10, 5_000, 200_000),
}); // prettier-ignore

const everythingOf = (machine: SessionMachine, now: number) => {
  const { state, generation, expiredReason, intervalMs, holdMs, heldMs, dueAt } = machine;
  return { state, generation, expiredReason, intervalMs, holdMs, heldMs, dueAt, isAlive: machine.isTokenAlive(now) };
};

it('a session takes what is legal in its state and not late; what it does not take changes nothing and asks for nothing', () => {
  const taken = new Set<string>();
  fc.assert(
    fc.property(fc.array(inputs, { minLength: 20, maxLength: 40 }), (draws) => {
      const machine = new SessionMachine();
      let now = 0;
      let isRefreshing = false;
      const end = { ...draws[0]!, any: 'destroy' as Kind };
      for (const { passesMs, any, number, ...fields } of [...draws, end]) {
        now += passesMs;
        const before = everythingOf(machine, now);
        const legal = [...LEGAL[before.state], ...(isRefreshing ? REFRESH_ENDS : [])];
        const lively = legal.filter((kind) => kind !== 'destroy');
        const type = any ?? lively[number % lively.length] ?? 'time';
        const isAnswer = /Accepted|Failed|Answered|confirmed|refresh/.test(type);
        const sessionMs = type === 'restoreSession' ? (fields.sessionMs ?? 1_000) : fields.sessionMs;
        const { generation, ...rest } = { ...fields, type, sessionMs };
        const input = { ...rest, ...(isAnswer ? { generation: machine.generation + generation } : {}) };
        const step = machine.apply(input as SessionInput, now);
        expect([step.accepted, step.from, step.to]).toEqual([
          legal.includes(type) && !(isAnswer && generation !== 0),
          before.state,
          machine.state,
        ]);
        if (step.accepted) taken.add(`${before.state} ${type}`);
        else expect([step.request, everythingOf(machine, now)]).toEqual([null, before]);
        if (step.request === 'refresh') isRefreshing = true;
        else if (machine.state !== 'connected' || (step.accepted && REFRESH_ENDS.includes(type))) isRefreshing = false;
      }
    }),
    { numRuns: 1_000 },
  );
  const all = Object.entries(LEGAL).flatMap(([state, kinds]) => kinds.map((type) => `${state} ${type}`));
  const ends = REFRESH_ENDS.map((type) => `connected ${type}`);
  expect([...all, ...ends].filter((one) => !taken.has(one))).toEqual([]);
});
