import type { SeenFigures } from '../report/AdEvent.js';
import type { AdMeasurement } from './AdMeasurement.js';

/** What of a measurement is reported. */
export function seenFigures(measurement: AdMeasurement): SeenFigures {
  const { percentageInView, visibleArea, totalArea, screenCoveragePercentage, reasons, blockingSprites } = measurement;
  return {
    percentageInView: toHundredths(Math.min(100, percentageInView)),
    visibleArea: toHundredths(visibleArea),
    totalArea: toHundredths(totalArea),
    screenCoveragePercentage: toHundredths(Math.min(100, screenCoveragePercentage)),
    reasons,
    blockerCount: blockingSprites.length,
  };
}

function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
