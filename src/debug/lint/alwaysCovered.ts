import { listed } from '../nameOf.js';
import type { LintRule } from './LintRule.js';

const LEAST_MS = 2_000;
/** A menu may stay for long, but a cover that never goes is no menu. */
const LEAST_CURTAIN_MS = 30_000;

/** Whenever the ad is on the screen, something lies above most of it. */
export const alwaysCovered: LintRule = {
  id: 'always-covered',
  severity: 'error',
  judges: 'life',
  check({ seen, wasScreenFree }) {
    if (seen === null || seen.wasUncovered) return null;
    const isCurtain = !wasScreenFree && seen.curtainMs >= LEAST_CURTAIN_MS;
    if (seen.coveredMs < LEAST_MS && !isCurtain) return null;
    const coveredMs = seen.coveredMs + (isCurtain ? seen.curtainMs : 0);
    const by = seen.coveredBy.length > 0 ? ` by ${listed(seen.coveredBy)}` : '';
    return {
      sentence: `For all of its ${(coveredMs / 1000).toFixed(0)} s on the screen, at least half of the ad was covered${by}.`,
      hint: 'Give the ad a higher depth than what covers it, or move one of the two.',
    };
  },
};
