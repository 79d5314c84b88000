import { ServiceClient } from './service/ServiceClient.js';
import type { AdService } from './service/AdService.js';
import type { AdsOptions } from './options.js';
import { calculateAdCoverage, checkAdFullVisibility } from './meter/tracking.js';

/** What {@link ServiceHooks.useTracking} gives: both functions are synchronous and describe the frame last drawn. */
export interface TrackingHooks {
  readonly checkAdFullVisibility: typeof checkAdFullVisibility;
  readonly calculateAdCoverage: typeof calculateAdCoverage;
}

/**
 * The hooks object of the interface document: ads by the service, visibility by measurement, for a game that makes its
 * sprites itself. `AdsScenePlugin` does all of it in one call.
 */
export class ServiceHooks {
  readonly #service: AdService;

  /** @throws AdsError `config/…` */
  constructor(options: AdsOptions) {
    const client = new ServiceClient(options);
    this.#service = Object.freeze({
      getAdSurfaces: (callOptions) => client.getAdSurfaces(callOptions),
      getAd: (adSurfaceId, callOptions) => client.getAd(adSurfaceId, callOptions),
    } satisfies AdService);
  }

  useService(): AdService {
    return this.#service;
  }

  useTracking(): TrackingHooks {
    return tracking;
  }
}

const tracking: TrackingHooks = Object.freeze({ checkAdFullVisibility, calculateAdCoverage });
