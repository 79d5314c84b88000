import type { SpriteMeasurement } from '../events.js';
import { Reason } from '../measure/AdMeasurement.js';
import type { CalculateAdCoverage } from './tracking.js';

/** A measurement that stays as it is while the live one goes on. */
export function copyMeasurement(live: SpriteMeasurement): SpriteMeasurement {
  return {
    isFullyVisible: live.isFullyVisible,
    isVisible: live.isVisible,
    camera: live.camera,
    totalArea: live.totalArea,
    onScreenArea: live.onScreenArea,
    visibleArea: live.visibleArea,
    percentageInView: live.percentageInView,
    pixelsInView: live.pixelsInView,
    totalPixels: live.totalPixels,
    totalScreenPercentage: live.totalScreenPercentage,
    squeezeRatio: live.squeezeRatio,
    screenCoveragePercentage: live.screenCoveragePercentage,
    meanTransmittance: live.meanTransmittance,
    reasons: [...live.reasons],
    blockingSprites: [...live.blockingSprites],
  };
}

/** The measurement of a placeholder: where it is counts, but nothing of the ad is seen. */
export function withoutCreative(measured: SpriteMeasurement): SpriteMeasurement {
  return {
    ...copyMeasurement(measured),
    isFullyVisible: false,
    isVisible: false,
    visibleArea: 0,
    percentageInView: 0,
    pixelsInView: 0,
    screenCoveragePercentage: 0,
    meanTransmittance: 0,
    reasons: [Reason.NOT_LOADED, ...measured.reasons],
  };
}

/** The measurement of a sprite that no longer exists. */
export function measurementOfNothing(): SpriteMeasurement {
  return {
    isFullyVisible: false,
    isVisible: false,
    camera: null,
    totalArea: 0,
    onScreenArea: 0,
    visibleArea: 0,
    percentageInView: 0,
    pixelsInView: 0,
    totalPixels: 0,
    totalScreenPercentage: 0,
    squeezeRatio: 1,
    screenCoveragePercentage: 0,
    meanTransmittance: 0,
    reasons: [Reason.NOT_FOUND],
    blockingSprites: [],
  };
}

/** The measurement of a sprite of which nothing can be known. */
export function unmeasurable(): SpriteMeasurement {
  return { ...measurementOfNothing(), reasons: [Reason.UNMEASURABLE] };
}

export function coverageOf(measurement: SpriteMeasurement): CalculateAdCoverage {
  const { isVisible, screenCoveragePercentage, visibleArea, totalArea } = measurement;
  return { isVisible, screenCoveragePercentage, visibleArea, totalArea };
}
