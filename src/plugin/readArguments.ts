import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import { readFields } from '../meter/readFields.js';
import { AD_FIELDS } from '../placement/loadAd.js';
import type { Ad } from '../service/AdService.js';

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

/**
 * The own fields of an argument, each read once: a getter that throws, or answers differently each time, does no harm later.
 * @param fault the message for an argument that is no object or cannot be read
 * @throws AdsError `arg/option`
 */
export function fieldsOf(argument: unknown, fault: string): Record<string, unknown> {
  try {
    if (typeof argument === 'object' && argument !== null) return { ...argument };
  } catch {
    // The error is thrown below.
  }
  throw new AdsError('arg/option', fault);
}

export function readObserveOptions(options: unknown): { readonly clickable: boolean } {
  const { clickable = false } = fieldsOf(options, 'observe: the options could not be read');
  if (typeof clickable === 'boolean') return { clickable };
  throw new AdsError('arg/option', 'observe: expected `clickable` to be true or false');
}

export function readPatience(options: unknown): number {
  const { timeoutMs = PRELOAD_TIMEOUT_MS } = fieldsOf(options, 'preload: the options could not be read');
  if (typeof timeoutMs === 'number' && timeoutMs >= 0 && timeoutMs <= 60_000) return timeoutMs;
  throw new AdsError('arg/option', 'preload: expected `timeoutMs` to be a number from 0 to 60000');
}

export function readAd(ad: unknown): Ad {
  const fault = 'observe: expected `ad` to be an ad as getAd() gives it, with an adId';
  const copy: Partial<Record<string, unknown>> = { ...fieldsOf(ad, fault), ...readFields(ad, ...AD_FIELDS) };
  if (typeof copy['adId'] === 'string' && copy['adId'] !== '') return Object.freeze(copy as unknown as Ad);
  throw new AdsError('arg/option', fault);
}

export function requireSprite(sprite: unknown, call: string): asserts sprite is Phaser.GameObjects.GameObject {
  const { type, on, renderFlags } = readFields(sprite, 'type', 'on', 'renderFlags');
  if (typeof type === 'string' && typeof on === 'function' && typeof renderFlags === 'number') return;
  throw new AdsError('arg/sprite', `${call}: expected a Phaser game object`);
}

export function requireHandler(handler: unknown): void {
  if (typeof handler !== 'function') throw new AdsError('arg/handler', 'Expected the handler to be a function');
}
