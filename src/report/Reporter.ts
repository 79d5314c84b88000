import { isAdsError } from '../errors.js';
import type { AdEvent, AdFact } from './AdEvent.js';
import { EventStamp } from './EventStamp.js';
import type { Outbox } from './Outbox.js';

/** The most events that may wait. */
export const MAX_WAITING = 1_000;
/** The most bytes one event may have as JSON. */
export const MAX_EVENT_BYTES = 4_096;
export const MAX_BATCH_EVENTS = 20;
export const MAX_BATCH_BYTES = 49_152;
/** So many waiting events are sent without waiting for more. */
export const FLUSH_COUNT = 10;
/** An event waits at most so long for company. */
export const FLUSH_AFTER_MS = 5_000;
/** One hour less than the day services commonly know an id for: a later repetition could be counted again. */
export const MAX_AGE_MS = 23 * 3_600_000;
/** Waits between tries are random, below a bound that doubles from the first of these to the second. */
export const BACKOFF_BASE_MS = 1_000;
export const BACKOFF_CAP_MS = 60_000;
/** How many batches may go out at once when the game ends. */
export const LAST_BATCHES = 3;

/** `{"events":[` and `]}`. */
const ENVELOPE_BYTES = 13;

/** What became of events, by id. */
export interface Acknowledgement {
  /** Counted now. */
  readonly accepted: readonly string[];
  /** Counted before. */
  readonly duplicate: readonly string[];
  /** Never to be counted. */
  readonly rejected: readonly string[];
}

/** Hands a batch to the service. Rejects when it is not known what became of it. */
export type SendBatch = (events: readonly AdEvent[]) => Promise<Acknowledgement>;

/**
 * Where every event has gone: `created = accepted + duplicate + rejected + pending + ` all of `dropped`, at any time.
 */
export interface ReportLedger {
  readonly created: number;
  readonly accepted: number;
  readonly duplicate: number;
  readonly rejected: number;
  readonly pending: number;
  readonly dropped: {
    /** The oldest never sent, when more than {@link MAX_WAITING} were waiting. */
    readonly overflow: number;
    readonly tooLarge: number;
    readonly tooOld: number;
  };
}

export interface ReporterParts {
  readonly outbox: Outbox;
  readonly send: SendBatch;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** The wall clock, in milliseconds since 1970. */
  readonly wallNow: () => number;
  /** Calls back once after `ms`; the returned function cancels. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** Uniform in `[0, 1)`. */
  readonly random: () => number;
  /** Another UUID each time. */
  readonly newId: () => string;
}

interface Waiter {
  readonly settle: (isEmpty: boolean) => void;
}

/**
 * Brings facts about ads to the service: at least once on the wire, and counted once, since an id never changes. An
 * event leaves the outbox only by an answer that names it, or is dropped and entered in the ledger.
 *
 * One request at a time. Nothing is sent, and no timer runs, while nothing waits.
 */
