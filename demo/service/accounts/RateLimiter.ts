import type { Database } from '../database/Database.js';
import { hashSecret } from '../secrets.js';

/** At most `limit` uses in a row; they come back evenly over `windowMs`. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** How often rows that mean nothing any more are removed. */
const CLEAN_EVERY_MS = 60_000;

/**
 * Token buckets, one per key, kept in the database so that all copies of the service draw from the same.
 *
 * A bucket is one instant: when it will be full again. Each use moves it on by the time one token takes, and is refused
 * where that would leave the window. One statement decides, so that of two at the same time one gets the last token.
 */
export class RateLimiter {
  readonly #database: Database;
  readonly #name: string;
  readonly #limit: RateLimit;
  #cleanedAt = -Infinity;

  /** @param name tells this limiter's keys from those of others. */
  constructor(database: Database, name: string, limit: RateLimit) {
    this.#database = database;
    this.#name = name;
    this.#limit = limit;
  }

  /**
   * Takes one use of `key`.
   *
   * @param now milliseconds since 1970.
   * @returns 0 when it was granted, else the milliseconds until the next one is.
   */
  async take(key: string, now: number): Promise<number> {
    await this.#clean(now);
    const { limit, windowMs } = this.#limit;
    const perTokenMs = windowMs / limit;
    // Half a millisecond of slack: a sum of fractions must not refuse the last token.
    const latest = now + windowMs - perTokenMs + 0.5;
    const granted = await this.#database.run(
      `INSERT INTO rate_limits (key_hash, full_at) VALUES (?, ?)
       ON CONFLICT (key_hash) DO UPDATE
       SET full_at = CASE WHEN rate_limits.full_at > ? THEN rate_limits.full_at + ? ELSE excluded.full_at END
       WHERE rate_limits.full_at <= ?`,
      this.#hash(key),
      now + perTokenMs,
      now,
      perTokenMs,
      latest,
    );
    if (granted === 1) return 0;
    // Full so late that the clock was set back, by more than clocks of copies differ: nobody is locked out for as long.
    await this.#database.run(
      'UPDATE rate_limits SET full_at = ? WHERE key_hash = ? AND full_at > ?',
      now + windowMs,
      this.#hash(key),
      now + 2 * windowMs,
    );
    const row = await this.#database.first<{ full_at: number }>(
      'SELECT full_at FROM rate_limits WHERE key_hash = ?',
      this.#hash(key),
    );
    return Math.max(1, Math.ceil((row?.full_at ?? latest) - latest));
  }

  /** Gives a key its full allowance back. */
  async reset(key: string): Promise<void> {
    await this.#database.run('DELETE FROM rate_limits WHERE key_hash = ?', this.#hash(key));
  }

  /** A key may be an e-mail address, also of somebody without an account: it is not kept in the clear. */
  #hash(key: string): string {
    return hashSecret(`${this.#name}:${key}`);
  }

  async #clean(now: number): Promise<void> {
    if (Math.abs(now - this.#cleanedAt) < CLEAN_EVERY_MS) return;
    this.#cleanedAt = now;
    await this.#database.run('DELETE FROM rate_limits WHERE full_at <= ?', now);
  }
}
