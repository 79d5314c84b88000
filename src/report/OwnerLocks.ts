import type { After } from '../waiting.js';
import { STORAGE_DEADLINE_MS } from './limits.js';

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

/** Where there are no locks, such as on pages without https. */
export const noLocks: OwnerLocks = Object.freeze({
  hold: () => () => undefined,
  take: () => Promise.resolve('unknown' as const),
});

/**
 * {@link OwnerLocks} made of Web Locks: the browser frees a lock when the page that holds it ends. Nothing waits for a lock
 * that is taken, and nothing waits long for the lock manager.
 *
 * @param name of the outbox; part of the names of the locks
 */
export function webLocks(name: string, after: After): OwnerLocks {
  const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
  if (locks === undefined) return noLocks;

  const request = (owner: string, onAnswer: (answer: 'free' | 'held' | 'unknown') => void): (() => void) => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    try {
      locks
        .request(`${name}:${owner}`, { ifAvailable: true }, (lock) => {
          onAnswer(lock === null ? 'held' : 'free');
          return released;
        })
        .catch(() => onAnswer('unknown'));
    } catch {
      onAnswer('unknown');
    }
    return release;
  };

  return {
    hold: (owner) => request(owner, () => undefined),
    take: (owner) =>
      new Promise((resolve) => {
        let isLate = false;
        const cancel = after(STORAGE_DEADLINE_MS, () => {
          isLate = true;
          resolve('unknown');
        });
        const release = request(owner, (answer) => {
          cancel();
          if (isLate) release();
          else resolve(answer === 'free' ? { release: () => release() } : answer);
        });
      }),
  };
}
