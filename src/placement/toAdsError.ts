import { AdsError, isAdsError } from '../errors.js';

/** What was thrown while an ad was placed, as the package tells it. */
export function toAdsError(error: unknown): AdsError {
  if (isAdsError(error)) return error;
  return new AdsError('internal/unexpected', 'Placing an ad failed in an unforeseen way', { cause: error });
}
