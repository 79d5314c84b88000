import { type ConsentProvider, type ConsentSignals, readSignals } from '../consentRules.js';
import { AdsError } from '../errors.js';
import { after } from '../waiting.js';
import { CmpListener, type CmpPage } from './CmpListener.js';
import { GPP, TCF } from './CmpPort.js';
import { readGppEvent, readTcData } from './readCmp.js';

export interface ConsentSourceOptions {
  /**
   * How long a consent manager is looked for, and then waited for its first word, in milliseconds, 0–120000. A player who
   * is being asked is waited for without an end.
   * @default 10000
   */
  readonly deadlineMs?: number;
  /**
   * What holds on a page where no consent manager was found, or none has answered, by the deadline. Left out: nothing is
   * decided there, so that a game with `waitForConsent` goes on waiting; one that needs no consent says so by
   * `{ gdprApplies: false }`. Signals that are not understood decide nothing either; the console names them.
   */
  readonly withoutManager?: ConsentSignals;
}

/** What reading consent needs of the world. */
export interface ConsentEnvironment extends CmpPage {
  /** Whether the browser asks not to sell or share data (Global Privacy Control). */
  asksForPrivacy(): boolean;
}

/**
 * Reads what the player has consented to from the page's consent manager: TCF v2 and GPP 1.1, also of a page around this
 * frame, and Global Privacy Control. It listens while a game uses it, and to what players change later, too.
 *
 * ```ts
 * data: { source: new OpenRtbAds({ … }), consent: new ConsentSource(), waitForConsent: true }
 * ```
 */
export class ConsentSource implements ConsentProvider {
  readonly #environment: ConsentEnvironment;
  readonly #deadlineMs: number;
  readonly #withoutManager: ConsentSignals | null;
  #isUnderstood = true;
  readonly #watchers = new Set<() => void>();
  #listeners: readonly CmpListener[] = [];

  /** @throws AdsError `config/option`, `config/timeout` */
  constructor(options: ConsentSourceOptions = {}, environment: ConsentEnvironment = browserConsentEnvironment()) {
    const { deadlineMs = 10_000, withoutManager } = { ...options };
    if (typeof deadlineMs !== 'number' || !(deadlineMs >= 0 && deadlineMs <= 120_000)) {
      throw new AdsError('config/timeout', 'ConsentSource: expected `deadlineMs` to be a number from 0 to 120000');
    }
    this.#deadlineMs = deadlineMs;
    this.#withoutManager = readSignals(withoutManager, (message) => {
      this.#isUnderstood = false;
      console.warn(message);
    });
    if (withoutManager !== undefined && this.#withoutManager === null) {
      throw new AdsError(
        'config/option',
        'ConsentSource: expected `withoutManager` to be an object of consent signals',
      );
    }
    this.#environment = environment;
  }

  get signals(): ConsentSignals {
    const privacy = this.#environment.asksForPrivacy() ? { globalPrivacyControl: true } : {};
    const said = this.#isWithoutManager ? [this.#withoutManager] : this.#listeners.map(({ signals }) => signals);
    return Object.freeze(Object.assign({ ...privacy }, ...said) as ConsentSignals);
  }

  /** True once TCF or GPP is decided, and the other one is not waited for. */
  get isDecided(): boolean {
    if (this.#isWithoutManager) return this.#withoutManager !== null && this.#isUnderstood;
    const states = this.#listeners.map(({ state }) => state);
    return states.includes('decided') && !states.includes('pending') && !states.includes('asked');
  }

  watch(onChange: () => void): () => void {
    const watcher = (): void => onChange();
    this.#watchers.add(watcher);
    if (this.#watchers.size === 1) this.#open();
    return () => {
      if (this.#watchers.delete(watcher) && this.#watchers.size === 0) this.#close();
    };
  }

  get #isWithoutManager(): boolean {
    return this.#listeners.length > 0 && this.#listeners.every(({ state }) => state === 'absent');
  }

  #open(): void {
    const tell = (): void => {
      // While the second listener is being made, the signals are not complete.
      if (this.#listeners.length > 0) for (const watcher of [...this.#watchers]) watcher();
    };
    this.#listeners = [
      new CmpListener(TCF, readTcData, this.#environment, this.#deadlineMs, tell),
      new CmpListener(GPP, readGppEvent, this.#environment, this.#deadlineMs, tell),
    ];
    tell();
  }

  #close(): void {
    for (const listener of this.#listeners) listener.close();
    this.#listeners = [];
  }
}

/** The browser's own. Reads every global when used, none when imported. */
function browserConsentEnvironment(): ConsentEnvironment {
  const page = globalThis as { window?: Window; navigator?: { globalPrivacyControl?: unknown } };
  return {
    window: (page.window as unknown as CmpPage['window']) ?? null,
    after,
    asksForPrivacy: () => page.navigator?.globalPrivacyControl === true,
  };
}
