import type * as Phaser from 'phaser';

import type { CreativeLease } from '../creative/CreativeStore.js';
import { checkClickUrl } from '../creative/urlRules.js';
import { AdsError, isAdsError } from '../errors.js';
import { type AdsEventMap, AdsEvents, type SpriteMeasurement } from '../events.js';
import type { Ad, AdSurface } from '../service/AdService.js';
import type { AdBox } from './AdBox.js';
import { AdVideo } from './AdVideo.js';
import { ClickThrough } from './ClickThrough.js';
import type { MeasurementListener, ObserveOptions } from './GameMeter.js';
import { Interruption } from '../viewability/Interruption.js';
import { videoStandards } from '../viewability/videoStandards.js';
import type { Placement } from './placeOptions.js';
import { PlacementSession, type PlacementSessionHost } from './PlacementSession.js';

type GameObject = Phaser.GameObjects.GameObject;

/**
 * `requesting` an ad → `loading` its creative → `shown` → `finished`. Instead of `shown`: `noFill`, when the service
 * has no ad, or `failed`. Every life ends with `finished`.
 */
export type PlacedAdState = 'requesting' | 'loading' | 'shown' | 'noFill' | 'failed' | 'finished';

export type FinishReason = AdsEventMap['adfinish']['reason'];

/** What a placed ad asks of the scene plugin that made it. */
export interface PlacedAdHost extends PlacementSessionHost {
  requestAd(adSurfaceId: string, signal: AbortSignal): Promise<Ad>;
  acquireCreative(url: string, signal: AbortSignal): Promise<CreativeLease>;
  /** Holds the loads of a game back when there are too many at once. */
  queue(load: () => Promise<void>, signal: AbortSignal): Promise<void>;
  observe(
    sprite: GameObject,
    listener: MeasurementListener,
    onInterruption: NonNullable<ObserveOptions['onInterruption']>,
  ): () => void;
  openWindow(url: string): void;
  /** Why a sprite that is being destroyed now goes. */
  reasonForEnd(): FinishReason;
  forget(placedAd: PlacedAd): void;
}

/** Where a creative goes: the sprite that `place` has made. */
export interface AdCarrier {
  readonly sprite: Phaser.GameObjects.Image;
  readonly box: AdBox;
  readonly placement: Placement;
}

const DESTROY = 'destroy';

/**
 * One ad in the world: the sprite, what it shows, and what the player sees of it.
 *
 * The sprite is a Phaser object like every other: tween it, give it a body, put it into a container. It may be destroyed
 * at any time, which ends the ad.
 */
export class PlacedAd<TSprite extends GameObject = GameObject> {
  /** A Phaser Image made by `place`, or the game's own object given to `observe`. */
  readonly sprite: TSprite;
  /** Resolves once the request is over, to the state then reached; never rejects. */
  readonly ready: Promise<PlacedAdState>;

  readonly #host: PlacedAdHost;
  readonly #carrier: AdCarrier | null;
  readonly #controller = new AbortController();
  #session: PlacementSession;
  #resolveReady!: (state: PlacedAdState) => void;
  #state: PlacedAdState = 'requesting';
  #ad: Ad | null = null;
  #error: AdsError | null = null;
  #lease: CreativeLease | null = null;
  /** What the sprite shows as the ad. */
  #texture: unknown = null;
  #video: AdVideo | null = null;
  #measurement: SpriteMeasurement | null = null;
  #stopObserving: (() => void) | null = null;
  #clickThrough: ClickThrough | null = null;
  #clickUrl: string | null = null;
  /** The sprite is being destroyed right now, not by us. */
  #isSpriteGoing = false;

