import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import LibsqlDatabase from 'libsql';
import type { Database, Sql, SqlValue } from './Database.js';
import { migrationsFrom } from './migrations.js';

/**
 * Opens the embedded database and brings its tables up to date.
 *
 * @param path a file, whose folder is made when missing, or `':memory:'` for one that ends with the process.
 */
export function openEmbeddedDatabase(path: string): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const connection = new LibsqlDatabase(path);
  // With a write-ahead log a commit is one append; NORMAL keeps it safe against a killed process.
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = NORMAL');
  connection.exec('PRAGMA foreign_keys = ON');
  connection.exec('PRAGMA busy_timeout = 5000');
  migrate(connection);
  return new EmbeddedDatabase(connection);
}

type Connection = InstanceType<typeof LibsqlDatabase>;

/** All steps or none: a file is never left between two versions. */
function migrate(connection: Connection): void {
  connection.exec('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)');
  connection.exec('BEGIN IMMEDIATE');
  try {
    const [row] = connection.prepare('SELECT MAX(version) AS version FROM schema_version').all() as [VersionRow];
    for (const { version, script } of migrationsFrom(row.version ?? 0, { ownNumber: 'INTEGER PRIMARY KEY' })) {
      connection.exec(script);
      connection.prepare('INSERT INTO schema_version (version) VALUES (?)').run(version);
    }
    connection.exec('COMMIT');
  } catch (error) {
    connection.exec('ROLLBACK');
    throw error;
  }
}

interface VersionRow {
  version: number | null;
}

/** The driver's statement, as far as it is used here. */
interface Statement {
  all(...values: SqlValue[]): unknown[];
  run(...values: SqlValue[]): { changes: number };
}

class EmbeddedDatabase implements Database {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #direct: Sql;
  /** Settles when everything asked for so far is done: one connection, one user at a time. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#direct = {
      all: <Row>(statement: string, ...values: SqlValue[]) => Promise.resolve(this.#all<Row>(statement, values)),
      first: <Row>(statement: string, ...values: SqlValue[]) => Promise.resolve(this.#all<Row>(statement, values)[0]),
      run: (statement: string, ...values: SqlValue[]) =>
        Promise.resolve(this.#prepare(statement).run(...values).changes),
    };
  }

  all<Row>(statement: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#inTurn(() => this.#direct.all<Row>(statement, ...values));
  }

  first<Row>(statement: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return this.#inTurn(() => this.#direct.first<Row>(statement, ...values));
  }

  run(statement: string, ...values: SqlValue[]): Promise<number> {
    return this.#inTurn(() => this.#direct.run(statement, ...values));
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      this.#connection.exec('BEGIN IMMEDIATE');
      try {
        const result = await work(this.#direct);
        this.#connection.exec('COMMIT');
        return result;
      } catch (error) {
        this.#connection.exec('ROLLBACK');
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => {
      this.#statements.clear();
      this.#connection.close();
      return Promise.resolve();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  // Not Statement.get(): its rows carry a key of the driver beside the columns.
  #all<Row>(statement: string, values: SqlValue[]): Row[] {
    return this.#prepare(statement).all(...values) as Row[];
  }

  #prepare(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#connection.prepare<SqlValue[]>(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}
