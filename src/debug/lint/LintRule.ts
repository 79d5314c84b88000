import type { PlacementFacts } from './PlacementFacts.js';

/** `error`: the ad earns nothing as it is. `warning`: it may earn less, or look bad. */
export type LintSeverity = 'error' | 'warning';

/** What a rule has to say: what it found, and what to do about it. */
export interface LintWords {
  readonly sentence: string;
  readonly hint: string;
}

/** One thing that may be wrong with a placement. */
export interface LintRule {
  readonly id: string;
  readonly severity: LintSeverity;
  /**
   * `frame`: the rule looks at one frame only. A board that turns is squeezed in some frames of many, so for a placement that
   * is watched, the fault is reported only if no second on the screen was without it. `life`: the rule itself looks at all
   * that was seen.
   */
  readonly judges: 'frame' | 'life';
  /** Null when there is nothing to say, and while too little is known. */
  check(facts: PlacementFacts): LintWords | null;
}
