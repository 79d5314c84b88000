import { AdsError } from '../errors.js';
import type { AdsErrorCode, AdsErrorDetails } from '../errors.js';
import { decodeFault } from './decode.js';
import type { HttpAnswer } from './http.js';
import type { Operation } from './operations.js';
import { DEFAULT_RETRY_AFTER_MS } from './retry.js';

/** The typed error for an answer that is not a success. */
export function serviceFault(operation: Operation, answer: HttpAnswer): AdsError {
  const { status } = answer;
  const { error, requestId } = decodeFault(answer.body);
  const code = codeOf(operation, status, error);
  const details: AdsErrorDetails = { status };
  if (requestId !== undefined) details.requestId = requestId;
  // Too many requests without a word on how many: a minute is the least that helps.
  const retryAfterMs = answer.retryAfterMs ?? (status === 429 ? DEFAULT_RETRY_AFTER_MS : undefined);
  if (retryAfterMs !== undefined) details.retryAfterMs = retryAfterMs;
  const word = error === undefined ? '' : ` ${error}`;
  return new AdsError(code, `${operation.name}: the service answered ${status}${word}`, details);
}

function codeOf(operation: Operation, status: number, error: string | undefined): AdsErrorCode {
  if (status === 401) {
    if (error === 'invalid_credentials') return 'session/invalid-credentials';
    if (error === 'invalid_token') return 'session/user-required';
    if (error === 'clock_skew') return 'service/clock-skew';
    return error === 'replayed_request' ? 'service/unavailable' : 'config/credentials-rejected';
  }
  if (status === 403) return error === 'origin_not_allowed' ? 'config/origin-not-allowed' : 'service/refused';
  if (status === 404) return operation.name === 'getAd' ? 'ad/unknown-surface' : 'service/not-found';
  if (status === 429) return 'service/rate-limited';
  // Time-outs and disconnects some gateways tell with 4xx: 408, 425, 460, 499.
  const isTransient = status >= 500 || status === 408 || status === 425 || status === 460 || status === 499;
  return isTransient ? 'service/unavailable' : 'service/refused';
}
