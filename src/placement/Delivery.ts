import { AdsError } from '../errors.js';
import type { Durability } from '../report/Outbox.js';
import type { Reporter } from '../report/Reporter.js';
import { emptyLedger, type ReportBooks } from '../report/ReportLedger.js';

/** How the reports of a game fare on their way to the service. */
export class Delivery {
  readonly #reporter: Reporter | null;

  /** @internal */
  constructor(reporter: Reporter | null) {
    this.#reporter = reporter;
  }

  /**
   * `'disk'`: what is recorded now outlives the page and the browser. `'memory'`: it lives as long as the page, because
   * the browser has no storage for us, or none that works. `'off'`: with `reporting: false`.
   */
  get durability(): Durability | 'off' {
    return this.#reporter?.durability ?? 'off';
  }

  /**
   * Where every event has gone, as of the last commit: `created = accepted + duplicate + rejected + pending + ` all of
   * `dropped`. Counts what other tabs and earlier pages have left in this browser's outbox for this API key, too.
   */
  get ledger(): ReportBooks {
    if (this.#reporter !== null) return this.#reporter.ledger;
    const { created, accepted, duplicate, rejected, dropped, pending } = emptyLedger('');
    return { created, accepted, duplicate, rejected, dropped, pending };
  }

  /**
   * True after three requests in a row that failed for no reason the browser tells while it is online: an ad blocker,
   * say. Nothing is sent until the network changes, {@link Delivery.flush} is called, or the next page.
   */
  get isBlocked(): boolean {
    return this.#reporter?.isBlocked ?? false;
  }

  /**
   * Sends what waits now, including what pages that are gone have left in this browser's outbox.
   * @param options.timeoutMs how long to wait for the answers, in milliseconds, 0–120000; default 5000
   * @returns true once nothing of that waits any more, false when that took longer
   * @throws AdsError `arg/option`
   */
  async flush(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    const timeoutMs: unknown = (options as { timeoutMs?: unknown } | null)?.timeoutMs ?? 5_000;
    if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0 && timeoutMs <= 120_000)) {
      throw new AdsError('arg/option', 'flush: expected `timeoutMs` to be a number from 0 to 120000');
    }
    return (await this.#reporter?.flush({ timeoutMs })) ?? true;
  }
}
