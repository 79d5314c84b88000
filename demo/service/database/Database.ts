/** A value as SQL stores it. Instants are integers: milliseconds since 1970 UTC. */
export type SqlValue = string | number | null;

/** Runs single statements. Placeholders are `?`, in order. */
export interface Sql {
  /** All rows of a query, or of a statement with RETURNING. */
  all<Row>(statement: string, ...values: SqlValue[]): Promise<Row[]>;
  /** The first row, or undefined when there is none. */
  first<Row>(statement: string, ...values: SqlValue[]): Promise<Row | undefined>;
  /** Runs a statement and resolves to the number of rows it changed. */
  run(statement: string, ...values: SqlValue[]): Promise<number>;
}

/**
 * Where the service keeps what must survive a restart. Asynchronous and plain SQL, so that a database server can stand
 * behind it as well as the embedded one.
 */
export interface Database extends Sql {
  /**
   * Runs `work` as if it had the database for itself, so that either all its statements count or none. Inside, use the given {@link Sql}: a statement sent
   * to the database itself waits for the transaction to end, or does not belong to it. `work` may be run again when other
   * copies of the service got in its way; only its last run counts.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
