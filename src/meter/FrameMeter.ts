import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import type { SpriteMeasurement } from './SpriteMeasurement.js';
import { Reason } from '../measure/AdMeasurement.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import { FrameSnapshot } from '../measure/FrameSnapshot.js';
import { Interruption } from '../measure/Interruption.js';
import { DEFAULT_BLOCKING_OPACITY, type MeasureOptions } from '../measure/ViewMeasurement.js';
import { oneFor } from '../oneFor.js';
import { InterruptionWatch } from '../page/InterruptionWatch.js';
import type { PageView } from '../page/PageView.js';
import { PageWatcher } from '../page/PageWatcher.js';
import { readPage } from '../page/readPage.js';
import type { SpriteScan } from '../record/canvas2d/SpriteScan.js';
import type { FrameTap } from '../record/frame/FrameTap.js';
import { KnownOwners } from '../record/frame/KnownOwners.js';
import { boundsOf } from '../record/objects/registerBounds.js';
import { FrameReader } from '../rehearsal/FrameReader.js';
import { isContextLost } from '../rehearsal/isContextLost.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { AdMeter, blockersIn } from './AdMeter.js';
import { unmeasurable } from './copyMeasurement.js';
import { FriendlyObstructions } from './FriendlyObstructions.js';
import { isAlive } from './isAlive.js';
import { isDestroyed } from './isDestroyed.js';
import { judgePress } from './judgePress.js';
import type { MeterEngine } from './MeterEngine.js';
import { isMeasurable, requireKnownPhaser } from './phaserVersion.js';
import type { PressPhase } from './pressedPoint.js';
import { newAlphaMaps, TrackingBench } from './TrackingBench.js';

type GameObject = Phaser.GameObjects.GameObject;

/** Game events (`Phaser.Core.Events`): before the first scene is drawn, and after the last. */
const PRE_RENDER = 'prerender';
const POST_RENDER = 'postrender';
const DESTROY = 'destroy';

/** Event of both renderers (`Phaser.Renderer.Events`): the frame is drawn. Not emitted while the context is lost. */
const DRAWN = 'postrender';

/** Called once per drawn frame and ad, with a live object that is renewed in place. */
export type MeasurementListener = (measurement: SpriteMeasurement, time: number) => void;

export interface ObserveOptions {
  /**
   * A pixel of the ad is blocked when the accumulated opacity of what lies above it reaches this; above 0, at most 1.
   * Default 0.5.
   */
  readonly blockingOpacity?: number;
  /**
   * Called at the instant frames stop coming: the tab is hidden, the graphics context lost, the game paused. `time` is on
   * the same time line as the times of frames.
   */
  readonly onInterruption?: (reason: Interruption, time: number) => void;
}

interface Observation {
  readonly object: GameObject;
  readonly listener: MeasurementListener;
  readonly options: MeasureOptions;
  readonly meter: AdMeter;
  readonly onInterruption: ((reason: Interruption, time: number) => void) | null;
  /** Index of the object in `objects`: an object that is observed twice is read once. */
  ad: number;
  /** Nobody listens any more, also in the midst of a round through the list it was in. */
  isOver: boolean;
}

/**
 * Measures the observed ads of one game, all scenes together, once per drawn frame, at the game's `postrender`. By then the
 * camera matrices are those just drawn with, and every scene above has been drawn too.
 *
 * In WebGL it taps the vertices while the frame is drawn; on the Canvas of Phaser 3 it scans the display lists for sprites.
 * Ads over which more than plain quads were drawn, and all ads on the Canvas of Phaser 4, need a rehearsal: the renderer
 * draws the scenes once more, onto nothing.
 */
