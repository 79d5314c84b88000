/** At most `limit` uses in a row; they come back evenly over `windowMs`. */
export interface RateLimit {
  readonly limit: number;
  readonly windowMs: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MAX_KEYS = 10_000;

/** Token buckets, one per key. Fed with the time; keeps no timer. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /**
   * Takes one use of `key`.
   *
   * @returns 0 when it was granted, else the milliseconds until the next one is.
   */
  take(key: string, now: number): number {
    const tokens = this.#tokensOf(key, now);
    if (tokens < 1) return Math.ceil((1 - tokens) * this.#msPerToken);
    // Deleted first, so that the map's order is the order of last use.
    this.#buckets.delete(key);
    if (this.#buckets.size >= MAX_KEYS) this.#makeRoom();
    this.#buckets.set(key, { tokens: tokens - 1, at: now });
    return 0;
  }

  /** Gives a key its full allowance back. */
  reset(key: string): void {
    this.#buckets.delete(key);
  }

  get #msPerToken(): number {
    return this.#limit.windowMs / this.#limit.limit;
  }

  #tokensOf(key: string, now: number): number {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return this.#limit.limit;
    return Math.min(this.#limit.limit, bucket.tokens + Math.max(0, now - bucket.at) / this.#msPerToken);
  }

  /** Forgets the key that has rested longest. */
  #makeRoom(): void {
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest);
      return;
    }
  }
}
