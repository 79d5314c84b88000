import type * as Phaser from 'phaser';

import type { CreativeLease } from '../creative/CreativeStore.js';
import { AdsError, toAdsError } from '../errors.js';
import { type AdsEventMap, AdsEvents } from '../events.js';
import { Interruption } from '../measure/Interruption.js';
import type { SpriteMeasurement } from '../meter/SpriteMeasurement.js';
import type { SessionFact } from '../report/AdEvent.js';
import type { Ad, AdSurface } from '../service/AdService.js';
import { type AdWarning, describeWarning } from '../service/AdWarnings.js';
import { videoStandards } from '../viewability/videoStandards.js';
import type { BoxScale } from './AdBox.js';
import { AdClicks } from './AdClicks.js';
import { AdRequest, type ServedAd } from './AdRequest.js';
import { AdTrackers } from './AdTrackers.js';
import { AdVideo } from './AdVideo.js';
import { type AdCarrier, FallbackView, type ShownFallback } from './FallbackView.js';
import { PlacementLife } from './PlacementLife.js';
import { PlacementSession } from './PlacementSession.js';
import type { SceneHost } from './SceneHost.js';
import { SpriteWatch } from './SpriteWatch.js';

type GameObject = Phaser.GameObjects.GameObject;

/**
 * `requesting` an ad → `loading` its creative → `shown` → `finished`. Instead of `shown`: `noFill`, when the service
 * has no ad, or `failed`; both show the fallback and go back to `requesting` after a while. An ad nobody came to see in
 * time goes back to `requesting` too. Every life ends with `finished`.
 */
export type PlacedAdState = 'requesting' | 'loading' | 'shown' | 'noFill' | 'failed' | 'finished';

export type FinishReason = AdsEventMap['adfinish']['reason'];

/** What only an ad made by `place` has: where its creatives go, and how the next one comes there. */
interface Slot extends AdCarrier {
  readonly life: PlacementLife;
  readonly request: AdRequest;
  readonly fallback: FallbackView;
}

/**
 * One ad in the world: the sprite, what it shows, and what the player sees of it.
 *
 * The sprite is a Phaser object like every other: move it, give it a body, put it into a container. To scale it, scale its
 * {@link PlacedAd.box}. It may be destroyed at any time, which ends the ad.
 */
export class PlacedAd<TSprite extends GameObject = GameObject> {
  /** A Phaser Image made by `place`, or the game's own object given to `observe`. */
  readonly sprite: TSprite;
  /** Resolves once the request is over, to the state then reached; never rejects. */
  readonly ready: Promise<PlacedAdState>;
  readonly #host: SceneHost;
  /** Null for a sprite of the game's own. */
  readonly #slot: Slot | null;
  readonly #controller = new AbortController();
  readonly #watch: SpriteWatch;
  readonly #clicks: AdClicks;
  #session: PlacementSession;
  #resolveReady!: (state: PlacedAdState) => void;
  #state: PlacedAdState = 'requesting';
  #ad: Ad | null = null;
  #error: AdsError | null = null;
  /** The ad that hangs now, with its creative; null when none does. */
  #served: ServedAd | null = null;
  #video: AdVideo | null = null;
  #measurement: SpriteMeasurement | null = null;
  #stopObserving: (() => void) | null = null;
  #sleptMs = 0;
  #trackers: AdTrackers | null = null;

