import * as v from 'valibot';

import { MAX_WAITING, MAX_WAITING_BYTES } from './limits.js';
import { readRow } from './outboxRow.js';
import type { OutboxRow, OutboxStore, StoreTransaction } from './OutboxStore.js';
import { emptyLedger, enterFate, type EventFate, ledgerSchema, type ReportLedger } from './ReportLedger.js';

/** The single record stored beside the rows. */
const stateSchema = v.object({
  ledger: ledgerSchema,
  /** Bytes of all rows. */
  bytes: v.number(),
  /** A new id whenever the record had to be created again: rows may be gone then. */
  generation: v.string(),
});
type StoredState = v.InferOutput<typeof stateSchema>;

/**
 * The rows of one storage and the ledger that counts them. Both change in the same transactions, so that the ledger
 * balances whenever the page ends.
 *
 * Rows that this page has committed and not settled yet are kept in memory too. When the storage is emptied under a
 * running page, it puts its own rows back, and only those of other pages are entered as lost.
 */
export class StoredBooks {
  readonly store: OutboxStore;
  readonly #owner: string;
  readonly #newId: () => string;
  /** The record as the last transaction of this page left it; null before the first. */
  #known: StoredState | null = null;
  readonly #own = new Map<string, OutboxRow>();
  /** Fates of events that are not written yet. */
  readonly #owed = new Map<string, EventFate | 'moved'>();
  /** Events that were too large, not written yet. */
  #tooLarge = 0;
  /** Rows whose `wasSent` in `#own` is not written to disk yet. */
  readonly #unmarked = new Set<string>();
  /**
   * The page may be gone in a moment: no transaction takes rows that were put at once, since `putAtOnce` would have to wait for
   * it. The exception is one that settles them: a later page would find and enter them a second time.
   */
  isLeaving = false;
  /** How often there was reason to take rows that were put at once, and how often before the last transaction that took them. */
  #reasonsToTake = 0;
  #reasonsDone = 0;
  /** Rows that this page has put at once and no transaction has taken yet, each with the number of its reason. */
  readonly #putAtOnce = new Map<string, number>();
  /** Bytes of rows that this page has put at once before their commit. If the commit fails, they are here all the same. */
  readonly #uncommitted = new Map<string, number>();

  /** @param owner which rows this page takes care of */
  constructor(store: OutboxStore, owner: string, newId: () => string) {
    this.store = store;
    this.#owner = owner;
    this.#newId = newId;
  }

  /** As of the last transaction of this page. */
  get ledger(): ReportLedger | null {
    return this.#known?.ledger ?? null;
  }

  /** Bytes of all rows, as of the last transaction of this page. */
  get bytes(): number {
    return this.#known?.bytes ?? 0;
  }

