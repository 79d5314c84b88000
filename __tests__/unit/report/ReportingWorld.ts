import { AdsError } from '../../../src/errors.js';
import type { AdEvent, AdFact } from '../../../src/report/AdEvent.js';
import { MemoryStore } from './MemoryStore.js';
import type { OutboxStore } from '../../../src/report/OutboxStore.js';
import { noLocks, type OwnerLocks } from '../../../src/report/OwnerLocks.js';
import { Reporter } from '../../../src/report/Reporter.js';
import type { ReportBatch, SendOptions } from '../../../src/report/Reporter.js';
import type { Acknowledgement } from '../../../src/service/decode.js';
import { SimulatedTime } from './SimulatedTime.js';

/** How one request fares on its way to a service that counts by id. */
export type Fate =
  | 'ok'
  | 'request lost'
  | 'answer lost'
  | 'half'
  | 'nobody named'
  | 'strangers named'
  | 'rejected'
  | 'unexplained'
  | 'blocked'
  | 'offline'
  | '503'
  | '429'
  | 'not set up'
  | 'application refused'
  | 'surface refused'
  | 'never'
  | number;

export const RETRY_AFTER_MS = 30_000;
/** Where the wall clock of a world stands by default when its time begins, in milliseconds since 1970. */
export const WALL_START = 1_800_000_000_000;
/** How long an answer takes. */
export const TRIP_MS = 100;

export interface SentBatch extends ReportBatch, SendOptions {
  readonly at: number;
}

export interface WorldParts {
  /** Default: a disk in memory that never fails. */
  readonly disk?: OutboxStore | null;
  readonly locks?: OwnerLocks;
  readonly time?: SimulatedTime;
  /** Where reports go; default: a service of this world's own. */
  readonly service?: CountingService;
  /** Where the wall clock stands when the simulated time began. */
  readonly wallStart?: number;
  readonly mayReport?: (event: AdEvent) => boolean;
}

/** A service that counts by id as long as it knows the id, and takes what it is told to. */
export class CountingService {
  /** How often the service counted each id. */
  readonly counted = new Map<string, number>();
  readonly #known = new Set<string>();
  readonly rejected = new Set<string>();
  /** Every event the service ever saw, as text, by id. */
  readonly seen = new Map<string, Set<string>>();
  /** The newest ledger of each outbox. */
  readonly ledgers = new Map<string, NonNullable<ReportBatch['ledger']>>();
  arrivals = 0;

  receive({ events, ledger }: ReportBatch, rejects = false): Acknowledgement {
    const answer = { accepted: [] as string[], duplicate: [] as string[], rejected: [] as string[] };
    if (ledger !== null && ledger.revision > (this.ledgers.get(ledger.outboxId)?.revision ?? -1)) {
      this.ledgers.set(ledger.outboxId, ledger);
    }
    for (const event of events) {
      const { id } = event;
      this.arrivals++;
      this.seen.set(id, (this.seen.get(id) ?? new Set()).add(JSON.stringify(event)));
      if (this.#known.has(id)) answer.duplicate.push(id);
      else if (rejects || this.rejected.has(id)) {
        this.rejected.add(id);
        answer.rejected.push(id);
      } else {
        this.#known.add(id);
        this.counted.set(id, (this.counted.get(id) ?? 0) + 1);
        answer.accepted.push(id);
      }
    }
    return answer;
  }

  /** A day later. */
  forgetIds(): void {
    this.#known.clear();
  }
}

let idsMade = 0;

/** A reporter, the time it lives in, and a service whose answers are scripted; afterwards all goes well. */
export class ReportingWorld {
  readonly time: SimulatedTime;
  readonly service: CountingService;
  readonly fates: Fate[] = [];
  /** The fate of a request that has none of its own; may look at the events. */
  usualFate: (batch: ReportBatch, options: SendOptions) => Fate = () => 'ok';
  /** What the service answers instead of what it has counted, by the ids sent. */
  answer: ((ids: string[]) => Acknowledgement) | null = null;
  readonly requests: SentBatch[] = [];
  readonly warnings: string[] = [];
  mostAtOnce = 0;
  randomValue = 0.5;
  random = (): number => this.randomValue;
  wallOffset = 0;
  isOnline = true;
  /** How long a request waits for its proof, a token, before it goes out. */
  proofMs = 0;
  /** How often a request goes out until its proof is taken. */
  leavings = 1;
  /** Ids of events whose record has resolved. */
  readonly announced: string[] = [];
  readonly reporter: Reporter;
  #onTheirWay = 0;

