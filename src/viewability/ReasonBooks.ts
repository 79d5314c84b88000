/** Adds up for how long each reason held; several may hold at once. Allocates only for a list of reasons never seen. */
export class ReasonBooks {
  private readonly names: string[] = [];
  private readonly ms: number[] = [];
  private current: readonly string[] = NONE;
  private extra: string | null = null;
  private extraIndex = -1;
  private indices: readonly number[] = [];
  private readonly known = new Map<readonly string[], readonly number[]>();
  /** Time since the present reasons were set, not booked yet. */
  private pendingMs = 0;

  /** Sets the reasons that hold from now on, and one extra reason. The same list object means the same reasons. */
  set(reasons: readonly string[], extra: string | null = null): void {
    if (reasons === this.current && extra === this.extra) return;
    this.book();
    this.current = reasons;
    this.extra = extra;
    this.extraIndex = extra === null ? -1 : this.indexOf(extra);
    let indices = this.known.get(reasons);
    if (indices === undefined) {
      indices = reasons.map((reason) => this.indexOf(reason));
      // Lists made anew for every frame must not pile up.
      if (this.known.size >= MAX_KNOWN) this.known.clear();
      this.known.set(reasons, indices);
    }
    this.indices = indices;
  }

  /** The present reasons held for this time. */
  spend(ms: number): void {
    this.pendingMs += ms;
  }

  /** Adds time to one reason, whatever the present ones are. */
  add(reason: string, ms: number): void {
    this.ms[this.indexOf(reason)]! += ms;
  }

  /** In the order the reasons first came up. */
  totals(): Record<string, number> {
    this.book();
    const totals: Record<string, number> = {};
    this.names.forEach((name, i) => {
      if (this.ms[i]! > 0) totals[name] = this.ms[i]!;
    });
    return totals;
  }

  private book(): void {
    for (let i = 0; i < this.indices.length; i++) this.ms[this.indices[i]!]! += this.pendingMs;
    if (this.extraIndex >= 0) this.ms[this.extraIndex]! += this.pendingMs;
    this.pendingMs = 0;
  }

  private indexOf(reason: string): number {
    let index = this.names.indexOf(reason);
    if (index < 0) {
      index = this.names.push(reason) - 1;
      this.ms.push(0);
    }
    return index;
  }
}

const NONE: readonly string[] = [];
const MAX_KNOWN = 64;
