import { AdsError, type AdsErrorCode, type AdsErrorDetails } from '../errors.js';
import { decodeFault } from './decode.js';
import type { HttpAnswer } from './http.js';
import type { Operation } from './operations.js';
import { present } from './present.js';
import { DEFAULT_RETRY_AFTER_MS } from './retry.js';

/** The typed error for an answer of the service that is not a success. */
export function serviceFault(operation: Operation, answer: HttpAnswer): AdsError {
  const { status } = answer;
  const { error, requestId } = decodeFault(answer.body);
  const word = error === undefined ? '' : ` ${error}`;
  const details = present({ ...detailsOf(answer), requestId });
  return new AdsError(codeOf(status, error), `${operation.name}: the service answered ${status}${word}`, details);
}

/** The typed error for an answer of another server, which does not follow contract v1. */
export function statusFault(who: string, answer: HttpAnswer): AdsError {
  return new AdsError(codeOf(answer.status), `${who} answered ${answer.status}`, detailsOf(answer));
}

function detailsOf({ status, retryAfterMs }: HttpAnswer): AdsErrorDetails {
  // Too many requests without a word on how many: a minute is the least that helps.
  const pauseMs = retryAfterMs ?? (status === 429 ? DEFAULT_RETRY_AFTER_MS : undefined);
  return present({ status, retryAfterMs: pauseMs });
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
function codeOf(status: number, word?: string): AdsErrorCode {
  if (word !== undefined && status >= 400 && status < 500 && Object.hasOwn(WORDS, word)) return WORDS[word]!;
  if (status === 404) return 'service/not-found';
  if (status === 429) return 'service/rate-limited';
  // Some gateways report time-outs and disconnects with 4xx: 408, 425, 460, 499.
  const isTransient = status >= 500 || status === 408 || status === 425 || status === 460 || status === 499;
  return isTransient ? 'service/unavailable' : 'service/refused';
}
