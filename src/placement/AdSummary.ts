import type { Verdict } from '../report/AdEvent.js';
import type { AttentionFigures } from '../viewability/Attention.js';
import type { FailingRule } from '../viewability/ViewabilitySample.js';
import type { ViewabilityStandard } from '../viewability/ViewabilityStandards.js';
import type { PlacedAd, PlacedAdState } from './PlacedAd.js';

/** How one standard stands for an ad. */
export interface StandardSummary {
  /** Id of the standard. */
  readonly standard: string;
  /** Its figures, as they apply to this ad. */
  readonly rule: ViewabilityStandard;
  /** By what was seen so far. */
  readonly verdict: Verdict;
  /** Length of the present continuous time, in milliseconds. */
  readonly continuousMs: number;
  /** All time in which the conditions held, the duration aside, in milliseconds. */
  readonly timeInViewMs: number;
  /** Continuous time still to come; 0 once viewable. */
  readonly missingMs: number;
  /** The condition that keeps it from being viewable; null once it is. */
  readonly failingRule: FailingRule | null;
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
  const { session, measurement, surface, ad, state } = placedAd;
  const standards = session.view.statuses().map(({ standard, ...status }) => Object.freeze({ standard: standard.id, rule: standard, ...status })); // prettier-ignore
  const interruption = session.view.interruptedBy;
  return Object.freeze({
    placedAd,
    adSurfaceId: surface?.adSurfaceId ?? null,
    adId: ad?.adId ?? null,
    placementId: session.placementId,
    state,
    percentageInView: measurement?.percentageInView ?? 0,
    timeInViewMs: standards[0]?.timeInViewMs ?? 0,
    attention: session.view.attentionFigures(),
    standards: Object.freeze(standards),
    reasons: Object.freeze(interruption === null ? [...(measurement?.reasons ?? [])] : [interruption]),
    topReason: longest(session.view.reasonsMs()),
  });
}

function longest(reasonsMs: Readonly<Record<string, number>>): string | null {
  let top: string | null = null;
  for (const [reason, ms] of Object.entries(reasonsMs)) if (top === null || ms > reasonsMs[top]!) top = reason;
  return top;
}
