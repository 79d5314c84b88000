import { AdsError, isAdsError } from '../errors.js';
import { isRefusal } from './answers.js';
import type { Outbox, OutboxEntry } from './Outbox.js';
import type { SentEvents } from './SentEvents.js';

export interface DepartureParts {
  readonly outbox: Outbox;
  readonly sent: SentEvents;
  /** False when the device says that it is offline: nothing can arrive then. */
  readonly isOnline: () => boolean;
  /** False while a request has to wait for its proof, a token, before it goes out. */
  readonly isReady: () => boolean;
}

/**
 * One request with events on its way. As it goes out, it marks on disk that its events may be counted from now on: a later page
 * has no other way to know. If it turns out that it never left, or was refused, it takes the mark back.
 */
export class Departure {
  readonly #parts: DepartureParts;
  readonly #batch: readonly OutboxEntry[];
  readonly #ids: readonly string[];
  /** No request with these has left before. */
  #neverLeft: readonly string[];
  readonly #isHasty: boolean;
  readonly #leavesNow: boolean;
  #hasLeft = false;
  #wasOnline = false;

  /** @param isHasty the page may be gone in a moment, so nothing is waited for */
  constructor(parts: DepartureParts, batch: readonly OutboxEntry[], isHasty: boolean) {
    this.#parts = parts;
    this.#batch = batch;
    this.#isHasty = isHasty;
    this.#ids = batch.map(({ event }) => event.id);
    this.#neverLeft = this.#ids.filter((id) => !parts.sent.mayBeCounted(id));
    this.#leavesNow = parts.isOnline() && parts.isReady();
    // Yet the disk must know, although transactions end with the page: by one alone, for a second would wait for the first.
    if (isHasty) parts.outbox.putAtOnce(this.#ids, this.#leavesNow);
  }

  /** To be called right before the request goes out, which waits for what this returns; each time it does. */
  leave(): Promise<void> | undefined {
    const { outbox, isOnline } = this.#parts;
    // If it leaves a second time, it was refused the first time.
    this.#hasLeft = false;
    this.#wasOnline = isOnline();
    if (this.#wasOnline && this.#isHasty && !this.#leavesNow) outbox.putAtOnce(this.#ids, true);
    const marked = this.#wasOnline ? outbox.mark(this.#ids, true).then((gone) => this.#leftElsewhere(gone)) : undefined;
    if (marked !== undefined && !this.#isHasty) return marked.then(() => this.#go());
    this.#go();
    return undefined;
  }

  /** What another page has taken over and brought to the service may be counted, whatever becomes of it here. */
  #leftElsewhere(ids: readonly string[]): void {
    this.#neverLeft = this.#neverLeft.filter((id) => !ids.includes(id));
    this.#parts.sent.addUnanswered(ids);
  }

  #go(): void {
    const { sent } = this.#parts;
    // The device may have slept while this waited for its token or the disk.
    const isTooLate = this.#batch.some((entry) => !this.#neverLeft.includes(entry.event.id) && sent.isAged(entry));
    if (isTooLate) throw new AdsError('net/aborted', 'Too old to be sent again');
    this.#hasLeft = true;
    if (this.#wasOnline) sent.addUnanswered(this.#ids);
  }

  /** The request has failed. */
  failed(error: unknown): void {
    const { outbox, sent } = this.#parts;
    const isUnheard = !this.#hasLeft || isRefusal(error) || (!this.#wasOnline && isAdsError(error, 'net/offline'));
    if (isUnheard) sent.clear(this.#neverLeft);
    else sent.addUnanswered(this.#ids);
    for (const mayBeCounted of [true, false]) {
      const some = this.#ids.filter((id) => sent.mayBeCounted(id) === mayBeCounted);
      if (some.length > 0) void outbox.mark(some, mayBeCounted);
    }
  }
}
