import type { AttentionFigures } from '../viewability/Attention.js';
import type { StandardStatus } from '../viewability/AdSession.js';
import type { ViewabilityStandard } from '../viewability/ViewabilityStandards.js';
import type { PlacedAd, PlacedAdState } from './PlacedAd.js';

/** How one standard stands for an ad. */
export interface StandardSummary extends Omit<StandardStatus, 'standard'> {
  /** Id of the standard. */
  readonly standard: string;
  /** Its figures, as they apply to this ad. */
  readonly rule: ViewabilityStandard;
}

/** How one ad stands, for a live table. */
export interface AdSummary {
  readonly placedAd: PlacedAd;
  /** Null for a sprite of the game's own. */
  readonly adSurfaceId: string | null;
  readonly adId: string | null;
  /** Names this served ad in this place in reports. */
  readonly placementId: string;
  readonly state: PlacedAdState;
  /** 0–100; 0 before the first measured frame. */
  readonly percentageInView: number;
  /** All time in view by the first standard, in milliseconds. */
  readonly timeInViewMs: number;
  /** How long, how large and how often it was in view at all; null as long as it was not. */
  readonly attention: AttentionFigures | null;
  /** In the order of the option `standards`. */
  readonly standards: readonly StandardSummary[];
  /** Why not all of it is in view in this very frame. */
  readonly reasons: readonly string[];
  /** The reason that held longest so far; null when there was none. */
  readonly topReason: string | null;
}

export function summaryOf(placedAd: PlacedAd): AdSummary {
  const { measurement, surface, ad, state, placementId } = placedAd;
  const { view } = placedAd.session;
  const standards = view.statuses().map(({ standard, ...status }) => Object.freeze({ standard: standard.id, rule: standard, ...status })); // prettier-ignore
  const interruption = view.interruptedBy;
  return Object.freeze({
    placedAd,
    adSurfaceId: surface?.adSurfaceId ?? null,
    adId: ad?.adId ?? null,
    placementId,
    state,
    percentageInView: measurement?.percentageInView ?? 0,
    timeInViewMs: standards[0]?.timeInViewMs ?? 0,
    attention: view.attentionFigures(),
    standards: Object.freeze(standards),
    reasons: Object.freeze(interruption === null ? [...(measurement?.reasons ?? [])] : [interruption]),
    topReason: longest(view.reasonsMs()),
  });
}

function longest(reasonsMs: Readonly<Record<string, number>>): string | null {
  let top: string | null = null;
  for (const [reason, ms] of Object.entries(reasonsMs)) if (top === null || ms > reasonsMs[top]!) top = reason;
  return top;
}
