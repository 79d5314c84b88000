import type { CreativeLease } from '../creative/CreativeStore.js';
import type { Ad } from '../service/AdService.js';
import { AdTrackers, type TrackerSender } from './AdTrackers.js';
import { toAdsError } from './toAdsError.js';

/** An ad with its creative. */
export interface LoadedAd {
  readonly ad: Ad;
  readonly lease: CreativeLease;
  /** When the service answered, on the host's clock. */
  readonly answeredAt: number;
}

/** What fetching the creative of an ad needs of the game. */
export interface LoadHost {
  readonly trackers: TrackerSender;
  acquireCreative(url: string, signal: AbortSignal): Promise<CreativeLease>;
  /** The monotonic clock the placements live by, in milliseconds. */
  now(): number;
}

/**
 * An ad that has just been served, with its creative. If the creative cannot be had, the buyer of the ad is told why.
 * @throws AdsError as `CreativeStore.acquire`; the signal's reason, also when the creative came with its end
 */
export async function loadAd(ad: Ad, host: LoadHost, signal: AbortSignal): Promise<LoadedAd> {
  const answeredAt = host.now();
  try {
    const lease = await host.acquireCreative(ad.url, signal);
    if (signal.aborted) lease.release();
    signal.throwIfAborted();
    return { ad, lease, answeredAt };
  } catch (error) {
    if (!signal.aborted) tellFailure(ad, error, host.trackers);
    throw error;
  }
}

/** Tells the buyer of an ad that was never shown why it cannot be. */
export function tellFailure(ad: Ad, error: unknown, trackers: TrackerSender): void {
  new AdTrackers(ad, trackers).fail(toAdsError(error));
}
