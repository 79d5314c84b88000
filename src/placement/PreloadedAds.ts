import type { AdsCore } from '../plugin/AdsCore.js';
import { DEFAULT_EXPIRY_SECONDS } from '../placementRules.js';
import { loadAd, type LoadedAd, type LoadHost } from './loadAd.js';

/** Ads that may wait for their place at once; older ones make way. */
const MAX_WAITING = 64;

interface Waiting extends LoadedAd {
  readonly adSurfaceId: string;
}

/**
 * Ads that were fetched before there is a place for them, for the whole game: a preloader scene fetches, the next scene
 * places. What has not been placed by the time it expires is dropped.
 */
export class PreloadedAds {
  readonly #controller = new AbortController();
  #waiting: Waiting[] = [];

  constructor(private readonly host: LoadHost & Pick<AdsCore, 'byDecision' | 'requestAd' | 'enqueue'>) {}

  /** Resolves once the ad is there, or is known not to come; never rejects. */
  async load(adSurfaceId: string): Promise<void> {
    const { host } = this;
    const { signal } = this.#controller;
    try {
      await host.enqueue(async () => {
        const loaded = await host.byDecision(signal, (present) => this.#ask(adSurfaceId, present));
        if (signal.aborted) loaded?.lease.release();
        else if (loaded !== null) this.#keep({ adSurfaceId, ...loaded });
      }, signal);
    } catch {
      // The placement asks for itself, and tells why it gets none.
    }
  }

  /** The ad that has waited longest for this surface, and can still be shown. */
  take(adSurfaceId: string): LoadedAd | null {
    this.#dropExpired();
    const i = this.#waiting.findIndex((entry) => entry.adSurfaceId === adSurfaceId);
    return i < 0 ? null : this.#waiting.splice(i, 1)[0]!;
  }

  /** Lets go of all that wait. */
  drop(): void {
    for (const { lease } of this.#waiting.splice(0)) lease.release();
  }

  destroy(): void {
    this.#controller.abort();
    this.drop();
  }

  async #ask(adSurfaceId: string, signal: AbortSignal): Promise<LoadedAd | null> {
    const ad = await this.host.requestAd(adSurfaceId, signal);
    return ad.adId === '' ? null : loadAd(ad, this.host, signal);
  }

  #keep(entry: Waiting): void {
    this.#dropExpired();
    this.#waiting.push(entry);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift()!.lease.release();
  }

  #dropExpired(): void {
    const now = this.host.now();
    this.#waiting = this.#waiting.filter(({ ad, answeredAt, lease }) => {
      const { expiresInSeconds = DEFAULT_EXPIRY_SECONDS } = ad;
      if (now < answeredAt + expiresInSeconds * 1000 && lease.isThere) return true;
      lease.release();
      return false;
    });
  }
}
