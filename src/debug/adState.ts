import { type PlacedAd, Reason } from '../index.js';

/** How an ad stands, for lists and colours. */
export interface AdState {
  readonly kind: 'waiting' | 'empty' | 'error' | 'visible' | 'partly' | 'blocked' | 'away';
  /** The same for people. */
  readonly label: string;
}

/** With these, it is not its place that keeps an ad from the screen. */
const UNDRAWN: readonly string[] = [Reason.NOT_FOUND, Reason.HIDDEN];

/** One word for how an ad stands. */
export function adState({ measurement, error, state }: PlacedAd): AdState {
  if (error) return { kind: 'error', label: 'error' };
  if (state === 'noFill') return { kind: 'empty', label: 'no ad booked' };
  if (!measurement) return { kind: 'waiting', label: 'loading' };
  if (measurement.isFullyVisible) return { kind: 'visible', label: 'fully visible' };
  if (measurement.onScreenArea === 0) {
    const isUndrawn = measurement.reasons.some((reason) => UNDRAWN.includes(reason));
    return { kind: 'away', label: isUndrawn ? 'not drawn' : 'off screen' };
  }
  if (measurement.isVisible) return { kind: 'partly', label: 'partly visible' };
  return { kind: 'blocked', label: 'not visible' };
}
