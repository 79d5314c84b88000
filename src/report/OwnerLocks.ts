/**
 * Tells whether the page that owns rows still lives. A help only: when it errs, two tabs send the same event, and the
 * service counts it once.
 */
export interface OwnerLocks {
  /** Shows the other tabs that this owner lives, until the returned function is called or the page ends. */
  hold(owner: string): () => void;
  /**
   * Takes the place of an owner that is gone: `release` gives it back. `'held'` when the owner lives, `'unknown'` where
   * that cannot be told.
   */
  take(owner: string): Promise<{ readonly release: () => void } | 'held' | 'unknown'>;
}

/** Where there are no locks. */
export const noLocks: OwnerLocks = Object.freeze({
  hold: () => () => undefined,
  take: () => Promise.resolve('unknown' as const),
});
