import { AdsError, type AdsErrorCode } from '../errors.js';
import type { HttpAnswer } from '../service/http.js';
import { DEFAULT_RETRY_AFTER_MS } from '../service/retry.js';

/** The typed error for an answer of another server than the service of contract v1. */
export function statusFault(who: string, { status, retryAfterMs }: HttpAnswer): AdsError {
  const pauseMs = retryAfterMs ?? (status === 429 ? DEFAULT_RETRY_AFTER_MS : undefined);
  const details = { status, ...(pauseMs === undefined ? {} : { retryAfterMs: pauseMs }) };
  return new AdsError(codeOf(status), `${who} answered ${status}`, details);
}

function codeOf(status: number): AdsErrorCode {
  if (status === 404) return 'service/not-found';
  if (status === 429) return 'service/rate-limited';
  return status >= 500 || status === 408 || status === 425 ? 'service/unavailable' : 'service/refused';
}
