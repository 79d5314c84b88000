import type * as Phaser from 'phaser';
import { AdsEvents, type AdsEventMap, type PlacedAd } from '../../index.js';
import { adsOf } from '../adsIn.js';
import { namesOf } from '../nameOf.js';
import { isKnown } from './readFacts.js';
import { SeenSoFar } from './SeenSoFar.js';

/** Game event (`Phaser.Core.Events`): the last scene of the frame has been drawn. */
const POST_RENDER = 'postrender';
/** More ads that have ended than this are not remembered. */
const MOST_ENDED = 100;

/** What was seen of an ad that is gone. */
export interface EndedAd {
  readonly scene: Phaser.Scene;
  readonly ad: PlacedAd;
  readonly seen: SeenSoFar;
}

/** Writes down, frame by frame, what is seen of every ad of a game. One per game; it listens while somebody wants it to. */
export class PlacementWatch {
  private readonly watched = new Map<PlacedAd, EndedAd>();
  private readonly gone: EndedAd[] = [];
  private readonly heard = new Set<Phaser.Scene>();
  private users = 0;
  private lastTime = NaN;

  private constructor(private readonly game: Phaser.Game) {}

  static of(game: Phaser.Game): PlacementWatch {
    let watch = watches.get(game);
    if (watch === undefined) watches.set(game, (watch = new PlacementWatch(game)));
    return watch;
  }

  /** @returns stops it, unless somebody else wants it to go on; harmless when called twice */
  start(): () => void {
    if (this.users++ === 0) {
      this.lastTime = NaN;
      this.game.events.on(POST_RENDER, this.onFrame, this);
    }
    let isStopped = false;
    return () => {
      if (isStopped) return;
      isStopped = true;
      if (--this.users === 0) this.stop();
    };
  }

  /** What was seen of an ad; null when it was not watched. */
  seenOf(ad: PlacedAd): SeenSoFar | null {
    return this.watched.get(ad)?.seen ?? null;
  }

  /** The ads of a scene that are gone, in the order in which they went. */
  ended(scene: Phaser.Scene): readonly EndedAd[] {
    return this.gone.filter((entry) => entry.scene === scene);
  }

  private stop(): void {
    this.game.events.off(POST_RENDER, this.onFrame, this);
    for (const scene of this.heard) {
      // Gone with a scene that was removed, and with the game.
      const events = scene.sys.events as Phaser.Events.EventEmitter | null;
      events?.off(AdsEvents.FINISH, this.onFinish, this);
    }
    this.heard.clear();
  }

  private onFrame(_renderer: unknown, time: number): void {
    const elapsedMs = Number.isNaN(this.lastTime) ? 0 : time - this.lastTime;
    this.lastTime = time;
    for (const scene of this.game.scene.scenes) {
      if (!scene.sys.isActive()) continue;
      for (const ad of adsOf(scene)) this.note(scene, ad, elapsedMs);
    }
    // Ended while nobody listened.
    for (const [ad, entry] of this.watched) if (ad.state === 'finished') this.end(entry);
  }

  private note(scene: Phaser.Scene, ad: PlacedAd, elapsedMs: number): void {
    const { measurement } = ad;
    if (measurement === null || !isKnown(ad)) return;
    let entry = this.watched.get(ad);
    if (entry === undefined) {
      this.watched.set(ad, (entry = { scene, ad, seen: new SeenSoFar() }));
      if (!this.heard.has(scene)) scene.sys.events.on(AdsEvents.FINISH, this.onFinish, this);
      this.heard.add(scene);
    }
    entry.seen.note(measurement, elapsedMs, () => namesOf(measurement.blockingSprites));
  }

  private onFinish({ placedAd, reason }: AdsEventMap['adfinish']): void {
    const entry = this.watched.get(placedAd);
    if (entry === undefined) return;
    // What ends with its scene has not been too brief: the player has gone on.
    if (reason === 'destroyed') entry.seen.endView();
    else entry.seen.views = 0;
    this.end(entry);
  }

  private end(entry: EndedAd): void {
    this.watched.delete(entry.ad);
    this.gone.push(entry);
    if (this.gone.length > MOST_ENDED) this.gone.shift();
  }
}

const watches = new WeakMap<Phaser.Game, PlacementWatch>();
