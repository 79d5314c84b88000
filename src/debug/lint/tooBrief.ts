import type { LintRule } from './LintRule.js';

const LEAST_MS = 1_000;

/** The ad is gone before a second is over, which every standard asks for. */
export const tooBrief: LintRule = {
  id: 'too-brief',
  severity: 'warning',
  judges: 'life',
  check({ seen }) {
    if (seen === null || seen.views === 0 || seen.longestViewMs >= LEAST_MS) return null;
    return {
      sentence: `The ad was in view for ${(seen.longestViewMs / 1000).toFixed(1)} s at most. Standards ask for 1 s without a break.`,
      hint: 'Let it stay longer, make the camera pass it more slowly, or put it where nothing crosses it.',
    };
  },
};
