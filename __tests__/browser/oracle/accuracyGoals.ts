import type { Statistics } from './statistics.js';

/** What is promised of one figure, over many scenes. */
export interface AccuracyGoal {
  readonly name: string;
  readonly promise: string;
  valueOf(statistics: Statistics): number;
  holds(statistics: Statistics): boolean;
}

function goal(
  name: string,
  relation: '≤' | '≥',
  limit: number,
  unit: string,
  valueOf: (statistics: Statistics) => number,
): AccuracyGoal {
  return {
    name,
    promise: `${relation} ${limit}${unit}`,
    valueOf,
    holds: (statistics) => (relation === '≤' ? valueOf(statistics) <= limit : valueOf(statistics) >= limit),
  };
}

/** The promised accuracy. */
export const accuracyGoals = {
  mean: goal('mean error', '≤', 0.25, ' points', ({ mean }) => mean),
  p95: goal('95th percentile', '≤', 1, ' points', ({ p95 }) => p95),
  p99: goal('99th percentile', '≤', 2, ' points', ({ p99 }) => p99),
  falseFull: goal('false "fully visible"', '≤', 0, '', ({ falseFull }) => falseFull),
  falseBlocked: goal('false "blocked"', '≤', 1, ' in 1,000', (s) => (1000 * s.falseBlocked) / Math.max(1, s.scenes)),
  precision: goal('precision of blockers', '≥', 0.99, '', ({ precision }) => precision),
  recall: goal('recall of blockers', '≥', 0.99, '', ({ recall }) => recall),
  unmeasurable: goal('unmeasurable', '≤', 2, ' %', (s) => (100 * s.unmeasurable) / Math.max(1, s.scenes)),
  totalError: goal('total area', '≤', 1, ' %', ({ totalError }) => totalError),
};
