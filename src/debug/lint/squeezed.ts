import { VIEWABILITY_STANDARDS } from '../../index.js';
import type { LintRule } from './LintRule.js';

const STEEPEST_DEG = VIEWABILITY_STANDARDS.IIG_DISPLAY.maxAngleDeg ?? 90;

/** The ad is squeezed as if it were a board turned too far away. */
export const squeezed: LintRule = {
  id: 'squeezed',
  severity: 'error',
  judges: 'frame',
  check({ frame }) {
    if (frame === null) return null;
    const angle = (Math.acos(Math.min(1, Math.max(0, frame.squeezeRatio))) * 180) / Math.PI;
    // The ratio is rounded on its way here.
    if (angle <= STEEPEST_DEG + 0.01) return null;
    return {
      sentence: `The ad is squeezed like a board turned away by ${Math.round(angle)}°. Standards count up to ${STEEPEST_DEG}°.`,
      hint: 'Bring scaleX and scaleY of the ad, its containers and the camera closer together.',
    };
  },
};
