import type { LintRule, LintWords } from './LintRule.js';
import type { PlacementFacts } from './PlacementFacts.js';
import { LINT_RULES } from './rules.js';

/** A placement that was free of a fault for this long without a break can be counted. */
const LEAST_MS = 1_000;

interface Times {
  /** Time since the fault was there last. */
  fineMs: number;
  faultyMs: number;
  words: LintWords | null;
}

/** For how long each rule about a frame has found its fault in one placement. A rule is dropped after a second without it. */
export class FrameFaults {
  readonly #open = new Map<LintRule, Times>();

  constructor() {
    for (const rule of LINT_RULES) {
      if (rule.judges === 'frame') this.#open.set(rule, { fineMs: 0, faultyMs: 0, words: null });
    }
  }

  /** True when no later frame can change what is known. */
  get isSettled(): boolean {
    return this.#open.size === 0;
  }

  /** Notes a frame with the ad on the screen, which stands for `ms` milliseconds. */
  note(facts: PlacementFacts, ms: number): void {
    for (const [rule, times] of this.#open) {
      const words = rule.check(facts);
      if (words !== null) {
        times.words = words;
        times.faultyMs += ms;
        times.fineMs = 0;
      } else if ((times.fineMs += ms) >= LEAST_MS) {
        this.#open.delete(rule);
      }
    }
  }

  /** The last words of a rule; null once the rule had nothing to say for a second, and while too little was seen. */
  of(rule: LintRule): LintWords | null {
    const times = this.#open.get(rule);
    return times === undefined || times.faultyMs < LEAST_MS ? null : times.words;
  }
}
