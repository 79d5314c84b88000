import type { AdSurface, AdTracker } from '../../service/AdService.js';

/** A video that can be shown, as its markup describes it. Addresses may hold macros. */
export interface VideoAd {
  /** The file that suits the surface best. */
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
  readonly clickUrl?: string;
  readonly title?: string;
  readonly advertiser?: string;
  readonly trackers: readonly AdTracker[];
  /** Trackers that cannot be called, by reason. */
  readonly dropped: readonly {
    readonly code: 'tracker/address' | 'tracker/event' | 'tracker/script' | 'tracker/limit';
    readonly path: string;
  }[];
}

/** What reading a video's markup needs of the auction. */
export interface VideoContext {
  readonly surface: AdSurface;
  readonly signal: AbortSignal | undefined;
  /** When the reading of this auction's videos began, on the monotonic clock: they share one time limit. */
  readonly begunAt: number;
  /** Fills the macros of an address that is fetched at once. */
  fill(address: string): string;
  /** Calls an address for a buyer, without waiting. */
  call(url: string): void;
}

/** How video bids are asked for and read; `VastVideo` is the one for VAST. */
export interface VideoMarkup {
  /** `imp.video` for a surface. */
  request(surface: AdSurface): object;
  isMarkup(text: string): boolean;
  /** @throws AdsError `response/…`, `net/…` for a video that cannot be shown; its buyer's error trackers are called first */
  read(markup: string, context: VideoContext): Promise<VideoAd>;
}
