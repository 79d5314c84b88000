import type * as Phaser from 'phaser';
import { AdsEvents, type AdsEventMap, type PlacedAd, Reason } from '../../index.js';
import { adsOf, summariesOf } from '../adsIn.js';
import { namesOf } from '../nameOf.js';
import { FrameFaults } from './FrameFaults.js';
import { readFacts } from './readFacts.js';
import { isFaded, isPageAbove, screenCover } from './screenCover.js';
import { type SeenBefore, type SeenFrame, SeenSoFar } from './SeenSoFar.js';

/** Game event (`Phaser.Core.Events`): the last scene of the frame has been drawn. */
const POST_RENDER = 'postrender';
/** The longest that one frame counts: a longer one is a stall, or the game was paused. */
const LONGEST_FRAME_MS = 250;
/** How often the expensive checks run: what covers an ad, and the rules about a frame. */
const SAMPLE_MS = 100;
/** The most ended ads that are remembered. */
const MOST_ENDED = 100;

/** What is known of an ad that was watched. */
export interface SeenAd {
  readonly scene: Phaser.Scene;
  readonly ad: PlacedAd;
  readonly seen: SeenSoFar;
  readonly faults: FrameFaults;
}

interface WatchedAd extends SeenAd {
  readonly before: SeenBefore;
  obstruction: SeenFrame['obstruction'];
  /** Time since the expensive checks ran. */
  unsampledMs: number;
}

/** Writes down, frame by frame, what is seen of every ad of a game. One per game; it listens while somebody wants it to. */
export class PlacementWatch {
  readonly #watched = new Map<PlacedAd, WatchedAd>();
  readonly #gone: SeenAd[] = [];
  readonly #heard = new Set<Phaser.Scene>();
  #users = 0;
  #lastTime = NaN;
  /** An ad was on the screen without a menu or the like over the whole picture. */
  wasScreenFree = false;

  private constructor(private readonly game: Phaser.Game) {}

  static of(game: Phaser.Game): PlacementWatch {
    let watch = watches.get(game);
    if (watch === undefined) watches.set(game, (watch = new PlacementWatch(game)));
    return watch;
  }

