import { isAdsError } from '../errors.js';
import type { Acknowledgement } from '../service/decode.js';
import { writeJson } from '../writeJson.js';
import type { AdEvent, AdFact } from './AdEvent.js';
import { fatesIn, isRefusalOfContent } from './answers.js';
import { Departure } from './Departure.js';
import { EventStamp } from './EventStamp.js';
import {
  FLUSH_AFTER_MS,
  FLUSH_COUNT,
  LAST_BATCHES,
  MAX_BATCH_BYTES,
  MAX_BATCH_EVENTS,
  MAX_COPY_BYTES,
  MAX_EVENT_BYTES,
} from './limits.js';
import { type Durability, Outbox, type OutboxEntry, type OutboxParts, type WrittenEvent } from './Outbox.js';
import { eventOf } from './outboxRow.js';
import { RefusedBatches } from './RefusedBatches.js';
import type { EventFate, ReportBooks, ReportLedger } from './ReportLedger.js';
import { SendPauses } from './SendPauses.js';
import { SentEvents } from './SentEvents.js';

/** Most bytes of a request that are not events. */
const ENVELOPE_BYTES = 1_024;
/** Most bytes that the proof of the application adds to a copy, a request that outlives the page. */
const COPY_HEADER_BYTES = 2_048;
const NO_ADDRESS = 'phaser-inview: the service has no address for reports; they are kept, and tried every five minutes';

/** Events on their way, and what the service should know of the outbox they come from. */
export interface ReportBatch {
  readonly events: readonly AdEvent[];
  readonly durability: Durability;
  /** As it stood before this batch. */
  readonly ledger: ReportLedger | null;
}

export interface SendOptions {
  /** The page may be gone before the answer: the request must outlive it, and must not need a preflight. */
  readonly outlivesPage: boolean;
  /** To be called right before a request goes out, which waits for what this returns. What comes before, such as a token, sends nothing. */
  readonly leaves: () => Promise<void> | undefined;
}

export interface ReporterParts extends OutboxParts {
  /** Hands a batch to the service. Rejects when it is not known what became of it. */
  readonly send: (batch: ReportBatch, options: SendOptions) => Promise<Acknowledgement>;
  /** False while a request has to wait for its proof, a token, before it goes out. */
  readonly isReady: () => boolean;
  /** Uniform in `[0, 1)`. */
  readonly random: () => number;
  /** False when the device says that it is offline. */
  readonly isOnline: () => boolean;
  /** The game decides about each event. False: the event is neither kept nor sent. */
  readonly mayReport: (event: AdEvent) => boolean;
  /** For mistakes of the developer. */
  readonly warn: (message: string) => void;
}

interface Waiter {
  /** The search for events of pages that are gone has ended: from now on an empty outbox settles this waiter. */
  hasLooked: boolean;
  readonly settle: (isEmpty: boolean) => void;
}

/**
 * Delivers facts about ads to the service. Each event is sent at least once and counted once, since its id never changes.
 * The reporter stores an event before it does anything else with it. The event leaves the outbox only when an answer names
 * it, or when it is dropped and entered in the ledger.
 *
 * Sends one request at a time. While no event waits, it sends nothing and runs no timer.
 */
export class Reporter {
  readonly #parts: ReporterParts;
  readonly #stamp: EventStamp;
  readonly #outbox: Outbox;
  readonly #pauses: SendPauses;
  readonly #refused = new RefusedBatches<string>();
  readonly #text = new TextEncoder();
  readonly #inFlight = new Set<string>();
  readonly #sent: SentEvents;
  /** Events on their way in copies, which are requests that outlive the page. */
  readonly #copied = new Set<string>();
  readonly #waiters = new Set<Waiter>();
  readonly #exchanges = new Set<Promise<void>>();
  #copyBytes = 0;
  /** The game is being asked about an event. What it brings about meanwhile, such as the end of the ad, waits in `#later`. */
  #isAsking = false;
  #later: (() => void)[] = [];
  #isHidden = false;
  #hasWarned = false;
  #cancelTimer: (() => void) | null = null;
  #timerAt = 0;
  #isDestroyed = false;

