import type { ConsentSignals } from '../consentRules.js';
import type { VideoMilestone } from '../report/AdEvent.js';
import type { AdWarning } from './AdWarnings.js';

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

/**
 * A moment a buyer wants to be told of, as the wire calls it. `loaded`: the creative hangs (AdCOM 1.0). `impression`,
 * `viewable-mrc50`, `viewable-mrc100` and `viewable-video50`: the events 1–4 of OpenRTB Native 1.2 (§7.6). `billable`:
 * OpenRTB's `burl`. `click`: the click trackers of a link. For a video, VAST's names: `start` to `complete`; `viewable` by the
 * leading standard, or at the end `not-viewable` or `view-undetermined`; `error` when it cannot be shown, with the macro
 * `[ERRORCODE]`.
 */
export type AdTrackerEvent =
  | 'loaded'
  | 'impression'
  | 'viewable-mrc50'
  | 'viewable-mrc100'
  | 'viewable-video50'
  | 'billable'
  | 'click'
  | VideoMilestone
  | 'viewable'
  | 'not-viewable'
  | 'view-undetermined'
  | 'error';

/** An address to be fetched once, without cookies, when the measurement says that the event has happened. */
export interface AdTracker {
  readonly event: AdTrackerEvent;
  /** https on a public host, at most 16384 characters. */
  readonly url: string;
}

/** What the studio is paid for one impression. */
export interface AdRevenue {
  /** 0 or above, in {@link AdRevenue.currency}: a thousandth of a CPM. */
  readonly value: number;
  /** ISO 4217. */
  readonly currency: string;
  /**
   * `exact`: it is billed at this price when the ad has been seen, by the notice (`burl`) that this package sends.
   * `estimated`: the exchange counts and bills by itself.
   */
  readonly precision: 'exact' | 'estimated';
  /** What it was bought through: the deal, or the creative. */
  readonly line?: string;
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
  /** The word that tells the player that it is an ad, to be shown with it. */
  readonly label?: string;
  /** Who advertises: a name or a domain. */
  readonly advertiser?: string;
  /** Domains of the advertiser, lower case. */
  readonly advertiserDomains?: readonly string[];
  /** What is advertised, in categories of the exchange. */
  readonly categories?: readonly string[];
  /** The price, as the event `adrevenue` tells it. Never reported. */
  readonly revenue?: AdRevenue;
  /** Text alternative of the creative. */
  readonly alt?: string;
  /**
   * How long after the answer the ad may still be shown for the first time, in seconds.
   * @default 300
   */
  readonly expiresInSeconds?: number;
  /** What a buyer wants to be told: at most 100. An ad whose `billable` address cannot be called is not shown. */
  readonly trackers?: readonly AdTracker[];
  /**
   * Parts of the answer that could not be used, also of one without fill. `PlacedAd.warnings` has those of the present ad,
   * and the option `debug` prints them.
   */
  readonly warnings?: readonly AdWarning[];
}

export interface CallOptions {
  /** Cancels the call: it rejects with `net/aborted`. */
  readonly signal?: AbortSignal;
  /**
   * Called with words for the developer on why an answer is a refusal or no ad, as far as the server says it. The plugin
   * keeps them as `PlacedAd.diagnosis`, and prints them with the option `debug`.
   */
  readonly note?: (message: string) => void;
  /** Whether the game would show an ad, and fetch its creative; a source that has several ads asks this for each of them. */
  readonly accepts?: (ad: Ad) => boolean;
  /** Calls an address for a buyer, in the queue of the trackers: for instance to say that the buyer's ad cannot be shown. */
  readonly call?: (url: string) => void;
  /** What is known of the player's consent, to be told to whoever is asked for the ad. */
  readonly consent?: ConsentSignals;
}

/**
 * Where ads come from. `ServiceClient` is the one for contract v1, `StaticAds` serves house ads without a server,
 * `OpenRtbAds` asks an exchange; any object with these two methods will do (option `source`).
 */
export interface AdService {
  /**
   * True if the source asks nobody but the studio: its ads do not wait for consent with the option `waitForConsent`.
   * @default false
   */
  readonly isFirstParty?: boolean;
  getAdSurfaces(options?: CallOptions): Promise<AdSurfaceList>;
  getAd(adSurfaceId: string, options?: CallOptions): Promise<Ad>;
}
