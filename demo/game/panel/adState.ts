import type { AdsError, PlacedAd } from '../../../src/index.js';

export interface AdState {
  readonly kind: 'waiting' | 'empty' | 'error' | 'visible' | 'partly' | 'blocked' | 'away';
  readonly label: string;
  readonly error?: AdsError;
}

/** One word for how an ad stands. */
export function adState(ad: PlacedAd): AdState {
  const { measurement, error } = ad;
  if (error) return { kind: 'error', label: 'error', error };
  if (ad.state === 'noFill') return { kind: 'empty', label: 'no ad booked' };
  if (!measurement) return { kind: 'waiting', label: 'loading' };
  if (measurement.isFullyVisible) return { kind: 'visible', label: 'fully visible' };
  if (measurement.onScreenArea === 0) return { kind: 'away', label: 'off screen' };
  if (measurement.isVisible) return { kind: 'partly', label: 'partly' };
  return { kind: 'blocked', label: 'blocked' };
}
