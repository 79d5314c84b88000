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
   * `frame`: it looks at a frame only, and a board that turns is squeezed in some frames of many. Of a placement that is
   * watched it is said when no second on the screen was without it. `life`: it looks at all that was seen by itself.
   */
  readonly judges: 'frame' | 'life';
  /** Null when there is nothing to say, and while too little is known. */
  check(facts: PlacementFacts): LintWords | null;
}
