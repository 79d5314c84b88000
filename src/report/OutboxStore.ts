/** An event as it is stored. */
export interface OutboxRow {
  /** The event's own id. */
  readonly id: string;
  /** The reporter that takes care of it: one game in one tab. */
  readonly owner: string;
  /** Rows that are worth less are dropped sooner; see `worthOf`. */
  readonly worth: number;
  /** When it was recorded, in milliseconds since 1970. */
  readonly wallTime: number;
  /** The event, as it is sent. */
  readonly json: string;
  /** Bytes of {@link OutboxRow.json} as UTF-8. */
  readonly bytes: number;
  /** Whether a request may have carried it to the service. A page writes this down before it sends. */
  readonly wasSent: boolean;
  /** Only for a row that is put at once: the books know it already. If it is not among the other rows, it is settled. */
  readonly isEntered?: true;
}

/** What can be done inside a transaction. Nothing else may be awaited in it. */
export interface StoreTransaction {
  /** The state written last, or undefined; any value when the storage is damaged. */
  readState(): Promise<unknown>;
  writeState(state: object): void;
  /**
   * Moves the rows that were put {@link OutboxStore.putAtOnce at once} to the others. A row replaces one of the same id only if
   * it may be sent; a settled row is dropped. Only in a transaction that was begun for this.
   * @returns the rows that were new to the books; they may be damaged
   */
  takePutAtOnce(): Promise<readonly unknown[]>;
  put(row: OutboxRow): void;
  delete(key: IDBValidKey): void;
  has(id: string): Promise<boolean>;
  /** Everything stored as a row, which may be damaged, with its key. */
  all(): Promise<readonly { readonly key: IDBValidKey; readonly value: unknown }[]>;
  owners(): Promise<readonly string[]>;
  /** The rows of one owner, which may be damaged. */
  rowsOf(owner: string): Promise<readonly unknown[]>;
  /**
   * At most `count` rows, those worth least and less than `below`, the oldest of them first, none of `except` and none
   * that was sent.
   */
  leastWorth(
    count: number,
    except: ReadonlySet<string>,
    below: number,
  ): Promise<readonly { readonly id: string; readonly bytes: number }[]>;
}

/** Where rows lie, shared by all tabs of an origin or owned by one page. */
export interface OutboxStore {
  /**
   * Runs `work` in one transaction, again if need be. All tabs together run one transaction at a time. Resolves once what it
   * wrote would outlive the page, as far as this storage does; when it rejects, nothing was written.
   * @param takesPutAtOnce whether it may take rows that were put at once; while it runs, no more can be put so
   */
  transact<T>(work: (transaction: StoreTransaction) => Promise<T>, takesPutAtOnce: boolean): Promise<T>;
  /** Set by the user of the store; called when the stored rows may be gone. */
  onLost: (() => void) | null;
  /**
   * Puts rows aside, in a transaction that reads nothing and waits for no other, so that it completes even if the page is gone
   * the next moment. Does not report whether it works.
   */
  putAtOnce(rows: readonly OutboxRow[]): void;
  /** The storage does not answer: the next transaction opens a new connection, if the storage has connections. */
  renew(): void;
  /** Releases the storage after the transactions that have begun. */
  close(): void;
}

/** Whether a transaction has failed for lack of room. */
export function isQuota(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'QuotaExceededError';
}
