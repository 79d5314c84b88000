import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';

import { isQuota, type OutboxRow, type OutboxStore, type StoreTransaction } from './OutboxStore.js';

interface OutboxSchema extends DBSchema {
  events: {
    key: string;
    value: OutboxRow;
    indexes: { owner: string; worth: [number, number] };
  };
  /** Rows that were put at once. They have a store of their own, so that they wait for no transaction on the other stores. */
  atOnce: { key: string; value: OutboxRow };
  state: { key: string; value: object };
}

type Transaction = IDBPTransaction<OutboxSchema, ('events' | 'state' | 'atOnce')[], 'readwrite'>;

/** A later form of the storage gets another name, so that old and new copies of the package never share one. */
const FORM = 2;
const BOOKS = 'books';

/**
 * Rows in a database of their own, shared by all tabs of the origin. `relaxed` durability: a committed row survives the
 * end of the page and of the browser, only a power cut can take the last seconds. A Chromium that is killed in the middle
 * of a write may delete all databases of the site two starts later, which no durability prevents.
 */
export class IndexedDbStore implements OutboxStore {
  onLost: (() => void) | null = null;
  readonly #name: string;
  #database: Promise<IDBPDatabase<OutboxSchema>> | null = null;
  /** The database of `#database` once it is open; never one that was given up. */
  #opened: IDBPDatabase<OutboxSchema> | null = null;
  #isClosed = false;

  /** @param name tells applications apart; holds no secret */
  constructor(name: string) {
    this.#name = `${name}:outbox-${FORM}`;
  }

  /**
   * A connection can die silently: every request on it fails although a new connection works. So a transaction that fails,
   * except for lack of room, is tried once more on a new connection. A failed transaction has written nothing.
   */
  async transact<T>(work: (transaction: StoreTransaction) => Promise<T>, takesPutAtOnce: boolean): Promise<T> {
    try {
      return await this.#try(work, takesPutAtOnce);
    } catch (error) {
      if (isQuota(error)) throw error;
      return this.#try(work, takesPutAtOnce);
    }
  }

  putAtOnce(rows: readonly OutboxRow[]): void {
    tryTo(() => {
      if (this.#opened === null) return;
      const transaction = this.#opened.transaction('atOnce', 'readwrite', { durability: 'relaxed' });
      ignore(transaction.done);
      for (const row of rows) ignore(transaction.store.put(row));
      transaction.commit();
    });
  }

  renew(): void {
    this.#letGo();
  }

  close(): void {
    this.#isClosed = true;
    this.#letGo();
  }

  async #try<T>(work: (transaction: StoreTransaction) => Promise<T>, takesPutAtOnce: boolean): Promise<T> {
    const connection = (this.#database ??= this.#open());
    try {
      const database = await connection;
      if (this.#database === connection) this.#opened = database;
      const stores = ['events', 'state', ...(takesPutAtOnce ? (['atOnce'] as const) : [])] as const;
      return await run(database.transaction([...stores], 'readwrite', { durability: 'relaxed' }), work);
    } catch (error) {
      // An open connection is kept when only the room has run out.
      const isUsable = isQuota(error) && this.#opened !== null;
      if (this.#database === connection && !isUsable) this.#letGo();
      throw error;
    }
  }

  async #open(): Promise<IDBPDatabase<OutboxSchema>> {
    if (this.#isClosed) throw new Error('The outbox is closed');
    const database = await openDB<OutboxSchema>(this.#name, FORM, {
      upgrade(db) {
        const events = db.createObjectStore('events', { keyPath: 'id' });
        events.createIndex('owner', 'owner');
        events.createIndex('worth', ['worth', 'wallTime']);
        db.createObjectStore('atOnce', { keyPath: 'id' });
        db.createObjectStore('state');
      },
      // In both cases the next transaction fails on the closed connection, and is tried once more on a new one.
      terminated: () => this.onLost?.(),
    });
    database.onversionchange = () => {
      // Somebody deletes the database and would have to wait while this connection is open.
      database.close();
      this.onLost?.();
    };
    return database;
  }

  #letGo(): void {
    const database = this.#database;
    this.#database = this.#opened = null;
    database?.then(
      (open) => open.close(),
      () => undefined,
    );
  }
}

async function run<T>(transaction: Transaction, work: (transaction: StoreTransaction) => Promise<T>): Promise<T> {
  // It may fail while the work still waits for its requests, which then report the same error.
  ignore(transaction.done);
  try {
    const result = await work(new IndexedDbTransaction(transaction));
    transaction.commit();
    await transaction.done;
    return result;
  } catch (error) {
    tryTo(() => transaction.abort());
    throw error;
  }
}

class IndexedDbTransaction implements StoreTransaction {
  readonly #transaction: Transaction;
  readonly #events;
  readonly #state;

  constructor(transaction: Transaction) {
    this.#transaction = transaction;
    this.#events = transaction.objectStore('events');
    this.#state = transaction.objectStore('state');
  }

  readState(): Promise<unknown> {
    return this.#state.get(BOOKS);
  }

  writeState(state: object): void {
    ignore(this.#state.put(state, BOOKS));
  }

  async takePutAtOnce(): Promise<readonly unknown[]> {
    const atOnce = this.#transaction.objectStore('atOnce');
    const rows = await atOnce.getAll();
    ignore(atOnce.clear());
    const isThere = await Promise.all(rows.map(({ id }) => this.has(id)));
    const taken = rows.filter(({ wasSent, isEntered }, i) => (isThere[i] ? wasSent : !isEntered));
    for (const row of taken) this.put(row);
    return rows.filter(({ isEntered }, i) => !isThere[i] && !isEntered);
  }

  put(row: OutboxRow): void {
    ignore(this.#events.put(row));
  }

  delete(key: IDBValidKey): void {
    ignore(this.#events.delete(key as string));
  }

  async has(id: string): Promise<boolean> {
    return (await this.#events.getKey(id)) !== undefined;
  }

  async all(): Promise<{ key: IDBValidKey; value: unknown }[]> {
    const [keys, values] = await Promise.all([this.#events.getAllKeys(), this.#events.getAll()]);
    return keys.map((key, i) => ({ key, value: values[i] }));
  }

  async owners(): Promise<string[]> {
    const owners: string[] = [];
    let cursor = await this.#events.index('owner').openKeyCursor(null, 'nextunique');
    while (cursor !== null) {
      owners.push(cursor.key);
      cursor = await cursor.continue();
    }
    return owners;
  }

  rowsOf(owner: string): Promise<unknown[]> {
    return this.#events.index('owner').getAll(owner);
  }

  async leastWorth(
    count: number,
    except: ReadonlySet<string>,
    below: number,
  ): Promise<{ id: string; bytes: number }[]> {
    const least: { id: string; bytes: number }[] = [];
    let cursor = await this.#events.index('worth').openCursor(IDBKeyRange.upperBound([below]));
    while (cursor !== null && least.length < count) {
      const { bytes, wasSent } = cursor.value;
      if (!except.has(cursor.primaryKey) && !wasSent) least.push({ id: cursor.primaryKey, bytes });
      cursor = await cursor.continue();
    }
    return least;
  }
}

/** A request that fails also fails its transaction, which reports the error. */
function ignore(request: Promise<unknown>): void {
  request.catch(() => undefined);
}

function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // It has ended by itself.
  }
}
