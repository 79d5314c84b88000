import type * as Phaser from 'phaser';

import type { AdsError } from './errors.js';
import type { FriendlyObstruction } from './meter/FriendlyObstructions.js';
import type { PlacedAd } from './placement/PlacedAd.js';
import type { CalculateAdCoverage } from './meter/CalculateAdCoverage.js';
import type { SpriteMeasurement } from './meter/SpriteMeasurement.js';
import type { AdEnd } from './report/AdEvent.js';
import type { Ad, AdRevenue } from './service/AdService.js';
import type { Reason } from './measure/AdMeasurement.js';
import type { ClickRefusal } from './measure/ClickRefusal.js';
import type { ViewabilityStandard } from './viewability/ViewabilityStandards.js';

/**
 * Events on the scene's emitter (`this.events`), lower case in Phaser's manner. `this.ads.on / once / off` is the
 * strictly typed way to the same emitter.
 *
 * The two visibility events are emitted after the frame was drawn (the game's `postrender`), and only when the state
 * changes; the first measured frame after `adloaded` counts as a change. `adimpression`, `adviewable`, `adclick` and the
 * video events are emitted once their report is committed, usually within a few milliseconds: what is announced cannot be
 * lost any more.
 */
export const AdsEvents = {
  /** The creative is a texture and the sprite shows it. Once per creative. */
  LOADED: 'adloaded',
  /** The service has no ad for the surface right now. An answer, not an error. An ad that was to be refreshed stays. */
  NO_FILL: 'adnofill',
  /** Something failed; the game plays on with the placeholder, or with the present ad when its successor failed. */
  ERROR: 'aderror',
  /** The ad is not fully visible any more (or was not from the start). */
  BLOCKED: 'adblocked',
  /** The ad is fully visible, and was not before. */
  VISIBLE: 'advisible',
  /** A pixel of the ad was drawn where the player sees it. Once per served ad. */
  IMPRESSION: 'adimpression',
  /** The rule of a standard was met. Once per served ad and standard. */
  VIEWABLE: 'adviewable',
  /**
   * An impression has earned money: once per served ad whose source tells its price, when its billing notice goes out, or,
   * without such a notice, with its impression. For the studio's own analytics; nothing of it is reported to anyone.
   */
  REVENUE: 'adrevenue',
  /** The player has complained about the ad, by `PlacedAd.reportAd`; it is taken down. */
  REPORTED: 'adreported',
  /** What is in view of the ad, or why, differs from the frame before; in every frame while an ad moves out of view. */
  GEOMETRY_CHANGE: 'adgeometrychange',
  /** Another ad takes the place of the present one, by the option `refresh`; `adloaded` follows. */
  REFRESH: 'adrefresh',
  /** Nobody came to see the ad in time: it is taken down, and another one asked for. */
  EXPIRE: 'adexpired',
  /**
   * The player is clicking or tapping the ad, and its address is about to be opened: at once, since browsers take a tab
   * that opens later for a pop-up. The one event that can be prevented; nothing is reported yet.
   */
  BEFORE_CLICK: 'adbeforeclick',
  /** The player clicked or tapped the ad, or a house ad. */
  CLICK: 'adclick',
  /**
   * The player (or a script) pressed and released where the ad is, and that is no click: something hid the ad there, or
   * the press was not on the game's canvas. Nothing is opened; reports count it as invalid traffic.
   */
  CLICK_REFUSED: 'adclickrefused',
  /** The first moving frame of a video creative. */
  VIDEO_START: 'advideostart',
  /** A quarter of the video has played, while it could be seen: it pauses below half in view. */
  VIDEO_FIRST_QUARTILE: 'advideofirstquartile',
  VIDEO_MIDPOINT: 'advideomidpoint',
  VIDEO_THIRD_QUARTILE: 'advideothirdquartile',
  /** The video has played to its end, where it stays. */
  VIDEO_COMPLETE: 'advideocomplete',
  /** The ad is gone: destroyed, its scene ended, or the game gave its sprite another texture. The last event of an ad. */
  FINISH: 'adfinish',
} as const;
export type AdsEventName = (typeof AdsEvents)[keyof typeof AdsEvents];

/** Payload of the events of a video creative. */
export interface VideoEvent {
  readonly placedAd: PlacedAd;
  readonly ad: Ad;
  /** Names this served ad in this place in reports, a UUID. */
  readonly placementId: string;
  /** Of the whole video. */
  readonly durationSeconds: number;
}

