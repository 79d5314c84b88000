import { MAX_AGE_MS } from './limits.js';
import type { OutboxEntry } from './Outbox.js';

/**
 * Which waiting events have been sent before, and which of them the service may have counted, though its answer never came.
 * The service may forget their ids in time: sent after that, they could be counted twice.
 */
export class SentEvents {
  readonly #now: () => number;
  readonly #wallNow: () => number;
  readonly #ids = new Set<string>();
  /** Those whose request was not refused for certain. */
  readonly #unanswered = new Set<string>();

  /**
   * @param now a monotonic clock, in milliseconds
   * @param wallNow the wall clock, in milliseconds since 1970
   */
  constructor(now: () => number, wallNow: () => number) {
    this.#now = now;
    this.#wallNow = wallNow;
  }

  /**
   * All that were sent. They are not dropped to make room. The mark in their row says so too late for events that are recorded
   * while the mark is being written.
   */
  get ids(): ReadonlySet<string> {
    return this.#ids;
  }

  mayBeCounted(id: string): boolean {
    return this.#unanswered.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
  }

  /** Their request has left, or may have: until an answer names them, they may have been counted. */
  addUnanswered(ids: readonly string[]): void {
    for (const id of ids) {
      this.#ids.add(id);
      this.#unanswered.add(id);
    }
  }

  /** Their only request was refused for certain, or never left. */
  clear(ids: readonly string[]): void {
    for (const id of ids) this.#unanswered.delete(id);
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      this.#ids.delete(id);
      this.#unanswered.delete(id);
    }
  }

  /**
   * Whether an event may be counted already and the service may have forgotten its id. Either clock suffices, since the
   * monotonic one may stand still while the device sleeps and restarts with each page, and the wall clock may be set. Events
   * never sent wait, whatever their age.
   */
  isAged({ event, recordedAt }: OutboxEntry): boolean {
    if (!this.#unanswered.has(event.id)) return false;
    return recordedAt <= this.#now() - MAX_AGE_MS || event.wallTime <= this.#wallNow() - MAX_AGE_MS;
  }
}
