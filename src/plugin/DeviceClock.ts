/** Clocks that come apart by less are just not exact. */
const MIN_SLEEP_MS = 1_000;

interface Clocks {
  /** Monotonic, in milliseconds. */
  now(): number;
  /** Milliseconds since 1970 UTC. */
  wallNow(): number;
}

/**
 * A clock that never runs back, and goes on while the device sleeps, in which the browser's monotonic one may stand still. A
 * wall clock that is set forward counts as sleep: a page cannot tell the two apart.
 */
export class DeviceClock {
  /** How long the device has slept, as {@link DeviceClock.now} has found. */
  sleptMs = 0;
  /** By how much the wall clock is ahead of the monotonic one; NaN before it was looked at. */
  #aheadMs = NaN;

  constructor(private readonly clocks: Clocks) {}

  /** Milliseconds. */
  now(): number {
    const time = this.clocks.now();
    const aheadMs = this.clocks.wallNow() - time;
    if (!(Math.abs(aheadMs - this.#aheadMs) < MIN_SLEEP_MS)) {
      this.sleptMs += Math.max(0, aheadMs - this.#aheadMs) || 0;
      this.#aheadMs = aheadMs;
    }
    return time + this.sleptMs;
  }
}
