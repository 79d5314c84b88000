import type { Database } from '../database/Database.js';

/** How often nonces nobody could use any more are removed. */
const CLEAN_EVERY_MS = 10_000;

/** Remembers which nonces were used, for as long as a request that carries one could still be accepted. */
export class NonceMemory {
  readonly #database: Database;
  readonly #now: () => number;
  #cleanedAt = -Infinity;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  /**
   * Uses a nonce up.
   *
   * @param expiresAt from when on the request would be refused for its age, milliseconds since 1970.
   * @returns false when it was used before. Of two at the same time, one gets true.
   */
  async use(applicationId: string, nonce: string, expiresAt: number): Promise<boolean> {
    await this.#clean();
    const inserted = await this.#database.run(
      'INSERT INTO nonces (application_id, nonce, expires_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      applicationId,
      nonce,
      expiresAt,
    );
    return inserted === 1;
  }

  async #clean(): Promise<void> {
    const now = this.#now();
    if (Math.abs(now - this.#cleanedAt) < CLEAN_EVERY_MS) return;
    this.#cleanedAt = now;
    await this.#database.run('DELETE FROM nonces WHERE expires_at < ?', now);
  }
}
