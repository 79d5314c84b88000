import { AdsError } from '../errors.js';
import type { TestAnswer } from '../testAnswers.js';
import type { Ad, AdSurfaceList } from '../service/AdService.js';
import { type After, abortFault } from '../waiting.js';
import { noAd } from '../service/decode.js';
import { TEST_HOST } from '../sources/TEST_HOST.js';

/** How late a slow answer is, in milliseconds. */
export const SLOW_MS = 3_000;

const PAUSE_MS = 60_000;
const DEFAULT_SIZE = { width: 320, height: 180 };
/** One surface of each usual shape. */
export const TEST_SURFACES: AdSurfaceList = Object.freeze({
  items: Object.freeze(
    ['test-320x180', 'test-300x250', 'test-728x90', 'test-160x600'].map((adSurfaceId) =>
      Object.freeze({ adSurfaceId, ...sizeOf(adSurfaceId) }),
    ),
  ),
});

/** Answers that fail before there is an ad. */
const REFUSALS: Partial<Record<TestAnswer, () => AdsError>> = Object.freeze({
  error: () => new AdsError('service/unavailable', 'Test mode: the service answered 503', { status: 503 }),
  rateLimited: () =>
    new AdsError('service/rate-limited', 'Test mode: the service answered 429', {
      status: 429,
      retryAfterMs: PAUSE_MS,
    }),
  unknownSurface: () => new AdsError('ad/unknown-surface', 'Test mode: the service does not know the surface'),
  offline: () => new AdsError('net/offline', 'Test mode: the device is offline'),
});

interface Waiting {
  readonly signal?: AbortSignal | null | undefined;
  readonly after: After;
}

/** One serve of a test ad. */
export interface TestServe extends Waiting {
  /** The number of the next ad that is made. */
  next(): number;
}

/** @throws AdsError as the answer asks for; `net/aborted` */
export async function serveTestAd(id: string, answer: TestAnswer, serve: TestServe): Promise<Ad> {
  const refusal = REFUSALS[answer];
  if (refusal !== undefined) throw refusal();
  if (answer === 'noFill') return noAd;
  if (answer === 'slow' || answer === 'silent') await wait(answer === 'slow' ? SLOW_MS : null, serve);
  return makeAd(id, answer, serve.next());
}

function makeAd(id: string, answer: TestAnswer, serve: number): Ad {
  const { width, height } = sizeOf(id);
  const address = `https://${TEST_HOST}/${answer}/${width}x${height}/${serve}/${encodeURIComponent(id)}`;
  return Object.freeze({
    adId: `test-ad-${serve}`,
    serveId: `test-serve-${serve}`,
    url: answer === 'badUrl' ? 'this is no address' : address,
    width,
    height,
    alt: `Test ad ${serve} on ${id}`,
    clickUrl: answer === 'badClickUrl' ? 'javascript:alert(1)' : 'https://example.com/',
    ...(answer === 'expiring' ? { expiresInSeconds: 1 } : {}),
  });
}

/**
 * @param ms null for ever
 * @throws AdsError `net/aborted`
 */
export function wait(ms: number | null, { signal, after }: Waiting): Promise<void> {
  return new Promise((resolve, reject) => {
    const onTime = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const cancel = ms === null ? () => undefined : after(ms, onTime);
    const onAbort = (): void => {
      cancel();
      reject(abortFault());
    };
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
}

function sizeOf(adSurfaceId: string): { readonly width: number; readonly height: number } {
  const [, width, height] = /(\d+)x(\d+)$/.exec(adSurfaceId) ?? [];
  const isSize = Number(width) >= 16 && Number(height) >= 16 && Number(width) <= 4096 && Number(height) <= 4096;
  return isSize ? { width: Number(width), height: Number(height) } : DEFAULT_SIZE;
}