export class FrameMeter {
  /**
   * The meter of a game, which reads frames with `engine`. There is one per game; it listens only while something is observed.
   * @internal
   */
  static readonly of = oneFor((game: Phaser.Game, engine: MeterEngine) => new FrameMeter(game, engine));
  /** The objects that do not count as covering an ad, in every scene of the game. */
  readonly friendly: FriendlyObstructions;
  #observations: Observation[] = [];
  #objects: GameObject[] = [];
  readonly #maps: AlphaMaps;
  readonly #reader: FrameReader;
  /** The reader of {@link readAround}, which remembers other pictures; null until the first call. */
  #lookout: FrameReader | null = null;
  private readonly page: PageWatcher;
  /** The reader for calls on demand. @internal */
  readonly bench: TrackingBench;
  readonly #interruptions: InterruptionWatch;
  /** Time of the frame drawn last, and `performance.now()` at that instant, which is NaN while that frame is measured. */
  #frameTime = 0;
  #frameAt = NaN;
  /** What measures without a rehearsal: `tap` in WebGL, `scan` on Canvas. */
  #tap: FrameTap | null = null;
  #scan: SpriteScan | null = null;
  /** The objects that rehearsals found near the ads whose blockers were asked for. */
  readonly #owners = new KnownOwners();
  /** Objects for the rehearsal of this frame, and their observations. */
  readonly #rehearsed: GameObject[] = [];
  readonly #rehearsedObservations: Observation[] = [];
  /** For the rehearsal of one ad; emptied after it, since what draws on Canvas keeps the list. */
  readonly #one: GameObject[] = [];
  /** The renderer has drawn the present frame: under HEADLESS a game has frames, too, but nothing is drawn. */
  #isDrawn = false;
  /**
   * Something was observed when the present frame began. Phaser's events also call listeners that were removed while the
   * event is emitted, and an ad may be let go of, or be the first, anywhere within a frame.
   */
  #hasBegun = false;
  /** The observed objects have changed since the frame began: what the tap noted is about the old ones. */
  #isOther = false;
  #broken = false;

  private constructor(
    private readonly game: Phaser.Game,
    private readonly engine: MeterEngine,
  ) {
    this.friendly = FriendlyObstructions.of(game);
    this.#maps = newAlphaMaps(game, engine, game.canvas.ownerDocument.defaultView);
    this.#reader = this.#newReader(this.#maps);
    this.bench = new TrackingBench(game, engine);
    this.page = new PageWatcher(game);
    this.#interruptions = new InterruptionWatch(game, (reason) => this.#interrupt(reason));
  }

