import type { After } from '../waiting.js';
import type { AdEvent } from './AdEvent.js';
import {
  FLUSH_AFTER_MS,
  LEFT_BEHIND_AFTER_MS,
  LOOK_AGAIN_MS,
  MAX_SET_BACK_MS,
  MAX_WAITING_BYTES,
  STORAGE_DEADLINE_MS,
} from './limits.js';
import { MemoryStore } from './MemoryStore.js';
import { eventOf, rowOf } from './outboxRow.js';
import { isQuota, type OutboxRow, type OutboxStore } from './OutboxStore.js';
import type { OwnerLocks } from './OwnerLocks.js';
import { emptyLedger, type EventFate, type ReportBooks, type ReportLedger, sumOfBooks } from './ReportLedger.js';
import { StoredBooks } from './StoredBooks.js';

/** Whether what is recorded outlives the page. */
export type Durability = 'disk' | 'memory';

/** A committed event that waits for its answer. */
export interface OutboxEntry {
  readonly event: AdEvent;
  /** Size as JSON. */
  readonly bytes: number;
  /** When it was recorded, on the reporter's monotonic clock, in milliseconds. May lie before its start if taken over. */
  readonly recordedAt: number;
  /** Where it is kept. */
  readonly durability: Durability;
}

export interface OutboxParts {
  /** The storage that outlives the page; null where none can be used. */
  readonly disk: OutboxStore | null;
  readonly locks: OwnerLocks;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** The wall clock, in milliseconds since 1970. */
  readonly wallNow: () => number;
  readonly after: After;
  /** Returns a new UUID each time. */
  readonly newId: () => string;
}

/** An event and its JSON. */
export interface WrittenEvent {
  readonly event: AdEvent;
  readonly json: string;
  readonly bytes: number;
}

interface Addition {
  readonly row: OutboxRow;
  readonly entry: Omit<OutboxEntry, 'durability'>;
}

/** What a task on the disk came to: its result, unless it failed. `full`: the browser gives no more room. */
type Outcome<T> = { readonly result: T } | 'full' | 'failed';

