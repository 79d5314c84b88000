import { type AdsError, isLasting } from '../errors.js';

const BASE_MS = 30_000;
const CAP_MS = 600_000;

/**
 * When a placement asks again after it got no ad, or one nobody came to see: after half a minute, then twice as long
 * each time up to ten minutes, a random quarter longer so that placements do not ask in step, and never before the
 * service wants to be asked (`Retry-After`). A placement that lasts all day thus asks at most 2 + 4 times in its first
 * ten minutes and then six times an hour.
 */
export class AskSchedule {
  #fruitless = 0;

  /** An ad was seen: the next wait is a short one again. */
  reset(): void {
    this.#fruitless = 0;
  }

  /**
   * @param random in `[0, 1)`
   * @returns how long to wait, in milliseconds; null when asking again is pointless
   */
  waitAfter(error: AdsError | null, random: number): number | null {
    if (error !== null && isLasting(error)) return null;
    return Math.max(waitOf(this.#fruitless++, random), error?.retryAfterMs ?? 0);
  }

  /** The first unseen ad is replaced at once; those after it wait as if there had been none. */
  waitAfterExpiry(random: number): number {
    const earlier = this.#fruitless++;
    return earlier === 0 ? 0 : waitOf(earlier - 1, random);
  }
}

/** @param doublings how many waits there were before */
function waitOf(doublings: number, random: number): number {
  return Math.min(CAP_MS, BASE_MS * 2 ** doublings) * (1 + random / 4);
}
