import type { SessionState } from './SessionMachine.js';
import type { SessionSnapshot } from './SessionSnapshot.js';

export const SessionEvents = {
  /** The session has entered another state. */
  CHANGE: 'sessionchange',
} as const;

export interface SessionEventMap {
  sessionchange: { readonly previous: SessionState; readonly session: SessionSnapshot };
}

type Change = SessionEventMap['sessionchange'];

/** Tells handlers of every change of a session, each of them in the order things happened. */
export class SessionChanges {
  readonly #warn: (message: string, error: unknown) => void;
  readonly #handlers = new Set<(change: Change) => void>();
  /** Changes that wait while handlers are called for an earlier one. */
  readonly #untold: Change[] = [];
  #isTelling = false;

  /** @param warn called when a handler throws */
  constructor(warn: (message: string, error: unknown) => void) {
    this.#warn = warn;
  }

  on(handler: (change: Change) => void): void {
    this.#handlers.add(handler);
  }

  off(handler: (change: Change) => void): void {
    this.#handlers.delete(handler);
  }

  /** A change that a handler brings about is told after the present one. No handler is called after `destroyed`. */
  tell(change: Change): void {
    this.#untold.push(Object.freeze(change));
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let next = this.#untold.shift(); next !== undefined; next = this.#untold.shift()) {
      for (const handler of [...this.#handlers]) {
        try {
          handler(next);
        } catch (error) {
          this.#warn(`phaser-inview: a handler of ${SessionEvents.CHANGE} has thrown`, error);
        }
      }
      if (next.session.state === 'destroyed') this.#handlers.clear();
    }
    this.#isTelling = false;
  }
}
