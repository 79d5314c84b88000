import type { Database } from '../database/Database.js';
import { ServiceError } from '../http/ServiceError.js';
import { hashSecret } from '../secrets.js';
import { callerOf } from './place.js';
import { RateLimiter, type RateLimit } from './RateLimiter.js';

/**
 * What is counted per e-mail is counted per network as well: what a stranger uses up, the player still has at home. Of
 * addresses only their network counts; see {@link callerOf}.
 */
export interface AccountLimitOptions {
  readonly loginPerEmail: RateLimit;
  readonly loginPerAddress: RateLimit;
  /** From all networks together in which nobody has signed in with this e-mail yet. */
  readonly loginPerEmailByStrangers: RateLimit;
  /** Sign-ins with a passkey that are begun. */
  readonly passkeyPerAddress: RateLimit;
  /** Of one game. */
  readonly connectPerEmail: RateLimit;
  readonly connectPerAddress: RateLimit;
  /** How often one game's requests are carried to one player beside the web app. The web app shows all of them. */
  readonly noticesPerPlayer: RateLimit;
}

const TEN_MINUTES_MS = 600_000;
/** How long a network in which the player has signed in is known. */
const FAMILIAR_MS = 90 * 24 * 3_600_000;

export const DEFAULT_ACCOUNT_LIMITS: AccountLimitOptions = {
  loginPerEmail: { limit: 10, windowMs: TEN_MINUTES_MS },
  loginPerAddress: { limit: 60, windowMs: TEN_MINUTES_MS },
  loginPerEmailByStrangers: { limit: 60, windowMs: TEN_MINUTES_MS },
  passkeyPerAddress: { limit: 60, windowMs: TEN_MINUTES_MS },
  connectPerEmail: { limit: 10, windowMs: TEN_MINUTES_MS },
  connectPerAddress: { limit: 60, windowMs: TEN_MINUTES_MS },
  noticesPerPlayer: { limit: 5, windowMs: TEN_MINUTES_MS },
};

/** Who tries, and for whose e-mail, known or not. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/** Slows down who guesses passwords or spams a player with connect requests, without locking the player out. */
export class AccountLimits {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #limiters: Readonly<Record<keyof AccountLimitOptions, RateLimiter>>;

  constructor(database: Database, now: () => number, options: AccountLimitOptions) {
    const limiter = (name: keyof AccountLimitOptions) => new RateLimiter(database, name, options[name]);
    this.#database = database;
    this.#now = now;
    this.#limiters = {
      loginPerEmail: limiter('loginPerEmail'),
      loginPerAddress: limiter('loginPerAddress'),
      loginPerEmailByStrangers: limiter('loginPerEmailByStrangers'),
      passkeyPerAddress: limiter('passkeyPerAddress'),
      connectPerEmail: limiter('connectPerEmail'),
      connectPerAddress: limiter('connectPerAddress'),
      noticesPerPlayer: limiter('noticesPerPlayer'),
    };
  }

  /** @throws ServiceError 429 `too_many_requests` with Retry-After. */
  async spendLogin({ email, address }: Attempt): Promise<void> {
    const place = `${email} ${callerOf(address)}`;
    await this.#take('loginPerAddress', callerOf(address));
    await this.#take('loginPerEmail', place);
    if (!(await this.#isFamiliar(place))) await this.#take('loginPerEmailByStrangers', email);
  }

  /** A right password: failed attempts from there no longer count, and the network is known from now on. */
  async forgiveLogin({ email, address }: Attempt, playerId: string): Promise<void> {
    const place = `${email} ${callerOf(address)}`;
    const now = this.#now();
    await this.#limiters.loginPerEmail.reset(place);
    await this.#database.run('DELETE FROM familiar_places WHERE expires_at <= ?', now);
    await this.#database.run(
      `INSERT INTO familiar_places (place_hash, expires_at, player_id)
       SELECT ?, ?, player_id FROM players WHERE player_id = ?
       ON CONFLICT (place_hash) DO UPDATE SET expires_at = excluded.expires_at`,
      hashSecret(`place:${place}`),
      now + FAMILIAR_MS,
      playerId,
    );
  }

  /** @throws ServiceError 429 `too_many_requests` with Retry-After. */
  async spendPasskey(address: string): Promise<void> {
    await this.#take('passkeyPerAddress', callerOf(address));
  }

  /** @throws ServiceError 429 `too_many_requests` with Retry-After. */
  async spendConnect(applicationId: string, { email, address }: Attempt): Promise<void> {
    await this.#take('connectPerAddress', callerOf(address));
    await this.#take('connectPerEmail', `${applicationId} ${email} ${callerOf(address)}`);
  }

  /**
   * Whether the player may be told of one more request of this game by other means than the web app.
   *
   * @param channel of the request; see ConnectRequests.channelOf: also of nobody, so that the question takes as long.
   */
  async mayNotify(applicationId: string, channel: string): Promise<boolean> {
    return (await this.#limiters.noticesPerPlayer.take(`${applicationId} ${channel}`, this.#now())) === 0;
  }

  async #take(name: keyof AccountLimitOptions, key: string): Promise<void> {
    const waitMs = await this.#limiters[name].take(key, this.#now());
    if (waitMs === 0) return;
    throw new ServiceError(429, 'too_many_requests', 'Too many attempts; wait as long as Retry-After says.', {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  }

  async #isFamiliar(place: string): Promise<boolean> {
    const row = await this.#database.first(
      'SELECT 1 AS known FROM familiar_places WHERE place_hash = ? AND expires_at > ?',
      hashSecret(`place:${place}`),
      this.#now(),
    );
    return row !== undefined;
  }
}
