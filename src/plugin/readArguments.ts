import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import type { Ad } from '../service/AdService.js';
import type { MakeAdConfig } from './placeOptions.js';

/** The longest that preloading holds a scene up unless told otherwise. */
const PRELOAD_TIMEOUT_MS = 4_000;

export interface PreloadOptions {
  /**
   * How long the loader waits at most, in milliseconds, 0–60000.
   * @default 4000
   */
  readonly timeoutMs?: number;
}

export interface ObserveAdOptions {
  /**
   * Lets the player open the ad's click-through address.
   * @default false
   */
  readonly clickable?: boolean;
}

/** @throws AdsError `arg/option` */
export function copyConfig(config: unknown): MakeAdConfig {
  try {
    if (typeof config === 'object' && config !== null) return { ...(config as MakeAdConfig) };
  } catch {
    // The error is thrown below.
  }
  throw new AdsError('arg/option', 'make.ad: expected { surface, x, y, width, height, … }');
}

export function readObserveOptions(options: unknown): { readonly clickable: boolean } {
  let clickable: unknown;
  try {
    ({ clickable = false } = options as ObserveAdOptions);
  } catch {
    throw new AdsError('arg/option', 'observe: the options could not be read');
  }
  if (typeof clickable !== 'boolean')
    throw new AdsError('arg/option', 'observe: expected `clickable` to be true or false');
  return { clickable };
}

export function readPatience(options: unknown): number {
  let timeoutMs: unknown;
  try {
    ({ timeoutMs = PRELOAD_TIMEOUT_MS } = options as PreloadOptions);
  } catch {
    throw new AdsError('arg/option', 'preload: the options could not be read');
  }
  if (typeof timeoutMs === 'number' && timeoutMs >= 0 && timeoutMs <= 60_000) return timeoutMs;
  throw new AdsError('arg/option', 'preload: expected `timeoutMs` to be a number from 0 to 60000');
}

export function readAd(ad: unknown): Ad {
  try {
    const copy = { ...(ad as Ad) };
    if (typeof copy.adId === 'string' && copy.adId !== '') return Object.freeze(copy);
  } catch {
    // The error is thrown below.
  }
  throw new AdsError('arg/option', 'observe: expected `ad` to be an ad as getAd() gives it, with an adId');
}

export function requireSprite(sprite: unknown, call: string): asserts sprite is Phaser.GameObjects.GameObject {
  try {
    const { type, on, renderFlags } = sprite as Phaser.GameObjects.GameObject;
    if (typeof type === 'string' && typeof on === 'function' && typeof renderFlags === 'number') return;
  } catch {
    // The error is thrown below.
  }
  throw new AdsError('arg/sprite', `${call}: expected a Phaser game object`);
}

export function requireHandler(handler: unknown): void {
  if (typeof handler !== 'function') throw new AdsError('arg/handler', 'Expected the handler to be a function');
}
