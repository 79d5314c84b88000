const NONE: readonly string[] = [];

/** Adds up for how long each reason held; several may hold at once. Allocates only when other reasons hold. */
export class ReasonBooks {
  readonly #booked = new Map<string, number>();
  #current = NONE;
  #extra: string | null = null;
  /** Time since the present reasons were set, not booked yet. */
  #pendingMs = 0;

  /** Sets the reasons that hold from now on, and one extra reason. The same list object means the same reasons. */
  set(reasons: readonly string[], extra: string | null = null): void {
    if (reasons === this.#current && extra === this.#extra) return;
    this.#book();
    this.#current = reasons;
    this.#extra = extra;
  }

  /** The present reasons held for this time. */
  spend(ms: number): void {
    this.#pendingMs += ms;
  }

  /** Adds time to one reason, whatever the present ones are. */
  add(reason: string, ms: number): void {
    if (ms > 0) this.#booked.set(reason, (this.#booked.get(reason) ?? 0) + ms);
  }

  totals(): Record<string, number> {
    this.#book();
    const totals: Record<string, number> = {};
    // By hand: games in browsers too old for ads come here, too.
    for (const [reason, ms] of this.#booked) totals[reason] = ms;
    return totals;
  }

  #book(): void {
    for (const reason of this.#current) this.add(reason, this.#pendingMs);
    if (this.#extra !== null) this.add(this.#extra, this.#pendingMs);
    this.#pendingMs = 0;
  }
}