  /** Made by `this.ads.place()` and `this.ads.observe()`. */
  constructor(host: SceneHost, sprite: TSprite, carrier: AdCarrier | null) {
    this.#host = host;
    this.sprite = sprite;
    this.#watch = new SpriteWatch(sprite, () => this.end(host.reasonForEnd()));
    this.#session = new PlacementSession(this, host);
    this.#clicks = new AdClicks(this, host);
    this.#slot = carrier === null ? null : this.#makeSlot(carrier);
    this.ready = new Promise((resolve) => (this.#resolveReady = resolve));
  }

  #makeSlot(carrier: AdCarrier): Slot {
    const { core } = this.#host;
    const { random, isOnline } = core.environment.reporting;
    return {
      ...carrier,
      life: new PlacementLife(carrier.placement.refreshMs, random, isOnline),
      request: new AdRequest(core, carrier.placement),
      fallback: new FallbackView(this, this.#host, carrier, this.#clicks, this.#watch),
    };
  }

  get state(): PlacedAdState {
    return this.#state;
  }

  /** Names what is reported of the present ad, a UUID. The next ad in the same place has another one. */
  get placementId(): string {
    return this.#session.placementId;
  }

  /** What is shown instead of an ad; null while an ad is shown, and for a sprite of the game's own. */
  get fallback(): ShownFallback | null {
    return this.#state === 'shown' ? null : (this.#slot?.fallback.shown ?? null);
  }

  /** Null for a sprite of the game's own. */
  get surface(): AdSurface | null {
    return this.#slot?.placement.surface ?? null;
  }

  /** The served ad; null before there is one, and without fill. */
  get ad(): Ad | null {
    return this.#ad;
  }

  /**
   * Parts of the present ad that could not be used, such as trackers that cannot be called; empty when there are none. The
   * option `debug` prints them.
   */
  get warnings(): readonly AdWarning[] {
    return [...(this.#ad?.warnings ?? []), ...(this.#trackers?.warnings ?? [])];
  }

  /**
   * What the source of ads said about the last request, in words for the developer, such as why an exchange refused it or
   * did not bid. At most 20 lines, without anything private; empty when it said nothing. The option `debug` prints them.
   */
  get diagnosis(): readonly string[] {
    return [...(this.#slot?.request.diagnosis ?? [])];
  }

  /**
   * How much larger the game shows the box that the ad was placed in, for tweens: `{ targets: ad.box, scale: 1.2 }`. The scale
   * of the sprite is another one: it depends on the size of the picture, and changes when an ad comes. Null for a sprite of
   * the game's own.
   */
  get box(): BoxScale | null {
    return this.#slot?.box ?? null;
  }

  /** What the creative is, by its content; null before it is there. */
  get mediaType(): 'image' | 'video' | null {
    if (this.#served === null) return null;
    return this.#served.lease.video === null ? 'image' : 'video';
  }

  /**
   * Why the state is or was last `failed`; null once an ad is there. Also set when the ad ended while its creative was on
   * its way.
   */
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

  /** The measured session of the present ad. For the scene plugin. @internal */
  get session(): PlacementSession {
    return this.#session;
  }

  /**
   * The player has complained about the ad: `adreported` tells the game, the ad is taken down at once and not shown again on
   * this page, and another one is asked for. A sprite of the game's own stays as it is.
   * @param reason for the studio, at most 500 characters; goes nowhere else
   * @returns false when no ad is shown
   */
  reportAd(reason = ''): boolean {
    if (this.#state !== 'shown' || this.#ad === null) return false;
    const ad = this.#ad;
    this.#host.core.mix.report(ad);
    this.#host.emit(AdsEvents.REPORTED, {
      placedAd: this,
      ad,
      reason: typeof reason === 'string' ? reason.slice(0, 500) : '',
    });
    // A handler may have ended it.
    if ((this.#state as PlacedAdState) === 'shown' && this.#slot !== null) this.#takeDown(this.#slot, 'reported');
    return true;
  }

  /** Ends the ad. A sprite made by `place` is destroyed; one of the game's own stays. Harmless when called twice. */
  destroy(): void {
    this.end(this.#slot === null ? 'unobserved' : 'destroyed');
  }

  /** Fetches an ad and shows it. For the scene plugin. @internal */
  async serve(): Promise<void> {
    const slot = this.#slot!;
    const { signal } = slot.placement;
    const onAbort = (): void => {
      this.#error = new AdsError('net/aborted', 'The ad was cancelled before it was shown');
      this.destroy();
    };
    signal?.addEventListener('abort', onAbort);
    await this.#ask(slot);
    signal?.removeEventListener('abort', onAbort);
    this.#resolveReady(this.#state);
  }

  /** Measures from now on a sprite that shows the ad already. For the scene plugin. @internal */
  watch(ad: Ad, clickable: boolean): void {
    this.#ad = ad;
    this.#state = 'shown';
    this.#startObserving(clickable);
    this.#resolveReady('shown');
  }

  /**
   * Looks whether the placement needs another ad; once a frame while the scene runs. For the scene plugin.
   * @internal
   */
  tick(now: number): void {
    const slot = this.#slot;
    if (slot === null) return;
    // While no ad is shown, nothing is measured: only this check then notices that the sprite is gone.
    if (!this.#watch.isAlive) {
      this.end(this.#host.reasonForEnd());
      return;
    }
    const due = slot.life.due(now);
    if (due === 'expire') this.#expire(slot);
    else if (due === 'ask') void this.#askAgain(slot);
  }

  /**
   * Takes a fact the session has found out, before it is reported. For the session.
   * @returns counts an impression: to be called once it is reported, since the game's storage of counts may end the ad
   * @internal
   */
  noteFact(fact: SessionFact): (() => void) | undefined {
    const { leadingStandard } = this.#session;
    this.#trackers?.note(fact, leadingStandard);
    if (fact.kind === 'viewable' && fact.standard === leadingStandard) this.#slot?.life.viewable();
    if (fact.kind !== 'impression') return;
    this.#slot?.life.seen();
    const ad = this.#ad!;
    const giveUp = this.#served?.giveUp;
    return () => this.#host.core.mix.seen(ad, giveUp);
  }

  /** Ends the ad with a reason. For the scene plugin. @internal */
  end(reason: FinishReason): void {
    if (this.#state === 'finished') return;
    if (this.#state === 'requesting' || this.#state === 'loading') {
      this.#error ??= new AdsError('place/scene-stopped', 'The ad ended before it was shown');
    }
    this.#state = 'finished';
    this.#controller.abort(this.#error ?? new AdsError('net/aborted', 'The ad has ended'));
    this.#session.finish(reason);
    this.#stopMeasuring();
    this.#watch.end();
    // A sprite that the game has given another texture belongs to the game.
    if (this.#slot !== null && reason !== 'texture-changed') {
      this.#watch.drop((error) =>
        this.#host.core.environment.reportError("phaser-inview: a handler of 'destroy' has thrown", error),
      );
    }
    this.#slot?.fallback.end();
    this.#served?.release();
    this.#served = null;
    this.#host.forget(this);
    this.#host.emit(AdsEvents.FINISH, { placedAd: this, reason });
    this.#resolveReady('finished');
  }

  /** Asks for an ad and shows it, or the fallback. Never rejects. */
  async #ask(slot: Slot): Promise<void> {
    const { core } = this.#host;
    const { signal } = this.#controller;
    slot.life.asked();
    if (core.isHeld) void slot.fallback.show(null, signal);
    try {
      await core.enqueue(() => this.#load(slot, signal), signal);
    } catch (error) {
      if (!this.#isOver) this.#fail(slot, toAdsError(error));
    }
  }

  /** Each ask is one ad session of its own. */
  async #askAgain(slot: Slot): Promise<void> {
    this.#session.finish('unfilled');
    if (this.#isOver) return;
    this.#session = new PlacementSession(this, this.#host);
    this.#state = 'requesting';
    await this.#ask(slot);
  }

  async #load(slot: Slot, signal: AbortSignal): Promise<void> {
    const served = await slot.request.next(signal, (ad) => {
      if (this.#isOver) return;
      this.#ad = ad;
      this.#state = ad === null ? 'requesting' : 'loading';
    });
    // Between the arrival of the creative and this line the ad may have ended.
    if (this.#isOver) served?.release();
    else if (served === null) this.#noFill(slot);
    else this.#show(slot, served);
  }

  #show({ box, placement, life, fallback }: Slot, served: ServedAd): void {
    if (this.#endsWithoutSprite()) {
      served.release();
      return;
    }
    const { ad, lease, answeredAt } = served;
    const earlier = this.#served;
    this.#served = served;
    this.#ad = ad;
    this.#error = null;
    box.show(lease.textureKey, placement.fit);
    fallback.end();
    earlier?.release();
    this.#state = 'shown';
    // Only now is it known what the creative is; nothing has been reported of it yet.
    if (lease.video !== null)
      this.#session = new PlacementSession(this, this.#host, videoStandards(this.#host.core.standards));
    life.shown(this.#host.core.now(), answeredAt, ad.expiresInSeconds);
    this.#session.view.loaded();
    if ((this.#state as PlacedAdState) !== 'shown') return;
    this.#video = this.#makeVideo(lease);
    this.#startObserving(placement.clickable);
    this.#host.emit(AdsEvents.LOADED, { placedAd: this, ad });
  }

  /** The present ad stays until the next one is ready to take its place, or for good when there is none. */
  async #refresh(slot: Slot): Promise<void> {
    slot.life.asked();
    const session = this.#session;
    const { signal } = this.#controller;
    let served: ServedAd | null = null;
    let error: AdsError | null = null;
    try {
      served = await this.#host.core.enqueue(() => slot.request.next(signal), signal);
    } catch (fault) {
      error = toAdsError(fault);
    }
    // The ad to be replaced may have gone meanwhile; then another one has been asked for already.
    if (this.#state !== 'shown' || this.#session !== session) served?.release();
    else if (served === null) this.#refreshFailed(slot, error);
    else this.#replaceBy(slot, served);
  }

  #replaceBy(slot: Slot, served: ServedAd): void {
    if (this.#endsWithoutSprite()) {
      served.release();
      return;
    }
    const previousAd = this.#ad!;
    this.#session.finish('refreshed');
    this.#stopMeasuring();
    this.#host.emit(AdsEvents.REFRESH, { placedAd: this, previousAd, ad: served.ad });
    if (this.#isOver) {
      served.release();
      return;
    }
    this.#session = new PlacementSession(this, this.#host);
    this.#show(slot, served);
  }

  /**
   * The present ad stays, and the game is told why.
   * @param error null when the service has no other ad
   */
  #refreshFailed({ life, placement }: Slot, error: AdsError | null): void {
    life.refreshFailed(this.#host.core.now(), error);
    const { adSurfaceId } = placement.surface;
    if (error === null) this.#host.emit(AdsEvents.NO_FILL, { placedAd: this, adSurfaceId });
    else this.#host.emit(AdsEvents.ERROR, { placedAd: this, error });
  }

  #expire(slot: Slot): void {
    const ad = this.#ad!;
    this.#takeDown(slot, 'expired');
    this.#host.emit(AdsEvents.EXPIRE, { placedAd: this, ad });
  }

  /** Takes an ad down that may not be shown any more. The placement asks for another one after a while. */
  #takeDown({ life, fallback }: Slot, reason: FinishReason): void {
    this.#session.finish(reason);
    if (this.#isOver) return;
    this.#stopMeasuring();
    this.#state = 'requesting';
    life.expired(this.#host.core.now());
    fallback.showPlaceholder();
    this.#served?.release();
    this.#served = null;
    this.#ad = null;
  }

  #noFill(slot: Slot): void {
    this.#state = 'noFill';
    this.#ad = null;
    this.#error = null;
    this.#session.view.noFill();
    this.#host.emit(AdsEvents.NO_FILL, { placedAd: this, adSurfaceId: slot.placement.surface.adSurfaceId });
    this.#fallBack(slot, null);
  }

  #fail(slot: Slot, error: AdsError): void {
    this.#state = 'failed';
    this.#error = error;
    this.#session.fail(error);
    this.#fallBack(slot, error);
  }

  #fallBack({ life, fallback }: Slot, error: AdsError | null): void {
    if (this.#endsWithoutSprite()) return;
    life.failed(this.#host.core.now(), error);
    void fallback.show(error, this.#controller.signal);
  }

  #stopMeasuring(): void {
    this.#video?.destroy();
    this.#video = null;
    this.#stopObserving?.();
    this.#stopObserving = null;
    this.#measurement = null;
    this.#clicks.end();
    this.#trackers = null;
  }

  /** To be asked after each event and report: a handler or `beforeReport` may have ended the ad. */
  get #isOver(): boolean {
    return this.#state === 'finished';
  }

  /** Ends the ad if its sprite is gone or the game has taken it; true if so. */
  #endsWithoutSprite(): boolean {
    // After sprite.removeAllListeners() the sprite's destroy event does not reach this ad.
    if (!this.#watch.isAlive) this.end(this.#host.reasonForEnd());
    else if (this.#watch.isTakenByGame) this.end('texture-changed');
    else return false;
    return true;
  }

  #startObserving(clickable: boolean): void {
    this.#watch.note();
    this.#trackers = new AdTrackers(this.#ad!, this.#host.core.sender);
    for (const warning of this.#trackers.warnings) this.#host.core.note(describeWarning(warning));
    this.#trackers.fire('loaded');
    this.#stopObserving = this.#host.observe(
      this.sprite,
      (measurement, time) => this.#onMeasured(measurement, time),
      (reason, time) => {
        this.#session.interrupted(time, reason);
        this.#video?.pause();
      },
    );
    if (clickable) this.#clicks.begin();
  }

  #makeVideo(lease: CreativeLease): AdVideo | null {
    const { video } = lease;
    if (video === null) return null;
    return new AdVideo(video, {
      refreshTexture: () => lease.refresh(),
      onPress: (callback) => this.#host.onPress(callback),
      tell: (milestone) => this.#session.view.video(milestone, Math.round(video.durationSeconds * 1000)),
      fail: (error) => {
        this.#trackers?.fail(error);
        this.#session.fail(error);
      },
    });
  }

  #onMeasured(live: SpriteMeasurement, time: number): void {
    if (this.#endsWithoutSprite()) return;
    this.#measurement = live;
    // A paused scene is drawn too, but nothing moves in it.
    const plays = this.sprite.scene.sys.isActive() ? live.percentageInView : 0;
    const { core } = this.#host;
    const now = core.now();
    const slot = this.#slot;
    // A paused scene does not tick.
    if (slot?.life.due(now) === 'expire') {
      this.#expire(slot);
      return;
    }
    // The clock of frames may have stood still meanwhile.
    if (core.clock.sleptMs !== this.#sleptMs) this.#session.interrupted(time, Interruption.STALL);
    this.#sleptMs = core.clock.sleptMs;
    // For a video, the standards count only time in which it plays.
    const standstill = this.#video?.movesOn(time, plays) === false ? Interruption.NOT_PLAYING : null;
    this.#session.view.update(time, live, standstill);
    this.#video?.update(time, plays);
    if (slot === null || this.#state !== 'shown') return;
    // Checked after the handlers, and after this frame was drawn: a refresh never starts while something covers the ad.
    if (!slot.life.isRefreshDue(now, live.isFullyVisible)) return;
    if (this.sprite.scene.sys.isActive()) void this.#refresh(slot);
  }
}
