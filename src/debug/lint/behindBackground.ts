import type { LintRule } from './LintRule.js';

/** The background of the scene is drawn above the ad. */
export const behindBackground: LintRule = {
  id: 'behind-background',
  severity: 'error',
  check({ frame }) {
    if (frame === null || frame.background === null) return null;
    return {
      sentence: `The background "${frame.background}" is drawn above the ad: nobody sees it.`,
      hint: 'Give the ad a depth above that of the background, or add it to the scene after the background.',
    };
  },
};