  /**
   * Measures `object` after every drawn frame from now on. In a browser that is too old it never does, and the console says so.
   * @returns A function that stops observing; harmless when called twice.
   * @throws {AdsError} `lifecycle/destroyed` when the game has ended: it will draw no frame; `config/phaser-version` in a
   * game on Phaser below 3.60, or 5 and later; `arg/handler` when the listener is not a function.
   */
  observe(object: GameObject, listener: MeasurementListener, options: ObserveOptions = {}): () => void {
    if (isDestroyed(this.game)) {
      const hint = 'Observe sprites of a running game; one that was destroyed draws no more frames.';
      throw new AdsError('lifecycle/destroyed', 'observe: the game has been destroyed', { hint });
    }
    if (typeof listener !== 'function')
      throw new AdsError('arg/handler', 'observe: expected the listener to be a function');
    if (isAlive(object)) {
      requireKnownPhaser(object.scene);
      if (!isMeasurable(object.scene)) return () => undefined;
    }
    const observation: Observation = {
      object,
      listener,
      onInterruption: options.onInterruption ?? null,
      options: { blockingOpacity: options.blockingOpacity ?? DEFAULT_BLOCKING_OPACITY },
      meter: new AdMeter(object, () => this.#findBlockers(observation)),
      ad: -1,
      isOver: false,
    };
    if (this.#observations.length === 0) this.#start();
    // Lists are replaced, not changed: a listener may observe or stop in the middle of a frame.
    this.#observations = [...this.#observations, observation];
    this.#updateObjects();
    return () => {
      if (observation.isOver) return;
      observation.isOver = true;
      this.#observations = this.#observations.filter((other) => other !== observation);
      observation.meter.release();
      this.#owners.forget(observation.object);
      this.#updateObjects();
      if (this.#observations.length === 0) this.#stop();
    };
  }

  /**
   * The figures of a game object in the frame drawn last. For an object that is observed with such options they are the live
   * object that its listener gets; for any other the frame is read anew.
   */
  measure(object: GameObject, options: ObserveOptions = {}): SpriteMeasurement {
    const observed = this.#observationOf(object, options);
    if (observed !== undefined) return observed.meter;
    if (isAlive(object) && !isMeasurable(object.scene)) return unmeasurable();
    const measureOptions = { blockingOpacity: options.blockingOpacity ?? DEFAULT_BLOCKING_OPACITY };
    const found = isAlive(object) && !isDestroyed(this.game);
    const page = readPage(this.game);
    const { maps } = this.bench;
    maps.beginFrame();
    const reader = this.#newReader(maps);
    if (found) reader.read(this.game, [object], page);
    const meter = new AdMeter(object, () => blockersIn(reader.snapshot, 0, measureOptions));
    meter.measure(reader.snapshot, 0, measureOptions, page, found);
    return meter;
  }

  /** True when `object` is observed and known to have been out of view in the frame drawn last. */
  isHidden(object: GameObject, options: ObserveOptions = {}): boolean {
    const observed = this.#observationOf(object, options);
    return observed?.meter.isVisible === false && !observed.meter.reasons.includes(Reason.UNMEASURABLE);
  }

  /**
   * See the function {@link judgePress}.
   * @internal
   */
  judgePress(
    sprite: GameObject,
    pointer: Phaser.Input.Pointer,
    phase: PressPhase,
    options: MeasureOptions,
  ): ClickRefusal | null {
    return judgePress(this, sprite, pointer, phase, options);
  }

  /**
   * The page as it is now. While something is observed, the view includes what only watching tells about the pages around
   * this one.
   */
  readPage(): PageView {
    if (this.#observations.length === 0) return readPage(this.game);
    this.page.read();
    return this.page.view;
  }

  /**
   * Reads the frame around any objects in the way ads are measured: with the same page, alpha maps and friendly obstructions,
   * and so without waiting for a texture. Null while nothing is observed. The snapshot is valid until the next call.
   * @internal
   */
  readAround(objects: readonly GameObject[]): FrameSnapshot | null {
    if (this.#observations.length === 0) return null;
    this.#lookout ??= this.#newReader(this.#maps);
    return this.#lookout.read(this.game, objects, this.page.view);
  }

  /**
   * The page as it was known for the frame drawn last, at no cost; null while nothing is observed, since then the page is
   * not watched.
   * @internal
   */
  get watchedPage(): PageView | null {
    return this.#observations.length === 0 ? null : this.page.view;
  }

  /** The page has changed since it was looked at. @internal */
  get isPageBehind(): boolean {
    return this.page.isBehind;
  }

  /**
   * The present instant on the time line of frames. No other clock need agree with it: a game may make its frames by hand.
   * While a frame is measured the present instant is the time of that frame, however long measuring takes.
   */
  presentTime(): number {
    const passed = performance.now() - this.#frameAt;
    return passed > 0 ? this.#frameTime + passed : this.#frameTime;
  }

  /** An object may be observed several times, with another opacity each; what was observed since the last frame has no figures. */
  #observationOf(object: GameObject, { blockingOpacity }: ObserveOptions): Observation | undefined {
    return this.#observations.find(
      (one) =>
        one.object === object &&
        one.meter.isMeasured &&
        (blockingOpacity ?? one.options.blockingOpacity) === one.options.blockingOpacity,
    );
  }

  #interrupt(reason: Interruption): void {
    const time = this.presentTime();
    for (const { onInterruption, isOver } of this.#observations) {
      try {
        if (!isOver) onInterruption?.(reason, time);
      } catch (error) {
        console.error(error);
      }
    }
  }

  #updateObjects(): void {
    this.#objects = [...new Set(this.#observations.map(({ object }) => object))];
    for (const observation of this.#observations) observation.ad = this.#objects.indexOf(observation.object);
    this.#isOther = true;
    this.#tap?.setAds(this.#objects);
    this.#scan?.setAds(this.#objects);
  }

  #start(): void {
    const { game } = this;
    this.page.start();
    this.#interruptions.start();
    game.events.on(PRE_RENDER, this.#onPreRender, this);
    game.events.on(POST_RENDER, this.#onPostRender, this);
    game.events.on(DESTROY, this.#onDestroy, this);
    rendererOf(game)?.on(DRAWN, this.#onDrawn, this);
    if (rendererOf(game) === null) return;
    const { objects } = this.friendly;
    this.#tap ??= this.engine.tapOf?.(game, this.#maps, objects) ?? null;
    this.#tap?.attach();
    this.#scan ??= this.engine.scanOf?.(game, this.#maps, boundsOf(game), objects) ?? null;
  }

  #stop(): void {
    const { game } = this;
    this.#hasBegun = false;
    game.events.off(PRE_RENDER, this.#onPreRender, this);
    game.events.off(POST_RENDER, this.#onPostRender, this);
    game.events.off(DESTROY, this.#onDestroy, this);
    rendererOf(game)?.off(DRAWN, this.#onDrawn, this);
    this.page.stop();
    this.#interruptions.stop();
    this.#maps.stop();
    this.#tap?.detach();
    this.#scan?.release();
    this.#owners.release();
    this.#rehearsed.length = 0;
    this.#rehearsedObservations.length = 0;
    this.#reader.snapshot.release();
  }

  #onPreRender(): void {
    this.#isDrawn = this.#isOther = false;
    this.#hasBegun = this.#observations.length > 0;
    if (this.#broken || !this.#hasBegun) return;
    this.#maps.beginFrame();
    this.#tap?.begin(this.page.view);
  }

  /** The browser tells of a lost context a moment late: what is drawn until then is not seen. */
  #onDrawn(): void {
    this.#isDrawn = !isContextLost(this.game.renderer);
  }

  #onDestroy(): void {
    this.friendly.clear();
    for (const observation of this.#observations) {
      observation.isOver = true;
      observation.meter.release();
    }
    this.#observations = [];
    this.#objects = [];
    this.#stop();
    this.#tap = this.#scan = null;
  }

  #onPostRender(_renderer: unknown, time: number): void {
    if (this.#broken || !this.#hasBegun) return;
    this.#hasBegun = false;
    this.#frameTime = time;
    // The loop takes its times from `performance.now()`. Another call of it would allocate.
    const { loop } = this.game;
    const frameAt = loop.running && loop.now === time ? time : performance.now();
    this.#frameAt = NaN;
    let hasFailed = false;
    // An exception here would end Phaser's animation loop for good: it re-arms only after its callback returns.
    try {
      this.measureFrame();
    } catch (error) {
      this.#broken = hasFailed = true;
      console.error(new AdsError('internal/unexpected', 'Measuring stopped', { cause: error }));
      this.#measureNothing();
    }
    const observations = this.#observations;
    for (let i = 0; i < observations.length; i++) {
      const { listener, meter, isOver } = observations[i]!;
      try {
        if (!isOver) listener(meter, time);
      } catch (error) {
        console.error(error);
      }
    }
    this.#frameAt = frameAt;
    // From here on no frame is measured: what the player sees is unknown.
    if (hasFailed) this.#interrupt(Interruption.UNMEASURABLE);
  }

  private measureFrame(): void {
    const reader = this.#reader;
    const rehearsed = this.#rehearsed;
    const rehearsedObservations = this.#rehearsedObservations;
    const observations = this.#observations;
    const tap = this.#isOther ? null : this.#tap;
    const page = this.page.view;
    tap?.end();
    // The page is read only now and then, but a canvas that was taken out of it is noticed at once.
    if (!this.#isDrawn || !this.game.canvas.isConnected) {
      this.#measureNothing();
      return;
    }
    this.#scan?.look(page);
    const short = tap ?? this.#scan;
    let count = 0;
    for (let i = 0; i < observations.length; i++) {
      const observation = observations[i]!;
      const { object, meter } = observation;
      if (short !== null && this.#measureShort(short, observation)) continue;
      if (isAlive(object)) {
        rehearsed[count] = object;
        rehearsedObservations[count++] = observation;
      } else {
        meter.measure(EMPTY_SNAPSHOT, 0, observation.options, page, false);
      }
    }
    // Not emptied first: then the array would allocate in every frame.
    if (rehearsed.length > count) rehearsed.length = rehearsedObservations.length = count;
    if (count > 0) {
      reader.read(this.game, rehearsed, page);
      for (let i = 0; i < count; i++) {
        const { object, meter, options } = rehearsedObservations[i]!;
        // The snapshot knows an object that is listed twice by its first index.
        meter.measure(reader.snapshot, rehearsed.indexOf(object), options, page, true);
      }
    }
    if (tap !== null) this.#nameKnown(tap);
  }

  /**
   * For ads whose blockers are asked for in each frame: names them, as long as they are among the objects found near the ad
   * before.
   */
  #nameKnown(tap: FrameTap): void {
    let isRead = false;
    for (let i = 0; i < this.#observations.length; i++) {
      const { ad, meter, options } = this.#observations[i]!;
      if (meter.awaitsBlockers) {
        if (!isRead) tap.readNamed(this.#owners);
        isRead = true;
        const frame = tap.namedFrameOf(ad);
        if (frame !== null) meter.setBlockers(blockersIn(frame, ad, options));
      }
      meter.beginAsking();
    }
  }

  /** No ad is drawn in this frame. */
  #measureNothing(): void {
    for (const { object, meter, options } of this.#observations) {
      meter.measure(EMPTY_SNAPSHOT, 0, options, this.page.view, isAlive(object));
    }
  }

  /** Measures an ad in the shortest way, from what the tap or the scan saw of it; false when it needs a rehearsal. */
  #measureShort(tap: FrameTap | SpriteScan, { object, meter, options, ad }: Observation): boolean {
    const page = this.page.view;
    const found = isAlive(object);
    if (tap.changed[ad] === 0) {
      if (tap.isComplex(ad)) return false;
      if (!meter.canRefine && meter.holds(tap.canvasWidth, tap.canvasHeight, page, found)) {
        meter.keep();
        return true;
      }
    }
    const flat = tap.flatOf(ad);
    if (flat !== null) {
      meter.measureFlat(flat, tap.canvasWidth, tap.canvasHeight, page, found);
      return true;
    }
    tap.read();
    if (tap.isComplex(ad)) return false;
    meter.measure(tap.snapshot, ad, options, page, found);
    return true;
  }

  #newReader(maps: AlphaMaps): FrameReader {
    return new FrameReader(maps, boundsOf(this.game), this.engine, this.friendly.objects);
  }

  /** Names what blocks an ad in the frame last drawn, by a rehearsal of its own. */
  #findBlockers(observation: Observation): readonly GameObject[] {
    if (!isAlive(observation.object)) return [];
    const one = this.#one;
    const reader = this.#reader;
    one[0] = observation.object;
    reader.read(this.game, one, this.page.view);
    const { owners, ownerCount } = reader.snapshot;
    if (this.#tap !== null) this.#owners.note(observation.object, owners.slice(0, ownerCount));
    const blockers = blockersIn(reader.snapshot, 0, observation.options);
    one.length = 0;
    return blockers;
  }
}

/** The snapshot for an ad that is not drawn at all. */
const EMPTY_SNAPSHOT = new FrameSnapshot();

/** Null under HEADLESS, and once the game has ended. */
function rendererOf(game: Phaser.Game): Phaser.Events.EventEmitter | null {
  return game.renderer;
}
