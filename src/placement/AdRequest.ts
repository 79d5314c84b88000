import type { CreativeLease } from '../creative/CreativeStore.js';
import type { Placement } from '../plugin/placeOptions.js';
import type { Ad } from '../service/AdService.js';
import { adLabel } from './AdLabel.js';
import { AdTrackers, type TrackerSender } from './AdTrackers.js';
import { toAdsError } from './toAdsError.js';

/** Lines of {@link AdRequest.diagnosis}. */
const MAX_DIAGNOSIS = 20;

/** An ad with its creative, ready to hang. */
export interface ServedCreative {
  readonly ad: Ad;
  readonly lease: CreativeLease;
  /** When the service answered, on the host's clock. */
  readonly answeredAt: number;
}

/** What asking for an ad needs of the scene plugin. */
export interface RequestHost {
  /** An ad that was preloaded for the surface; null when there is none. */
  takePreloaded(adSurfaceId: string): ServedCreative | null;
  requestAd(adSurfaceId: string, signal: AbortSignal, tell: (message: string) => void): Promise<Ad>;
  acquireCreative(url: string, signal: AbortSignal): Promise<CreativeLease>;
  readonly trackers: TrackerSender;
  /** The monotonic clock the placements live by, in milliseconds. */
  now(): number;
}

/** Asks for ads of one placement, one after another. */
export class AdRequest {
  /** What the source of ads has said of the last request, for the developer. */
  diagnosis: readonly string[] = [];

  constructor(
    private readonly host: RequestHost,
    private readonly placement: Placement,
  ) {}

  /**
   * The next ad with its creative, which the caller releases if it has come too late; null without fill.
   * @param onAnswer told of the ad before its creative is there
   */
  async next(signal: AbortSignal, onAnswer?: (ad: Ad) => void): Promise<ServedCreative | null> {
    const { host, placement } = this;
    const { adSurfaceId } = placement.surface;
    const preloaded = host.takePreloaded(adSurfaceId);
    if (preloaded !== null) return { ...preloaded, lease: this.labelled(preloaded.ad, preloaded.lease) };
    const diagnosis: string[] = [];
    this.diagnosis = diagnosis;
    const ad = await host.requestAd(adSurfaceId, signal, (message) => {
      if (diagnosis.length < MAX_DIAGNOSIS) diagnosis.push(message);
    });
    if (signal.aborted || ad.adId === '') return null;
    const answeredAt = host.now();
    onAnswer?.(ad);
    try {
      const lease = await host.acquireCreative(ad.url, signal);
      return { ad, lease: this.labelled(ad, lease), answeredAt };
    } catch (error) {
      if (!signal.aborted) new AdTrackers(ad, host.trackers).fail(toAdsError(error));
      throw error;
    }
  }

  /**
   * The creative with the word for "ad" on it, where the placement wants one.
   * @throws AdsError `ad/texture`; the creative is let go then
   */
  private labelled(ad: Ad, lease: CreativeLease): CreativeLease {
    const { label, ...box } = this.placement;
    if (label === null) return lease;
    try {
      return lease.paintedOver(adLabel(label, ad.label, box, lease));
    } catch (error) {
      lease.release();
      throw error;
    }
  }
}
