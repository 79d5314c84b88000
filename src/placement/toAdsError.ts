import { AdsError, isAdsError } from '../errors.js';

/** Makes an {@link AdsError} of whatever was thrown while an ad was placed. */
export function toAdsError(error: unknown): AdsError {
  if (isAdsError(error)) return error;
  return new AdsError('internal/unexpected', 'Placing an ad failed in an unforeseen way', { cause: error });
}
