/** A change of {@link VisibilityState}, named as the event that reports it. */
export type VisibilityChange = 'blocked' | 'visible';

/** Whether an ad was fully visible when last measured. Turns one measurement per frame into the changes between them. */
export class VisibilityState {
  private current: VisibilityChange | null = null;

  /** Takes the next measurement; returns the change, or null when there is none. The first one is a change. */
  update(isFullyVisible: boolean): VisibilityChange | null {
    const next = isFullyVisible ? 'visible' : 'blocked';
    if (next === this.current) return null;
    this.current = next;
    return next;
  }
}
