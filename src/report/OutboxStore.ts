/** An event as it is stored. */
export interface OutboxRow {
  /** The event's own id. */
  readonly id: string;
  /** The reporter that takes care of it: one game in one tab. */
  readonly owner: string;
  /** What is worth less is dropped sooner; see `worthOf`. */
  readonly worth: number;
  /** When it was recorded, in milliseconds since 1970. */
  readonly wallTime: number;
  /** The event, as it is sent. */
  readonly json: string;
  /** Bytes of {@link OutboxRow.json} as UTF-8. */
  readonly bytes: number;
  /**
   * Whether a request may have carried it to the service, as far as is written down: a page writes it down before it
   * sends.
   */
  readonly wasSent: boolean;
  /** Of a row that is put at once: the books know it, so where it is not among the others it is settled. */
  readonly isEntered?: true;
}

/** What can be done inside a transaction. Nothing else may be awaited in it. */
export interface StoreTransaction {
  /** What was written last, or undefined; anything at all when the storage is damaged. */
  readState(): Promise<unknown>;
  writeState(state: object): void;
  /**
   * Moves the rows that were put {@link OutboxStore.putAtOnce at once} to the others. In place of one of the same id only
   * those that may be sent, and none that is settled. Only in a transaction that was begun for it.
   * @returns those that were not among the others; they may be damaged
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
   * Runs `work`, anew if need be, in one transaction, of which there is one at a time among all tabs. Resolves once
   * everything written in it would outlive the page (or as far as this storage does); when it rejects, nothing was
   * written.
   * @param takesPutAtOnce whether it may take what was put at once, which while it runs keeps more from being put so
   */
  transact<T>(work: (transaction: StoreTransaction) => Promise<T>, takesPutAtOnce: boolean): Promise<T>;
  /** Set by who uses the store: told when what was stored may be gone. */
  onLost: (() => void) | null;
  /**
   * Puts rows aside, in a transaction that needs no more of the page and waits for none that writes the books: it is
   * completed though the page is gone the next moment. One that has to read before it writes, or to wait for another,
   * ends with its page. Not told is whether it works.
   */
  putAtOnce(rows: readonly OutboxRow[]): void;
  /** It does not answer: what comes next goes by another way to it, if there is one. */
  renew(): void;
  /** Lets go of the storage, after the transactions that have begun. */
  close(): void;
}
