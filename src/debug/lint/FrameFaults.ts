import type { LintRule, LintWords } from './LintRule.js';
import type { PlacementFacts } from './PlacementFacts.js';
import { LINT_RULES } from './rules.js';

/** A placement that was free of a fault for so long without a break can be counted. */
const LEAST_MS = 1_000;

interface Times {
  /** Since the fault was there last. */
  fineMs: number;
  faultyMs: number;
  words: LintWords | null;
}

/** For how long each rule about a frame has found its fault in one placement, as long as no second was without it. */
export class FrameFaults {
  private readonly open = new Map<LintRule, Times>();

  constructor() {
    for (const rule of LINT_RULES) {
      if (rule.judges === 'frame') this.open.set(rule, { fineMs: 0, faultyMs: 0, words: null });
    }
  }

  /** No frame to come can change what is known. */
  get isSettled(): boolean {
    return this.open.size === 0;
  }

  /** A frame with the ad on the screen, that stands for so many milliseconds. */
  note(facts: PlacementFacts, ms: number): void {
    for (const [rule, times] of this.open) {
      const words = rule.check(facts);
      if (words !== null) {
        times.words = words;
        times.faultyMs += ms;
        times.fineMs = 0;
      } else if ((times.fineMs += ms) >= LEAST_MS) {
        this.open.delete(rule);
      }
    }
  }

  /** What a rule had to say last; null when it has had nothing to say for long enough, and while too little was seen. */
  of(rule: LintRule): LintWords | null {
    const times = this.open.get(rule);
    return times === undefined || times.faultyMs < LEAST_MS ? null : times.words;
  }
}
