import type * as Phaser from 'phaser';

import type { AdsError } from './errors.js';
import type { PlacedAd } from './phaser/PlacedAd.js';
import type { CalculateAdCoverage } from './phaser/tracking.js';
import type { Ad } from './service/AdService.js';
import type { AdMeasurement, Reason } from './viewability/AdMeasurement.js';

/**
 * Events on the scene's emitter (`this.events`), lower case in Phaser's manner. `this.ads.on / once / off` is the
 * strictly typed way to the same emitter.
 *
 * The two visibility events are emitted after the frame was drawn (the game's `postrender`), and only when the state
 * changes; the first measured frame after `adloaded` counts as a change.
 */
export const AdsEvents = {
  /** The creative is a texture and the sprite shows it. Once per creative. */
  LOADED: 'adloaded',
  /** The service has no ad for the surface right now. An answer, not an error. */
  NO_FILL: 'adnofill',
  /** Something failed; the game plays on with the placeholder. */
  ERROR: 'aderror',
  /** The ad is not fully visible any more (or was not from the start). */
  BLOCKED: 'adblocked',
  /** The ad is fully visible, and was not before. */
  VISIBLE: 'advisible',
  /** The player clicked or tapped the ad. */
  CLICK: 'adclick',
  /** The ad is gone: destroyed, or its scene ended. The last event of an ad. */
  FINISH: 'adfinish',
} as const;
export type AdsEventName = (typeof AdsEvents)[keyof typeof AdsEvents];

export type SpriteMeasurement = AdMeasurement<Phaser.GameObjects.GameObject, Phaser.Cameras.Scene2D.Camera>;

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
  adclick: {
    readonly placedAd: PlacedAd;
    readonly ad: Ad;
    /** The address that will be opened in a new tab; null when the ad has none. */
    readonly url: string | null;
    /** Keeps the address from being opened, for instance to pause the game and ask first. */
    preventDefault(): void;
  };
  adfinish: { readonly placedAd: PlacedAd; readonly reason: 'destroyed' | 'unobserved' | 'scene-ended' | 'game-ended' };
}
