import { type ConsentProvider, type ConsentRules, type ConsentSignals, readSignals } from '../consentRules.js';
import { AdsError } from '../errors.js';
import { writeJson } from '../writeJson.js';

const NOTHING_KNOWN: ConsentSignals = Object.freeze({});
/** How often {@link ConsentKeeper.byDecision} tries its work when the player changes their mind during it. */
const MAX_CHANGES_OF_MIND = 3;

/** What is known of the player's choices in one game, and what has to wait for them. */
export class ConsentKeeper {
  #provider: ConsentProvider | null;
  #handedIn: ConsentSignals | null;
  #unwatch: (() => void) | null = null;
  readonly #listeners = new Set<() => void>();
  /** The signals read last, so that listeners are told of real changes only. */
  #present = NOTHING_KNOWN;
  #wasHeld = false;
  /** Something of the signals is not understood: it may be a no. */
  #isUnreadable = false;
  #lastWarning = '';

  /**
   * @param reportError called with what a provider of the game's own has thrown
   * @param warn called with the names of signals that are left out
   */
  constructor(
    private readonly rules: ConsentRules,
    private readonly reportError: (message: string, error: unknown) => void,
    private readonly warn: (message: string) => void,
  ) {
    const { consent } = rules;
    this.#provider = consent !== null && 'watch' in consent ? consent : null;
    this.#handedIn = this.#provider === null ? (consent as ConsentSignals | null) : null;
    try {
      this.#unwatch = this.#provider?.watch(() => this.#update()) ?? null;
    } catch (error) {
      this.#fail(error);
    }
    this.#update();
  }

  /** What holds now; a frozen object, a new one after each change. */
  get signals(): ConsentSignals {
    return this.#present;
  }

  /** Nothing may be asked of third parties, nor told to them, before the player has decided. */
  get isHeld(): boolean {
    if (!this.rules.waitForConsent) return false;
    try {
      return this.#isUnreadable || (this.#handedIn === null && this.#provider?.isDecided !== true);
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  /** Signals the game hands in itself take the place of any other. */
  set(value: unknown): void {
    if (readSignals(value) === null)
      throw new AdsError('arg/option', 'setConsent: expected an object of consent signals');
    this.#handedIn = value as ConsentSignals;
    this.#stopWatching();
    this.#provider = null;
    this.#update();
  }

  /** Calls back after every change; the returned function ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves as soon as nothing is held back; rejects with the reason of the signal. */
  whenDecided(signal: AbortSignal): Promise<void> {
    if (!this.isHeld) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        stop();
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason as Error);
      };
      const stop = this.onChange(() => {
        if (this.isHeld) return;
        end();
        resolve();
      });
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
    });
  }

  /**
   * Runs work that is right only under the player's decision, such as holding an auction and fetching what has won it. It
   * starts once they have decided, and anew when they change their mind meanwhile.
   * @param work ends by its signal
   * @returns null when they have changed it again and again
   * @throws the reason of the outer signal, and whatever the work throws
   */
  async byDecision<T>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    for (let tries = 0; tries < MAX_CHANGES_OF_MIND; tries++) {
      // The decision may be taken back in the moment in which it is made.
      do await this.whenDecided(outer);
      while (this.isHeld);
      outer.throwIfAborted();
      const controller = new AbortController();
      const { signal } = controller;
      const end = (): void =>
        controller.abort(
          outer.aborted ? outer.reason : new AdsError('net/aborted', 'The player has changed their mind'),
        );
      const stop = this.onChange(end);
      outer.addEventListener('abort', end);
      try {
        return await work(signal);
      } catch (error) {
        if (outer.aborted || !signal.aborted) throw error;
      } finally {
        stop();
        outer.removeEventListener('abort', end);
      }
    }
    return null;
  }

  destroy(): void {
    this.#stopWatching();
    this.#listeners.clear();
  }

  /** An exception of the game's own provider must stop neither a withdrawal of consent nor the end of the game. */
  #stopWatching(): void {
    const unwatch = this.#unwatch;
    this.#unwatch = null;
    try {
      unwatch?.();
    } catch (error) {
      this.reportError('phaser-inview: the consent provider has thrown as it was let go', error);
    }
  }

  #update(): void {
    const signals = this.#read();
    const { isHeld } = this;
    const isSame = isHeld === this.#wasHeld && writeJson(signals) === writeJson(this.#present);
    if (isSame) return;
    this.#present = signals;
    this.#wasHeld = isHeld;
    for (const listener of [...this.#listeners]) listener();
  }

  #read(): ConsentSignals {
    let signals: ConsentSignals | null = null;
    let unread = '';
    try {
      const given: unknown = this.#provider === null ? (this.#handedIn ?? NOTHING_KNOWN) : this.#provider.signals;
      signals = readSignals(given, (message) => (unread = message));
    } catch (error) {
      this.#fail(error);
    }
    this.#isUnreadable = signals === null || unread !== '';
    if (unread !== '' && unread !== this.#lastWarning) this.warn(unread);
    this.#lastWarning = unread;
    return this.rules.underAge ? Object.freeze({ ...signals, underAge: true }) : (signals ?? NOTHING_KNOWN);
  }

  #fail(error: unknown): void {
    this.reportError('phaser-inview: the consent provider has thrown; nothing is known of consent', error);
  }
}
