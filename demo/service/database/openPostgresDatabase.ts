import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database, Sql, SqlValue } from './Database.js';
import { DatabaseUnavailable } from './DatabaseUnavailable.js';
import { migrationsFrom } from './migrations.js';

export interface PostgresOptions {
  /** Schema to work in, made when missing. Default: the one the server's settings give. */
  readonly schema?: string;
  /** The most connections this copy of the service holds. Default 10. */
  readonly maxConnections?: number;
  /** How long to wait for a connection. Default 5000. */
  readonly connectTimeoutMs?: number;
}

/** No statement of the service takes long; one that does is stuck. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** How often a transaction, or a statement that changes something, is tried that others got in the way of. */
const MAX_TRIES = 25;
/** Any number, the same in all copies: who holds it brings the tables up to date. */
const MIGRATION_LOCK = 7_410_927;

/**
 * Opens a PostgreSQL database, or one that speaks its protocol, and brings its tables up to date. Several copies of the
 * service may open the same one, also at the same moment.
 *
 * @param url such as `postgres://user:password@host:5432/database`.
 * @throws DatabaseUnavailable when there is no such server, or it refuses.
 */
export async function openPostgresDatabase(url: string, options: PostgresOptions = {}): Promise<Database> {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new DatabaseUnavailable('DATABASE_URL is not the address of a PostgreSQL database.', URL_HINT);
  }
  const { schema } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // A transaction of a copy that was stopped in the middle must not keep the others waiting.
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'phaser-inview service',
    types: { getTypeParser },
    ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
  });
  // A connection that breaks while nobody uses it; the pool replaces it, and who needs one next is told.
  pool.on('error', () => {});
  const database = new PostgresDatabase(pool, placeOf(url));
  try {
    await database.migrate(schema);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return database;
}

const URL_HINT = 'It looks like postgres://user:password@host:5432/database.';

/** Counts and instants come as 64-bit integers and sums as decimals, which the driver hands over as text. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format): unknown => {
  const { INT8, NUMERIC } = pg.types.builtins;
  return type === INT8 || type === NUMERIC ? Number : pg.types.getTypeParser(type, format);
};

/** Where the address points to, without who goes there. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

type Client = pg.Pool | pg.PoolClient;

class PostgresDatabase implements Database {
  readonly #pool: pg.Pool;
  readonly #place: string;
  readonly #direct: Sql;
  /** Statements with `$1, $2, …` for their `?`. */
  readonly #numbered = new Map<string, string>();

  constructor(pool: pg.Pool, place: string) {
    this.#pool = pool;
    this.#place = place;
    this.#direct = this.#sqlOf(pool);
  }

  all<Row>(statement: string, ...values: SqlValue[]): Promise<Row[]> {
    return this.#direct.all<Row>(statement, ...values);
  }

  first<Row>(statement: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return this.#direct.first<Row>(statement, ...values);
  }

  run(statement: string, ...values: SqlValue[]): Promise<number> {
    // A transaction of its own: what it refers to may be deleted while it runs.
    return againAfterConflicts(() => this.#direct.run(statement, ...values));
  }

  /**
   * Serializable: as if one transaction ran after the other, as in the embedded database. Where the server cannot have
   * it so, it ends one of them, and that one is tried again.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return againAfterConflicts(() => this.#onOneConnection('BEGIN ISOLATION LEVEL SERIALIZABLE', work));
  }

  /** The tables' history up to now, by one copy at a time. */
  migrate(schema: string | undefined): Promise<void> {
    return this.#onOneConnection('BEGIN', async (sql, client) => {
      await sql.all('SELECT pg_advisory_xact_lock(?)', MIGRATION_LOCK);
      if (schema !== undefined) await sql.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await sql.run('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)');
      const row = await sql.first<{ version: number | null }>('SELECT MAX(version) AS version FROM schema_version');
      const dialect = { ownNumber: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY' };
      for (const { version, script } of migrationsFrom(row?.version ?? 0, dialect)) {
        await client.query(script);
        await sql.run('INSERT INTO schema_version (version) VALUES (?)', version);
      }
    });
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #onOneConnection<T>(begin: string, work: (sql: Sql, client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#reaching(() => this.#pool.connect());
    let isBroken = false;
    const noteBreak = () => {
      isBroken = true;
    };
    // Without a listener a connection that breaks between two statements would end the process.
    client.on('error', noteBreak);
    try {
      await this.#reaching(() => client.query(begin));
      const result = await work(this.#sqlOf(client), client);
      // Not as one that found no server, which can be told to come again: where the answer got lost, all of it may be done.
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(noteBreak);
      throw error;
    } finally {
      client.off('error', noteBreak);
      client.release(isBroken);
    }
  }

  #sqlOf(client: Client): Sql {
    const query = (statement: string, values: SqlValue[]) =>
      this.#reaching(() => client.query(this.#number(statement), values.map(storable)));
    return {
      all: async <Row>(statement: string, ...values: SqlValue[]) => (await query(statement, values)).rows as Row[],
      first: async <Row>(statement: string, ...values: SqlValue[]) =>
        (await query(statement, values)).rows[0] as Row | undefined,
      run: async (statement: string, ...values: SqlValue[]) => (await query(statement, values)).rowCount ?? 0,
    };
  }

  async #reaching<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const why = unreachableBecause(error);
      if (why === undefined) throw error;
      throw new DatabaseUnavailable(
        `No PostgreSQL database at ${this.#place}: ${why}.`,
        'Check that the server runs and that DATABASE_URL names it, a user it knows and a database it has.',
        error,
      );
    }
  }

  #number(statement: string): string {
    let text = this.#numbered.get(statement);
    if (text === undefined) {
      let count = 0;
      text = statement.replace(/\?/g, () => `$${String((count += 1))}`);
      this.#numbered.set(statement, text);
    }
    return text;
  }
}

async function againAfterConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || tried === MAX_TRIES) throw error;
      // The longer, the more others are about; random, so that two do not meet again.
      await sleep(Math.random() * Math.min(200, 2 ** tried));
    }
  }
}

/** PostgreSQL's text holds no NUL, and nothing the service knows has one: such a value finds nothing. */
function storable(value: SqlValue): SqlValue {
  return typeof value === 'string' ? value.replaceAll('\0', '\u{FFFD}') : value;
}

/**
 * Serialization failure and deadlock: the same again may well succeed. As does what a foreign key forbids: its check alone
 * sees rows that others have written since the transaction began.
 */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

/** Undefined for errors that another server would have as well. */
function unreachableBecause(error: unknown): string | undefined {
  const code = codeOf(error);
  if (/^E[A-Z]{3,}$|^EAI_/.test(code)) return code;
  // Connection exceptions, a server that stops or starts, no connection free; refused, unknown database.
  if (/^08|^57P0[123]$|^53300$/.test(code)) return `the server ended or refused the connection (${code})`;
  if (/^28|^3D000$/.test(code)) return `the server does not let this user in, or has no such database (${code})`;
  const message = error instanceof Error ? error.message : '';
  if (/^Connection terminated|not queryable|^Query read timeout/.test(message)) return 'the connection broke';
  if (message.startsWith('Cannot use a pool after')) return 'the service is stopping';
  if (/timeout exceeded when trying to connect/.test(message)) return 'no connection became free in time';
  return undefined;
}
