import { isAdsError } from '../errors.js';
import type { Acknowledgement } from '../service/decode.js';
import { writeJson } from '../writeJson.js';
import type { AdEvent, AdFact } from './AdEvent.js';
import { EventStamp } from './EventStamp.js';
import {
  FLUSH_AFTER_MS,
  FLUSH_COUNT,
  LAST_BATCHES,
  MAX_AGE_MS,
  MAX_BATCH_BYTES,
  MAX_BATCH_EVENTS,
  MAX_COPY_BYTES,
  MAX_EVENT_BYTES,
} from './limits.js';
import { Outbox } from './Outbox.js';
import type { Durability, OutboxEntry, WrittenEvent } from './Outbox.js';
import type { OutboxStore } from './OutboxStore.js';
import type { OwnerLocks } from './OwnerLocks.js';
import { RefusedBatches } from './RefusedBatches.js';
import type { EventFate, ReportBooks } from './ReportLedger.js';
import type { SendBatch } from './SendBatch.js';
import { SendPauses } from './SendPauses.js';

/** What of a request is not events, at most. */
const ENVELOPE_BYTES = 1_024;
/** What the proof of the application adds to a copy, at most. */
const COPY_HEADER_BYTES = 2_048;
/** A copy that finds no room in the browser's allowance is tried smaller so many times. */
const COPY_HALVINGS = 3;

export interface ReporterParts {
  /** The storage that outlives the page; null where there is none to be used. */
  readonly disk: OutboxStore | null;
  readonly locks: OwnerLocks;
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
  /** False when the device says that it is offline. */
  readonly isOnline: () => boolean;
  /** The game's word on one event: false, and it is neither kept nor sent. */
  readonly mayReport: (event: AdEvent) => boolean;
  /** For mistakes of the developer. */
  readonly warn: (message: string) => void;
}

interface Waiter {
  /** What pages that are gone have left behind is waited for too. */
  hasLooked: boolean;
  readonly settle: (isEmpty: boolean) => void;
}

/**
 * Brings facts about ads to the service: at least once on the wire, and counted once, since an id never changes. An
 * event is written down before anything else happens with it, and leaves the outbox only by an answer that names it, or
 * is dropped and entered in the ledger.
 *
 * One request at a time. Nothing is sent, and no timer runs, while nothing waits.
 */
