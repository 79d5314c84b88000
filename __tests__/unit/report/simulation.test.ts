import * as v from 'valibot';
import { AdsError } from '../../../src/errors.js';
import { noLocks, type OwnerLocks } from '../../../src/report/OwnerLocks.js';
import { type ReportBatch, Reporter, type SendOptions } from '../../../src/report/Reporter.js';
import type { Acknowledgement } from '../../../src/service/decode.js';
import { imbalanceOf, ledgerSchema, type ReportLedger } from '../../../src/report/ReportLedger.js';
import { emptyContent, MemoryStore, type MemoryContent, type MemoryTransaction } from './MemoryStore.js';
import { CountingService } from './ReportingWorld.js';
import { SimulatedTime } from './SimulatedTime.js';

/*
 * Players whose sessions are killed, whose requests and answers are lost, and who are offline for whole sessions, until
 * one last session in peace. Time is simulated; a kill leaves what was committed and nothing else.
 */

const EVENTS_IN_ALL = process.env['DEEP'] ? 1_000_000 : 100_000;
const SEEDS = 10;
const COMMIT_MS = 2;
const DAY_END_MS = 3_600_000;

class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** mulberry32, uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }
}

/** One player's browser: a disk, and which owners of locks live. */
interface Player {
  readonly content: MemoryContent;
  readonly time: SimulatedTime;
  readonly living: Set<string>;
  readonly hasLocks: boolean;
}

/** A run of the game in a tab, until it ends or is killed. */
class Session {
  isAlive = true;
  readonly reporter: Reporter;
  readonly announced: string[] = [];
  readonly #held = new Set<string>();

  constructor(
    readonly player: Player,
    readonly random: Random,
    readonly service: CountingService,
    readonly network: 'bad' | 'none' | 'good',
    newId: () => string,
  ) {
    const { time } = player;
    this.reporter = new Reporter({
      disk: new KillableStore(player.content, time, () => this.isAlive),
      locks: player.hasLocks ? this.#locks() : noLocks,
      send: (batch, options) => this.#send(batch, options),
      isReady: () => true,
      now: () => time.now,
      wallNow: () => 1_800_000_000_000 + time.now,
      after: (ms, callback) => time.after(ms, () => (this.isAlive ? callback() : undefined)),
      random: () => random.next(),
      newId,
      isOnline: () => network !== 'none',
      mayReport: () => true,
      warn: () => undefined,
    });
  }

  record(name: string): void {
    if (!this.isAlive) return;
    const kind = this.random.chance(0.5) ? 'click' : 'loaded';
    void this.reporter.record({ kind, adId: name }).then(() => (this.isAlive ? this.announced.push(name) : 0));
  }

  kill(): void {
    this.isAlive = false;
    for (const owner of this.#held) this.player.living.delete(owner);
  }

  leave(): void {
    if (!this.isAlive) return;
    this.reporter.pageHidden();
    this.reporter.pageLeaving();
    this.kill();
  }

  #locks(): OwnerLocks {
    const { living } = this.player;
    const hold = (owner: string): (() => void) => {
      living.add(owner);
      this.#held.add(owner);
      return () => {
        if (this.#held.delete(owner)) living.delete(owner);
      };
    };
    return {
      hold,
      take: (owner) => Promise.resolve(living.has(owner) ? ('held' as const) : { release: hold(owner) }),
    };
  }

  async #send(batch: ReportBatch, { leaves }: SendOptions): Promise<Acknowledgement> {
    const { time } = this.player;
    const { random } = this;
    await leaves();
    if (!this.isAlive) return new Promise(() => undefined);
    await time.wait(this.network === 'none' ? 1 : random.between(20, 300));
    if (this.network === 'none') throw new AdsError('net/offline', 'offline');
    if (this.network === 'bad') {
      if (random.chance(0.2)) return this.#lose();
      if (random.chance(0.1)) throw refusal(random);
    }
    const answer = this.service.receive(batch);
    if (this.network === 'bad' && random.chance(0.2)) return this.#lose();
    await time.wait(random.between(20, 300));
    return answer;
  }

  async #lose(): Promise<never> {
    if (this.random.chance(0.2)) throw new AdsError('net/unreachable', 'lost');
    await this.player.time.wait(10_000);
    throw new AdsError('net/timeout', 'lost');
  }
}

function refusal(random: Random): AdsError {
  if (random.chance(0.5)) return new AdsError('service/unavailable', 'down', { status: 503 });
  return new AdsError('service/rate-limited', 'busy', { status: 429, retryAfterMs: random.between(0, 20_000) });
}

/** A disk on which what a killed page has not committed never appears. */
class KillableStore extends MemoryStore {
  readonly #time: SimulatedTime;
  readonly #isAlive: () => boolean;

  constructor(content: MemoryContent, time: SimulatedTime, isAlive: () => boolean) {
    super(content);
    this.#time = time;
    this.#isAlive = isAlive;
  }

