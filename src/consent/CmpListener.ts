import type { ConsentSignals } from '../consentRules.js';
import type { After } from '../waiting.js';
import { type CmpApi, type CmpPort, type CmpWindow, fieldOf, findCmp } from './CmpPort.js';

/**
 * `searching` for a consent manager, which is `asked` once found, and `pending` while it shows the player its questions.
 * `decided` for good: what it says later takes the place of what it said. `absent`: there is none, or it does not answer.
 */
type CmpState = 'searching' | 'asked' | 'pending' | 'decided' | 'absent';

/** What one event of a consent manager says. */
export interface CmpWord {
  readonly isDecided: boolean;
  readonly signals: ConsentSignals;
}

/** What a listener needs of the page. */
export interface CmpPage {
  /** Null outside of a browser. */
  readonly window: CmpWindow | null;
  readonly after: After;
}

const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/**
 * Listens to one API of the page's consent manager. One that comes late is looked for with growing pauses until the
 * deadline; after that nothing is asked or timed any more, but what a manager found before says still counts.
 */
export class CmpListener {
  state: CmpState = 'searching';
  signals: ConsentSignals = {};
  #port: CmpPort | null = null;
  #listenerId: unknown = undefined;
  #cancelTimer: (() => void) | null = null;

  /**
   * @param read what an event says; null for one that says nothing
   * @param deadlineMs how long it is looked for, and then waited for its first word
   */
  constructor(
    private readonly api: CmpApi,
    private readonly read: (value: unknown) => CmpWord | null,
    private readonly page: CmpPage,
    private readonly deadlineMs: number,
    private readonly onChange: () => void,
  ) {
    this.#search(0, FIRST_WAIT_MS);
  }

  close(): void {
    this.#cancelTimer?.();
    try {
      if (this.#listenerId !== undefined) this.#port?.call('removeEventListener', () => undefined, this.#listenerId);
    } catch {
      // An exception of the page's manager does no harm: what it says from now on is not heard.
    }
    this.#port?.close();
  }

  #search(passedMs: number, waitMs: number): void {
    const { window } = this.page;
    this.#port = window === null ? null : findCmp(this.api, window);
    if (this.#port !== null) {
      this.#ask(this.#port);
    } else if (window === null || passedMs >= this.deadlineMs) {
      this.#become('absent');
    } else {
      const wait = Math.min(waitMs, this.deadlineMs - passedMs);
      this.#cancelTimer = this.page.after(wait, () =>
        this.#search(passedMs + wait, Math.min(2 * waitMs, LONGEST_WAIT_MS)),
      );
    }
  }

  #ask(port: CmpPort): void {
    this.#become('asked');
    // A stub whose manager was blocked never calls back.
    this.#cancelTimer = this.page.after(this.deadlineMs, () => {
      if (this.state === 'asked') this.#become('absent');
    });
    try {
      port.call('addEventListener', (value, success) => this.#hear(value, success));
    } catch {
      // A manager that throws may have spoken before, or may speak yet.
    }
  }

  #hear(value: unknown, success: unknown): void {
    this.#listenerId ??= fieldOf(value, 'listenerId');
    const word = success === false ? null : this.read(value);
    if (word === null) return;
    // While the questions are shown again the earlier decision holds.
    if (!word.isDecided && this.state === 'decided') return;
    this.signals = word.signals;
    this.#become(word.isDecided ? 'decided' : 'pending');
  }

  #become(state: CmpState): void {
    this.state = state;
    this.onChange();
  }
}
