import type { AdFact, SessionFact, VideoMilestone } from '../report/AdEvent.js';
import { AdSession, type AdSessionListener, type StandardStatus } from '../viewability/AdSession.js';
import type { AttentionFigures } from '../viewability/Attention.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import { choosesTrace } from '../viewability/choosesTrace.js';
import { Interruption } from '../measure/Interruption.js';
import type { ViewabilityStandard } from '../viewability/ViewabilityStandards.js';
import { type AdsEventMap, AdsEvents, type SpriteMeasurement } from '../events.js';
import { factOf, maxFactBytes } from './adFacts.js';
import { copyMeasurement, coverageOf } from '../meter/copyMeasurement.js';
import type { FriendlyObstruction } from '../meter/FriendlyObstructions.js';
import type { FinishReason, PlacedAd } from './PlacedAd.js';
import { revenueOf } from './revenueOf.js';

/** The event for each milestone of a video. */
const VIDEO_EVENTS = {
  start: AdsEvents.VIDEO_START,
  firstQuartile: AdsEvents.VIDEO_FIRST_QUARTILE,
  midpoint: AdsEvents.VIDEO_MIDPOINT,
  thirdQuartile: AdsEvents.VIDEO_THIRD_QUARTILE,
  complete: AdsEvents.VIDEO_COMPLETE,
} as const;

/** What a session asks of the scene plugin. */
export interface PlacementSessionHost {
  readonly standards: readonly ViewabilityStandard[];
  readonly evidenceRatio: number;
  newPlacementId(): string;
  /** Resolves once the report is committed, at once when nothing is reported; never rejects. */
  report(fact: AdFact): Promise<void>;
  emit<K extends keyof AdsEventMap>(event: K, payload: AdsEventMap[K]): void;
  /** False spares the copy of a measurement that nobody would get. */
  isHeard(event: keyof AdsEventMap): boolean;
  friendlyObstructions(): readonly FriendlyObstruction[];
  /** The present time, on the clock of the frames. */
  presentTime(): number;
}

/**
 * The measured session of one served ad. What it finds goes into the reports first, and is announced to the game once the
 * report is committed, so that nothing announced can be lost. A placed ad that shows another ad begins another session.
 */
export class PlacementSession implements AdSessionListener<SpriteMeasurement> {
  /** Names the session in reports, a UUID. */
  readonly placementId: string;
  private readonly session: AdSession<SpriteMeasurement>;
  private announceClick: (() => void) | null = null;

  constructor(
    private readonly placedAd: PlacedAd,
    private readonly host: PlacementSessionHost,
    private readonly standards = host.standards,
  ) {
    this.placementId = host.newPlacementId();
    this.session = new AdSession({
      standards,
      isTraced: choosesTrace(this.placementId, host.evidenceRatio),
      maxFactBytes: () => maxFactBytes(placedAd, this.placementId, host.friendlyObstructions()),
      listener: this,
    });
  }

  loaded(): void {
    this.session.loaded();
  }

  noFill(): void {
    this.session.noFill();
  }

  error(errorCode: string): void {
    this.session.error(errorCode);
  }

  /** Reports a click; `announce` is called once that is committed. */
  click(announce: () => void): void {
    this.announceClick = announce;
    this.session.interaction();
  }

  /** Counted in the summary only: a refused click has no report of its own. */
  refuseClick(reason: ClickRefusal): void {
    this.session.refuseInteraction(reason);
  }

  video(milestone: VideoMilestone, durationSeconds: number): void {
    this.session.video(milestone, Math.round(durationSeconds * 1000));
  }

  /** @param standstill of a video: why it does not play now */
  measured(time: number, live: SpriteMeasurement, standstill: Interruption | null = null): void {
    this.session.update(time, live, standstill);
  }

  interrupted(time: number, reason: Interruption): void {
    if (this.session.interruptedBy === reason) return;
    this.session.interrupt(time, reason);
    // A page that is hidden may never run again.
    if (reason === Interruption.BACKGROUNDED) this.session.checkpoint();
  }

  finish(reason: FinishReason): void {
    this.session.finish(this.host.presentTime(), reason);
  }

  statuses(): readonly StandardStatus[] {
    return this.session.statuses();
  }

  attention(): AttentionFigures | null {
    return this.session.attentionFigures();
  }

  reasonsMs(): Record<string, number> {
    return this.session.reasonsMs();
  }

  get interruptedBy(): Interruption | null {
    return this.session.interruptedBy;
  }

  /** @internal */
  fact(fact: SessionFact, live: SpriteMeasurement | null): void {
    const { host, placedAd, placementId } = this;
    placedAd.noteFact(fact);
    const measurement = live === null ? null : copyMeasurement(live);
    const committed = host.report(factOf(placedAd, placementId, fact, host.friendlyObstructions()));
    if (fact.kind === 'click') {
      const announce = this.announceClick;
      if (announce !== null) void committed.then(announce);
      return;
    }
    if (measurement === null) return;
    const coverage = coverageOf(measurement);
    if (fact.kind === 'visible') {
      host.emit(AdsEvents.VISIBLE, { placedAd, coverage, measurement });
    } else if (fact.kind === 'blocked') {
      const { blockingSprites, reasons } = measurement;
      host.emit(AdsEvents.BLOCKED, { placedAd, blockingSprites, reasons, coverage, measurement });
    }
    const { ad } = placedAd;
    if (ad === null) return;
    const revenue = revenueOf(ad, fact, this.standards[0]?.id);
    if (revenue !== null) {
      const { advertiser = null } = ad;
      this.announce(committed, AdsEvents.REVENUE, { ...revenue, placedAd, ad, placementId, advertiser });
    }
    if (fact.kind === 'impression') {
      this.announce(committed, AdsEvents.IMPRESSION, { placedAd, ad, placementId, coverage, measurement });
    } else if (fact.kind === 'viewable') {
      const standard = this.standards.find(({ id }) => id === fact.standard)!;
      const { durationMs } = fact;
      this.announce(committed, AdsEvents.VIEWABLE, { placedAd, ad, placementId, standard, durationMs, coverage, measurement }); // prettier-ignore
    } else if ('videoDurationMs' in fact) {
      const durationSeconds = fact.videoDurationMs / 1000;
      this.announce(committed, VIDEO_EVENTS[fact.kind], { placedAd, ad, placementId, durationSeconds });
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

  /** `adfinish` is the last event of an ad: a fact that is committed after it is reported, but not announced any more. */
  private announce<K extends keyof AdsEventMap>(committed: Promise<void>, event: K, payload: AdsEventMap[K]): void {
    void committed.then(() => {
      if (this.placedAd.state !== 'finished') this.host.emit(event, payload);
    });
  }
}
