import type { OutboxRow, OutboxStore, StoreTransaction } from '../../../src/report/OutboxStore.js';

/** The content of a {@link MemoryStore}. Two stores that share it are like two tabs on one storage. */
export interface MemoryContent {
  readonly rows: Map<IDBValidKey, unknown>;
  readonly atOnce: Map<IDBValidKey, unknown>;
  state: unknown;
  /** The transaction begun last. */
  last: Promise<unknown>;
}

export function emptyContent(): MemoryContent {
  return { rows: new Map(), atOnce: new Map(), state: undefined, last: Promise.resolve() };
}

/** A disk without a browser: transactions that are written as a whole or not at all, one after another. */
export class MemoryStore implements OutboxStore {
  onLost: (() => void) | null = null;
  readonly #content: MemoryContent;

  constructor(content: MemoryContent = emptyContent()) {
    this.#content = content;
  }

  transact<T>(work: (transaction: StoreTransaction) => Promise<T>, _takesPutAtOnce?: boolean): Promise<T> {
    const content = this.#content;
    const run = content.last.then(async () => {
      const transaction = new MemoryTransaction(content);
      const result = await work(transaction);
      await this.commit(transaction);
      return result;
    });
    content.last = run.catch(() => undefined);
    return run;
  }

  putAtOnce(rows: readonly OutboxRow[]): void {
    for (const row of rows) this.#content.atOnce.set(row.id, row);
  }

  renew(): void {
    // Memory has no connection to renew.
  }

  close(): void {
    // Nothing is held open.
  }

  protected commit(transaction: MemoryTransaction): void | Promise<void> {
    transaction.apply();
  }
}

/** Reads through to the content; writes are kept aside until they are applied together. */
export class MemoryTransaction implements StoreTransaction {
  readonly #content: MemoryContent;
  /** By key; undefined: deleted. */
  readonly #changes = new Map<IDBValidKey, unknown>();
  readonly #taken: IDBValidKey[] = [];
  #state: unknown;

  constructor(content: MemoryContent) {
    this.#content = content;
    this.#state = content.state;
  }

  apply(): void {
    for (const [key, value] of this.#changes) {
      if (value === undefined) this.#content.rows.delete(key);
      else this.#content.rows.set(key, value);
    }
    this.#content.state = this.#state;
    for (const key of this.#taken) this.#content.atOnce.delete(key);
  }

  readState(): Promise<unknown> {
    return Promise.resolve(this.#state);
  }

  writeState(state: object): void {
    this.#state = state;
  }

  async takePutAtOnce(): Promise<readonly unknown[]> {
    const fresh: unknown[] = [];
    for (const [key, row] of [...this.#content.atOnce]) {
      this.#taken.push(key);
      const { wasSent, isEntered } = row as OutboxRow;
      const isThere = await this.has(key as string);
      if (isThere ? !wasSent : isEntered) continue;
      if (!isThere) fresh.push(row);
      this.#changes.set(key, row);
    }
    return fresh;
  }

  put(row: OutboxRow): void {
    this.#changes.set(row.id, row);
  }

  delete(key: IDBValidKey): void {
    this.#changes.set(key, undefined);
  }

  has(id: string): Promise<boolean> {
    const known = this.#changes.has(id) ? this.#changes.get(id) !== undefined : this.#content.rows.has(id);
    return Promise.resolve(known);
  }

  all(): Promise<{ key: IDBValidKey; value: unknown }[]> {
    return Promise.resolve([...this.#entries()].map(([key, value]) => ({ key, value })));
  }

  owners(): Promise<string[]> {
    const owners = new Set<string>();
    for (const [, value] of this.#entries()) owners.add((value as OutboxRow).owner);
    return Promise.resolve([...owners]);
  }

  rowsOf(owner: string): Promise<unknown[]> {
    const rows = [...this.#entries()].map(([, value]) => value);
    return Promise.resolve(rows.filter((row) => (row as OutboxRow).owner === owner));
  }

  leastWorth(count: number, except: ReadonlySet<string>, below: number): Promise<{ id: string; bytes: number }[]> {
    const all = [...this.#entries()].map(([, value]) => value as OutboxRow);
    const rows = all.filter(({ id, worth, wasSent }) => worth < below && !except.has(id) && !wasSent);
    // Sorting keeps the order recorded among equals.
    return Promise.resolve(rows.sort((a, b) => a.worth - b.worth || a.wallTime - b.wallTime).slice(0, count));
  }

  *#entries(): Generator<[IDBValidKey, unknown]> {
    for (const entry of this.#content.rows) if (!this.#changes.has(entry[0])) yield entry;
    for (const entry of this.#changes) if (entry[1] !== undefined) yield entry;
  }
}
