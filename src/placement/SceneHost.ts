import type * as Phaser from 'phaser';

import { type AdsEventMap, AdsEvents } from '../events.js';
import { Reason } from '../measure/AdMeasurement.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import { unmeasurable } from '../meter/copyMeasurement.js';
import type { MeasurementListener, ObserveOptions } from '../meter/FrameMeter.js';
import { type FriendlyObstruction, FriendlyObstructions } from '../meter/FriendlyObstructions.js';
import type { PressPhase } from '../meter/pressedPoint.js';
import type { SpriteMeasurement } from '../meter/SpriteMeasurement.js';
import type { AdsCore } from '../plugin/AdsCore.js';
import type { FinishReason, PlacedAd } from './PlacedAd.js';

type GameObject = Phaser.GameObjects.GameObject;

/** Status of a scene that is shut down (`Phaser.Scenes`). */
const SHUT_DOWN = 8;

/** Events by which browsers know that the player is there (HTML: user activation). */
const PRESSES = ['pointerup', 'keydown'];

/** What the ads of one scene need of the scene and its game; {@link SceneHost.core} is what all ads of the game share. */
export class SceneHost {
  // Not a plain property: tools that walk through a game find no way to the client.
  readonly #core: AdsCore;
  readonly #game: Phaser.Game;
  /** The options that every ad of the game is measured with. */
  readonly #measuring: { readonly blockingOpacity: number };

  constructor(
    private readonly scene: Phaser.Scene,
    core: AdsCore,
    private readonly ads: Set<PlacedAd>,
  ) {
    this.#core = core;
    this.#game = scene.sys.game;
    this.#measuring = { blockingOpacity: core.options.blockingOpacity };
  }

  get core(): AdsCore {
    return this.#core;
  }

  observe(
    sprite: GameObject,
    listener: MeasurementListener,
    onInterruption: NonNullable<ObserveOptions['onInterruption']>,
  ): () => void {
    return this.#core.measuring.observe(sprite, listener, { ...this.#measuring, onInterruption });
  }

  /** What is seen of an object in the frame drawn last; unmeasurable until the meter is loaded, and in another game. */
  measure(object: GameObject): SpriteMeasurement {
    const meter = object.scene.sys.game === this.#game ? this.#core.measuring.meter : null;
    return meter?.measure(object, this.#measuring) ?? unmeasurable();
  }

  friendlyObstructions(): readonly FriendlyObstruction[] {
    return FriendlyObstructions.of(this.#game).list;
  }

  /** The present time, on the clock of the frames. */
  presentTime(): number {
    return this.#core.measuring.meter?.presentTime() ?? 0;
  }

  /** Why a press or release on a sprite does not hit what the player sees; null when it does. */
  judgePress(sprite: GameObject, pointer: Phaser.Input.Pointer, phase: PressPhase): ClickRefusal | null {
    const { meter } = this.#core.measuring;
    return meter === null ? Reason.UNMEASURABLE : meter.judgePress(sprite, pointer, phase, this.#measuring);
  }

  /** Calls back whenever the player presses something on the page; the returned function ends that. */
  onPress(callback: () => void): () => void {
    const { ownerDocument } = this.#game.canvas;
    for (const event of PRESSES) ownerDocument.addEventListener(event, callback, true);
    return () => {
      for (const event of PRESSES) ownerDocument.removeEventListener(event, callback, true);
    };
  }

  /** `adfinish` is the last event of an ad: a fact that is committed after it is reported, but not announced any more. */
  emit<K extends keyof AdsEventMap>(event: K, payload: AdsEventMap[K]): void {
    if (event !== AdsEvents.FINISH && payload.placedAd?.state === 'finished') return;
    if (event === AdsEvents.ERROR && !this.isHeard(event)) this.#core.warn((payload as AdsEventMap['aderror']).error);
    emitIsolated(this.scene.sys.events, event, payload, (error) =>
      this.#core.environment.reportError(`phaser-inview: a handler of '${event}' has thrown`, error),
    );
  }

  /** False spares the work for an event that nobody would get. */
  isHeard(event: keyof AdsEventMap): boolean {
    return this.scene.sys.events.listenerCount(event) > 0;
  }

  /** Why a sprite is being destroyed now. */
  reasonForEnd(): FinishReason {
    if (this.scene.sys.settings.status < SHUT_DOWN) return 'destroyed';
    // Absent from Phaser's public types; true from `game.destroy()` until everything is gone.
    return (this.#game as unknown as { pendingDestroy: boolean }).pendingDestroy ? 'game-ended' : 'scene-ended';
  }

  forget(placedAd: PlacedAd): void {
    this.ads.delete(placedAd);
  }
}

/** One registration in Phaser's EventEmitter (eventemitter3). */
interface Registration {
  readonly fn: (payload: unknown) => void;
  readonly context: unknown;
  readonly once: boolean;
}

/**
 * Emits like Phaser, except that an exception of one handler stops neither the others nor the caller: in a frame it
 * would end Phaser's animation loop for good.
 */
function emitIsolated(
  emitter: Phaser.Events.EventEmitter,
  event: string,
  payload: unknown,
  onException: (error: unknown) => void,
): void {
  const registered = (emitter as unknown as { _events?: Record<string, Registration | Registration[]> })._events?.[
    event
  ];
  if (registered === undefined) return;
  // A copy: handlers may come and go while it is gone through.
  for (const { fn, context, once } of Array.isArray(registered) ? registered.slice() : [registered]) {
    if (once) emitter.off(event, fn, context, true);
    try {
      fn.call(context, payload);
    } catch (error) {
      onException(error);
    }
  }
}