  protected override async commit(transaction: MemoryTransaction): Promise<void> {
    if (!this.#isAlive()) throw new Error('killed');
    await this.#time.wait(COMMIT_MS);
    if (!this.#isAlive()) throw new Error('killed');
    transaction.apply();
  }
}

interface Tally {
  created: number;
  announced: number;
  counted: number;
  dropped: number;
  arrivals: number;
  kills: number;
}

/** Plays one player to the end and judges their books. */
async function play(random: Random, seed: number, playerNumber: number, tally: Tally): Promise<number> {
  const time = new SimulatedTime();
  const player: Player = { content: emptyContent(), time, living: new Set(), hasLocks: random.chance(0.8) };
  const service = new CountingService();
  let ids = 0;
  const newId = (): string => `s${seed}-p${playerNumber}-${ids++}`;
  const announced: string[] = [];
  let recorded = 0;

  const sessionCount = 2 + Math.floor(random.next() * 6);
  for (let i = 0; i < sessionCount; i++) {
    const tabs = random.chance(0.2) ? 2 : 1;
    const sessions: Session[] = [];
    for (let tab = 0; tab < tabs; tab++) {
      const network = random.chance(0.2) ? 'none' : 'bad';
      const session = new Session(player, random, service, network, newId);
      sessions.push(session);
      const lengthMs = random.between(1_000, 120_000);
      const count = Math.floor(random.between(5, 45));
      recorded += count;
      for (let n = 0; n < count; n++) {
        const name = `${seed}.${playerNumber}.${i}.${tab}.${n}`;
        time.after(random.between(0, lengthMs), () => session.record(name));
      }
      if (random.chance(0.5)) {
        time.after(random.between(0, lengthMs), () => {
          tally.kills++;
          session.kill();
        });
      } else {
        time.after(lengthMs, () => (random.chance(0.5) ? session.leave() : session.reporter.destroy()));
        time.after(lengthMs + 15_000, () => session.kill());
      }
    }
    await time.pass(random.between(1_000, 300_000));
    for (const session of sessions) session.kill();
    for (const session of sessions) announced.push(...session.announced);
    const { state } = player.content;
    if (state !== undefined) expect(imbalanceOf((state as { ledger: ReportLedger }).ledger)).toBe(0);
  }

  const last = new Session(player, random, service, 'good', newId);
  await time.pass(DAY_END_MS);
  void last.reporter.flush();
  await time.pass(10_000);

  const ledger = (player.content.state as { ledger: ReportLedger }).ledger;
  const counted = new Set([...service.seen.values()].flatMap((texts) => [...texts].map(nameIn)));
  const dropped = Object.values(ledger.dropped).reduce((sum, n) => sum + n, 0);
  expect({ seed, playerNumber, lost: announced.filter((name) => !counted.has(name)) }).toMatchObject({ lost: [] });
  // One id, one text, one fact: nothing can be counted twice.
  expect([...service.seen.values()].every((texts) => texts.size === 1)).toBe(true);
  expect([counted.size, service.counted.size]).toEqual([service.seen.size, service.seen.size]);
  expect({ seed, playerNumber, isSound: v.is(ledgerSchema, ledger), pending: ledger.pending, rows: player.content.rows.size, dropped }).toEqual({ seed, playerNumber, isSound: true, pending: 0, rows: 0, dropped: 0 }); // prettier-ignore
  // R3: what the service holds is what the books know, though pages end while what they send is being written down.
  expect(ledger.accepted + ledger.duplicate).toBe(ledger.created);
  expect(service.counted.size).toBe(ledger.created);
  expect(ledger.created).toBeGreaterThanOrEqual(announced.length);
  for (const told of service.ledgers.values()) expect(imbalanceOf(told)).toBe(0);
  tally.created += ledger.created;
  tally.announced += announced.length;
  tally.counted += service.counted.size;
  tally.dropped += dropped;
  tally.arrivals += service.arrivals;
  return recorded;
}

const nameIn = (text: string): string => (JSON.parse(text) as { adId: string }).adId;

describe('simulated players: 20 % of requests and 20 % of answers lost, 10 % refused, half of the sessions killed', () => {
  it.each(Array.from({ length: SEEDS }, (_, i) => i + 1))(
    'lose no announced event and have none counted twice, seed %i',
    async (seed) => {
      const random = new Random(seed);
      const tally: Tally = { created: 0, announced: 0, counted: 0, dropped: 0, arrivals: 0, kills: 0 };
      let recorded = 0;
      for (let player = 0; recorded < EVENTS_IN_ALL / SEEDS; player++)
        recorded += await play(random, seed, player, tally);
      expect(tally.kills).toBeGreaterThan(recorded / 150);
      expect(tally.announced).toBeGreaterThan(recorded / 2);
      expect(tally.arrivals).toBeGreaterThan(tally.counted);
    },
    process.env['DEEP'] ? 600_000 : 240_000,
  );
});
