import { type SessionInput, SessionMachine } from '../../../src/service/SessionMachine.js';
import { contractTimes } from '../../helpers/contractTimes.js';

/*
 * Players who connect and stay for hours while one in five requests and one in five answers is lost, at every step. Half of
 * the services hold polls; pages wake in the middle of them and ask anew. The service keeps to the times of the contract;
 * simulated time, seeded.
 */

const SESSIONS = process.env['DEEP'] ? 1_000_000 : 100_000;
const LOST_REQUESTS = 0.2;
const LOST_ANSWERS = 0.2;
const REQUEST_MS = 300_000;
const LIFETIME_MS = 600_000;
const SESSION_MS = 8 * 3_600_000;
/** How long the simulated player stays. */
const STAY_MS = 2_400_000;
/** As long as one request may take. */
const TIMEOUT_MS = 10_000;

const times = contractTimes();
const REPEAT_MS = times.repeatGraceSeconds * 1_000;
const HOLD_MS = times.longestHoldSeconds * 1_000;
/** One poll in ten that is held sees its page wake. */
const WOKEN = 0.1;
const SIBLING_MS = times.siblingGraceSeconds * 1_000;

/** mulberry32, uniform in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Token {
  readonly generation: number;
  usedAt: number | null;
}

/** One connect request and the session it leads to, by the rules of the contract. */
class Service {
  redeemedAt: number | null = null;
  newest: Token | null = null;
  renewedAt = 0;
  generation = 1;
  isRevoked = false;

  constructor(private readonly confirmedAt: number) {}

  poll(now: number): Token | 'authorization_pending' | 'expired_token' | 'unknown-request' {
    if (this.redeemedAt !== null) {
      const mayRepeat = now - this.redeemedAt <= REPEAT_MS && this.generation === 1 && !this.isRevoked;
      return mayRepeat ? this.issue(1, now) : 'unknown-request';
    }
    const isConfirmed = now >= this.confirmedAt;
    if (now >= REQUEST_MS + (isConfirmed ? REPEAT_MS : 0)) return 'expired_token';
    if (!isConfirmed) return 'authorization_pending';
    this.redeemedAt = now;
    return this.issue(1, now);
  }

  /** A poll that arrives now and may be held: when it is answered. */
  answersAt(now: number, heldMs: number): number {
    const decidedAt = Math.min(this.confirmedAt, REQUEST_MS);
    return decidedAt <= now ? now : Math.min(decidedAt, now + heldMs);
  }

  refresh(token: Token, now: number): Token | 'refused' {
    if (this.isRevoked) return 'refused';
    const isForgiven =
      token.usedAt === null
        ? token === this.newest || now - this.renewedAt <= SIBLING_MS
        : token.generation === this.generation - 1 && now - token.usedAt <= REPEAT_MS;
    if (!isForgiven) {
      this.isRevoked = true;
      return 'refused';
    }
    token.usedAt ??= now;
    this.generation = Math.max(this.generation, token.generation + 1);
    return this.issue(this.generation, now);
  }

  private issue(generation: number, now: number): Token {
    this.renewedAt = now;
    return (this.newest = { generation, usedAt: null });
  }
}

/** How a player fares. */
type Fate = 'connected' | 'told no' | 'signed out' | 'undecided, told no';

function live(random: () => number): { fate: Fate; tries: number } {
  // One in ten never confirms; many do so at the very end.
  const kind = random();
  const isLate = kind > 0.8;
  const confirmedAt = kind < 0.1 ? Infinity : isLate ? REQUEST_MS - random() * 10_000 : random() * 60_000;
  const service = new Service(confirmedAt);
  const machine = new SessionMachine();
  machine.apply({ type: 'connect' }, 0);
  machine.apply(
    {
      type: 'connectAccepted',
      generation: machine.generation,
      expiresInMs: REQUEST_MS,
      intervalMs: 5_000,
      holdMs: random() < 0.5 ? HOLD_MS : 0,
    },
    0,
  );
  let now = 0;
  let token: Token | null = null;
  let tries = 0;
  const { generation } = machine;
  while (machine.state === 'pending' || (machine.state === 'connected' && now < STAY_MS)) {
    now = Math.max(now, machine.dueAt);
    const { request } = machine.apply({ type: 'time' }, now);
    if (request === null) continue;
    tries++;
    let heldMs = request === 'poll' ? machine.heldMs : 0;
    if (heldMs > 0 && random() < WOKEN) {
      // The page wakes and asks anew: whatever the first poll brings, nobody is there to hear it.
      const wakesAt = now + 5_000 + random() * heldMs;
      const answersAt = service.answersAt(now, heldMs);
      if (answersAt <= wakesAt) service.poll(answersAt);
      now = wakesAt;
      if (machine.apply({ type: 'awake', sinceGrantMs: 0 }, now).request !== 'poll') continue;
      heldMs = machine.heldMs;
    }
    const isLost = random() < LOST_REQUESTS;
    const isAnswerLost = !isLost && random() < LOST_ANSWERS;
    let given: Token | string | null = null;
    if (!isLost && request === 'poll') {
      const answersAt = service.answersAt(now, heldMs);
      given = service.poll(answersAt);
      if (!isAnswerLost) now = answersAt;
    } else if (!isLost) given = service.refresh(token!, now);
    // A loss shows at once, or when the request has taken as long as it may.
    now += isLost || isAnswerLost ? (random() < 0.5 ? TIMEOUT_MS + heldMs : 50) : 50 + random() * 1_000;
    const answer: Token | string | null = isLost || isAnswerLost ? null : given;
    let input: SessionInput;
    if (answer === null && request === 'poll') input = { type: 'pollFailed', generation, retryAfterMs: 0 };
    else if (answer === null) input = { type: 'refreshFailed', generation };
    else if (answer === 'refused') input = { type: 'refreshRefused', generation };
    else if (typeof answer === 'string')
      input = { type: 'pollAnswered', generation, answer: answer as 'expired_token' };
    else {
      token = answer;
      input = { type: request === 'poll' ? 'confirmed' : 'refreshed', generation, lifetimeMs: LIFETIME_MS, sessionMs: SESSION_MS }; // prettier-ignore
    }
    machine.apply(input, now);
  }
  if (machine.state === 'connected') return { fate: 'connected', tries };
  if (token !== null) return { fate: 'signed out', tries };
  return { fate: confirmedAt === Infinity ? 'undecided, told no' : 'told no', tries };
}

describe('lost requests and lost answers', () => {
  it('S2 S3: sign nobody out, and tell nobody no who confirmed', () => {
    const random = randomFrom(26);
    const fates: Record<Fate, number> = { connected: 0, 'told no': 0, 'signed out': 0, 'undecided, told no': 0 };
    for (let i = 0; i < SESSIONS; i++) fates[live(random).fate]++;
    expect(fates).toMatchObject({ 'told no': 0, 'signed out': 0 });
    expect(fates.connected).toBeGreaterThan(SESSIONS * 0.85);
    expect(fates['undecided, told no']).toBeGreaterThan(SESSIONS * 0.05);
  });
});
