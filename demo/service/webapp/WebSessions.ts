import { createHmac } from 'node:crypto';
import type { Database } from '../database/Database.js';
import { USE_IS_TOLD_AFTER_MS } from '../accounts/times.js';
import { equalSecrets, hashSecret, newSecret, type Random } from '../secrets.js';

const LIFETIME_MS = 12 * 3_600_000;

/** Who is signed in to the web app, by cookie. */
export class WebSessions {
  /** How long a session lasts, for the cookie. */
  readonly lifetimeSeconds = LIFETIME_MS / 1000;
  readonly #database: Database;
  readonly #now: () => number;
  readonly #random: Random;

  constructor(database: Database, now: () => number, random: Random) {
    this.#database = database;
    this.#now = now;
    this.#random = random;
  }

  /**
   * Of an account that was deleted meanwhile it is none: whoever holds the secret is signed out.
   *
   * @param device what the player recognises the browser by
   * @returns the secret for the cookie.
   */
  async begin(playerId: string, device: string): Promise<string> {
    const secret = newSecret('web', this.#random);
    const now = this.#now();
    await this.#database.run('DELETE FROM web_sessions WHERE expires_at <= ?', now);
    await this.#database.run(
      `INSERT INTO web_sessions (session_hash, player_id, expires_at, created_at, last_used_at, device)
       SELECT ?, player_id, ?, ?, ?, ? FROM players WHERE player_id = ?`,
      hashSecret(secret),
      now + LIFETIME_MS,
      now,
      now,
      device,
      playerId,
    );
    return secret;
  }

  async playerOf(secret: string): Promise<string | undefined> {
    const now = this.#now();
    const hash = hashSecret(secret);
    const row = await this.#database.first<{ player_id: string; last_used_at: number | null }>(
      'SELECT player_id, last_used_at FROM web_sessions WHERE session_hash = ? AND expires_at > ?',
      hash,
      now,
    );
    if (row !== undefined && now - (row.last_used_at ?? 0) >= USE_IS_TOLD_AFTER_MS) {
      await this.#database.run('UPDATE web_sessions SET last_used_at = ? WHERE session_hash = ?', now, hash);
    }
    return row?.player_id;
  }

  async end(secret: string): Promise<void> {
    await this.#database.run('DELETE FROM web_sessions WHERE session_hash = ?', hashSecret(secret));
  }
}

/** The token a form must carry that is sent together with this cookie: a page of another site cannot know it. */
export function csrfToken(cookie: string): string {
  return createHmac('sha256', cookie).update('csrf').digest('base64url');
}

export function isCsrfToken(cookie: string, token: string): boolean {
  return equalSecrets(csrfToken(cookie), token);
}
