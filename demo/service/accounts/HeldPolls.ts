import type { PlayerNotices } from './PlayerNotices.js';

/** A poll that may wait for the player's decision. */
export interface HeldPoll {
  /** Names the connect request: a newer poll of it takes the place of the older. */
  readonly key: string;
  /** Who polls, for the limit. */
  readonly caller: string;
  /** Where changes are told; undefined: nothing will change. */
  readonly channel: string | undefined;
  readonly seconds: number;
  /** Whether the player has yet to decide. */
  readonly isOpen: () => Promise<boolean>;
  /** Calls back when the caller has hung up. */
  readonly whenGone: (callback: () => void) => void;
}

/** How many polls may be held at the same time. */
export interface HeldPollLimits {
  readonly perCaller: number;
  readonly total: number;
}

export const DEFAULT_HELD_POLL_LIMITS: HeldPollLimits = { perCaller: 20, total: 1_000 };

/** Another copy of the service, which took the decision, wakes nobody here: so often it is looked for. */
const LOOK_AGAIN_MS = 500;

/** Polls whose answer waits for the player. None outlives its caller, and beyond the limits none is held. */
export class HeldPolls {
  readonly #notices: PlayerNotices;
  readonly #limits: HeldPollLimits;
  /** How to let go of each, by key. */
  readonly #held = new Map<string, () => void>();
  readonly #perCaller = new Map<string, number>();

  constructor(notices: PlayerNotices, limits: HeldPollLimits = DEFAULT_HELD_POLL_LIMITS) {
    this.#notices = notices;
    this.#limits = limits;
  }

  /** Polls held now. */
  get size(): number {
    return this.#held.size;
  }

  /** @returns true as soon as there is a decision to tell; false when there is none to wait for any longer. */
  async hold({ key, caller, channel, seconds, isOpen, whenGone }: HeldPoll): Promise<boolean> {
    this.#held.get(key)?.();
    const ofCaller = this.#perCaller.get(caller) ?? 0;
    if (this.#held.size >= this.#limits.total || ofCaller >= this.#limits.perCaller) return false;
    let isOver = false;
    let wake = (): void => {};
    const letGo = (): void => {
      if (isOver) return;
      isOver = true;
      this.#held.delete(key);
      const left = (this.#perCaller.get(caller) ?? 1) - 1;
      if (left === 0) this.#perCaller.delete(caller);
      else this.#perCaller.set(caller, left);
      wake();
    };
    this.#held.set(key, letGo);
    this.#perCaller.set(caller, ofCaller + 1);
    const stopListening = channel === undefined ? undefined : this.#notices.listen(channel, () => wake());
    whenGone(letGo);
    try {
      const endsAt = performance.now() + seconds * 1000;
      for (;;) {
        // Before looking: a decision made meanwhile must not be missed.
        const woken = new Promise<void>((resolve) => (wake = resolve));
        const isDecided = !(await isOpen());
        // Asked by another poll, or nobody is there to be told.
        if (isLetGo()) return false;
        if (isDecided) return true;
        const leftMs = endsAt - performance.now();
        if (leftMs <= 0) return false;
        const timer = setTimeout(wake, Math.min(LOOK_AGAIN_MS, leftMs));
        await woken;
        clearTimeout(timer);
      }
    } finally {
      stopListening?.();
      letGo();
    }

    function isLetGo(): boolean {
      return isOver;
    }
  }
}
