import type { AdsEventMap, AdsEventName, SpriteMeasurement } from '../events.js';
import type { AdFact } from '../report/AdEvent.js';
import type { PlacedAd } from './PlacedAd.js';

/** What of an event is reported to the service; null for nothing. */
export function factOf<K extends AdsEventName>(event: K, payload: AdsEventMap[K]): AdFact | null {
  return facts[event](payload);
}

const facts: { readonly [K in AdsEventName]: (payload: AdsEventMap[K]) => AdFact | null } = {
  adloaded: ({ placedAd }) => ({ kind: 'loaded', ...namesOf(placedAd) }),
  adnofill: ({ placedAd }) => ({ kind: 'noFill', ...namesOf(placedAd) }),
  aderror: ({ placedAd, error }) =>
    placedAd === null ? null : { kind: 'error', ...namesOf(placedAd), errorCode: error.code },
  adblocked: ({ placedAd, measurement }) => ({ kind: 'blocked', ...namesOf(placedAd), ...figuresOf(measurement) }),
  advisible: ({ placedAd, measurement }) => ({ kind: 'visible', ...namesOf(placedAd), ...figuresOf(measurement) }),
  adclick: ({ placedAd }) => ({ kind: 'click', ...namesOf(placedAd) }),
  adfinish: ({ placedAd, reason }) => ({ kind: 'finish', ...namesOf(placedAd), finishReason: reason }),
};

function namesOf(placedAd: PlacedAd): Pick<AdFact, 'placementId' | 'adSurfaceId' | 'adId' | 'serveId'> {
  const adSurfaceId = placedAd.surface?.adSurfaceId;
  const { adId, serveId } = placedAd.ad ?? {};
  return {
    placementId: placedAd.placementId,
    ...(isName(adSurfaceId) ? { adSurfaceId } : {}),
    ...(isName(adId) ? { adId } : {}),
    ...(isName(serveId) ? { serveId } : {}),
  };
}

/** An ad given to `observe` is the game's own object and may hold anything. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function figuresOf(measurement: SpriteMeasurement) {
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
