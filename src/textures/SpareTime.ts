/** The part of a window that tells when a page has nothing else to do. */
export interface SpareTimeWindow {
  requestIdleCallback?(work: (deadline: IdleDeadline) => void, options: IdleRequestOptions): number;
  cancelIdleCallback?(handle: number): void;
  setTimeout(work: () => void, delayMs: number): number;
  clearTimeout(handle: number): void;
}

/**
 * Longest time that work waits for spare time, in milliseconds: about two frames. In a page that has none, the work runs anyway.
 */
const LONGEST_WAIT_MS = 30;

/** What the work may take where the browser knows of no spare time, in milliseconds. */
const TAKEN_MS = 4;

/**
 * Runs work between two frames, in the time the page has left: where the browser tells it (Safari may not), else right
 * after the task in which it was asked for.
 */
export class SpareTime {
  #handle: number | null = null;
  readonly #tellsTime: boolean;

  /**
   * @param now Monotonic milliseconds.
   * @param work Gets a function that tells how many milliseconds are left.
   */
  constructor(
    private readonly window: SpareTimeWindow,
    private readonly now: () => number,
    private readonly work: (leftMs: () => number) => void,
  ) {
    this.#tellsTime =
      typeof window.requestIdleCallback === 'function' && typeof window.cancelIdleCallback === 'function';
  }

  /** Asks for the work to be run once; harmless while it waits. */
  request(): void {
    if (this.#handle !== null) return;
    this.#handle = this.#tellsTime
      ? this.window.requestIdleCallback!((deadline) => this.#run(deadline), { timeout: LONGEST_WAIT_MS })
      : this.window.setTimeout(() => this.#run(null), 0);
  }

  cancel(): void {
    if (this.#handle === null) return;
    if (this.#tellsTime) this.window.cancelIdleCallback!(this.#handle);
    else this.window.clearTimeout(this.#handle);
    this.#handle = null;
  }

  #run(deadline: IdleDeadline | null): void {
    this.#handle = null;
    if (deadline !== null && !deadline.didTimeout) {
      this.work(() => deadline.timeRemaining());
      return;
    }
    const end = this.now() + TAKEN_MS;
    this.work(() => end - this.now());
  }
}