  constructor(parts: WorldParts = {}) {
    const { disk = new MemoryStore(), locks = noLocks, wallStart = WALL_START } = parts;
    this.time = parts.time ?? new SimulatedTime();
    this.service = parts.service ?? new CountingService();
    this.reporter = new Reporter({
      disk,
      locks,
      send: (batch, options) => this.#send(batch, options),
      isReady: () => this.proofMs === 0,
      now: () => this.time.now,
      wallNow: () => wallStart + this.time.now + this.wallOffset,
      after: this.time.after,
      random: () => this.random(),
      newId: () => `00000000-0000-4000-8000-${String(idsMade++).padStart(12, '0')}`,
      isOnline: () => this.isOnline,
      mayReport: parts.mayReport ?? (() => true),
      warn: (message) => void this.warnings.push(message),
    });
  }

  get now(): number {
    return this.time.now;
  }

  get runningTimers(): number {
    return this.time.runningTimers;
  }

  get counted(): Map<string, number> {
    return this.service.counted;
  }

  get batchSizes(): number[] {
    return this.requests.map(({ events }) => events.length);
  }

  pass(ms: number): Promise<void> {
    return this.time.pass(ms);
  }

  record(count = 1, fact: AdFact = { kind: 'click', adSurfaceId: 'board' }): void {
    for (let i = 0; i < count; i++) void this.reporter.record(fact);
  }

  async #send(batch: ReportBatch, options: SendOptions): Promise<Acknowledgement> {
    const { events } = batch;
    if (this.proofMs > 0) await this.time.wait(this.proofMs);
    for (let i = 0; i < this.leavings; i++) {
      const left = options.leaves();
      if (left !== undefined) await left;
    }
    this.requests.push({ at: this.now, ...batch, ...options });
    const fate = this.fates.shift() ?? this.usualFate(batch, options);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#onTheirWay);
    await this.time.wait(fate === 'never' ? Infinity : TRIP_MS);
    this.#onTheirWay--;
    if (fate === 'request lost') throw new AdsError('net/timeout', 'lost');
    if (fate === 'unexplained') throw new AdsError('net/unreachable', 'lost');
    if (fate === 'blocked') throw new AdsError('net/blocked-or-cors', 'lost');
    if (fate === 'offline') throw new AdsError('net/offline', 'lost');
    if (fate === 'not set up') throw new AdsError('config/base-url', 'not sent');
    if (fate === '503') throw new AdsError('service/unavailable', 'down', { status: 503, retryAfterMs: 0 });
    if (fate === '429') throw new AdsError('service/rate-limited', 'busy', { retryAfterMs: RETRY_AFTER_MS });
    if (fate === 'application refused') throw new AdsError('config/credentials-rejected', 'refused', { status: 400 });
    if (fate === 'surface refused') throw new AdsError('ad/unknown-surface', 'refused', { status: 400 });
    if (typeof fate === 'number') throw new AdsError('service/refused', 'refused', { status: fate });
    if (this.answer !== null) return this.answer(events.map(({ id }) => id));
    const heard = fate === 'half' ? events.slice(0, Math.ceil(events.length / 2)) : events;
    const answer = this.service.receive({ ...batch, events: heard }, fate === 'rejected');
    if (fate === 'answer lost') throw new AdsError('net/timeout', 'lost');
    if (fate === 'nobody named') return { accepted: [], duplicate: [], rejected: [] };
    if (fate === 'strangers named') return { accepted: ['stranger', ...answer.accepted], duplicate: ['id--1', ...answer.duplicate], rejected: answer.rejected }; // prettier-ignore
    return answer;
  }
}
