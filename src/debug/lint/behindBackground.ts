import type { LintRule } from './LintRule.js';

const LEAST_MS = 1_000;

/** The background of the scene is drawn above the ad. */
export const behindBackground: LintRule = {
  id: 'behind-background',
  severity: 'error',
  judges: 'frame',
  check({ frame, inViewMs }) {
    // An ad that was in view for long was not behind the background then: the background came later.
    if (frame === null || frame.background === null || inViewMs >= LEAST_MS) return null;
    return {
      sentence: `The background "${frame.background}" is drawn above the ad: nobody sees it.`,
      hint: 'Give the ad a depth above that of the background, or add it to the scene after the background.',
    };
  },
};
