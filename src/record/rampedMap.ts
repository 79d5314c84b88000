import type { AlphaMap } from '../measure/AlphaMap.js';
import type { Ramp } from './DrawOp.js';

/** The last result for each picture: most are drawn as in the frame before. */
const last = new WeakMap<AlphaMap, { readonly opacity: number; readonly ramp: Ramp; readonly map: AlphaMap }>();

/** What a threshold leaves of an alpha from 0 to 1. */
export function rampedAlpha(alpha: number, [from, to]: Ramp): number {
  return Math.min(1, Math.max(0, (alpha - from) / (to - from)));
}

/** What a threshold leaves of a picture that is drawn with some opacity. */
export function rampedMap(map: AlphaMap, opacity: number, ramp: Ramp): AlphaMap {
  const known = last.get(map);
  if (known?.opacity === opacity && known.ramp[0] === ramp[0] && known.ramp[1] === ramp[1]) return known.map;
  const alpha = map.alpha.map((cell) => Math.round(255 * rampedAlpha((cell / 255) * opacity, ramp)));
  const ramped = { ...map, alpha };
  last.set(map, { opacity, ramp, map: ramped });
  return ramped;
}
