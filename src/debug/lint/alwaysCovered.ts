import { listed } from '../nameOf.js';
import type { LintRule } from './LintRule.js';

const LEAST_MS = 2_000;

/** Whenever the ad is on the screen, something lies above most of it. */
export const alwaysCovered: LintRule = {
  id: 'always-covered',
  severity: 'error',
  check({ seen }) {
    if (seen === null || seen.onScreenMs < LEAST_MS || seen.mostUncovered >= 0.5) return null;
    const by = seen.coveredBy.length > 0 ? ` by ${listed(seen.coveredBy)}` : '';
    return {
      sentence: `For all of its ${(seen.onScreenMs / 1000).toFixed(0)} s on the screen, at least half of the ad was covered${by}.`,
      hint: 'Give the ad a higher depth than what covers it, or move one of the two.',
    };
  },
};
