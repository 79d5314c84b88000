import type { OutboxRow, OutboxStore, StoreTransaction } from './OutboxStore.js';

/**
 * Rows that live as long as the page, for one page alone. Nothing fails here, so what a transaction writes holds at once. Rows
 * are put at once, and taken over from other pages, on disk only.
 */
export class MemoryStore implements OutboxStore, StoreTransaction {
  onLost = null;
  readonly #rows = new Map<IDBValidKey, OutboxRow>();
  #state: object | undefined;

  transact<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  readState(): Promise<unknown> {
    return Promise.resolve(this.#state);
  }

  writeState(state: object): void {
    this.#state = state;
  }

  put(row: OutboxRow): void {
    this.#rows.set(row.id, row);
  }

  delete(key: IDBValidKey): void {
    this.#rows.delete(key);
  }

  has(id: string): Promise<boolean> {
    return Promise.resolve(this.#rows.has(id));
  }

  leastWorth(count: number, except: ReadonlySet<string>, below: number): Promise<{ id: string; bytes: number }[]> {
    const rows = [...this.#rows.values()].filter(
      ({ id, worth, wasSent }) => worth < below && !except.has(id) && !wasSent,
    );
    // Sorting keeps the order recorded among equals.
    return Promise.resolve(rows.sort((a, b) => a.worth - b.worth || a.wallTime - b.wallTime).slice(0, count));
  }

  /** Asked for once, before there are any. */
  all = nothing;
  takePutAtOnce = nothing;
  owners = nothing;
  rowsOf = nothing;
  putAtOnce(): void {}
  renew(): void {}
  close(): void {}
}

function nothing(): Promise<[]> {
  return Promise.resolve([]);
}
