import { AdsError, toAdsError } from '../errors.js';
import type { CreativeLease } from '../creative/CreativeStore.js';
import { readFields } from '../meter/readFields.js';
import type { AdsCore } from '../plugin/AdsCore.js';
import type { Ad } from '../service/AdService.js';
import { present } from '../service/present.js';
import { AdTrackers, checkBilling, type TrackerSender } from './AdTrackers.js';

/** An ad with its creative. */
export interface LoadedAd {
  readonly ad: Ad;
  readonly lease: CreativeLease;
  /** When the service answered, by `AdsCore.now`. */
  readonly answeredAt: number;
}

/** What fetching the creative of an ad needs of the game. */
export type LoadHost = Pick<AdsCore, 'acquireCreative' | 'sender' | 'now'>;

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
    if (!signal.aborted) tellFailure(ad, error, host.sender);
    throw error;
  }
}

/** Tells the buyer of an ad that was never shown why it cannot be. */
export function tellFailure(ad: Ad, error: unknown, sender: TrackerSender): void {
  new AdTrackers(ad, sender).fail(toAdsError(error));
}

/** What an ad may say: an instance of a class may say it by getters, which are no fields of its own. */
export const AD_FIELDS = [
  'adId',
  'url',
  'serveId',
  'width',
  'height',
  'clickUrl',
  'label',
  'advertiser',
  'advertiserDomains',
  'categories',
  'revenue',
  'alt',
  'expiresInSeconds',
  'trackers',
  'warnings',
] as const satisfies readonly (keyof Ad)[];

/**
 * Checks a source's answer: an ad that may be shown, or no ad. A source may be the game's own and return anything, also one
 * object that it fills anew for each answer: the ad is a copy, so that it stays what was served.
 * @throws AdsError `config/option` for a value that is no answer of `getAd`, `response/schema` for an ad that could never be billed
 */
export function readServedAd(answer: unknown): Ad {
  const given = (typeof answer === 'object' ? { ...answer, ...readFields(answer, ...AD_FIELDS) } : {}) as Partial<Ad>;
  const { adId, url, trackers, revenue, expiresInSeconds = NaN } = given;
  if (typeof adId !== 'string' || typeof url !== 'string') {
    const got = answer === null ? 'null' : typeof answer;
    throw new AdsError('config/option', `Expected \`source.getAd\` to resolve to an ad, got ${got}`, {
      hint: "Return a promise of { adId, url, … }, or of { adId: '', url: '' } when there is no ad.",
    });
  }
  const ad = Object.freeze(
    present({
      ...given,
      trackers: Array.isArray(trackers)
        ? Object.freeze(trackers.map((tracker: unknown) => Object.freeze(readFields(tracker, 'event', 'url'))))
        : null,
      revenue: revenue && Object.freeze(readFields(revenue, 'value', 'currency', 'precision', 'line')),
      expiresInSeconds: expiresInSeconds > 0 ? expiresInSeconds : null,
    }),
  ) as Ad;
  checkBilling(ad);
  return ad;
}