  /** Made by `this.ads.place()` and `this.ads.observe()`. */
  constructor(host: PlacedAdHost, sprite: TSprite, carrier: AdCarrier | null) {
    this.#host = host;
    this.#carrier = carrier;
    this.sprite = sprite;
    this.#session = new PlacementSession(this, host);
    this.ready = new Promise((resolve) => (this.#resolveReady = resolve));
    sprite.once(DESTROY, this.#onSpriteDestroy, this);
  }

  get state(): PlacedAdState {
    return this.#state;
  }

  /** Null for a sprite of the game's own. */
  get surface(): AdSurface | null {
    return this.#carrier?.placement.surface ?? null;
  }

  /** The served ad; null before there is one, and without fill. */
  get ad(): Ad | null {
    return this.#ad;
  }

  /** What the creative is, by its content; null before it is there. */
  get mediaType(): 'image' | 'video' | null {
    if (this.#lease === null) return null;
    return this.#lease.video === null ? 'image' : 'video';
  }

  /** Why the state is `failed`; also set when the ad ended while its creative was on its way. */
  get error(): AdsError | null {
    return this.#error;
  }

  /**
   * What the player sees of the ad, as of the frame drawn last; null unless the ad is shown. The object is renewed in
   * place with every frame: copy what must last.
   */
  get measurement(): SpriteMeasurement | null {
    return this.#measurement;
  }

  /** The measured session of the ad. For the scene plugin.
   * @internal
   */
  get session(): PlacementSession {
    return this.#session;
  }

  /** Ends the ad. A sprite made by `place` is destroyed; one of the game's own stays. Harmless when called twice. */
  destroy(): void {
    this.end(this.#carrier === null ? 'unobserved' : 'destroyed');
  }

  /**
   * Fetches an ad and shows it. For the scene plugin.
   * @internal
   */
  async serve(): Promise<void> {
    const carrier = this.#carrier!;
    const { signal } = this.#controller;
    const outer = carrier.placement.signal;
    const onAbort = (): void => {
      this.#error = new AdsError('net/aborted', 'The ad was cancelled before it was shown');
      this.destroy();
    };
    outer?.addEventListener('abort', onAbort, { once: true });
    try {
      await this.#host.queue(() => this.#load(carrier, signal), signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(toAdsError(error));
    } finally {
      outer?.removeEventListener('abort', onAbort);
    }
    this.#resolveReady(this.#state);
  }

  /**
   * Measures from now on a sprite that shows the ad already. For the scene plugin.
   * @internal
   */
  watch(ad: Ad, clickable: boolean): void {
    this.#ad = ad;
    this.#state = 'shown';
    this.#startObserving(clickable);
    this.#resolveReady('shown');
  }

  /**
   * Ends the ad with a reason. For the scene plugin.
   * @internal
   */
  end(reason: FinishReason): void {
    if (this.#state === 'finished') return;
    if (this.#state === 'requesting' || this.#state === 'loading') {
      this.#error ??= new AdsError('place/scene-stopped', 'The ad ended before it was shown');
    }
    this.#state = 'finished';
    this.#controller.abort(this.#error ?? new AdsError('net/aborted', 'The ad has ended'));
    this.#session.finish(reason);
    this.#stopObserving?.();
    this.#stopObserving = null;
    this.#measurement = null;
    this.#video?.destroy();
    this.#video = null;
    this.#clickThrough?.destroy();
    this.#clickThrough = null;
    this.sprite.off(DESTROY, this.#onSpriteDestroy, this);
    // A sprite to which the game gave a picture of its own is the game's from then on.
    if (this.#carrier !== null && reason !== 'texture-changed') this.#dropSprite(this.#carrier.sprite);
    this.#lease?.release();
    this.#lease = null;
    this.#host.forget(this);
    this.#host.emit(AdsEvents.FINISH, { placedAd: this, reason });
    this.#resolveReady('finished');
  }

  #dropSprite(sprite: Phaser.GameObjects.Image): void {
    if (!isAlive(sprite)) return;
    // The texture goes with its last user, and Phaser breaks when it has to draw one that is gone.
    if (this.#lease !== null) sprite.setTexture('__DEFAULT');
    if (!this.#isSpriteGoing) sprite.destroy();
  }

  async #load(carrier: AdCarrier, signal: AbortSignal): Promise<void> {
    const { adSurfaceId } = carrier.placement.surface;
    const ad = await this.#host.requestAd(adSurfaceId, signal);
    if (signal.aborted) return;
    if (ad.adId === '') {
      this.#state = 'noFill';
      this.#session.noFill();
      this.#host.emit(AdsEvents.NO_FILL, { placedAd: this, adSurfaceId });
      return;
    }
    this.#ad = ad;
    this.#state = 'loading';
    const lease = await this.#host.acquireCreative(ad.url, signal);
    if (signal.aborted) {
      lease.release();
      return;
    }
    this.#lease = lease;
    if (!isAlive(this.sprite)) {
      this.end(this.#host.reasonForEnd());
      return;
    }
    carrier.box.show(lease.textureKey, carrier.placement.fit);
    this.#state = 'shown';
    // Only now is it known what the creative is; nothing has been reported of it yet.
    if (lease.video !== null)
      this.#session = new PlacementSession(this, this.#host, videoStandards(this.#host.standards));
    this.#session.loaded();
    this.#video = this.#makeVideo(lease, ad);
    this.#startObserving(carrier.placement.clickable);
    this.#host.emit(AdsEvents.LOADED, { placedAd: this, ad });
  }

  #fail(error: AdsError): void {
    this.#state = 'failed';
    this.#error = error;
    this.#session.error(error.code);
    this.#host.emit(AdsEvents.ERROR, { placedAd: this, error });
  }

  #startObserving(clickable: boolean): void {
    this.#texture = textureOf(this.sprite);
    this.#stopObserving = this.#host.observe(
      this.sprite,
      (measurement, time) => {
        this.#onMeasured(measurement, time);
        this.#video?.update(measurement.percentageInView);
      },
      (reason, time) => {
        this.#session.interrupted(time, reason);
        this.#video?.pause();
      },
    );
    if (!clickable) return;
    const clickUrl = this.#ad?.clickUrl;
    if (clickUrl !== undefined) {
      try {
        this.#clickUrl = checkClickUrl(clickUrl);
      } catch (cause) {
        const error = toAdsError(cause);
        this.#session.error(error.code);
        this.#host.emit(AdsEvents.ERROR, { placedAd: this, error });
        return;
      }
    }
    this.#clickThrough = new ClickThrough(this.sprite, () => this.#onClick());
  }

  #makeVideo(lease: CreativeLease, ad: Ad): AdVideo | null {
    const { video } = lease;
    if (video === null) return null;
    return new AdVideo(video, {
      refreshTexture: () => lease.refresh(),
      tell: (milestone) => this.#host.emit(milestone, { placedAd: this, ad, durationSeconds: video.durationSeconds }),
      fail: (error) => this.#host.emit(AdsEvents.ERROR, { placedAd: this, error }),
    });
  }

  #onMeasured(live: SpriteMeasurement, time: number): void {
    // The meter finishes the round it is in, even when an earlier handler of this frame has ended this ad.
    if (this.#state !== 'shown') return;
    // A game that calls sprite.removeAllListeners() keeps the sprite's end from being told.
    if (!isAlive(this.sprite)) {
      this.end(this.#host.reasonForEnd());
      return;
    }
    if (textureOf(this.sprite) !== this.#texture && !isAnimated(this.sprite)) {
      this.end('texture-changed');
      return;
    }
    this.#measurement = live;
    // What the rules ask of a video is time in which it plays.
    if (this.#video?.isRefused === true) this.#session.interrupted(time, Interruption.UNMEASURABLE);
    else this.#session.measured(time, live);
  }

  #onClick(): void {
    this.#session.click(() => this.#announceClick());
  }

  #announceClick(): void {
    if (this.#state === 'finished') return;
    const url = this.#clickUrl;
    let isPrevented = false;
    const preventDefault = (): void => {
      isPrevented = true;
    };
    this.#host.emit(AdsEvents.CLICK, { placedAd: this, ad: this.#ad!, url, preventDefault });
    if (url !== null && !isPrevented) this.#host.openWindow(url);
  }

  #onSpriteDestroy(): void {
    this.#isSpriteGoing = true;
    this.end(this.#host.reasonForEnd());
  }
}

/** A destroyed game object has no scene, whatever Phaser's types say. */
function isAlive(sprite: GameObject): boolean {
  return (sprite.scene as unknown) !== undefined && (sprite.scene as unknown) !== null;
}

function textureOf(sprite: GameObject): unknown {
  // A video makes its texture when it begins to play.
  return sprite.type === 'Video' ? null : ((sprite as { texture?: unknown }).texture ?? null);
}

/** An animation may go through several textures, all of them the ad. */
function isAnimated(sprite: GameObject): boolean {
  return (sprite as { anims?: { isPlaying?: boolean } }).anims?.isPlaying === true;
}

function toAdsError(error: unknown): AdsError {
  if (isAdsError(error)) return error;
  return new AdsError('internal/unexpected', 'Placing an ad failed in an unforeseen way', { cause: error });
}
