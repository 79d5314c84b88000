import type { AdsError } from '../errors.js';
import { type AdsEventMap, AdsEvents } from '../events.js';
import { Interruption } from '../measure/Interruption.js';
import { copyMeasurement, coverageOf } from '../meter/copyMeasurement.js';
import type { SpriteMeasurement } from '../meter/SpriteMeasurement.js';
import type { SessionFact } from '../report/AdEvent.js';
import type { Ad, AdRevenue } from '../service/AdService.js';
import { AdSession, type AdSessionListener } from '../viewability/AdSession.js';
import { choosesTrace } from '../viewability/choosesTrace.js';
import { factOf, maxFactBytes } from './adFacts.js';
import { hasBilling } from './AdTrackers.js';
import type { FinishReason, PlacedAd } from './PlacedAd.js';
import type { SceneHost } from './SceneHost.js';

/** The event for each milestone of a video. */
const VIDEO_EVENTS = {
  start: AdsEvents.VIDEO_START,
  firstQuartile: AdsEvents.VIDEO_FIRST_QUARTILE,
  midpoint: AdsEvents.VIDEO_MIDPOINT,
  thirdQuartile: AdsEvents.VIDEO_THIRD_QUARTILE,
  complete: AdsEvents.VIDEO_COMPLETE,
} as const;

/**
 * The measured session of one served ad. What it finds goes into the reports first, and is announced to the game once the
 * report is committed, so that nothing announced can be lost. A placed ad that shows another ad begins another session.
 */
export class PlacementSession implements AdSessionListener<SpriteMeasurement> {
  /** Names the session in reports, a UUID. */
  readonly placementId: string;
  /** What the player gets to see of the ad. */
  readonly view: AdSession<SpriteMeasurement>;
  /** The id of the standard whose verdict is billed; undefined in a game without ads. */
  readonly leadingStandard: string | undefined;
  #announceClick: (() => void) | null = null;

  constructor(
    private readonly placedAd: PlacedAd,
    private readonly host: SceneHost,
    private readonly standards = host.core.standards,
  ) {
    this.placementId = host.core.newPlacementId();
    this.leadingStandard = standards[0]?.id;
    this.view = new AdSession({
      standards,
      isTraced: choosesTrace(this.placementId, host.core.options.evidenceRatio),
      maxFactBytes: () => maxFactBytes(placedAd, this.placementId, host.friendlyObstructions()),
      listener: this,
    });
  }

  /** Reports a click; `announce` is called once that is committed. */
  click(announce: () => void): void {
    this.#announceClick = announce;
    this.view.interaction();
  }

  /** Reports an error, and tells the game of it. */
  fail(error: AdsError): void {
    this.view.error(error.code);
    this.host.emit(AdsEvents.ERROR, { placedAd: this.placedAd, error });
  }

  interrupted(time: number, reason: Interruption): void {
    if (this.view.interruptedBy === reason) return;
    this.view.interrupt(time, reason);
    // A page that is hidden may never run again.
    if (reason === Interruption.BACKGROUNDED) this.view.checkpoint();
  }

  finish(reason: FinishReason): void {
    this.view.finish(this.host.presentTime(), reason);
  }

  /** @internal */
  fact(fact: SessionFact, live: SpriteMeasurement | null): void {
    const { host, placedAd, placementId } = this;
    const { ad } = placedAd;
    const count = placedAd.noteFact(fact);
    const measurement = live === null ? null : copyMeasurement(live);
    const committed = host.core.report(factOf(placedAd, placementId, fact, host.friendlyObstructions()));
    count?.();
    if (fact.kind === 'click') void committed.then(this.#announceClick);
    if (measurement === null) return;
    const coverage = coverageOf(measurement);
    if (fact.kind === 'visible') {
      host.emit(AdsEvents.VISIBLE, { placedAd, coverage, measurement });
    } else if (fact.kind === 'blocked') {
      const { blockingSprites, reasons } = measurement;
      host.emit(AdsEvents.BLOCKED, { placedAd, blockingSprites, reasons, coverage, measurement });
    }
    if (ad === null) return;
    const revenue = revenueOf(ad, fact, this.leadingStandard);
    if (revenue !== null) {
      const { advertiser = null } = ad;
      this.#announce(committed, AdsEvents.REVENUE, { ...revenue, placedAd, ad, placementId, advertiser });
    }
    if (fact.kind === 'impression') {
      this.#announce(committed, AdsEvents.IMPRESSION, { placedAd, ad, placementId, coverage, measurement });
    } else if (fact.kind === 'viewable') {
      const standard = this.standards.find(({ id }) => id === fact.standard)!;
      const { durationMs } = fact;
      this.#announce(committed, AdsEvents.VIEWABLE, { placedAd, ad, placementId, standard, durationMs, coverage, measurement }); // prettier-ignore
    } else if ('videoDurationMs' in fact) {
      const durationSeconds = fact.videoDurationMs / 1000;
      this.#announce(committed, VIDEO_EVENTS[fact.kind], { placedAd, ad, placementId, durationSeconds });
    }
  }

  /** @internal */
  geometryChange(live: SpriteMeasurement): void {
    const { host, placedAd } = this;
    if (!host.isHeard(AdsEvents.GEOMETRY_CHANGE)) return;
    const measurement = copyMeasurement(live);
    const { percentageInView, pixelsInView, reasons, blockingSprites: obstructions } = measurement;
    const friendlyObstructions = host.friendlyObstructions();
    host.emit(AdsEvents.GEOMETRY_CHANGE, { placedAd, percentageInView, pixelsInView, reasons, obstructions, friendlyObstructions, measurement }); // prettier-ignore
  }

  #announce<K extends keyof AdsEventMap>(committed: Promise<void>, event: K, payload: AdsEventMap[K]): void {
    void committed.then(() => this.host.emit(event, payload));
  }
}

/**
 * What a fact has earned; null for nothing. An ad with a billing notice is paid for when the notice goes out, by the leading
 * standard; any other ad with its impression.
 */
function revenueOf(ad: Ad, fact: SessionFact, leadingStandard: string | undefined): AdRevenue | null {
  const isEarned = hasBilling(ad)
    ? fact.kind === 'viewable' && fact.standard === leadingStandard
    : fact.kind === 'impression';
  return isEarned ? readRevenue(ad.revenue) : null;
}

/** An ad may be the game's own object and hold anything. */
function readRevenue(revenue: AdRevenue | undefined): AdRevenue | null {
  if (typeof revenue !== 'object' || revenue === null) return null;
  const { value, currency, precision, line } = revenue;
  if (typeof value !== 'number' || !(value >= 0 && value < Infinity)) return null;
  if (typeof currency !== 'string' || (precision !== 'exact' && precision !== 'estimated')) return null;
  return { value, currency, precision, ...(typeof line === 'string' ? { line } : {}) };
}
