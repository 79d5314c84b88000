/** A clock that runs with the machine's until it is stopped, and can be set forward or back. */
export class ManualClock {
  #offsetMs = 0;
  #stoppedAt: number | null = null;

  /** Milliseconds since 1970 UTC. */
  readonly now = (): number => (this.#stoppedAt ?? Date.now()) + this.#offsetMs;

  /** @param ms may be negative. */
  advance(ms: number): void {
    this.#offsetMs += ms;
  }

  /** From now on only {@link advance} moves it, so that it does not matter how long anything takes. */
  stop(): void {
    this.#stoppedAt ??= Date.now();
  }
}
