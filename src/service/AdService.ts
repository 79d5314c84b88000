/** A place in the game where an ad can hang, as the publisher configured it in the portal. */
export interface AdSurface {
  readonly adSurfaceId: string;
  /** Display name from the portal. */
  readonly name?: string;
  /** The creative's native size in pixels, when the surface prescribes one. */
  readonly width?: number;
  readonly height?: number;
}

/** Answer of {@link AdService.getAdSurfaces}. An empty list means no surfaces are configured; it is not an error. */
export interface AdSurfaceList {
  readonly items: readonly AdSurface[];
}

/** One served ad. Without fill, `adId` is the empty string: "the ad is used only if present". */
export interface Ad {
  readonly adId: string;
  /** Address of the ad image. The empty string without fill. */
  readonly url: string;
  /** Identifies this one serve, for counting; unique for each answer of getAd. */
  readonly serveId?: string;
  /** The creative's native size in pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Click-through address (https). */
  readonly clickUrl?: string;
  /** Text alternative of the creative. */
  readonly alt?: string;
}

export interface CallOptions {
  /** Cancels the call: it rejects with `net/aborted`. */
  readonly signal?: AbortSignal;
}

/** Where ads come from. `ServiceClient` is the one for contract v1; another source is another implementation. */
export interface AdService {
  getAdSurfaces(options?: CallOptions): Promise<AdSurfaceList>;
  getAd(adSurfaceId: string, options?: CallOptions): Promise<Ad>;
}
