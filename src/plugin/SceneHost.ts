import type * as Phaser from 'phaser';

import type { CreativeLease } from '../creative/CreativeStore.js';
import { type AdsEventMap, AdsEvents, type SpriteMeasurement } from '../events.js';
import { unmeasurable } from '../meter/copyMeasurement.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import { Reason } from '../measure/AdMeasurement.js';
import type { MeasurementListener, ObserveOptions } from '../meter/FrameMeter.js';
import { type FriendlyObstruction, FriendlyObstructions } from '../meter/FriendlyObstructions.js';
import type { PressPhase } from '../meter/pressedPoint.js';
import type { AdMix } from '../placement/AdMix.js';
import type { TrackerSender } from '../placement/AdTrackers.js';
import { emitIsolated } from '../placement/emitIsolated.js';
import type { LoadedAd } from '../placement/loadAd.js';
import type { FinishReason, PlacedAd } from '../placement/PlacedAd.js';
import type { PlacedAdHost } from '../placement/PlacedAdHost.js';
import type { AdFact } from '../report/AdEvent.js';
import type { Ad } from '../service/AdService.js';
import type { ViewabilityStandard } from '../viewability/ViewabilityStandards.js';
import type { AdsCore } from './AdsCore.js';

type GameObject = Phaser.GameObjects.GameObject;

/** Status of a scene that is shut down (`Phaser.Scenes`). */
const SHUT_DOWN = 8;

/** Gives the ads of one scene what they need from the scene, from its game, and from what all ads of the game share. */
export class SceneHost implements PlacedAdHost {
  readonly standards: readonly ViewabilityStandard[];
  readonly evidenceRatio: number;
  readonly mix: AdMix;
  readonly trackers: TrackerSender;
  /** The options that every ad of the game is measured with. */
  readonly measuring: { readonly blockingOpacity: number };
  // Private, out of a game's reach: the core knows the credentials.
  readonly #core: AdsCore;
  readonly #game: Phaser.Game;

  constructor(
    private readonly scene: Phaser.Scene,
    core: AdsCore,
    private readonly ads: Set<PlacedAd>,
  ) {
    this.#core = core;
    const { mix, options, sender, standards } = core;
    this.standards = standards;
    this.evidenceRatio = options.evidenceRatio;
    this.measuring = { blockingOpacity: options.blockingOpacity };
    this.mix = mix;
    this.trackers = sender;
    this.#game = scene.sys.game;
  }

  // --- an ad and its creative ---

  takePreloaded(adSurfaceId: string): LoadedAd | null {
    return this.#core.preloaded.take(adSurfaceId);
  }

  byDecision<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    return this.#core.byDecision(signal, work);
  }

  requestAd(adSurfaceId: string, signal: AbortSignal, tell: (message: string) => void): Promise<Ad> {
    return this.#core.requestAd(adSurfaceId, signal, tell);
  }

  acquireCreative(url: string, signal: AbortSignal): Promise<CreativeLease> {
    return this.#core.acquireCreative(url, signal);
  }

  acquireHouseAd(address: string, signal: AbortSignal): Promise<CreativeLease> {
    return this.#core.acquireHouseAd(address, signal);
  }

  queue(load: () => Promise<void>, signal: AbortSignal): Promise<void> {
    return this.#core.enqueue(load, signal);
  }

  isHeld(): boolean {
    return this.#core.isHeld;
  }

  fillConsent(address: string): string {
    return this.#core.fillConsent(address);
  }

  placeholderFor(width: number, height: number): string {
    return this.#core.placeholders.keyFor(width, height);
  }

  hasTexture(key: string): boolean {
    return this.#game.textures.exists(key);
  }

  // --- what is seen of it ---

  observe(
    sprite: GameObject,
    listener: MeasurementListener,
    onInterruption: NonNullable<ObserveOptions['onInterruption']>,
  ): () => void {
    return this.#core.measuring.observe(sprite, listener, { ...this.measuring, onInterruption });
  }

  /** What is seen of an object in the frame drawn last; unmeasurable until the meter is loaded, and in another game. */
  measure(object: GameObject): SpriteMeasurement {
    const meter = object.scene.sys.game === this.#game ? this.#core.measuring.meter : null;
    return meter?.measure(object, this.measuring) ?? unmeasurable();
  }

  friendlyObstructions(): readonly FriendlyObstruction[] {
    return FriendlyObstructions.of(this.#game).list;
  }

  presentTime(): number {
    return this.#core.measuring.meter?.presentTime() ?? 0;
  }

  // --- clicks ---

  clickHosts(): readonly string[] | null {
    return this.#core.options.clickHosts;
  }

  judgePress(sprite: GameObject, pointer: Phaser.Input.Pointer, phase: PressPhase): ClickRefusal | null {
    const { meter } = this.#core.measuring;
    return meter === null ? Reason.UNMEASURABLE : meter.judgePress(sprite, pointer, phase, this.measuring);
  }

  openWindow(url: string): void {
    this.#core.environment.openWindow(url);
  }

  // --- who is told ---

  newPlacementId(): string {
    return this.#core.newPlacementId();
  }

  report(fact: AdFact): Promise<void> {
    return this.#core.report(fact);
  }

  emit<K extends keyof AdsEventMap>(event: K, payload: AdsEventMap[K]): void {
    if (event === AdsEvents.ERROR && !this.isHeard(event)) this.#core.warn((payload as AdsEventMap['aderror']).error);
    emitIsolated(this.scene.sys.events, event, payload, (error) =>
      this.#core.environment.reportError(`phaser-inview: a handler of '${event}' has thrown`, error),
    );
  }

  isHeard(event: keyof AdsEventMap): boolean {
    return this.scene.sys.events.listenerCount(event) > 0;
  }

  note(message: string): void {
    this.#core.note(message);
  }

  // --- its life ---

  now(): number {
    return this.#core.environment.reporting.now();
  }

  random(): number {
    return this.#core.environment.reporting.random();
  }

  reasonForEnd(): FinishReason {
    if (this.scene.sys.settings.status < SHUT_DOWN) return 'destroyed';
    // Absent from Phaser's public types; true from `game.destroy()` until everything is gone.
    return (this.#game as unknown as { pendingDestroy: boolean }).pendingDestroy ? 'game-ended' : 'scene-ended';
  }

  forget(placedAd: PlacedAd): void {
    this.ads.delete(placedAd);
  }
}