  /** Rows that this page takes care of and has not settled. */
  get ownRows(): readonly OutboxRow[] {
    return [...this.#own.values()];
  }

  /** Reads the books, repairs what is damaged, and writes the fates that are not written yet. */
  async open(): Promise<void> {
    await this.#transact(() => Promise.resolve());
  }

  /**
   * Commits rows; if there is no room for all, drops those worth least.
   * @param spared ids that must not be dropped
   * @param room how many stored rows that are worth less are dropped first to make room
   * @returns ids of the dropped rows
   */
  async add(rows: readonly OutboxRow[], spared: ReadonlySet<string>, room = 0): Promise<readonly string[]> {
    const dropped = await this.#transact(async (transaction, draft) => {
      const isThere = await Promise.all(rows.map(({ id }) => transaction.has(id)));
      const ids = await dropLeast(transaction, draft, room, spared, Math.min(...rows.map(({ worth }) => worth)));
      rows.forEach((row, i) => {
        // Entered by a transaction whose success the browser did not report, or put at once and taken: it may be sent by now.
        if (!isThere[i] || row.wasSent) transaction.put(row);
        if (isThere[i]) return;
        draft.ledger.created++;
        draft.ledger.pending++;
        draft.bytes += row.bytes;
      });
      while (draft.ledger.pending > MAX_WAITING || draft.bytes > MAX_WAITING_BYTES) {
        const excess = Math.max(1, draft.ledger.pending - MAX_WAITING);
        const least = await dropLeast(transaction, draft, excess, spared);
        if (least.length === 0) break;
        ids.push(...least);
      }
      return ids;
    });
    for (const row of rows) this.#own.set(row.id, row);
    for (const id of dropped) this.#own.delete(id);
    return dropped;
  }

  /** Remembers for the next transaction that an event was too large to be kept. */
  refuseTooLarge(): void {
    this.#tooLarge++;
  }

  /** Remembers the fates of events for the next transaction. Each is entered only once, however many tabs try. */
  owe(fates: Iterable<readonly [id: string, fate: EventFate]>): void {
    for (const [id, fate] of fates) this.#owed.set(id, fate);
  }

  /** Remembers that rows are in another storage: the next transaction removes them as if they had never been here. */
  forget(ids: readonly string[]): void {
    for (const id of ids) if (!this.#owed.has(id)) this.#owed.set(id, 'moved');
  }

  /** {@link StoredBooks.forget Forgets} those of these rows that were put at once and went to another storage after all. */
  forgetPutAtOnce(ids: readonly string[]): void {
    this.forget(ids.filter((id) => this.#uncommitted.has(id)));
  }

  /**
   * Writes what a request is about to carry, in case the page is gone in a moment: rows that are not committed, and for
   * committed rows that they may be sent. The next transaction enters them, or that of a page that looks for such rows.
   */
  putAtOnce(uncommitted: readonly OutboxRow[], ids: readonly string[], wasSent: boolean): void {
    const rows = uncommitted.map((row) => ({ ...row, wasSent }));
    for (const { id, bytes } of rows) this.#uncommitted.set(id, bytes);
    for (const id of wasSent ? ids : []) {
      const row = this.#own.get(id);
      if (row === undefined || (row.wasSent && !this.#unmarked.has(id))) continue;
      const marked = { ...row, wasSent, isEntered: true } as const;
      this.#own.set(id, marked);
      this.#unmarked.add(id);
      rows.push(marked);
    }
    if (rows.length === 0) return;
    this.#reasonsToTake++;
    for (const { id } of rows) this.#putAtOnce.set(id, this.#reasonsToTake);
    this.store.putAtOnce(rows);
  }

  /**
   * Writes whether rows may have been sent. If that fails, the next transaction writes it.
   * @returns those about to be sent that are not here any more: another page has settled them
   */
  async mark(ids: readonly string[], wasSent: boolean): Promise<readonly string[]> {
    const sought = wasSent ? ids.filter((id) => this.#own.has(id) && !this.#owed.has(id)) : [];
    for (const id of ids) {
      const row = this.#own.get(id);
      if (row === undefined || row.wasSent === wasSent) continue;
      this.#own.set(id, { ...row, wasSent });
      this.#unmarked.add(id);
    }
    if (sought.length === 0 && this.#unmarked.size === 0) return [];
    return this.#transact(async (transaction) => {
      const isThere = await Promise.all(sought.map((id) => transaction.has(id)));
      return sought.filter((_, i) => !isThere[i]);
    });
  }

  /** The other owners that have rows here, including rows that pages put at once before they ended. */
  owners(): Promise<readonly string[]> {
    this.#reasonsToTake++;
    return this.#transact(async (transaction) => (await transaction.owners()).filter((owner) => owner !== this.#owner));
  }

  /** Takes over the rows of an owner that is gone; damaged ones are entered as such and removed. */
  async adopt(owner: string, isWanted: (row: OutboxRow) => boolean): Promise<readonly OutboxRow[]> {
    // Take all rows that were put at once: one left aside would look new again once it is settled.
    this.#reasonsToTake++;
    const adopted = await this.#transact(async (transaction, draft) => {
      const rows: OutboxRow[] = [];
      for (const value of await transaction.rowsOf(owner)) {
        const row = readRow(value);
        if (row !== null) {
          if (isWanted(row)) rows.push(row);
          continue;
        }
        transaction.delete((value as { id: IDBValidKey }).id);
        enterFate(draft.ledger, 'corrupt');
        draft.bytes = Math.max(0, draft.bytes - bytesOf(value));
      }
      return rows;
    });
    const fresh = adopted.filter(({ id }) => !this.#own.has(id));
    for (const row of fresh) this.#own.set(row.id, row);
    return fresh;
  }

  /** Leaves rows that were taken over to the next page that looks for them. */
  disown(ids: readonly string[]): void {
    for (const id of ids) this.#own.delete(id);
  }

  async #transact<T>(work: (transaction: StoreTransaction, draft: StoredState) => Promise<T>): Promise<T> {
    let settled: ReadonlyMap<string, EventFate | 'moved'> = new Map();
    let tooLarge = 0;
    let marked: readonly OutboxRow[] = [];
    const settlesPutAtOnce = (): boolean => [...this.#owed.keys()].some((id) => this.#putAtOnce.has(id));
    const reasons = this.#reasonsToTake;
    const takesPutAtOnce = reasons > this.#reasonsDone && (!this.isLeaving || settlesPutAtOnce());
    // What is left aside would look new to the transaction that takes it, though it were settled here.
    const isLeftAside = (id: string): boolean => (this.#putAtOnce.get(id) ?? 0) > (takesPutAtOnce ? reasons : 0);
    const { result, state } = await this.store.transact(async (transaction) => {
      const draft = await this.#read(transaction, takesPutAtOnce ? await transaction.takePutAtOnce() : []);
      settled = new Map([...this.#owed].filter(([id]) => !isLeftAside(id)));
      tooLarge = this.#tooLarge;
      await this.#writeOwed(transaction, draft, settled, tooLarge);
      marked = await this.#writeMarks(transaction);
      const worked = await work(transaction, draft);
      draft.ledger.revision++;
      transaction.writeState(draft);
      return { result: worked, state: draft };
    }, takesPutAtOnce);
    this.#known = state;
    if (takesPutAtOnce) this.#reasonsDone = Math.max(this.#reasonsDone, reasons);
    this.#tooLarge -= tooLarge;
    for (const id of this.#putAtOnce.keys()) if (!isLeftAside(id)) this.#putAtOnce.delete(id);
    // A row that was marked again meanwhile is not written yet.
    for (const row of marked) if (this.#own.get(row.id) === row) this.#unmarked.delete(row.id);
    for (const id of settled.keys()) {
      this.#owed.delete(id);
      this.#own.delete(id);
      this.#uncommitted.delete(id);
    }
    return result;
  }

  async #writeOwed(
    transaction: StoreTransaction,
    draft: StoredState,
    fates: ReadonlyMap<string, EventFate | 'moved'>,
    tooLarge: number,
  ): Promise<void> {
    draft.ledger.created += tooLarge;
    draft.ledger.dropped.tooLarge += tooLarge;
    const ids = [...fates.keys()];
    const isThere = await Promise.all(ids.map((id) => transaction.has(id)));
    ids.forEach((id, i) => {
      // The row is gone: another tab has entered its fate.
      if (!isThere[i]) return;
      transaction.delete(id);
      const fate = fates.get(id)!;
      if (fate === 'moved') {
        draft.ledger.created--;
        draft.ledger.pending--;
      } else {
        enterFate(draft.ledger, fate);
      }
      draft.bytes -= this.#own.get(id)?.bytes ?? this.#uncommitted.get(id) ?? 0;
    });
  }

  async #writeMarks(transaction: StoreTransaction): Promise<readonly OutboxRow[]> {
    const rows: OutboxRow[] = [];
    for (const id of this.#unmarked) {
      const row = this.#own.get(id);
      if (row === undefined) this.#unmarked.delete(id);
      else rows.push(row);
    }
    const isThere = await Promise.all(rows.map(({ id }) => transaction.has(id)));
    rows.forEach((row, i) => (isThere[i] ? transaction.put(row) : undefined));
    return rows;
  }

  /** @param late rows that were put at once, and are not in the books */
  async #read(transaction: StoreTransaction, late: readonly unknown[]): Promise<StoredState> {
    const stored = v.safeParse(stateSchema, await transaction.readState());
    const ledger = this.#known?.ledger ?? emptyLedger(this.#newId());
    const draft = stored.success
      ? stored.output
      : { ledger: { ...ledger, dropped: { ...ledger.dropped } }, bytes: 0, generation: this.#newId() };
    draft.ledger.created += late.length;
    draft.ledger.pending += late.length;
    for (const row of late) draft.bytes += bytesOf(row);
    if (draft.generation !== this.#known?.generation) await this.#repair(transaction, draft);
    return draft;
  }

  /**
   * Makes books and rows agree: puts back the rows that this page knows and the storage has lost, removes damaged ones,
   * and enters the difference.
   */
  async #repair(transaction: StoreTransaction, draft: StoredState): Promise<void> {
    const { ledger } = draft;
    let bytes = 0;
    let found = 0;
    const missing = new Map(this.#own);
    for (const { key, value } of await transaction.all()) {
      const row = readRow(value);
      if (row === null) {
        transaction.delete(key);
        enterFate(ledger, 'corrupt');
        continue;
      }
      missing.delete(row.id);
      bytes += row.bytes;
      found++;
    }
    for (const row of missing.values()) {
      transaction.put(row);
      bytes += row.bytes;
      found++;
    }
    if (found < ledger.pending) {
      enterFate(ledger, 'storageLost', ledger.pending - found);
    } else {
      // This ledger did not know these rows, damaged ones among them, unless another tab has entered as lost what is put back now.
      const surplus = found - ledger.pending;
      const regained = Math.min(surplus, ledger.dropped.storageLost);
      ledger.dropped.storageLost -= regained;
      ledger.created += surplus - regained;
      ledger.pending = found;
    }
    ledger.revision = Math.max(ledger.revision, this.#known?.ledger.revision ?? 0);
    draft.bytes = bytes;
  }
}

async function dropLeast(
  transaction: StoreTransaction,
  draft: StoredState,
  count: number,
  spared: ReadonlySet<string>,
  below = Infinity,
): Promise<string[]> {
  const least = count === 0 ? [] : await transaction.leastWorth(count, spared, below);
  for (const { id, bytes } of least) {
    transaction.delete(id);
    enterFate(draft.ledger, 'overflow');
    draft.bytes -= bytes;
  }
  return least.map(({ id }) => id);
}

/** The size that a row states; the row may be damaged. */
function bytesOf(row: unknown): number {
  const { bytes } = row as { bytes?: unknown };
  return typeof bytes === 'number' ? bytes : 0;
}