/**
 * Keeps events until the service has answered for them: on disk if the browser allows that, otherwise in memory. No promise
 * of this class rejects, and none waits for storage longer than {@link STORAGE_DEADLINE_MS}.
 *
 * Each page sends the events it has recorded itself and those that pages that are gone have left behind.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #owner: string;
  readonly #disk: StoredBooks | null;
  readonly #memory: StoredBooks;
  /** Whether the disk works, as far as is known. */
  #isDiskGood = false;
  #hasTriedDisk = false;
  #nextLook = -Infinity;
  #looking: Promise<void> | null = null;
  #lookingNext: Promise<void> | null = null;
  #cancelNextLook: (() => void) | null = null;
  /** Committed and waiting, in the order recorded. */
  readonly #entries = new Map<string, OutboxEntry>();
  /** Recorded and not committed yet. */
  readonly #uncommitted = new Map<string, Addition>();
  #queue: Addition[] = [];
  #committing: Promise<void> | null = null;
  #working: Promise<unknown> = Promise.resolve();
  /** Owners whose rows this page has taken over, each with the function that releases the owner's lock. */
  readonly #adopted = new Map<string, () => void>();
  #releaseOwn: (() => void) | null = null;
  /** The page was away: others may have taken over its rows, and the events it was sending also went out in a copy. */
  #wasAway = false;
  #isClosed = false;
  /** Events that must not be dropped to make room. */
  readonly #spared: ReadonlySet<string>;
  /** Called when this page has taken over events of others, with the ids of those that may be counted already. */
  readonly #onAdopted: (sentBefore: readonly string[]) => void;

  constructor(parts: OutboxParts, spared: ReadonlySet<string>, onAdopted: (sentBefore: readonly string[]) => void) {
    this.#parts = parts;
    this.#spared = spared;
    this.#onAdopted = onAdopted;
    const { newId } = parts;
    this.#owner = newId();
    this.#memory = new StoredBooks(new MemoryStore(), this.#owner, newId);
    this.#disk = parts.disk === null ? null : new StoredBooks(parts.disk, this.#owner, newId);
  }

  /** Begins to use the disk, if there is one. Events recorded meanwhile wait until it is known whether the disk works. */
  open(): void {
    if (this.#disk === null) return;
    this.appear();
    // The rows on disk may be gone: opening writes back those that this page knows.
    this.#disk.store.onLost = () => void this.#work(() => this.#onDisk(openBooks));
    void this.lookAround();
  }

  /** Where the waiting events are kept: `'disk'` only when none of them is in memory. */
  get durability(): Durability {
    return this.#isDiskGood && this.#memory.ownRows.length === 0 ? 'disk' : 'memory';
  }

  /** Committed events that wait. */
  get size(): number {
    return this.#entries.size;
  }

  /** More than half of the room is taken. */
  get isHalfFull(): boolean {
    return Math.max(this.#disk?.bytes ?? 0, this.#memory.bytes) > MAX_WAITING_BYTES / 2;
  }

  /** The books of all events in memory and on disk, there including other tabs and earlier pages. */
  get books(): ReportBooks {
    const none = emptyLedger('');
    return sumOfBooks(this.#disk?.ledger ?? none, this.#memory.ledger ?? none);
  }

  /** The ledger that events of this durability belong to, as of the last commit. */
  ledgerOf(durability: Durability): ReportLedger | null {
    return (durability === 'disk' ? this.#disk : this.#memory)?.ledger ?? null;
  }

  /** A committed event that waits. */
  get(id: string): OutboxEntry | undefined {
    return this.#entries.get(id);
  }

  /** Committed events, in the order recorded. */
  entries(): Iterable<OutboxEntry> {
    return this.#entries.values();
  }

  /** Recorded events whose commit is under way. */
  *uncommitted(): Generator<OutboxEntry> {
    const durability = this.#isDiskGood ? 'disk' : 'memory';
    for (const { entry } of this.#uncommitted.values()) yield { ...entry, durability };
  }

  /** Resolves once the event is committed, or dropped for lack of room. */
  add({ event, json, bytes }: WrittenEvent): Promise<void> {
    const entry = { event, bytes, recordedAt: this.#parts.now() };
    const addition = { row: rowOf(event, this.#owner, json, bytes), entry };
    this.#uncommitted.set(event.id, addition);
    this.#queue.push(addition);
    // All events recorded before the commit begins share its transaction.
    this.#committing ??= this.#work(async () => {
      const additions = this.#queue;
      this.#queue = [];
      this.#committing = null;
      await this.#commit(additions);
    });
    return this.#committing;
  }

  /** Enters in the ledger that an event was too large to be kept. */
  refuseTooLarge(): void {
    void this.#work(async () => {
      const isOnDisk = this.#isDiskGood;
      (isOnDisk ? this.#disk! : this.#memory).refuseTooLarge();
      await (isOnDisk ? this.#onDisk(openBooks) : this.#memory.open());
    });
  }

  /** Removes events and enters their fates in the ledger. They are not sent again, even if storage fails. */
  settle(fates: ReadonlyMap<string, EventFate>): Promise<void> {
    const known = [...fates].filter(([id]) => this.#entries.delete(id));
    return this.#work(async () => {
      // Only here it is known where each is kept: the disk may have taken it over meanwhile.
      const inMemory = new Set(this.#memory.ownRows.map(({ id }) => id));
      this.#memory.owe(known);
      await this.#memory.open();
      this.#disk?.forgetPutAtOnce([...inMemory].filter((id) => fates.has(id)));
      this.#disk?.owe(known.filter(([id]) => !inMemory.has(id)));
      await this.#onDisk(openBooks);
    });
  }

  /**
   * Writes what the disk does not know yet of events that are about to be sent while the page may end.
   * @param wasSent whether they may reach the service
   */
  putAtOnce(ids: readonly string[], wasSent: boolean): void {
    if (!this.#isDiskGood) return;
    const uncommitted = ids.flatMap((id) => this.#uncommitted.get(id)?.row ?? []);
    this.#disk?.putAtOnce(uncommitted, ids, wasSent);
  }

  /**
   * Writes on disk whether these events may have reached the service, so that later pages know. Await this before sending
   * them. After the page was away no mark is taken back: the refusal of one request says nothing about another that may
   * carry the same events.
   * @returns those about to be sent that another page has brought to the service meanwhile
   */
  mark(ids: readonly string[], wasSent: boolean): Promise<readonly string[]> {
    if (this.#wasAway && !wasSent) return this.#working.then(() => []);
    return this.#work(async () => {
      await this.#memory.mark(ids, wasSent);
      const outcome = await this.#onDisk((disk) => disk.mark(ids, wasSent));
      return typeof outcome === 'object' ? outcome.result : [];
    });
  }

  /** Resolves once everything recorded so far is committed. */
  committed(): Promise<unknown> {
    return this.#working;
  }

  /**
   * Looks, at most once a minute, whether storage works again and whether pages that are gone have left events behind. If
   * this look leaves some of them over, it schedules the next one.
   */
  lookAround(): Promise<void> {
    const { now } = this.#parts;
    if (this.#disk === null || this.#isClosed || this.#looking !== null || now() < this.#nextLook) {
      return this.#looking ?? Promise.resolve();
    }
    this.#stopLooking();
    this.#nextLook = now() + LOOK_AGAIN_MS;
    this.#looking = this.#tryDisk().then(async () => {
      const isAllDone = await this.#adoptAll();
      this.#looking = null;
      if (!isAllDone && !this.#isClosed) {
        this.#cancelNextLook = this.#parts.after(LOOK_AGAIN_MS, () => void this.lookAround());
      }
    });
    return this.#looking;
  }

  /** Looks at once, or right after the look under way: a page that it found alive may be gone by now. */
  lookNow(): Promise<void> {
    this.#lookingNext ??= (this.#looking ?? Promise.resolve()).then(() => {
      this.#lookingNext = null;
      this.#nextLook = -Infinity;
      return this.lookAround();
    });
    return this.#lookingNext;
  }

  /** Shows the other tabs that this page is alive. */
  appear(): void {
    if (this.#disk === null || this.#isClosed) return;
    this.#disk.isLeaving = false;
    this.#releaseOwn ??= this.#parts.locks.hold(this.#owner);
  }

  /** The page may be gone in a moment, or the browser may keep it without running it: other pages may take over its rows. */
  disappear(): void {
    this.#wasAway = true;
    if (this.#disk !== null) this.#disk.isLeaving = true;
    this.#releaseOwn?.();
    this.#releaseOwn = null;
    for (const release of this.#adopted.values()) release();
    this.#adopted.clear();
  }

  /** Releases storage and locks after the work under way. */
  async close(): Promise<void> {
    await this.#working;
    this.#isClosed = true;
    this.#stopLooking();
    this.disappear();
    this.#disk?.store.close();
  }

  #stopLooking(): void {
    this.#cancelNextLook?.();
    this.#cancelNextLook = null;
  }

  /** Runs tasks one after another, so that the event recorded first is committed first. */
  #work<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#working.then(task);
    this.#working = run;
    return run;
  }

  async #commit(additions: readonly Addition[]): Promise<void> {
    const rows = additions.map(({ row }) => row);
    let outcome = await this.#addToDisk(rows);
    // The browser gives no more room: drop events worth less to make some, never other data of the site.
    if (outcome === 'full') outcome = await this.#addToDisk(rows, 2 * rows.length);
    const durability = typeof outcome === 'object' ? 'disk' : 'memory';
    if (durability === 'memory') this.#isDiskGood = false;
    const dropped = typeof outcome === 'object' ? outcome.result : await this.#memory.add(rows, this.#spared);
    for (const { row, entry } of additions) {
      this.#uncommitted.delete(row.id);
      this.#entries.set(row.id, { ...entry, durability });
    }
    for (const id of dropped) this.#entries.delete(id);
  }

  /**
   * Takes back what comes to the disk too late, unless it was moved there since.
   * @param room see {@link StoredBooks.add}
   */
  #addToDisk(rows: readonly OutboxRow[], room = 0): Promise<Outcome<readonly string[]>> {
    const isElsewhere = ({ id }: OutboxRow): boolean => this.#entries.get(id)?.durability !== 'disk';
    return this.#onDisk(
      (disk) => disk.add(rows, this.#spared, room),
      (disk) => disk.forget(rows.filter(isElsewhere).map(({ id }) => id)),
    );
  }

  /** @param undo takes back what `task` did, if it succeeds only after its deadline */
  async #onDisk<T>(
    task: (disk: StoredBooks) => Promise<T>,
    undo?: (disk: StoredBooks, result: T) => void,
  ): Promise<Outcome<T>> {
    const disk = this.#disk;
    if (disk === null || !this.#isDiskGood) return 'failed';
    const running = outcomeOf(task(disk));
    const outcome = await this.#inTime(running);
    if (outcome !== 'late' && outcome !== 'failed') return outcome;
    this.#isDiskGood = false;
    disk.store.renew();
    void running.then((late) => {
      if (typeof late === 'string') return;
      void this.#work(() => {
        undo?.(disk, late.result);
        // Nobody waits for this one: the next transaction writes it, too.
        void outcomeOf(disk.open());
        return Promise.resolve();
      });
    });
    return 'failed';
  }

  /** Resolves to the result of a promise, or to `'late'` after {@link STORAGE_DEADLINE_MS}. */
  #inTime<T>(promise: Promise<T>): Promise<T | 'late'> {
    return new Promise((resolve) => {
      const { after } = this.#parts;
      // Two timers in a row: after a stall of the page a single one may fire before an answer that arrived long ago.
      let cancel = after(STORAGE_DEADLINE_MS / 2, () => {
        cancel = after(STORAGE_DEADLINE_MS / 2, () => resolve('late'));
      });
      void promise.then((value) => {
        cancel();
        resolve(value);
      });
    });
  }

  async #tryDisk(): Promise<void> {
    const disk = this.#disk;
    if (disk === null || this.durability === 'disk') return;
    const opened = outcomeOf(disk.open());
    // A disk that opens late is used from then on.
    const used = opened.then((outcome) =>
      typeof outcome === 'object' ? this.#work(() => this.#useDisk()) : undefined,
    );
    if (this.#hasTriedDisk) {
      await this.#inTime(used);
      return;
    }
    this.#hasTriedDisk = true;
    // The first time, recorded events wait, so that they do not go to memory although there is a disk.
    await this.#work(async () => {
      if (typeof (await this.#inTime(opened)) === 'object') await this.#useDisk();
    });
  }

  /** Moves what is in memory to the disk. */
  async #useDisk(): Promise<void> {
    this.#isDiskGood = true;
    const rows = this.#memory.ownRows;
    if (rows.length === 0) return;
    const outcome = await this.#addToDisk(rows);
    if (typeof outcome === 'string') return;
    const ids = rows.map(({ id }) => id);
    this.#memory.forget(ids);
    await this.#memory.open();
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) this.#entries.set(id, { ...entry, durability: 'disk' });
    }
    for (const id of outcome.result) this.#entries.delete(id);
  }

  /** @returns false when there may be rows of other owners that are gone, or may be gone soon */
  async #adoptAll(): Promise<boolean> {
    const owners = await this.#work(() => this.#onDisk((disk) => disk.owners()));
    if (typeof owners === 'string') return false;
    let isAllDone = true;
    for (const owner of owners.result) {
      if (this.#adopted.has(owner)) {
        // This owner, taken over before, may have come back, recorded more, and gone for good.
        await this.#adopt(owner, LEFT_BEHIND_AFTER_MS);
        continue;
      }
      const taken = await this.#parts.locks.take(owner);
      if (typeof taken === 'string') isAllDone = false;
      if (taken === 'held') continue;
      // If this page has disappeared meanwhile, it takes over no other.
      if (this.#releaseOwn === null) {
        if (taken !== 'unknown') taken.release();
        return true;
      }
      if (taken === 'unknown') {
        await this.#adopt(owner, LEFT_BEHIND_AFTER_MS);
        continue;
      }
      this.#adopted.set(owner, taken.release);
      if (await this.#adopt(owner, 0)) continue;
      isAllDone = false;
      // This page did not get the rows: leave the owner to others.
      this.#adopted.delete(owner);
      taken.release();
    }
    return isAllDone;
  }

  /** @returns whether this page now has those rows of the owner that are at least `fromAgeMs` old */
  async #adopt(owner: string, fromAgeMs: number): Promise<boolean> {
    const { now, wallNow } = this.#parts;
    // A wall clock that was set back in the meantime must not give an event a negative age.
    const ageOf = (row: OutboxRow): number => Math.max(0, wallNow() - row.wallTime);
    const adopt = (disk: StoredBooks) => disk.adopt(owner, (row) => ageOf(row) >= fromAgeMs);
    const undo = (disk: StoredBooks, late: readonly OutboxRow[]): void => disk.disown(late.map(({ id }) => id));
    const outcome = await this.#work(() => this.#onDisk(adopt, undo));
    if (typeof outcome === 'string') return false;
    const rows = outcome.result;
    for (const row of rows) {
      // Only the wall clock tells the age, and it may have been set since. An event that may be counted already is as old as it
      // says, or too old to be sent again where it was set back too far to tell; any other is just old enough to be due at once.
      const isOfAnyAge = row.wallTime > wallNow() + MAX_SET_BACK_MS;
      const sentAgeMs = isOfAnyAge ? Infinity : ageOf(row);
      const recordedAt = now() - (row.wasSent ? sentAgeMs : Math.min(ageOf(row), FLUSH_AFTER_MS));
      this.#entries.set(row.id, { event: eventOf(row), bytes: row.bytes, recordedAt, durability: 'disk' });
    }
    if (rows.length > 0) this.#onAdopted(rows.filter(({ wasSent }) => wasSent).map(({ id }) => id));
    return true;
  }
}

function openBooks(books: StoredBooks): Promise<void> {
  return books.open();
}

function outcomeOf<T>(task: Promise<T>): Promise<Outcome<T>> {
  return task.then(
    (result) => ({ result }),
    (error: unknown) => (isQuota(error) ? 'full' : 'failed'),
  );
}
