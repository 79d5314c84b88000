import type * as Phaser from 'phaser';

import type { AdMeasurement, Reason } from '../measure/AdMeasurement.js';
import { BestView, reasonsOf } from '../measure/BestView.js';
import { AdView, type FrameSnapshot } from '../measure/FrameSnapshot.js';
import { measureView } from '../measure/measureView.js';
import { resolveBlockers } from '../measure/resolveBlockers.js';
import { SteadyMeasurement } from '../measure/SteadyMeasurement.js';
import { type MeasureOptions, ViewMeasurement } from '../measure/ViewMeasurement.js';
import { ViewMemory } from '../measure/ViewMemory.js';
import type { PageView } from '../page/PageView.js';
import type { FlatAd } from '../record/frame/FlatAd.js';
import { DrawnPlaces } from '../record/objects/DrawnPlaces.js';
import { readSqueezeRatio } from '../record/objects/readSqueezeRatio.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

interface MeasuredView {
  camera: Camera | null;
  readonly steady: SteadyMeasurement;
  readonly memory: ViewMemory;
}

/**
 * The figures of one ad, renewed in place each time it is measured. If several cameras draw the ad, the figures are those of
 * the camera that shows most of it.
 *
 * While nothing changes, nothing is allocated, and nothing is measured anew once sampled figures are fine enough.
 * `blockingSprites` is worked out when first read after a change.
 */
export class AdMeter extends BestView implements AdMeasurement<GameObject, Camera> {
  readonly #views: MeasuredView[] = [];
  #viewCount = 0;
  camera: Camera | null = null;
  #blockers: readonly GameObject[] | null = NO_OBJECTS;
  #isAsked = false;
  readonly #places = new DrawnPlaces();
  readonly #facts = { pageHidden: false, windowFocused: true, found: true, cssAreaRatio: 1, cssAspectRatio: 1 };
  #canvasWidth = -1;
  #canvasHeight = -1;

  /**
   * @param object The ad.
   * @param findBlockers Names what blocks the ad in the frame last measured; asked at most once per change.
   */
  constructor(
    private readonly object: GameObject,
    private readonly findBlockers: () => readonly GameObject[],
  ) {
    super();
  }

