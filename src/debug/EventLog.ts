import type * as Phaser from 'phaser';
import { AdsEvents, type AdsEventMap, type AdsEventName } from '../index.js';
import { listed, nameOf, namesOf } from './nameOf.js';

/** One line of the event log. */
export interface AdLogEntry {
  /** Counts the events of the game, from 1. */
  readonly number: number;
  readonly event: AdsEventName;
  /** Name of the ad. */
  readonly ad: string;
  readonly detail: string;
}

/** More events than this are not kept. */
const MOST_ENTRIES = 200;

/** An ad that moves changes in every frame; the list shows it. */
const NOTED = Object.values(AdsEvents).filter((event) => event !== AdsEvents.GEOMETRY_CHANGE);

/** Writes down the events of a game's ads, the newest last. It keeps words only, no game object. */
export class EventLog {
  readonly entries: AdLogEntry[] = [];
  readonly #stops = new Map<Phaser.Scene, () => void>();

  constructor(private readonly game: Phaser.Game) {
    this.followScenes();
  }

  /** Follows scenes that were added meanwhile, too. */
  followScenes(): void {
    for (const scene of this.game.scene.scenes) if (!this.#stops.has(scene)) this.#follow(scene);
  }

  stop(): void {
    for (const stop of this.#stops.values()) stop();
  }

  #follow(scene: Phaser.Scene): void {
    const { events } = scene.sys;
    const handlers = NOTED.map((event) => {
      const handler = (payload: AdsEventMap[typeof event]): void => this.#note(event, payload);
      events.on(event, handler);
      return () => events.off(event, handler);
    });
    const forget = (): void => {
      for (const off of handlers) off();
      events.off('destroy', forget);
      this.#stops.delete(scene);
    };
    events.once('destroy', forget);
    this.#stops.set(scene, forget);
  }

  #note(event: AdsEventName, payload: AdsEventMap[AdsEventName]): void {
    const { placedAd } = payload;
    const number = (this.entries.at(-1)?.number ?? 0) + 1;
    const ad = placedAd === null ? 'service' : nameOf(placedAd);
    this.entries.push({ number, event, ad, detail: describe(payload) });
    if (this.entries.length > MOST_ENTRIES) this.entries.shift();
  }
}

function describe(payload: AdsEventMap[AdsEventName]): string {
  if ('blockingSprites' in payload) return listed(namesOf(payload.blockingSprites)) || payload.reasons.join(', ');
  if ('standard' in payload) return `${payload.standard.id} after ${(payload.durationMs / 1000).toFixed(1)} s`;
  if ('coverage' in payload) return `${payload.coverage.screenCoveragePercentage.toFixed(1)} % of the screen`;
  if ('error' in payload) return payload.error.code;
  if ('reason' in payload) return payload.reason;
  if ('isOpened' in payload && payload.isHouseAd)
    return payload.isOpened === false ? 'house ad' : 'house ad, new tab asked for';
  if ('ad' in payload) return payload.ad?.alt ?? payload.ad?.adId ?? 'house ad';
  return 'adSurfaceId' in payload ? payload.adSurfaceId : '';
}
