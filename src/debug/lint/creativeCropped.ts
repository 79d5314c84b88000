import type { LintRule } from './LintRule.js';

const LEAST_SHOWN = 0.75;

/** So much of the creative is cut off that words or a logo may be gone. */
export const creativeCropped: LintRule = {
  id: 'creative-cropped',
  severity: 'warning',
  judges: 'frame',
  check({ picture }) {
    if (picture === null || picture.shownShare >= LEAST_SHOWN) return null;
    return {
      sentence: `Only ${Math.round(picture.shownShare * 100)} % of the creative is shown; the rest is cut off.`,
      hint: "Use fit: 'contain', or a surface of the shape of the ad.",
    };
  },
};