export class Reporter {
  readonly #parts: ReporterParts;
  readonly #stamp: EventStamp;
  readonly #outbox: Outbox;
  readonly #pauses: SendPauses;
  readonly #refused = new RefusedBatches<string>();
  readonly #text = new TextEncoder();
  readonly #inFlight = new Set<string>();
  /** Sent before and not answered for: the service may have counted them, so they are not dropped to make room. */
  readonly #sent = new Set<string>();
  /** Of these, what a request carried that was not refused for certain: it may have been counted, its answer lost. */
  readonly #unanswered = new Set<string>();
  /** On their way by requests that outlive the page. */
  readonly #copied = new Set<string>();
  readonly #waiters = new Set<Waiter>();
  readonly #exchanges = new Set<Promise<void>>();
  #copyBytes = 0;
  #isHidden = false;
  #isCopyDue = false;
  #hasWarned = false;
  #cancelTimer: (() => void) | null = null;
  #timerAt = 0;
  #isDestroyed = false;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
    this.#stamp = new EventStamp(parts);
    this.#pauses = new SendPauses(parts.now, parts.random, parts.isOnline);
    this.#outbox = new Outbox(parts, this.#sent, (sentBefore) => {
      for (const id of sentBefore) {
        this.#sent.add(id);
        this.#unanswered.add(id);
      }
      this.#schedule();
    });
    this.#outbox.open();
  }

  /** The books of this outbox, other tabs and earlier pages included; as of the last commit. */
  get ledger(): ReportBooks {
    return this.#outbox.books;
  }

  /** Whether what is recorded now would outlive the page. */
  get durability(): Durability {
    return this.#outbox.durability;
  }

  /** Something on this device keeps requests from getting through; nothing is sent until the network changes. */
  get isBlocked(): boolean {
    return this.#pauses.isBlocked;
  }

  /**
   * Takes a fact down; resolves, and never rejects, once the event is committed, so that it may be announced. Sends
   * nothing by itself: that happens later, from a timer.
   */
  async record(fact: AdFact): Promise<void> {
    if (this.#isDestroyed) return;
    const written = this.#write(fact);
    if (written === null) return;
    const committed = this.#outbox.add(written);
    if (this.#isHidden && !this.#pauses.isTroubled) this.#copySoon();
    await committed;
    this.#schedule();
  }

  /**
   * Sends what waits now, what pages that are gone have left behind included, without the pause after a failure; a
   * pause the service asked for is kept.
   * @returns true once nothing of that waits any more, false when that took longer than `timeoutMs`
   */
  async flush({ timeoutMs = FLUSH_AFTER_MS }: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    if (this.#isDestroyed) return this.#outbox.size === 0;
    this.#pauses.reset();
    return new Promise((resolve) => {
      const waiter: Waiter = {
        hasLooked: false,
        settle: (isEmpty) => {
          cancel();
          this.#waiters.delete(waiter);
          resolve(isEmpty);
        },
      };
      const cancel = this.#parts.after(timeoutMs, () => waiter.settle(false));
      this.#waiters.add(waiter);
      void this.#outbox.committed().then(() => this.#pump());
      void this.#outbox.lookNow().then(async () => {
        await this.#outbox.committed();
        waiter.hasLooked = true;
        this.#pump();
      });
    });
  }

  /** The page is hidden, which may be the last it hears of itself: a copy of what waits is sent. */
  pageHidden(): void {
    this.#isHidden = true;
    this.#copySoon();
  }

  /** The page is about to go: what is on its way by a request that goes with it is sent once more. */
  pageLeaving(): void {
    this.#isHidden = true;
    this.#outbox.disappear();
    this.#sendCopies(true);
  }

  pageShown(): void {
    if (this.#isDestroyed) return;
    this.#isHidden = false;
    this.#outbox.appear();
    void this.#outbox.lookAround();
    this.#pump();
  }

  networkIsBack(): void {
    if (this.#isDestroyed) return;
    this.#pauses.reset();
    void this.#outbox.lookAround();
    this.#pump();
  }

  /** Sends what waits one last time, all at once, and ends. What then is not answered for waits for the next page. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#stopTimer();
    if (!this.#pauses.isPaused && !this.#pauses.isBlocked) {
      this.#dropAged();
      for (let i = 0; i < LAST_BATCHES; i++) this.#send(this.#takeBatch({ uncommitted: true }));
    }
    for (const waiter of [...this.#waiters]) waiter.settle(false);
    void Promise.all(this.#exchanges).then(() => this.#outbox.close());
  }

  /** The event of a fact, as it will be sent however often; null when it is not to be. */
  #write(fact: AdFact): WrittenEvent | null {
    let written = this.#writeOnce(fact);
    // Evidence gives way: never later, since the bytes of an event do not change.
    if ('trace' in fact && (written.bytes > MAX_EVENT_BYTES || this.#outbox.isHalfFull)) {
      const { trace, ...rest } = fact;
      if (trace !== undefined) written = this.#writeOnce(rest);
    }
    const mayReport = this.#parts.mayReport(written.event);
    if (mayReport && written.bytes <= MAX_EVENT_BYTES) {
      this.#stamp.keep(written.event);
      return written;
    }
    if (mayReport) this.#outbox.refuseTooLarge();
    this.#stamp.passOver(written.event);
    return null;
  }

  #writeOnce(fact: AdFact): WrittenEvent {
    const event = this.#stamp.stamp(fact);
    const json = writeJson(event);
    return { event, json, bytes: this.#text.encode(json).length };
  }

  /** Sends a batch if its time has come, or sets the timer for when it will. */
  #pump(): void {
    this.#stopTimer();
    if (this.#isDestroyed || this.#exchanges.size > 0) return;
    this.#dropAged();
    if (this.#outbox.size === 0) {
      for (const waiter of [...this.#waiters]) if (waiter.hasLooked) waiter.settle(true);
      return;
    }
    if (!this.#mayTry()) return;
    if (this.#dueIn() > 0) this.#schedule();
    else this.#send(this.#takeBatch({}));
  }

  /** Nothing is tried by itself while something blocks the service; who waits for a flush wants it tried. */
  #mayTry(): boolean {
    return !this.#pauses.isBlocked || this.#waiters.size > 0;
  }

  /** The timer is the only way from recording to sending, so that nothing is sent inside a frame. */
  #schedule(): void {
    if (this.#isDestroyed || this.#exchanges.size > 0 || this.#outbox.size === 0 || !this.#mayTry()) return;
    const dueIn = this.#dueIn();
    const dueAt = this.#parts.now() + dueIn;
    if (this.#cancelTimer !== null && dueAt >= this.#timerAt) return;
    this.#stopTimer();
    this.#timerAt = dueAt;
    this.#cancelTimer = this.#parts.after(dueIn, () => this.#pump());
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #dueIn(): number {
    const outbox = this.#outbox;
    let due = this.#pauses.until;
    if (outbox.size < FLUSH_COUNT && this.#waiters.size === 0) {
      const [oldest] = outbox.entries();
      if (oldest !== undefined) due = Math.max(due, oldest.recordedAt + FLUSH_AFTER_MS);
    }
    return Math.max(0, due - this.#parts.now());
  }

  /** The oldest events that are not on their way, as many as one request may carry, all kept in one place. */
  #takeBatch({ uncommitted = false, again = false, maxBytes = MAX_BATCH_BYTES - ENVELOPE_BYTES }): OutboxEntry[] {
    const onTheirWay = again ? this.#copied : this.#inFlight;
    const part = this.#refused.next((id) => !onTheirWay.has(id) && this.#outbox.get(id) !== undefined);
    const waiting = part === null ? this.#inOrder(uncommitted) : part.map((id) => this.#outbox.get(id)!);
    const batch: OutboxEntry[] = [];
    let bytes = 0;
    for (const entry of waiting) {
      const { id } = entry.event;
      const [first = entry] = batch;
      if (onTheirWay.has(id) || entry.durability !== first.durability) continue;
      // What the service has refused must not take others with it.
      if (this.#refused.isSuspect(id) !== this.#refused.isSuspect(first.event.id)) break;
      bytes += entry.bytes + 1;
      if (batch.length === MAX_BATCH_EVENTS || bytes > maxBytes) break;
      batch.push(entry);
    }
    return batch;
  }

  /** In the order recorded, but what the service has refused alone last. */
  *#inOrder(uncommitted: boolean): Generator<OutboxEntry> {
    const suspects: OutboxEntry[] = [];
    for (const entry of this.#outbox.entries()) {
      if (this.#refused.isSuspect(entry.event.id)) suspects.push(entry);
      else yield entry;
    }
    if (uncommitted) yield* this.#outbox.uncommitted();
    yield* suspects;
  }

  #copySoon(): void {
    if (this.#isCopyDue) return;
    this.#isCopyDue = true;
    // Others who hear that the page is hidden have something to record; one copy carries it all.
    void Promise.resolve()
      .then(() => undefined)
      .then(() => {
        this.#isCopyDue = false;
        this.#sendCopies(false);
      });
  }

  /** @param again also what is on its way by requests that end with the page */
  #sendCopies(again: boolean): void {
    if (this.#isDestroyed || this.#pauses.isPaused || this.#pauses.isBlocked) return;
    if (this.#pauses.isTroubled && this.#copied.size > 0) return;
    this.#dropAged();
    for (;;) {
      const room = MAX_COPY_BYTES - COPY_HEADER_BYTES - ENVELOPE_BYTES - this.#copyBytes;
      const maxBytes = Math.min(room, MAX_BATCH_BYTES - ENVELOPE_BYTES);
      const batch = this.#takeBatch({ uncommitted: true, again, maxBytes });
      while (batch.length > 0 && this.#copySizeOf(batch) > room) batch.pop();
      if (batch.length === 0) return;
      this.#send(batch, COPY_HALVINGS);
      // A service in trouble is not sent everything at once.
      if (this.#pauses.isTroubled) return;
    }
  }

  /** Bytes of events as text within JSON. */
  #copySizeOf(batch: readonly OutboxEntry[]): number {
    return this.#text.encode(writeJson(writeJson(batch.map(({ event }) => event)))).length;
  }

  /** @param copyHalvings given for a request that is to outlive the page: how often it may be tried smaller */
  #send(batch: readonly OutboxEntry[], copyHalvings?: number): void {
    if (batch.length === 0) return;
    const isCopy = copyHalvings !== undefined;
    const size = isCopy ? this.#copySizeOf(batch) + COPY_HEADER_BYTES + ENVELOPE_BYTES : 0;
    this.#copyBytes += size;
    for (const { event } of batch) {
      this.#inFlight.add(event.id);
      this.#sent.add(event.id);
      if (isCopy) this.#copied.add(event.id);
    }
    const exchange = this.#exchange(batch, isCopy).then((outcome) => {
      this.#exchanges.delete(exchange);
      this.#copyBytes -= size;
      for (const { event } of batch) {
        this.#inFlight.delete(event.id);
        if (isCopy) this.#copied.delete(event.id);
      }
      // The page has used up what the browser lets outlive it: some of it may still fit.
      if (
        outcome === 'unsent' &&
        isCopy &&
        copyHalvings > 0 &&
        this.#isHidden &&
        batch.length > 1 &&
        !this.#isDestroyed
      ) {
        this.#send(batch.slice(0, Math.floor(batch.length / 2)), copyHalvings - 1);
      }
      this.#pump();
    });
    this.#exchanges.add(exchange);
  }

  /**
   * Before events go out, the disk learns that they may be counted from now on, since a later page cannot know else; a
   * device that says it is offline sends nothing that could arrive.
   * @returns `'unsent'` when the request did not even leave, as far as one can tell
   */
  async #exchange(batch: readonly OutboxEntry[], outlivesPage: boolean): Promise<'delivered' | 'failed' | 'unsent'> {
    const events = batch.map(({ event }) => event);
    const { durability } = batch[0]!;
    const ledger = this.#outbox.ledgerOf(durability);
    const ids = events.map(({ id }) => id);
    let fates: Map<string, EventFate>;
    const wasOnline = this.#parts.isOnline();
    // Who may be gone in a moment waits for nothing; but the disk must know, though transactions die with the page.
    const isHasty = outlivesPage || this.#isDestroyed;
    if (isHasty) this.#outbox.putAtOnce(ids, wasOnline);
    if (wasOnline) {
      const marked = this.#outbox.mark(ids, true);
      if (!isHasty) await marked;
    }
    try {
      fates = fatesIn(await this.#parts.send({ events, durability, ledger }, { outlivesPage }), ids);
    } catch (error) {
      const isUnheard = isRefusal(error) || (!wasOnline && isAdsError(error, 'net/offline'));
      if (!isUnheard) for (const id of ids) this.#unanswered.add(id);
      for (const wasSent of [true, false]) {
        const some = ids.filter((id) => this.#unanswered.has(id) === wasSent);
        if (some.length > 0) void this.#outbox.mark(some, wasSent);
      }
      if (!outlivesPage) await this.#settle(this.#fatesAfter(error, ids));
      // That the browser did not send a copy says nothing of the service.
      else if (!isAdsError(error, 'net/unreachable')) this.#pauses.failed(error);
      return isAdsError(error, 'net/unreachable') ? 'unsent' : 'failed';
    }
    for (const id of ids) if (!fates.has(id)) this.#unanswered.add(id);
    // An answer that names none of ours is worth as much as none.
    if (fates.size === 0) {
      this.#pauses.failed(undefined);
      return 'failed';
    }
    this.#pauses.succeeded();
    this.#refused.taken();
    await this.#settle(fates);
    void this.#outbox.lookAround();
    return 'delivered';
  }

  /** Judges a batch that was not answered for: by what its failure says of its events, of the service, or of the way. */
  #fatesAfter(error: unknown, ids: readonly string[]): Map<string, EventFate> {
    const status = isAdsError(error) ? error.status : undefined;
    if (status === 404 || status === 410) {
      this.#pauses.refused();
      this.#warnOnce('the service has no address for reports; they are kept, and tried every five minutes');
    } else if (status === 400 || status === 409 || status === 413 || status === 422) {
      const [id] = ids;
      // About one event alone these say enough: it is there already, or it will never fit.
      if (ids.length === 1 && status === 409) return new Map([[id!, 'duplicate']]);
      if (ids.length === 1 && status === 413) return new Map([[id!, 'tooLarge']]);
      const consequence = this.#refused.refused(ids);
      if (consequence === 'convicted') return new Map([[id!, 'rejected']]);
      if (consequence === 'hopeless') this.#pauses.refused();
      if (consequence === 'suspected') this.#pauses.failed(undefined);
    } else {
      this.#pauses.failed(error);
    }
    return new Map();
  }

  async #settle(fates: ReadonlyMap<string, EventFate>): Promise<void> {
    if (fates.size === 0) return;
    // An event may be answered for while it is still being written.
    await this.#outbox.committed();
    await this.#outbox.settle(fates);
    this.#forget(fates);
  }

  /**
   * What may be counted already must not come again once the service may have forgotten its id: by the monotonic clock,
   * which may stand still while the device sleeps and begins anew with each page, or by the wall clock, which may be set.
   * What was never sent waits, however old a clock calls it.
   */
  #dropAged(): void {
    const horizon = this.#parts.now() - MAX_AGE_MS;
    const wallHorizon = this.#parts.wallNow() - MAX_AGE_MS;
    const aged = new Map<string, EventFate>();
    for (const { event, recordedAt } of this.#outbox.entries()) {
      if (!this.#unanswered.has(event.id) || this.#inFlight.has(event.id)) continue;
      if (recordedAt <= horizon || event.wallTime <= wallHorizon) aged.set(event.id, 'tooOld');
    }
    if (aged.size === 0) return;
    void this.#outbox.settle(aged);
    this.#forget(aged);
  }

  #forget(fates: ReadonlyMap<string, EventFate>): void {
    for (const id of fates.keys()) {
      this.#sent.delete(id);
      this.#unanswered.delete(id);
    }
  }

  #warnOnce(message: string): void {
    if (!this.#hasWarned) this.#parts.warn(`phaser-inview: ${message}`);
    this.#hasWarned = true;
  }
}

/** By these a gateway may tell that it has lost the answer of a service that has taken the request. */
const LOST_ANSWERS = new Set([408, 425, 460, 499]);

/** Whether nothing of a request can have been counted: it was not sent, or refused by who has looked at it. */
function isRefusal(error: unknown): boolean {
  if (!isAdsError(error)) return false;
  const { code, status = 0, retryAfterMs } = error;
  if (code.startsWith('config/')) return true;
  if (status >= 400 && status < 500) return !LOST_ANSWERS.has(status);
  // The service's own 503 names a pause; without one it may be a gateway's.
  return status === 501 || (status === 503 && retryAfterMs !== undefined);
}

function fatesIn(answer: Acknowledgement, ids: readonly string[]): Map<string, EventFate> {
  const own = new Set(ids);
  const fates = new Map<string, EventFate>();
  for (const fate of ['accepted', 'duplicate', 'rejected'] as const) {
    for (const id of answer[fate]) if (own.delete(id)) fates.set(id, fate);
  }
  return fates;
}
