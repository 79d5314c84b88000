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
  const code = codeOf(status, error);
  const details: AdsErrorDetails = { status };
  if (requestId !== undefined) details.requestId = requestId;
  // Too many requests without a word on how many: a minute is the least that helps.
  const retryAfterMs = answer.retryAfterMs ?? (status === 429 ? DEFAULT_RETRY_AFTER_MS : undefined);
  if (retryAfterMs !== undefined) details.retryAfterMs = retryAfterMs;
  const word = error === undefined ? '' : ` ${error}`;
  return new AdsError(code, `${operation.name}: the service answered ${status}${word}`, details);
}

/** Error words of the service that say more than its status. Only such a word says that something is wrong for good. */
const WORDS: Readonly<Record<string, AdsErrorCode>> = {
  invalid_client: 'config/credentials-rejected',
  unauthorized_client: 'config/credentials-rejected',
  origin_not_allowed: 'config/origin-not-allowed',
  clock_skew: 'service/clock-skew',
  replayed_request: 'service/unavailable',
  invalid_credentials: 'session/invalid-credentials',
  invalid_token: 'session/user-required',
  unknown_ad_surface: 'ad/unknown-surface',
};

/** A status without such a word may also come from a gateway, a firewall or a deployment, and may pass. */
function codeOf(status: number, word: string | undefined): AdsErrorCode {
  if (word !== undefined && status >= 400 && status < 500 && Object.hasOwn(WORDS, word)) return WORDS[word]!;
  if (status === 404) return 'service/not-found';
  if (status === 429) return 'service/rate-limited';
  // Some gateways report time-outs and disconnects with 4xx: 408, 425, 460, 499.
  const isTransient = status >= 500 || status === 408 || status === 425 || status === 460 || status === 499;
  return isTransient ? 'service/unavailable' : 'service/refused';
}
