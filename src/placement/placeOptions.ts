import type * as Phaser from 'phaser';

import { AdsError, type AdsErrorCode } from '../errors.js';
import { readFields } from '../meter/readFields.js';
import {
  type Fallback,
  type FallbackChooser,
  type PlacementRules,
  readFallback,
  readLabel,
  readRefresh,
  type RefreshRule,
} from '../placementRules.js';
import type { AdSurface } from '../service/AdService.js';
import { readSurfaceId } from '../service/arguments.js';
import { warnOfUnknownOptions } from '../warnOfUnknownOptions.js';
import type { Fit } from './fitCreative.js';

const MAX_SIDE = 16_384;

type Parent = Phaser.GameObjects.Container | Phaser.GameObjects.Layer;

/** Where and how an ad hangs in the world. Lengths in world pixels. */
export interface PlaceOptions {
  /** Position, as of every Phaser Image. */
  readonly x: number;
  readonly y: number;
  /**
   * The box the creative is fitted into; above 0, at most 16384.
   * @default the size the surface prescribes, if it is an entry of `getAdSurfaces` that has one; an id has none
   */
  readonly width?: number;
  readonly height?: number;
  /** @default 'contain' */
  readonly fit?: Fit;
  /** Hangs the sprite into this Container or Layer of the same scene instead of the scene itself. */
  readonly container?: Parent;
  readonly depth?: number;
  /**
   * Which point of the box is at (x, y), 0–1 each; one number stands for both.
   * @default 0.5
   */
  readonly origin?: number | { readonly x: number; readonly y: number };
  /**
   * How far the sprite moves with the camera; one number stands for both axes.
   * @default 1
   */
  readonly scrollFactor?: number | { readonly x: number; readonly y: number };
  /**
   * Lets the player open the ad's click-through address; see the events `adbeforeclick` and `adclick`.
   * @default false
   */
  readonly clickable?: boolean;
  /**
   * Lets the ad change: only after a viewable impression, after `minIntervalMs` (30 s, at least 5 s), and only while all
   * of it is in view.
   * @default the option `refresh` of the game
   */
  readonly refresh?: boolean | RefreshRule;
  /**
   * What is shown while there is no ad: `'placeholder'`, `'hide'`, `{ textureKey }`, `{ houseAd: { url, clickUrl } }`, or
   * a function that chooses.
   * @default the option `fallback` of the game
   */
  readonly fallback?: Fallback | FallbackChooser;
  /**
   * Draws the word that tells the player that it is an ad into the upper left corner of the creative: `true` for the ad's
   * own word (`Ad.label`, else 'Ad'), or a word of the game's language, at most 20 characters. It is a part of the picture:
   * it never covers the ad, and goes where the ad goes. House ads of `fallback` carry none.
   * @default the option `label` of the game
   */
  readonly label?: boolean | string;
  /** Aborting it before the creative is shown destroys the ad; afterwards it does nothing. */
  readonly signal?: AbortSignal;
}

/** The config of `this.make.ad`: all of Phaser's `GameObjectConfig`, and from {@link PlaceOptions} what is about the ad. */
export interface MakeAdConfig
  extends
    Phaser.Types.GameObjects.GameObjectConfig,
    Pick<
      PlaceOptions,
      'width' | 'height' | 'fit' | 'container' | 'clickable' | 'refresh' | 'fallback' | 'label' | 'signal'
    > {
  /** As `getAdSurfaces` gave it, or its id. */
  readonly surface: AdSurface | string;
}

/** {@link PlaceOptions}, checked and filled with the defaults. */
export interface Placement extends PlacementRules {
  readonly surface: AdSurface;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fit: Fit;
  readonly container: Parent | null;
  readonly depth: number | null;
  readonly origin: { readonly x: number; readonly y: number };
  readonly scrollFactor: { readonly x: number; readonly y: number } | null;
  readonly clickable: boolean;
  readonly signal: AbortSignal | null;
}

/**
 * @param warn called for option names that do not exist
 * @throws AdsError `arg/…` naming the argument
 */
