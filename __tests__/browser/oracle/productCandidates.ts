import { GameMeter } from '../../../src/meter/GameMeter.js';
import { calculateAdCoverage, checkAdFullVisibility } from '../../../src/meter/tracking.js';
import type { Candidate, Verdict } from './candidates.js';

/** The two functions of the interface, called after the frame with no plugin installed. */
export const trackingFunctions: Candidate = {
  name: 'tracking functions',
  measure(ad, cameras) {
    const { isFullyVisible, blockingSprites } = checkAdFullVisibility(ad, ad.scene);
    const views = cameras.map((camera) => {
      const { isVisible, screenCoveragePercentage, visibleArea, totalArea } = calculateAdCoverage(ad, camera);
      if (isVisible !== visibleArea > 0) throw new Error(`isVisible is ${isVisible} for ${visibleArea} px²`);
      return { camera, visibleArea, totalArea, screenPercentage: screenCoveragePercentage };
    });
    return { isFullyVisible, blockers: blockingSprites, views, unmeasurable: false, reasons: [] };
  },
};

/**
 * Alpha bitmaps are built within a time per frame, and what waits for one is unmeasurable so long: a slow machine gets
 * more frames.
 */
const WARM_UP_FRAMES = 3;
const MOST_FRAMES = 40;

/** What is measured in every frame while an ad is observed. */
export const everyFrame: Candidate = {
  name: 'every frame',
  measure(ad, cameras, drawFrame) {
    let verdict: Verdict | null = null;
    const stop = GameMeter.of(ad.scene.sys.game).observe(ad, (measurement) => {
      const { camera, visibleArea, totalArea, screenCoveragePercentage, reasons } = measurement;
      const seen = camera ?? cameras[0];
      verdict = {
        isFullyVisible: measurement.isFullyVisible,
        blockers: measurement.blockingSprites,
        views: seen ? [{ camera: seen, visibleArea, totalArea, screenPercentage: screenCoveragePercentage }] : [],
        unmeasurable: reasons.includes('unmeasurable'),
        reasons,
      };
    });
    try {
      for (let frames = 0; frames < MOST_FRAMES; frames++) {
        if (frames >= WARM_UP_FRAMES && !isWaiting(verdict)) break;
        drawFrame();
      }
    } finally {
      stop();
    }
    if (!verdict) throw new Error('No measurement of an observed ad');
    return verdict;
  },
};

/** No reason tells of what is not known yet in one camera while another shows the ad whole. */
function isWaiting(verdict: Verdict | null): boolean {
  if (verdict === null) return false;
  return verdict.unmeasurable || (verdict.isFullyVisible && verdict.views.some((v) => v.visibleArea < v.totalArea - 1));
}
