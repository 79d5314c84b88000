import { type AdMeasurement, Reason } from '../../../../src/measure/AdMeasurement.js';

/** A measurement of an ad of 20,000 px² on a canvas of 1,000 × 500, with so much of it in view. */
export function measurementOf(percentageInView: number, fields: Partial<AdMeasurement> = {}): AdMeasurement {
  const totalArea = fields.totalArea ?? 20_000;
  const visibleArea = (totalArea * percentageInView) / 100;
  return {
    isFullyVisible: percentageInView === 100,
    isVisible: visibleArea > 0,
    camera: null,
    totalArea,
    onScreenArea: totalArea,
    visibleArea,
    percentageInView,
    pixelsInView: Math.round(visibleArea),
    totalPixels: totalArea,
    totalScreenPercentage: totalArea / 5_000,
    squeezeRatio: 1,
    screenCoveragePercentage: visibleArea / 5_000,
    meanTransmittance: 1,
    reasons: percentageInView === 100 ? NONE : OBSTRUCTED,
    blockingSprites: [],
    ...fields,
  };
}

const NONE: readonly Reason[] = [];
const OBSTRUCTED: readonly Reason[] = [Reason.OBSTRUCTED];
