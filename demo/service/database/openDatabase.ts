import type { Database } from './Database.js';
import { openEmbeddedDatabase } from './openEmbeddedDatabase.js';
import { openPostgresDatabase, type PostgresOptions } from './openPostgresDatabase.js';

export interface DatabasePlace {
  /** Address of a PostgreSQL server. Undefined: the embedded database. */
  readonly url?: string | undefined;
  /** File of the embedded database, or `':memory:'`. */
  readonly path: string;
  /** For PostgreSQL. */
  readonly options?: PostgresOptions;
}

/** Opens the database the service shall use, and brings its tables up to date. */
export async function openDatabase({ url, path, options }: DatabasePlace): Promise<Database> {
  return url === undefined ? openEmbeddedDatabase(path) : openPostgresDatabase(url, options);
}
