import { AskSchedule } from './AskSchedule.js';
import type { AdsError } from '../errors.js';
import { DEFAULT_EXPIRY_SECONDS } from '../placementRules.js';

const NEVER = Infinity;
/** How long the network gets after the browser says that it is back. */
const ONLINE_MS = 1_000;

/**
 * When a placement asks for its next ad. Times in milliseconds, on the clock of the caller, who looks in once a frame
 * while the scene runs: a placement whose scene is paused or asleep, or whose page is hidden, asks for nothing. In a paused
 * scene, which is drawn, an ad still expires.
 */
export class PlacementLife {
  readonly #schedule = new AskSchedule();
  #askAt = NEVER;
  #expiresAt = NEVER;
  #refreshAt = NEVER;
  #isViewable = false;
  /** There is no ad, and the device was offline when that became clear. */
  #isOffline = false;

  /**
   * @param refreshMs how long an ad stays at least; null for good
   * @param random in `[0, 1)`
   * @param isOnline the device
   */
  constructor(
    private readonly refreshMs: number | null,
    private readonly random: () => number,
    private readonly isOnline: () => boolean,
  ) {}

  /** An ad is on its way; nothing is due until it is there. */
  asked(): void {
    this.#askAt = this.#expiresAt = this.#refreshAt = NEVER;
    this.#isOffline = false;
  }

  /**
   * An ad hangs there now.
   * @param answeredAt when it was served, which may be a while ago
   */
  shown(now: number, answeredAt: number, expiresInSeconds = DEFAULT_EXPIRY_SECONDS): void {
    this.#isViewable = false;
    this.#askAt = NEVER;
    this.#expiresAt = answeredAt + expiresInSeconds * 1000;
    this.#refreshAt = this.refreshMs === null ? NEVER : now + this.refreshMs;
  }

  /** A pixel of the present ad has been in view. */
  seen(): void {
    this.#expiresAt = NEVER;
    this.#schedule.reset();
  }

  viewable(): void {
    this.#isViewable = true;
  }

  /** There is no ad. */
  failed(now: number, error: AdsError | null): void {
    const waitMs = this.#schedule.waitAfter(error, this.random());
    this.#askAt = waitMs === null ? NEVER : now + waitMs;
    this.#isOffline = waitMs !== null && !this.isOnline();
  }

  /** Nobody came to see the ad in time. */
  expired(now: number): void {
    this.#expiresAt = NEVER;
    this.#askAt = now + this.#schedule.waitAfterExpiry(this.random());
  }

  /** There was no other ad to take the place of the present one, which stays. */
  refreshFailed(now: number, error: AdsError | null): void {
    const waitMs = this.#schedule.waitAfter(error, this.random());
    this.#refreshAt = waitMs === null ? NEVER : now + waitMs;
  }

  /** What the placement has to do next. */
  due(now: number): 'ask' | 'expire' | null {
    if (this.#isOffline && this.isOnline()) {
      this.#isOffline = false;
      this.#schedule.reset();
      this.#askAt = Math.min(this.#askAt, now + ONLINE_MS);
    }
    if (now >= this.#askAt) return 'ask';
    return now >= this.#expiresAt ? 'expire' : null;
  }

  /** @param isFullyVisible of the present ad, in the frame just drawn */
  isRefreshDue(now: number, isFullyVisible: boolean): boolean {
    return isFullyVisible && this.#isViewable && now >= this.#refreshAt;
  }
}
