import { AdsError } from '../errors.js';

/** Runs a bounded number of tasks at once, in the order they came, with a bounded number waiting. */
export class LoadQueue {
  #running = 0;
  /** Begin those that wait, the first one first; each takes the place of a task that has ended. */
  readonly #waiting: (() => void)[] = [];

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
    if (this.#running < this.parallel) this.#running++;
    else await this.#waitForTurn(signal);
    try {
      return await task();
    } finally {
      const startNext = this.#waiting.shift();
      if (startNext === undefined) this.#running--;
      else startNext();
    }
  }

  #waitForTurn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.maxWaiting) {
      throw new AdsError('place/too-many', `More than ${this.parallel + this.maxWaiting} ads are being loaded`);
    }
    return new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(start);
    });
  }
}
