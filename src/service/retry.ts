/** Waiting times, as pure functions. All times in milliseconds. */

/** How often a call is repeated at most. */
export const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 500;

/** The longest pause a `Retry-After` header may impose. */
const MAX_RETRY_AFTER_MS = 300_000;
/** The pause when the service asks for one without saying how long, or unreadably. */
export const DEFAULT_RETRY_AFTER_MS = 60_000;

/**
 * The "full jitter" back-off, so that many clients that failed together do not come back together.
 * @param attempt 0 for the wait before the first repetition
 * @param random in `[0, 1)`
 */
export function retryWait(attempt: number, random: number): number {
  return random * FIRST_WAIT_MS * 2 ** attempt;
}

/**
 * Reads a `Retry-After` header (RFC 9110 §10.2.3): seconds or an HTTP date, at most 300 s. What is neither, or asks for
 * a time that is over, counts as 60 s: whoever sends the header wants a pause. Undefined when there is no header.
 * @param date the answer's `Date` header, where it can be read: the service's clock, which its HTTP date refers to
 * @param wallNow this device's clock, used where there is no `date`
 */
export function parseRetryAfter(
  header: string | null | undefined,
  date: string | null | undefined,
  wallNow: number,
): number | undefined {
  if (header === null || header === undefined) return undefined;
  const text = header.trim();
  const isNumber = /^[+-]?\d+(\.\d+)?$/.test(text);
  const pauseMs = isNumber ? Number(text) * 1000 : parseDate(text) - (parseDate(date ?? '') || wallNow);
  // "0" is valid: no pause.
  const isSense = pauseMs > 0 || (isNumber && pauseMs === 0);
  return isSense ? Math.min(MAX_RETRY_AFTER_MS, pauseMs) : DEFAULT_RETRY_AFTER_MS;
}

/** Only the real date forms: `Date.parse` would also read "3 apples" as a date. NaN for all else. */
function parseDate(text: string): number {
  return /^[A-Za-z]{3,9},? /.test(text.trim()) ? Date.parse(text) : NaN;
}
