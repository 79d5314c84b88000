import { isAdsError } from '../errors.js';
import type { Acknowledgement } from '../service/decode.js';
import type { EventFate } from './ReportLedger.js';

/** These are about what was sent, unless the service's error word blames the application or its proof. */
const REFUSALS_OF_CONTENT = [400, 409, 413, 422];

export function isRefusalOfContent(error: unknown): boolean {
  if (!isAdsError(error, 'service/refused') && !isAdsError(error, 'ad/unknown-surface')) return false;
  return REFUSALS_OF_CONTENT.includes(error.status!);
}

/** With these a gateway may say that it lost the answer of a service that has taken the request. */
const LOST_ANSWERS = new Set([408, 425, 460, 499]);

/** Whether no event of a request can have been counted: it was not sent, or its receiver looked at it and refused it. */
export function isRefusal(error: unknown): boolean {
  if (!isAdsError(error)) return false;
  const { code, status = 0, retryAfterMs } = error;
  if (code.startsWith('config/')) return true;
  if (status >= 400 && status < 500) return !LOST_ANSWERS.has(status);
  // The service's own 503 names a pause; a 503 without one may come from a gateway.
  return status === 501 || (status === 503 && retryAfterMs !== undefined);
}

/** What an answer says of these events; it may name others. */
export function fatesIn(answer: Acknowledgement, ids: readonly string[]): Map<string, EventFate> {
  const own = new Set(ids);
  const fates = new Map<string, EventFate>();
  for (const fate of ['accepted', 'duplicate', 'rejected'] as const) {
    for (const id of answer[fate]) if (own.delete(id)) fates.set(id, fate);
  }
  return fates;
}
