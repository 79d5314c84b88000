import type { LintRule } from './LintRule.js';

const LEAST_MS = 30_000;

/** No camera shows the ad: none can, or none has in a long time. */
export const outsideCameraPath: LintRule = {
  id: 'outside-camera-path',
  severity: 'warning',
  judges: 'life',
  check({ seen, isOutOfBounds, inViewMs }) {
    // An ad that was in view once is fine: bounds may be set anew, room by room.
    if (inViewMs > 0 || seen?.wasOnScreen === true) return null;
    if (isOutOfBounds) {
      return {
        sentence: 'The ad lies outside the bounds of every camera, so no camera can show it.',
        hint: 'Move the ad inside, or make the bounds larger with camera.setBounds().',
      };
    }
    if (seen === null || seen.playedMs < LEAST_MS) return null;
    return {
      sentence: `In ${(seen.playedMs / 1000).toFixed(0)} s of play no camera has shown the ad.`,
      hint: 'Put the ad where the player comes by, or place it only when the player comes near.',
    };
  },
};
