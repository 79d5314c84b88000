import { AdsError } from './errors.js';

/** An ad of the studio's own, shown while there is no other. It is neither measured nor reported. */
export interface HouseAd {
  /** Address of the image; the rules for creatives hold for it too. */
  readonly url: string;
  /** Opened on a click when the placement is `clickable`; https. */
  readonly clickUrl?: string;
}

/**
 * What a placement shows while it has no ad: the placeholder, nothing, a texture of the game, or a house ad. When the
 * house ad cannot be had either, the placeholder stays.
 */
export type Fallback = 'placeholder' | 'hide' | { readonly textureKey: string } | { readonly houseAd: HouseAd };

/** Why there is no ad. */
export interface FallbackCause {
  readonly adSurfaceId: string;
  /** Null when the service simply had none. */
  readonly error: AdsError | null;
}

/**
 * Called each time, and has to answer at once. Undefined chooses the placeholder. So does a chooser that throws or returns
 * anything but a fallback, such as a promise; `aderror` (`config/option`) tells of that.
 */
export type FallbackChooser = (cause: FallbackCause) => Fallback | undefined;

export interface RefreshRule {
  /**
   * How long an ad stays at least, in milliseconds, 5000–86400000.
   * @default 30000
   */
  readonly minIntervalMs?: number;
}

const DEFAULT_REFRESH_MS = 30_000;
const MIN_REFRESH_MS = 5_000;
const MAX_REFRESH_MS = 86_400_000;
/** How long an ad may wait to be seen unless it says otherwise (OpenRTB 2.6 §7.2: five minutes for cached banners). */
export const DEFAULT_EXPIRY_SECONDS = 300;

/** The checked rules of a placement, or those of the game. */
export interface PlacementRules {
  /** Null: an ad stays for good. */
  readonly refreshMs: number | null;
  readonly fallback: Fallback | FallbackChooser;
  /** The word drawn on ads; true for the ad's own, null for none. */
  readonly label: string | true | null;
}

/** The most characters of a label; a longer one is refused. */
export const MAX_LABEL = 20;

type Wrong = (name: string, expected: string) => AdsError;

/**
 * @param wrong makes the error for an option that is wrong
 */
export function readRefresh(value: unknown, wrong: Wrong): number | null {
  if (value === false) return null;
  if (value === true) return DEFAULT_REFRESH_MS;
  const minIntervalMs = fieldOf(value, 'minIntervalMs', DEFAULT_REFRESH_MS);
  const isInterval =
    typeof minIntervalMs === 'number' && minIntervalMs >= MIN_REFRESH_MS && minIntervalMs <= MAX_REFRESH_MS;
  if (isInterval) return minIntervalMs;
  throw wrong('refresh', `true, false or { minIntervalMs: ${MIN_REFRESH_MS} or more }`);
}

export function readLabel(value: unknown, wrong: Wrong): string | true | null {
  if (typeof value === 'boolean') return value || null;
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_LABEL) return value.trim();
  throw wrong('label', `true, false or a word of at most ${MAX_LABEL} characters`);
}

export function readFallback(value: unknown, wrong: Wrong): Fallback | FallbackChooser {
  if (typeof value === 'function') return value as FallbackChooser;
  const fixed = asFallback(value);
  if (fixed !== null) return fixed;
  throw wrong('fallback', "'placeholder', 'hide', { textureKey }, { houseAd: { url } } or a function");
}

/**
 * The fallback that a rule gives in one case.
 * @param tell called with `config/option` when a chooser throws or returns anything but a fallback
 */
export function chooseFallback(
  rule: Fallback | FallbackChooser,
  cause: FallbackCause,
  tell: (error: AdsError) => void = () => undefined,
): Fallback {
  if (typeof rule !== 'function') return rule;
  let chosen: unknown;
  try {
    chosen = rule(cause);
  } catch (error) {
    tell(new AdsError('config/option', '`fallback` has thrown', { cause: error }));
  }
  const fallback = chosen === undefined ? 'placeholder' : asFallback(chosen);
  if (fallback !== null) return fallback;
  if (chosen instanceof Promise) chosen.catch(() => undefined);
  const hint = "Return 'placeholder', 'hide', { textureKey } or { houseAd: { url } }; no promise.";
  tell(new AdsError('config/option', '`fallback` did not return what to show', { hint }));
  return 'placeholder';
}

/** A copy, so that the fallback stays as it was given; null for a value that is no fallback. */
function asFallback(value: unknown): Fallback | null {
  if (value === 'placeholder' || value === 'hide') return value;
  const textureKey = fieldOf(value, 'textureKey');
  if (typeof textureKey === 'string' && textureKey !== '') return Object.freeze({ textureKey });
  const houseAd = fieldOf(value, 'houseAd');
  const url = fieldOf(houseAd, 'url');
  const clickUrl = fieldOf(houseAd, 'clickUrl');
  if (typeof url !== 'string' || (clickUrl !== undefined && typeof clickUrl !== 'string')) return null;
  return Object.freeze({ houseAd: Object.freeze({ url, ...(clickUrl === undefined ? {} : { clickUrl }) }) });
}

/** Undefined too when reading throws or the value is no object. */
function fieldOf(value: unknown, name: string, absent?: unknown): unknown {
  if (typeof value !== 'object') return undefined;
  try {
    const field = (value as Record<string, unknown>)[name];
    return field === undefined ? absent : field;
  } catch {
    return undefined;
  }
}
