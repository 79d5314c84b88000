import type { LintRule } from './LintRule.js';

const MOST_MAGNIFIED = 2;
const MOST_DISTORTED = 1.1;

/** The creative is shown much larger than it was made, or in other proportions. */
export const creativeScaled: LintRule = {
  id: 'creative-scaled',
  severity: 'warning',
  judges: 'frame',
  check({ picture }) {
    if (picture === null) return null;
    if (picture.magnification > MOST_MAGNIFIED) {
      return {
        sentence: `Each pixel of the creative is shown as ${picture.magnification.toFixed(1)} pixels across: it looks blurred.`,
        hint: 'Ask for a larger creative by the size of the surface, or make the ad smaller.',
      };
    }
    if (picture.distortion <= MOST_DISTORTED) return null;
    return {
      sentence: `The creative is stretched by ${Math.round((picture.distortion - 1) * 100)} % in one direction.`,
      hint: "Use fit: 'contain' or 'cover', equal scaleX and scaleY, or a surface of the shape of the ad.",
    };
  },
};