/** What the player clicked. */
export interface ClickedAd {
  readonly placedAd: PlacedAd;
  /** Null for a house ad. */
  readonly ad: Ad | null;
  /** True for a house ad, shown because there is no ad: its clicks emit events, but are neither counted nor reported. */
  readonly isHouseAd: boolean;
  /** The address for a new tab; null when there is none. */
  readonly url: string | null;
}

/**
 * Whether a clicked address was opened. False: it was not, since there is none, or the game prevented it. `'unknown'`: the
 * browser was asked for a new tab. It tells no page whether it opened one: a pop-up blocker, a frame with `sandbox` but
 * without `allow-popups`, or a wrapper may silently prevent that.
 */
export type ClickOpening = false | 'unknown';

/** Payload of each event, passed as the one argument to the handler. A fresh object each time. */
export interface AdsEventMap {
  adloaded: { readonly placedAd: PlacedAd; readonly ad: Ad };
  adnofill: { readonly placedAd: PlacedAd; readonly adSurfaceId: string };
  aderror: { readonly placedAd: PlacedAd | null; readonly error: AdsError };
  adblocked: {
    readonly placedAd: PlacedAd;
    /** The game objects that take visible area away, in draw order, topmost last; empty when e.g. off screen. */
    readonly blockingSprites: readonly Phaser.GameObjects.GameObject[];
    readonly reasons: readonly Reason[];
    readonly coverage: CalculateAdCoverage;
    readonly measurement: SpriteMeasurement;
  };
  advisible: {
    readonly placedAd: PlacedAd;
    readonly coverage: CalculateAdCoverage;
    readonly measurement: SpriteMeasurement;
  };
  adimpression: {
    readonly placedAd: PlacedAd;
    readonly ad: Ad;
    /** Names this served ad in this place in reports, a UUID. */
    readonly placementId: string;
    readonly coverage: CalculateAdCoverage;
    /** As it was in that frame, like the measurement of every event. */
    readonly measurement: SpriteMeasurement;
  };
  adviewable: {
    readonly placedAd: PlacedAd;
    readonly ad: Ad;
    readonly placementId: string;
    /** Whose rule was met. */
    readonly standard: ViewabilityStandard;
    /** How long it was met without a break. */
    readonly durationMs: number;
    readonly coverage: CalculateAdCoverage;
    readonly measurement: SpriteMeasurement;
  };
  adrevenue: AdRevenue & {
    readonly placedAd: PlacedAd;
    readonly ad: Ad;
    readonly placementId: string;
    /** Who advertises: a name or a domain; null when the source does not say. */
    readonly advertiser: string | null;
  };
  adreported: {
    readonly placedAd: PlacedAd;
    readonly ad: Ad;
    /** What the game has handed in. */
    readonly reason: string;
  };
  adgeometrychange: {
    readonly placedAd: PlacedAd;
    /** 0–100. */
    readonly percentageInView: number;
    /** CSS pixels². */
    readonly pixelsInView: number;
    readonly reasons: readonly Reason[];
    /** The game objects that take visible area away, in draw order, topmost last. */
    readonly obstructions: readonly Phaser.GameObjects.GameObject[];
    /** What the game has declared by `addFriendlyObstruction`. */
    readonly friendlyObstructions: readonly FriendlyObstruction[];
    readonly measurement: SpriteMeasurement;
  };
  adbeforeclick: ClickedAd & {
    /** Keeps the address from being opened, for instance to pause the game and ask first. The click counts all the same. */
    preventDefault(): void;
  };
  adclick: ClickedAd & {
    readonly isOpened: ClickOpening;
  };
  adclickrefused: ClickedAd & {
    /** Why the press or the release did not hit what the player sees of the ad. */
    readonly reason: ClickRefusal;
  };
  advideostart: VideoEvent;
  advideofirstquartile: VideoEvent;
  advideomidpoint: VideoEvent;
  advideothirdquartile: VideoEvent;
  advideocomplete: VideoEvent;
  adfinish: { readonly placedAd: PlacedAd; readonly reason: AdEnd };
  adrefresh: {
    readonly placedAd: PlacedAd;
    /** What was shown until now. */
    readonly previousAd: Ad;
    readonly ad: Ad;
  };
  adexpired: { readonly placedAd: PlacedAd; readonly ad: Ad };
}
