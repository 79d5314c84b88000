/** A clock that runs with the machine's and can be set forward or back. */
export class ManualClock {
  #offsetMs = 0;

  /** Milliseconds since 1970 UTC. */
  readonly now = (): number => Date.now() + this.#offsetMs;

  /** @param ms may be negative. */
  advance(ms: number): void {
    this.#offsetMs += ms;
  }
}
