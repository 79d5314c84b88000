import { AdsError } from '../errors.js';

interface Waiting {
  readonly start: () => void;
  readonly signal: AbortSignal;
  readonly onAbort: () => void;
}

/** Runs a bounded number of tasks at once, in the order they came, with a bounded number waiting. */
export class LoadQueue {
  private running = 0;
  private waiting: Waiting[] = [];

  constructor(
    private readonly parallel: number,
    private readonly maxWaiting: number,
  ) {}

  /**
   * @param signal takes the task out of the line; a running task ends by its own means
   * @throws AdsError `place/too-many`, or the signal's reason
   */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.running < this.parallel) this.running++;
    else await this.waitForTurn(signal);
    try {
      return await task();
    } finally {
      this.running--;
      this.startNext();
    }
  }

  private waitForTurn(signal: AbortSignal): Promise<void> {
    if (this.waiting.length >= this.maxWaiting) {
      throw new AdsError('place/too-many', `More than ${this.parallel + this.maxWaiting} ads are being loaded`);
    }
    return new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        start: resolve,
        signal,
        onAbort: () => {
          this.waiting.splice(this.waiting.indexOf(entry), 1);
          reject(signal.reason as Error);
        },
      };
      signal.addEventListener('abort', entry.onAbort, { once: true });
      this.waiting.push(entry);
    });
  }

  private startNext(): void {
    const next = this.waiting.shift();
    if (next === undefined) return;
    next.signal.removeEventListener('abort', next.onAbort);
    this.running++;
    next.start();
  }
}
