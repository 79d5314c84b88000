import type { Database } from '../database/Database.js';
import { ServiceError } from '../http/ServiceError.js';
import { RateLimiter, type RateLimit } from './RateLimiter.js';

export interface AccountLimitOptions {
  readonly loginPerEmail: RateLimit;
  readonly loginPerAddress: RateLimit;
  readonly connectPerEmail: RateLimit;
  readonly connectPerAddress: RateLimit;
}

const TEN_MINUTES_MS = 600_000;

export const DEFAULT_ACCOUNT_LIMITS: AccountLimitOptions = {
  loginPerEmail: { limit: 10, windowMs: TEN_MINUTES_MS },
  loginPerAddress: { limit: 60, windowMs: TEN_MINUTES_MS },
  connectPerEmail: { limit: 10, windowMs: TEN_MINUTES_MS },
  connectPerAddress: { limit: 60, windowMs: TEN_MINUTES_MS },
};

/**
 * Slows down who guesses passwords or spams a player with connect requests. Counted per e-mail, known or not, and per
 * network address.
 */
export class AccountLimits {
  readonly #now: () => number;
  readonly #perEmail: { readonly login: RateLimiter; readonly connect: RateLimiter };
  readonly #perAddress: { readonly login: RateLimiter; readonly connect: RateLimiter };

  constructor(database: Database, now: () => number, options: AccountLimitOptions) {
    this.#now = now;
    this.#perEmail = {
      login: new RateLimiter(database, 'login-email', options.loginPerEmail),
      connect: new RateLimiter(database, 'connect-email', options.connectPerEmail),
    };
    this.#perAddress = {
      login: new RateLimiter(database, 'login-address', options.loginPerAddress),
      connect: new RateLimiter(database, 'connect-address', options.connectPerAddress),
    };
  }

  /** @throws ServiceError 429 `too_many_requests` with Retry-After. */
  async spend(action: 'login' | 'connect', email: string, address: string): Promise<void> {
    const now = this.#now();
    const waitMs =
      (await this.#perAddress[action].take(address, now)) || (await this.#perEmail[action].take(email, now));
    if (waitMs > 0) {
      throw new ServiceError(429, 'too_many_requests', 'Too many attempts; wait as long as Retry-After says.', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    }
  }

  /** A right password: the e-mail's failed attempts no longer count. */
  forgiveLogin(email: string): Promise<void> {
    return this.#perEmail.login.reset(email);
  }
}
