import { isAdsError } from '../errors.js';
import { BACKOFF_BASE_MS, BACKOFF_CAP_MS, BLOCKED_AFTER, REFUSAL_PAUSE_MS } from './limits.js';

/**
 * Decides when the next request may go out. After a failure comes a random pause below a bound that doubles (full jitter),
 * and at least the pause that the service asks for. Nothing goes out once something on this device keeps requests from
 * getting through.
 */
export class SendPauses {
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #isOnline: () => boolean;
  #failures = 0;
  #unexplained = 0;
  /** Our own pause after a failure. */
  #backOffUntil = -Infinity;
  /** The pause that the service asked for. */
  #pausedUntil = -Infinity;

  constructor(now: () => number, random: () => number, isOnline: () => boolean) {
    this.#now = now;
    this.#random = random;
    this.#isOnline = isOnline;
  }

  /** True after {@link BLOCKED_AFTER} failures in a row that the browser does not explain though it is online. */
  get isBlocked(): boolean {
    return this.#unexplained >= BLOCKED_AFTER;
  }

  /** The last request has failed. */
  get isTroubled(): boolean {
    return this.#failures > 0;
  }

  /** The service has asked for a pause that is not over. */
  get isPaused(): boolean {
    return this.#now() < this.#pausedUntil;
  }

  /** No request before this time, on the clock handed in. */
  get until(): number {
    return Math.max(this.#backOffUntil, this.#pausedUntil);
  }

  /** Drops our own pauses, not the service's. */
  reset(): void {
    this.#backOffUntil = -Infinity;
    this.#unexplained = 0;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#unexplained = 0;
  }

  /** @param error why the request failed; undefined when its answer was of no use */
  failed(error: unknown): void {
    const now = this.#now();
    const bound = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures++);
    this.#backOffUntil = now + this.#random() * bound;
    if (isAdsError(error) && error.retryAfterMs !== undefined) this.#pausedUntil = now + error.retryAfterMs;
    const isUnexplained = isAdsError(error, 'net/unreachable') || isAdsError(error, 'net/blocked-or-cors');
    this.#unexplained = isUnexplained && this.#isOnline() ? this.#unexplained + 1 : 0;
  }

  /** The service seems to take no reports: it gets none for {@link REFUSAL_PAUSE_MS}. */
  refused(): void {
    this.#pausedUntil = this.#now() + REFUSAL_PAUSE_MS;
    this.#unexplained = 0;
  }
}
