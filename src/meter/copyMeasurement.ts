import type { SpriteMeasurement } from './SpriteMeasurement.js';
import { Reason } from '../measure/AdMeasurement.js';
import type { CalculateAdCoverage } from './CalculateAdCoverage.js';

/** The measurement of a sprite that no longer exists. */
const NOTHING: SpriteMeasurement = Object.freeze({
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
});
const FIGURES = Object.keys(NOTHING) as (keyof SpriteMeasurement)[];

/** A measurement that stays as it is while the live one goes on. */
export function copyMeasurement(live: SpriteMeasurement): SpriteMeasurement {
  const copy: Partial<Record<keyof SpriteMeasurement, unknown>> = {};
  // Not by a spread: the live one has more fields, and some of these by getters.
  for (const figure of FIGURES) copy[figure] = live[figure];
  const { reasons, blockingSprites } = copy as SpriteMeasurement;
  return { ...(copy as SpriteMeasurement), reasons: [...reasons], blockingSprites: [...blockingSprites] };
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

export function measurementOfNothing(): SpriteMeasurement {
  return copyMeasurement(NOTHING);
}

/** The measurement of a sprite of which nothing can be known. */
export function unmeasurable(): SpriteMeasurement {
  return { ...measurementOfNothing(), reasons: [Reason.UNMEASURABLE] };
}

export function coverageOf(measurement: SpriteMeasurement): CalculateAdCoverage {
  const { isVisible, screenCoveragePercentage, visibleArea, totalArea } = measurement;
  return { isVisible, screenCoveragePercentage, visibleArea, totalArea };
}
