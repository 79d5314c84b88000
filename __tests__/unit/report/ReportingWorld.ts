import { AdsError } from '../../../src/errors.js';
import type { AdEvent, AdFact } from '../../../src/report/AdEvent.js';
import { MemoryOutbox } from '../../../src/report/Outbox.js';
import { Reporter, type Acknowledgement } from '../../../src/report/Reporter.js';

/** How one request fares on its way to a service that counts by id. */
export type Fate =
  | 'ok'
  | 'request lost'
  | 'answer lost'
  | 'half'
  | 'nobody named'
  | 'strangers named'
  | 'rejected'
  | '503'
  | '429'
  | 'never';

export const RETRY_AFTER_MS = 30_000;
/** How long an answer takes. */
export const TRIP_MS = 100;

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A reporter, the time it lives in, and a service whose answers are scripted; afterwards all goes well. */
export class ReportingWorld {
  now = 1_000_000;
  readonly fates: Fate[] = [];
  readonly requests: { readonly at: number; readonly events: readonly AdEvent[] }[] = [];
  /** How often the service counted each id. */
  readonly counted = new Map<string, number>();
  readonly rejected = new Set<string>();
  /** Every event the service ever saw, as text, by id. */
  readonly seen = new Map<string, Set<string>>();
  mostAtOnce = 0;
  randomValue = 0.5;
  readonly reporter: Reporter;
  #ids = 0;
  #onTheirWay = 0;
  #order = 0;
  #timers: Timer[] = [];

  constructor() {
    this.reporter = new Reporter({
      outbox: new MemoryOutbox(),
      send: (events) => this.#send(events),
      now: () => this.now,
      wallNow: () => 1_800_000_000_000 + this.now,
      after: (ms, callback) => this.#after(ms, callback),
      random: () => this.randomValue,
      newId: () => `id-${String(this.#ids++)}`,
    });
  }

  get runningTimers(): number {
    return this.#timers.length;
  }

  /** Lets time pass, timer by timer. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await settle();
    for (;;) {
      const next = this.#timers
        .filter(({ at }) => at <= end)
        .sort((a, b) => a.at - b.at || a.order - b.order)
        .at(0);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.now = Math.max(this.now, next.at);
      next.callback();
      await settle();
    }
    this.now = end;
  }

  record(count = 1, fact: AdFact = { kind: 'click', adSurfaceId: 'board' }): void {
    for (let i = 0; i < count; i++) void this.reporter.record(fact);
  }

  #after(ms: number, callback: () => void): () => void {
    const timer = { at: this.now + ms, order: this.#order++, callback };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  async #send(events: readonly AdEvent[]): Promise<Acknowledgement> {
    this.requests.push({ at: this.now, events });
    const fate = this.fates.shift() ?? 'ok';
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#onTheirWay);
    await new Promise<void>((resolve) => this.#after(fate === 'never' ? Infinity : TRIP_MS, resolve));
    this.#onTheirWay--;
    if (fate === 'request lost') throw new AdsError('net/unreachable', 'lost');
    if (fate === '503') throw new AdsError('service/unavailable', 'down', { status: 503 });
    if (fate === '429') throw new AdsError('service/rate-limited', 'busy', { retryAfterMs: RETRY_AFTER_MS });
    const heard = fate === 'half' ? events.slice(0, Math.ceil(events.length / 2)) : events;
    const answer = this.#receive(heard, fate === 'rejected');
    if (fate === 'answer lost') throw new AdsError('net/timeout', 'lost');
    if (fate === 'nobody named') return { accepted: [], duplicate: [], rejected: [] };
    if (fate === 'strangers named') return { accepted: ['stranger', ...answer.accepted], duplicate: ['id--1', ...answer.duplicate], rejected: answer.rejected }; // prettier-ignore
    return answer;
  }

  #receive(events: readonly AdEvent[], rejects: boolean): Acknowledgement {
    const answer = { accepted: [] as string[], duplicate: [] as string[], rejected: [] as string[] };
    for (const event of events) {
      const { id } = event;
      this.seen.set(id, (this.seen.get(id) ?? new Set()).add(JSON.stringify(event)));
      if (this.counted.has(id)) answer.duplicate.push(id);
      else if (rejects || this.rejected.has(id)) {
        this.rejected.add(id);
        answer.rejected.push(id);
      } else {
        this.counted.set(id, (this.counted.get(id) ?? 0) + 1);
        answer.accepted.push(id);
      }
    }
    return answer;
  }
}

/** Lets everything that waits for no timer go on. */
async function settle(): Promise<void> {
  for (let i = 0; i < 12; i++) await Promise.resolve();
}