  get reasons(): readonly Reason[] {
    return sharedReasons(this.reasonBits);
  }
  get blockingSprites(): readonly GameObject[] {
    this.#isAsked = true;
    if (this.#blockers === null) this.setBlockers(this.findBlockers());
    return this.#blockers!;
  }

  /** False until the first frame is measured. */
  get isMeasured(): boolean {
    return this.#canvasWidth >= 0;
  }

  /** The blockers were asked for in the last frame and are not valid any more: they may be asked for again. */
  get awaitsBlockers(): boolean {
    return this.#blockers === null && this.#isAsked;
  }

  /** Sets the blockers of the frame measured last, before they are asked for. */
  setBlockers(blockers: readonly GameObject[]): void {
    this.#blockers = blockers;
    this.#places.note(blockers);
  }

  /** From here on it is noted anew whether the blockers are asked for. */
  beginAsking(): void {
    this.#isAsked = false;
  }

  /**
   * Measures the ad in a snapshot.
   * @param index The ad's index in the list the snapshot was read for.
   * @param found False when the sprite is destroyed or on no display list.
   * @returns False when all figures are as before.
   */
  measure(snapshot: FrameSnapshot, index: number, options: MeasureOptions, page: PageView, found: boolean): boolean {
    let changed = this.#takeFacts(snapshot.canvasWidth, snapshot.canvasHeight, page, found);
    let count = 0;
    for (let v = 0; v < snapshot.viewCount; v++) {
      const view = snapshot.views[v]!;
      if (view.ad !== index) continue;
      const measured = (this.#views[count++] ??= newView());
      const same = measured.memory.isSame(snapshot, view);
      const { steady } = measured;
      if (same && measured.camera === view.camera) {
        if (steady.canRefine && steady.refine(snapshot, view, options)) changed = true;
        continue;
      }
      measured.camera = view.camera as Camera;
      steady.start(snapshot, view, options);
      changed = true;
    }
    if (count < this.#viewCount) changed = true;
    this.#setViewCount(count);
    if (!changed) {
      this.keep();
      return false;
    }
    this.reset();
    count = 0;
    for (let v = 0; v < snapshot.viewCount; v++) {
      const view = snapshot.views[v]!;
      if (view.ad === index) this.consider(view, this.#views[count++]!.steady.measurement);
    }
    this.#finish(page);
    return true;
  }

  /**
   * Measures the ad where it lies under nothing but opaque quads.
   * @param canvasWidth Size of the canvas, in canvas pixels.
   */
  measureFlat(flat: FlatAd, canvasWidth: number, canvasHeight: number, page: PageView, found: boolean): void {
    this.#takeFacts(canvasWidth, canvasHeight, page, found);
    this.#setViewCount(1);
    const measured = (this.#views[0] ??= newView());
    measured.camera = flat.camera;
    // The view in {@link ViewMemory} is no longer the one measured last.
    measured.memory.forget();
    const { measurement } = measured.steady;
    measurement.setFlat(flat);
    this.reset();
    WHOLE_VIEW.camera = flat.camera;
    this.consider(WHOLE_VIEW, measurement);
    this.#finish(page);
    WHOLE_VIEW.camera = null;
  }

  /** While nothing changes, {@link measure} may still find finer figures. */
  get canRefine(): boolean {
    for (let v = 0; v < this.#viewCount; v++) if (this.#views[v]!.steady.canRefine) return true;
    return false;
  }

  /** True when page, sprite and canvas are as at the last measurement. */
  holds(canvasWidth: number, canvasHeight: number, page: PageView, found: boolean): boolean {
    const facts = this.#facts;
    return (
      facts.pageHidden === page.hidden &&
      facts.windowFocused === page.focused &&
      facts.cssAreaRatio === page.cssAreaRatio &&
      facts.cssAspectRatio === page.cssAspectRatio &&
      facts.found === found &&
      this.#canvasWidth === canvasWidth &&
      this.#canvasHeight === canvasHeight
    );
  }

  /**
   * The frame looks like the last one near the ad. Vertices do not tell which object they belong to: a menu may have been
   * closed and opened again with new parts, or two pieces may have changed places. If the blockers are not where they were,
   * they are no longer valid: what is there now blocks the ad.
   */
  keep(): void {
    if (this.#blockers !== null && !this.#places.areOf(this.#blockers)) this.#blockers = null;
  }

  /** Lets go of every Phaser object; figures stay. */
  release(): void {
    this.camera = null;
    this.#views.length = 0;
    this.#viewCount = 0;
    this.#blockers = NO_OBJECTS;
    this.#canvasWidth = -1;
  }

  /** Lets go of what the views from there on showed. */
  #setViewCount(count: number): void {
    for (let v = count; v < this.#viewCount; v++) {
      this.#views[v]!.camera = null;
      this.#views[v]!.memory.forget();
    }
    this.#viewCount = count;
  }

  /** Turns the views considered into figures. */
  #finish(page: PageView): void {
    this.conclude(this.#canvasWidth * this.#canvasHeight, this.#facts);
    this.camera = this.view === null ? null : (this.view.camera as Camera);
    if (this.camera !== null) readSqueezeRatio(this.object, this.camera, page, this);
    // Not by `?.`, whose result may be undefined: the engine would box the number in every frame.
    const hasLost = this.measurement !== null && this.measurement.lostArea > 0;
    this.#blockers = this.isFullyVisible || !hasLost ? NO_OBJECTS : null;
    // Views are shared with the snapshot and change with the next frame.
    this.view = null;
    this.measurement = null;
  }

  #takeFacts(canvasWidth: number, canvasHeight: number, page: PageView, found: boolean): boolean {
    if (this.holds(canvasWidth, canvasHeight, page, found)) return false;
    const facts = this.#facts;
    facts.pageHidden = page.hidden;
    facts.windowFocused = page.focused;
    facts.cssAreaRatio = page.cssAreaRatio;
    facts.cssAspectRatio = page.cssAspectRatio;
    facts.found = found;
    this.#canvasWidth = canvasWidth;
    this.#canvasHeight = canvasHeight;
    return true;
  }
}

/** An opaque ad that one camera shows whole. */
const WHOLE_VIEW = new AdView();

function newView(): MeasuredView {
  return { camera: null, steady: new SteadyMeasurement(), memory: new ViewMemory() };
}

/** Names the blockers of an ad from a snapshot that knows the owners, in the camera that shows most of the ad. */
export function blockersIn(snapshot: FrameSnapshot, index: number, options: MeasureOptions): readonly GameObject[] {
  const best = new BestView();
  for (let v = 0; v < snapshot.viewCount; v++) {
    const view = snapshot.views[v]!;
    if (view.ad !== index) continue;
    const measurement = new ViewMeasurement();
    measureView(snapshot, view, options, measurement);
    best.consider(view, measurement);
  }
  const { view, measurement } = best;
  if (view === null || measurement === null) return NO_OBJECTS;
  return resolveBlockers(snapshot, view, options, measurement) as GameObject[];
}

/** Frozen: games get it, and it is that of every ad which nothing blocks. */
const NO_OBJECTS: readonly GameObject[] = Object.freeze([]);

/** One frozen list per combination of reasons: no list is made twice. */
const reasonLists = new Map<number, readonly Reason[]>();

function sharedReasons(bits: number): readonly Reason[] {
  let list = reasonLists.get(bits);
  if (list === undefined) {
    reasonLists.set(bits, (list = Object.freeze(reasonsOf(bits))));
  }
  return list;
}
