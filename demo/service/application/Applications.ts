import type { Database } from '../database/Database.js';
import { isOriginAllowed } from './origins.js';

/** A publisher's game as the portal knows it. */
export interface Application {
  readonly applicationId: string;
  /** Shown to players when the game asks for their account. */
  readonly name: string;
  readonly apiKey: string;
  readonly privateKey: string;
  readonly allowedOrigins: readonly string[];
}

interface Row {
  application_id: string;
  name: string;
  api_key: string;
  private_key: string;
  allowed_origins: string;
}

export class Applications {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async byApiKey(apiKey: string): Promise<Application | undefined> {
    const row = await this.#database.first<Row>('SELECT * FROM applications WHERE api_key = ?', apiKey);
    return row && toApplication(row);
  }

  async byId(applicationId: string): Promise<Application | undefined> {
    const row = await this.#database.first<Row>('SELECT * FROM applications WHERE application_id = ?', applicationId);
    return row && toApplication(row);
  }

  /** Whether any application registered this origin. */
  async knowsOrigin(origin: string): Promise<boolean> {
    const rows = await this.#database.all<Row>('SELECT * FROM applications');
    return rows.some((row) => isOriginAllowed(toApplication(row).allowedOrigins, origin));
  }
}

function toApplication(row: Row): Application {
  return {
    applicationId: row.application_id,
    name: row.name,
    apiKey: row.api_key,
    privateKey: row.private_key,
    allowedOrigins: JSON.parse(row.allowed_origins) as string[],
  };
}