export function readPlacement(
  surface: unknown,
  options: unknown,
  scene: Phaser.Scene,
  rules: PlacementRules,
  warn: (message: string) => void,
): Placement {
  const given = readOptions(options, warn);
  const where = readSurface(surface);
  const { x, y, width = where.width, height = where.height } = given;
  if (!isFinite(x) || !isFinite(y)) throw wrong('arg/position', 'x and y', 'finite numbers', isFinite(x) ? y : x);
  if (!isSide(width) || !isSide(height)) {
    throw wrong(
      'arg/size',
      'width and height',
      `numbers above 0 and at most ${MAX_SIDE}`,
      isSide(width) ? height : width,
    );
  }
  const { fit = 'contain', depth = null, clickable = false, container = null, signal = null } = given;
  if (fit !== 'contain' && fit !== 'cover' && fit !== 'stretch') {
    throw wrong('arg/option', 'fit', "'contain', 'cover' or 'stretch'", fit);
  }
  if (depth !== null && !isFinite(depth)) throw wrong('arg/option', 'depth', 'a finite number', depth);
  if (typeof clickable !== 'boolean') throw wrong('arg/option', 'clickable', 'true or false', clickable);
  return {
    surface: where,
    x,
    y,
    width,
    height,
    fit,
    container: readContainer(container, scene),
    depth,
    origin: given.origin === undefined ? { x: 0.5, y: 0.5 } : readPair('origin', given.origin),
    scrollFactor: given.scrollFactor === undefined ? null : readPair('scrollFactor', given.scrollFactor),
    clickable,
    refreshMs: given.refresh === undefined ? rules.refreshMs : readRefresh(given.refresh, wrongOption),
    fallback: given.fallback === undefined ? rules.fallback : readFallback(given.fallback, wrongOption),
    label: given.label === undefined ? rules.label : readLabel(given.label, wrongOption),
    signal: readSignal(signal),
  };
}

/** @throws AdsError `arg/signal` */
function readSignal(signal: unknown): AbortSignal | null {
  if (signal === null) return null;
  const { aborted, addEventListener } = readFields(signal, 'aborted', 'addEventListener');
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return signal as AbortSignal;
  throw wrong('arg/signal', 'signal', 'an AbortSignal', signal);
}

// prettier-ignore
const OPTIONS = [
  'x', 'y', 'width', 'height', 'fit', 'container', 'depth', 'origin', 'scrollFactor', 'clickable', 'signal', 'refresh',
  'fallback', 'label',
] as const satisfies readonly (keyof PlaceOptions)[];
type Given = Partial<Record<keyof PlaceOptions, unknown>>;

/** Reads every option once: a getter or proxy that throws, or answers differently each time, does no harm later. */
function readOptions(options: unknown, warn: (message: string) => void): Given {
  if (typeof options !== 'object' || options === null) {
    throw wrong('arg/position', 'the second argument', '{ x, y, width, height, … }', options);
  }
  try {
    const given: Given = {};
    for (const name of OPTIONS) given[name] = (options as Given)[name];
    warnOfUnknownOptions('place', options, OPTIONS, warn);
    return given;
  } catch {
    throw new AdsError('arg/option', 'place: an option could not be read: its getter throws');
  }
}

/** @throws AdsError `arg/surface-id` */
export function readSurface(surface: unknown): AdSurface {
  if (typeof surface === 'string') return Object.freeze({ adSurfaceId: readSurfaceId(surface) });
  const { adSurfaceId, name, width, height } = readFields(surface, 'adSurfaceId', 'name', 'width', 'height');
  return Object.freeze({
    adSurfaceId: readSurfaceId(adSurfaceId),
    ...(typeof name === 'string' ? { name } : {}),
    ...(isSide(width) ? { width } : {}),
    ...(isSide(height) ? { height } : {}),
  });
}

function readContainer(container: unknown, scene: Phaser.Scene): Parent | null {
  if (container === null) return null;
  const { type, add, scene: owner } = readFields(container, 'type', 'add', 'scene');
  if ((type !== 'Container' && type !== 'Layer') || typeof add !== 'function') {
    throw wrong('arg/option', 'container', 'a Container or Layer', container);
  }
  if (owner !== scene) throw new AdsError('arg/scene-mismatch', 'place: `container` belongs to another scene');
  return container as Parent;
}

function readPair(name: string, value: unknown): { readonly x: number; readonly y: number } {
  const { x, y } = isFinite(value) ? { x: value, y: value } : readFields(value, 'x', 'y');
  if (isFinite(x) && isFinite(y)) return { x, y };
  throw wrong('arg/option', name, 'a finite number or { x, y }', value);
}

function isFinite(value: unknown): value is number {
  return Number.isFinite(value);
}

function isSide(value: unknown): value is number {
  return isFinite(value) && value > 0 && value <= MAX_SIDE;
}

function wrongOption(name: string, expected: string): AdsError {
  return new AdsError('arg/option', `place: expected \`${name}\` to be ${expected}`);
}

function wrong(code: AdsErrorCode, name: string, expected: string, got: unknown): AdsError {
  const shown = typeof got === 'number' || got === null || got === undefined ? String(got) : `a ${typeof got}`;
  return new AdsError(code, `place: expected \`${name}\` to be ${expected}, got ${shown}`);
}