export class Reporter {
  readonly #parts: ReporterParts;
  readonly #stamp: EventStamp;
  readonly #inFlight = new Set<string>();
  /** Sent before and not answered for: the service may have counted them. */
  readonly #sent = new Set<string>();
  readonly #books = { created: 0, accepted: 0, duplicate: 0, rejected: 0 };
  readonly #dropped = { overflow: 0, tooLarge: 0, tooOld: 0 };
  readonly #waiters = new Set<Waiter>();
  #failures = 0;
  /** Our own pause after a failure. */
  #backOffUntil = 0;
  /** The service's word. */
  #pausedUntil = 0;
  #cancelTimer: (() => void) | null = null;
  #isDestroyed = false;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
    this.#stamp = new EventStamp(parts);
  }

  get ledger(): ReportLedger {
    return { ...this.#books, pending: this.#parts.outbox.size, dropped: { ...this.#dropped } };
  }

  /**
   * Takes a fact down; resolves, and never rejects, once the event is committed, so that it may be announced. Sends
   * nothing by itself: that happens later, from a timer.
   */
  record(fact: AdFact): Promise<void> {
    if (this.#isDestroyed) return Promise.resolve();
    const { outbox, now } = this.#parts;
    const event = this.#stamp.stamp(fact);
    const bytes = new TextEncoder().encode(JSON.stringify(event)).length;
    this.#books.created++;
    if (bytes > MAX_EVENT_BYTES) {
      this.#dropped.tooLarge++;
      return Promise.resolve();
    }
    this.#stamp.keep(event);
    if (outbox.size >= MAX_WAITING) this.#dropOldest();
    outbox.add({ event, bytes, recordedAt: now() });
    this.#schedule();
    return Promise.resolve();
  }

  /**
   * Sends what waits now, without the pause after a failure; a pause the service asked for is kept.
   * @returns true once nothing waits any more, false when that took longer than `timeoutMs`
   */
  flush({ timeoutMs = FLUSH_AFTER_MS }: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    if (this.#parts.outbox.size === 0 || this.#isDestroyed) return Promise.resolve(this.#parts.outbox.size === 0);
    this.#backOffUntil = 0;
    return new Promise((resolve) => {
      const waiter: Waiter = {
        settle: (isEmpty) => {
          cancel();
          this.#waiters.delete(waiter);
          resolve(isEmpty);
        },
      };
      const cancel = this.#parts.after(timeoutMs, () => waiter.settle(false));
      this.#waiters.add(waiter);
      this.#pump();
    });
  }

  /** Sends what waits one last time, all at once, and ends. What then is not answered for stays pending in the ledger. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#stopTimer();
    if (this.#parts.now() >= this.#pausedUntil) {
      for (let i = 0; i < LAST_BATCHES; i++) {
        const batch = this.#takeBatch();
        if (batch.length > 0) void this.#exchange(batch);
      }
    }
    for (const waiter of [...this.#waiters]) waiter.settle(false);
  }

  /** Sends a batch if its time has come, or sets the timer for when it will. */
  #pump(): void {
    this.#stopTimer();
    if (this.#isDestroyed || this.#inFlight.size > 0) return;
    this.#dropAged();
    if (this.#parts.outbox.size === 0) {
      for (const waiter of [...this.#waiters]) waiter.settle(true);
      return;
    }
    if (this.#dueIn() > 0) this.#schedule();
    else void this.#exchange(this.#takeBatch());
  }

  /** The timer is the only way from recording to sending, so that nothing is sent inside a frame. */
  #schedule(): void {
    if (this.#inFlight.size > 0) return;
    const isFull = this.#parts.outbox.size === FLUSH_COUNT;
    // Until then one more event changes nothing about when the first of them is due.
    if (this.#cancelTimer !== null && !isFull) return;
    this.#stopTimer();
    this.#cancelTimer = this.#parts.after(this.#dueIn(), () => this.#pump());
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #dueIn(): number {
    const { outbox, now } = this.#parts;
    let due = Math.max(this.#backOffUntil, this.#pausedUntil);
    if (outbox.size < FLUSH_COUNT && this.#waiters.size === 0) {
      const [oldest] = outbox.entries();
      if (oldest !== undefined) due = Math.max(due, oldest.recordedAt + FLUSH_AFTER_MS);
    }
    return Math.max(0, due - now());
  }

  /** The oldest events that are not on their way, as many as one request may carry. */
  #takeBatch(): AdEvent[] {
    const batch: AdEvent[] = [];
    let bytes = ENVELOPE_BYTES;
    for (const entry of this.#parts.outbox.entries()) {
      if (this.#inFlight.has(entry.event.id)) continue;
      bytes += entry.bytes + 1;
      if (batch.length === MAX_BATCH_EVENTS || bytes > MAX_BATCH_BYTES) break;
      batch.push(entry.event);
    }
    for (const { id } of batch) {
      this.#inFlight.add(id);
      this.#sent.add(id);
    }
    return batch;
  }

  async #exchange(batch: readonly AdEvent[]): Promise<void> {
    try {
      const settled = this.#settle(batch, await this.#parts.send(batch));
      // An answer that names none of ours is worth as much as none.
      if (settled > 0) this.#failures = 0;
      else this.#backOff(undefined);
    } catch (error) {
      this.#backOff(error);
    }
    for (const { id } of batch) this.#inFlight.delete(id);
    this.#pump();
  }

  /** @returns how many events of the batch the answer names. */
  #settle(batch: readonly AdEvent[], answer: Acknowledgement): number {
    const own = new Set(batch.map(({ id }) => id));
    let settled = 0;
    for (const fate of ['accepted', 'duplicate', 'rejected'] as const) {
      for (const id of answer[fate]) {
        if (!own.delete(id) || !this.#remove(id)) continue;
        this.#books[fate]++;
        settled++;
      }
    }
    return settled;
  }

  #backOff(error: unknown): void {
    const { now, random } = this.#parts;
    const bound = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures++);
    this.#backOffUntil = now() + random() * bound;
    if (isAdsError(error) && error.retryAfterMs !== undefined) this.#pausedUntil = now() + error.retryAfterMs;
  }

  #dropAged(): void {
    const { outbox, now } = this.#parts;
    const horizon = now() - MAX_AGE_MS;
    for (const { event, recordedAt } of outbox.entries()) {
      if (recordedAt > horizon) break;
      this.#drop(event.id, 'tooOld');
    }
  }

  /** What was sent may be counted already and is left to its answer; that is a batch or so, so there always are others. */
  #dropOldest(): void {
    for (const { event } of this.#parts.outbox.entries()) {
      if (this.#sent.has(event.id)) continue;
      this.#drop(event.id, 'overflow');
      return;
    }
  }

  #drop(id: string, why: keyof ReportLedger['dropped']): void {
    if (this.#remove(id)) this.#dropped[why]++;
  }

  #remove(id: string): boolean {
    this.#sent.delete(id);
    return this.#parts.outbox.remove(id);
  }
}