  constructor(parts: ReporterParts) {
    this.#parts = parts;
    this.#stamp = new EventStamp(parts);
    this.#pauses = new SendPauses(parts.now, parts.random, parts.isOnline);
    this.#sent = new SentEvents(parts.now, parts.wallNow);
    this.#outbox = new Outbox(parts, this.#sent.ids, (sentBefore) => {
      this.#sent.addUnanswered(sentBefore);
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

  /** Records a fact. Resolves once the event is committed, so that it may be announced; never rejects. Sends nothing itself. */
  async record(fact: AdFact): Promise<void> {
    if (this.#isAsking) return new Promise((resolve) => this.#later.push(() => resolve(this.record(fact))));
    if (this.#isDestroyed) return;
    const written = this.#write(fact);
    const committed = written && this.#outbox.add(written);
    // At once: the game may be about to end.
    while (this.#later.length > 0) this.#later.shift()!();
    if (written === null) return;
    if (this.#isHidden && !this.#pauses.isTroubled) this.#copySoon();
    await committed;
    this.#schedule();
  }

  /**
   * Sends all waiting events now, including those that pages that are gone have left behind. Skips the pause after a failure,
   * but keeps a pause that the service asked for.
   * @returns true once none of these events waits any more, false when that took longer than `timeoutMs`
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

  /** The page is hidden, which may be its last event: sends a copy of all waiting events. */
  pageHidden(): void {
    this.#isHidden = true;
    this.#copySoon();
  }

  /** The page is about to end: also sends a copy of the events in requests that end with the page. */
  pageLeaving(): void {
    this.#isHidden = true;
    this.#outbox.disappear();
    this.#sendCopies(true);
  }

  pageShown(): void {
    this.#isHidden = false;
    this.#outbox.appear();
    void this.#outbox.lookAround();
    this.#pump();
  }

  networkIsBack(): void {
    this.#pauses.reset();
    void this.#outbox.lookAround();
    this.#pump();
  }

  /** Sends the waiting events one last time, all at once, and ends. Events without an answer then wait for the next page. */
  destroy(): void {
    if (this.#isDestroyed) return;
    if (this.#isAsking) {
      this.#later.push(() => this.destroy());
      return;
    }
    this.#isDestroyed = true;
    this.#stopTimer();
    if (!this.#pauses.isPaused && !this.#pauses.isBlocked) {
      this.#dropAged();
      for (let i = 0; i < LAST_BATCHES; i++) this.#send(this.#takeBatch({ uncommitted: true }));
    }
    for (const waiter of [...this.#waiters]) waiter.settle(false);
    void Promise.all(this.#exchanges).then(() => this.#outbox.close());
  }

  /** The event of a fact, exactly as each attempt will send it; null when it must not be reported or is too large. */
  #write(fact: AdFact): WrittenEvent | null {
    let written = this.#writeOnce(fact);
    // Without room, the trace is left out. Only here: later the bytes of an event must not change.
    if ('trace' in fact && (written.bytes > MAX_EVENT_BYTES || this.#outbox.isHalfFull)) {
      const { trace, ...rest } = fact;
      if (trace !== undefined) written = this.#writeOnce(rest);
    }
    this.#isAsking = true;
    // A copy: frozen is only the outside of the event, and each repetition has to have the same bytes.
    const mayReport = this.#parts.mayReport(eventOf(written));
    this.#isAsking = false;
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

  /** While something blocks the service, only a waiting {@link flush} makes the reporter try. */
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

  /** The oldest events that are not on their way, as many as one request may carry, all of the same durability. */
  #takeBatch({ uncommitted = false, again = false, maxBytes = MAX_BATCH_BYTES - ENVELOPE_BYTES }): OutboxEntry[] {
    const onTheirWay = again ? this.#copied : this.#inFlight;
    const part = this.#refused.next((id) => !onTheirWay.has(id) && this.#outbox.get(id) !== undefined);
    const waiting = part === null ? this.#inOrder(uncommitted) : part.map((id) => this.#outbox.get(id)!);
    const batch: OutboxEntry[] = [];
    let bytes = 0;
    for (const entry of waiting) {
      const { id } = entry.event;
      const [first = entry] = batch;
      // What is on its way since the device went to sleep may be too old to be copied.
      if (onTheirWay.has(id) || entry.durability !== first.durability || this.#sent.isAged(entry)) continue;
      // An event that the service has refused must not get others refused with it.
      if (this.#refused.isSuspect(id) !== this.#refused.isSuspect(first.event.id)) break;
      bytes += entry.bytes + 1;
      if (batch.length === MAX_BATCH_EVENTS || bytes > maxBytes) break;
      batch.push(entry);
    }
    return batch;
  }

  /** In the order recorded; events that the service refused when sent alone come last. */
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
    // Other listeners that hear that the page is hidden record events too; one copy carries them all.
    void Promise.resolve()
      .then(() => undefined)
      .then(() => this.#sendCopies(false));
  }

  /** @param again also copies the events in requests that end with the page */
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
      this.#send(batch, true);
      // A service in trouble gets one copy, not everything at once.
      if (this.#pauses.isTroubled) return;
    }
  }

  /** Bytes of the events when their JSON is embedded in JSON as a string. */
  #copySizeOf(batch: readonly OutboxEntry[]): number {
    return this.#text.encode(writeJson(writeJson(batch.map(({ event }) => event)))).length;
  }

  /** @param isCopy the request must outlive the page */
  #send(batch: readonly OutboxEntry[], isCopy = false): void {
    if (batch.length === 0) return;
    const size = isCopy ? this.#copySizeOf(batch) + COPY_HEADER_BYTES + ENVELOPE_BYTES : 0;
    this.#copyBytes += size;
    for (const { event } of batch) {
      this.#inFlight.add(event.id);
      this.#sent.add(event.id);
      if (isCopy) this.#copied.add(event.id);
    }
    const exchange = this.#exchange(batch, isCopy).then((wasUnsent) => {
      this.#exchanges.delete(exchange);
      this.#copyBytes -= size;
      for (const { event } of batch) {
        this.#inFlight.delete(event.id);
        if (isCopy) this.#copied.delete(event.id);
      }
      // The browser's allowance for requests that outlive the page is used up: half of the batch may still fit.
      if (wasUnsent && isCopy && !this.#isDestroyed) {
        this.#send(batch.slice(0, Math.floor(batch.length / 2)), true);
      }
      this.#pump();
    });
    this.#exchanges.add(exchange);
  }

  /** @returns whether the request did not even leave, as far as one can tell */
  async #exchange(batch: readonly OutboxEntry[], outlivesPage: boolean): Promise<boolean> {
    const events = batch.map(({ event }) => event);
    const ids = events.map(({ id }) => id);
    const { durability } = batch[0]!;
    const ledger = this.#outbox.ledgerOf(durability);
    const { isOnline, isReady } = this.#parts;
    const parts = { outbox: this.#outbox, sent: this.#sent, isOnline, isReady };
    const departure = new Departure(parts, batch, outlivesPage || this.#isDestroyed);
    const leaves = (): Promise<void> | undefined => departure.leave();
    let fates: Map<string, EventFate>;
    try {
      fates = fatesIn(await this.#parts.send({ events, durability, ledger }, { outlivesPage, leaves }), ids);
    } catch (error) {
      departure.failed(error);
      const wasUnsent = isAdsError(error, 'net/unreachable');
      if (!outlivesPage) await this.#settle(this.#fatesAfter(error, ids));
      // When the browser does not send a copy, that says nothing about the service.
      else if (!wasUnsent) this.#pauses.failed(error);
      return wasUnsent;
    }
    this.#sent.addUnanswered(ids.filter((id) => !fates.has(id)));
    // An answer that names none of our events counts as no answer.
    if (fates.size === 0) {
      this.#pauses.failed(undefined);
      return false;
    }
    this.#pauses.succeeded();
    this.#refused.taken();
    await this.#settle(fates);
    void this.#outbox.lookAround();
    return false;
  }

  /** Judges a batch without an answer: its failure may come from its events, from the service or from the network. */
  #fatesAfter(error: unknown, ids: readonly string[]): Map<string, EventFate> {
    const status = isAdsError(error) ? error.status : undefined;
    if (status === 404 || status === 410) {
      this.#pauses.refused();
      if (!this.#hasWarned) this.#parts.warn(NO_ADDRESS);
      this.#hasWarned = true;
    } else if (isRefusalOfContent(error)) {
      const [id] = ids;
      // For a single event these are clear: the service has it already (409), or it will never fit (413).
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
    // The answer may come while the event is still being written.
    await this.#outbox.committed();
    await this.#outbox.settle(fates);
    this.#sent.forget(fates.keys());
  }

  /** Drops events that could be counted twice if they were sent again. */
  #dropAged(): void {
    const aged = new Map<string, EventFate>();
    for (const entry of this.#outbox.entries()) {
      if (!this.#inFlight.has(entry.event.id) && this.#sent.isAged(entry)) aged.set(entry.event.id, 'tooOld');
    }
    if (aged.size === 0) return;
    void this.#outbox.settle(aged);
    this.#sent.forget(aged.keys());
  }
}
