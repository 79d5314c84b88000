import type { AdsError } from '../errors.js';
import { abortFault } from '../waiting.js';
import type { CallOptions } from './AdService.js';
import { readCallOptions } from './arguments.js';
import type { ConnectResult } from './ConnectResult.js';

/** What is known of a connect request while the player decides. */
interface PendingConnectFacts {
  readonly requestId: string;
  readonly bindingCode: string;
  readonly confirmUrl: string;
  /** By the wall clock. */
  readonly endsAt: number;
}

type Outcome = boolean | AdsError;

/** A connect request that waits for the player, and whoever waits for its outcome. */
export class PendingConnect {
  readonly facts: PendingConnectFacts;
  readonly #withdraw: (request: PendingConnect) => void;
  readonly #waiters = new Set<(outcome: Outcome) => void>();
  /** Null while the player has not answered. */
  #outcome: Outcome | null = null;

  /** @param withdraw ends the request; only called while it is open */
  constructor(facts: PendingConnectFacts, withdraw: (request: PendingConnect) => void) {
    this.facts = facts;
    this.#withdraw = withdraw;
  }

  /** What the game gets. */
  get result(): ConnectResult {
    const { endsAt, bindingCode, confirmUrl } = this.facts;
    return Object.freeze({
      game: Object.freeze({ waitForGameConnect: (options?: CallOptions) => this.wait(options) }),
      expiresAt: endsAt,
      bindingCode,
      confirmUrl,
      cancel: () => this.cancel(),
    });
  }

  /** Resolves as the request ends; the signal of the options cancels it. */
  wait(options: unknown): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const { signal } = readCallOptions(options);
      if (signal?.aborted) throw abortFault();
      const settle = (outcome: Outcome): void => {
        signal?.removeEventListener('abort', onAbort);
        if (typeof outcome === 'boolean') resolve(outcome);
        else reject(outcome);
      };
      const onAbort = (): void => {
        settle(abortFault());
        this.cancel();
      };
      if (this.#outcome !== null) {
        settle(this.#outcome);
        return;
      }
      this.#waiters.add(settle);
      signal?.addEventListener('abort', onAbort);
    });
  }

  /** Lets the signal given to `connect` cancel the request later, too: its abort rejects all waiters. */
  cancelOn(signal: AbortSignal): void {
    const onAbort = (): void => {
      for (const settle of [...this.#waiters]) settle(abortFault());
      this.cancel();
    };
    if (signal.aborted) {
      this.cancel();
      return;
    }
    signal.addEventListener('abort', onAbort);
    this.#waiters.add(() => signal.removeEventListener('abort', onAbort));
  }

  /** Does nothing once the request is settled. */
  cancel(): void {
    if (this.#outcome === null) this.#withdraw(this);
  }

  /** Ends the request, for everyone who waits now or later. */
  settle(outcome: Outcome): void {
    this.#outcome = outcome;
    for (const settle of [...this.#waiters]) settle(outcome);
  }
}
