import type { Database } from '../database/Database.js';
import { hashSecret, newSecret, type Random } from '../secrets.js';

const LIFETIME_MS = 15 * 60_000;

/** What a token of a game's own backend allows. */
export interface ApplicationGrant {
  readonly applicationId: string;
  /** The only origin whose pages may use it; undefined: any that the application registered. */
  readonly origin: string | undefined;
}

/** Short-lived stand-ins for the private key, minted for a game's own backend, so that the key stays there. */
export class ApplicationTokens {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #random: Random;

  constructor(database: Database, now: () => number, random: Random) {
    this.#database = database;
    this.#now = now;
    this.#random = random;
  }

  async mint(grant: ApplicationGrant): Promise<{ token: string; expiresInSeconds: number }> {
    const token = newSecret('apt', this.#random);
    const now = this.#now();
    await this.#database.run('DELETE FROM application_tokens WHERE expires_at <= ?', now);
    await this.#database.run(
      'INSERT INTO application_tokens (token_hash, application_id, origin, expires_at) VALUES (?, ?, ?, ?)',
      hashSecret(token),
      grant.applicationId,
      grant.origin ?? null,
      now + LIFETIME_MS,
    );
    return { token, expiresInSeconds: LIFETIME_MS / 1000 };
  }

  /** What the token allows now; undefined when it is unknown or expired. */
  async check(token: string): Promise<ApplicationGrant | undefined> {
    const row = await this.#database.first<{ application_id: string; origin: string | null }>(
      'SELECT application_id, origin FROM application_tokens WHERE token_hash = ? AND expires_at > ?',
      hashSecret(token),
      this.#now(),
    );
    return row && { applicationId: row.application_id, origin: row.origin ?? undefined };
  }
}