  /** @returns stops it, unless somebody else wants it to go on; harmless when called twice */
  start(): () => void {
    if (this.#users++ === 0) this.#begin();
    let isStopped = false;
    return () => {
      if (isStopped) return;
      isStopped = true;
      if (--this.#users === 0) this.#stop();
    };
  }

  /** What was seen of an ad; null when it was not watched. */
  seenOf(ad: PlacedAd): SeenAd | null {
    return this.#watched.get(ad) ?? null;
  }

  /** The ads of a scene that are gone, in the order in which they went. */
  ended(scene: Phaser.Scene): readonly SeenAd[] {
    return this.#gone.filter((entry) => entry.scene === scene);
  }

  #begin(): void {
    for (const [ad, entry] of this.#watched) {
      if (ad.state === 'finished') this.#end(entry);
      // Nobody has seen what became of it since. What its session tells of that is read as if it was not watched before.
      else this.#watched.delete(ad);
    }
    this.game.events.on(POST_RENDER, this.#onFrame, this);
  }

  #stop(): void {
    this.game.events.off(POST_RENDER, this.#onFrame, this);
    for (const scene of this.#heard) {
      // Null once the scene was removed, or the game has ended.
      const events = scene.sys.events as Phaser.Events.EventEmitter | null;
      events?.off(AdsEvents.FINISH, this.#onFinish, this);
    }
    this.#heard.clear();
  }

  #onFrame(_renderer: unknown, time: number): void {
    const elapsedMs = Number.isNaN(this.#lastTime) ? 0 : Math.min(LONGEST_FRAME_MS, Math.max(0, time - this.#lastTime));
    this.#lastTime = time;
    try {
      this.#noteAll(elapsedMs);
    } catch (error) {
      // An exception here would end Phaser's animation loop for good.
      this.#stop();
      console.error('phaser-inview: placements are watched no more', error);
    }
  }

  #noteAll(elapsedMs: number): void {
    for (const scene of this.game.scene.scenes) {
      if (!scene.sys.isActive()) continue;
      const all = adsOf(scene);
      for (const ad of all) this.#note(scene, ad, all, elapsedMs);
    }
  }

  #note(scene: Phaser.Scene, ad: PlacedAd, all: readonly PlacedAd[], elapsedMs: number): void {
    const { measurement } = ad;
    if (measurement === null || measurement.reasons.includes(Reason.BACKGROUNDED)) return;
    const entry = this.#watched.get(ad) ?? this.#watch(scene, ad);
    const { seen, faults } = entry;
    if (measurement.reasons.includes(Reason.UNMEASURABLE)) {
      seen.noteUnknown(elapsedMs);
      return;
    }
    const isSampled = (entry.unsampledMs += elapsedMs) >= SAMPLE_MS;
    // An ad that was uncovered once is not judged by its covers any more.
    if (isSampled && !(seen.wasUncovered && this.wasScreenFree)) entry.obstruction = obstructionOf(ad);
    const { obstruction } = entry;
    if (measurement.onScreenArea > 0 && obstruction !== 'screen') this.wasScreenFree = true;
    const { totalArea, onScreenArea, visibleArea, percentageInView } = measurement;
    seen.note({ totalArea, onScreenArea, visibleArea, percentageInView, obstruction }, elapsedMs, () => namesOf(measurement.blockingSprites)); // prettier-ignore
    if (!isSampled) return;
    const { wasScreenFree } = this;
    if (onScreenArea > 0 && !faults.isSettled) faults.note({ ...readFacts(ad, all, []), inViewMs: entry.before.inViewMs, wasScreenFree, seen }, entry.unsampledMs); // prettier-ignore
    entry.unsampledMs = 0;
  }

  #watch(scene: Phaser.Scene, ad: PlacedAd): WatchedAd {
    const before = seenBefore(ad);
    const entry: WatchedAd = {
      scene,
      ad,
      seen: new SeenSoFar(before),
      faults: new FrameFaults(),
      before,
      obstruction: obstructionOf(ad),
      unsampledMs: 0,
    };
    this.#watched.set(ad, entry);
    if (!this.#heard.has(scene)) scene.sys.events.on(AdsEvents.FINISH, this.#onFinish, this);
    this.#heard.add(scene);
    return entry;
  }

  #onFinish({ placedAd, reason }: AdsEventMap['adfinish']): void {
    const entry = this.#watched.get(placedAd);
    if (entry === undefined) return;
    // An ad that ends with its scene was not too brief: the player has gone on.
    if (reason === 'destroyed') entry.seen.endView();
    else entry.seen.views = 0;
    this.#end(entry);
  }

  #end(entry: SeenAd): void {
    this.#watched.delete(entry.ad);
    this.#gone.push(entry);
    if (this.#gone.length > MOST_ENDED) this.#gone.shift();
  }
}

const watches = new WeakMap<Phaser.Game, PlacementWatch>();

function obstructionOf(ad: PlacedAd): SeenFrame['obstruction'] {
  const measurement = ad.measurement!;
  if (!measurement.reasons.includes(Reason.OBSTRUCTED)) return 'none';
  const { camera, blockingSprites } = measurement;
  // A cover that is no object of the game is a camera's fade or flash, or HTML above the canvas.
  if (blockingSprites.length === 0) return isPageAbove(ad.sprite.scene.game) || isFaded(camera) ? 'screen' : 'object';
  const cover = screenCover(ad, measurement);
  return cover === null || cover.isBackground ? 'object' : 'screen';
}

/** Read from the ad's own session, which begins with the ad's first frame. */
function seenBefore(ad: PlacedAd): SeenBefore {
  const summary = summariesOf(ad.sprite.scene).find(({ placedAd }) => placedAd === ad);
  const met = (summary?.standards ?? []).filter(
    ({ verdict, rule }) => verdict === 'viewable' && rule.minPercentageInView >= 50,
  );
  return {
    inViewMs: summary?.attention?.dwellMs ?? 0,
    longestViewMs: Math.max(0, ...met.map(({ rule }) => rule.minDurationMs)),
  };
}
