import { AdsError } from '../errors.js';
import { TEST_ANSWERS, type TestAnswer } from '../options.js';
import type { Ad, AdService, AdSurfaceList, CallOptions } from '../service/AdService.js';
import { readCallOptions, readSurfaceId } from '../service/arguments.js';
import { noAd } from '../service/decode.js';

/** Host of test creatives. `.invalid` belongs to nobody (RFC 6761), so no request for it can ever leave by mistake. */
export const TEST_HOST = 'test-ads.invalid';

/** How late a slow answer is, in milliseconds. */
export const SLOW_MS = 3_000;

const PAUSE_MS = 60_000;
const DEFAULT_SIZE = { width: 320, height: 180 };
const SURFACES: AdSurfaceList = Object.freeze({
  items: Object.freeze(
    [
      ['test-320x180', 320, 180],
      ['test-300x250', 300, 250],
      ['test-728x90', 728, 90],
      ['test-160x600', 160, 600],
    ].map(([adSurfaceId, width, height]) =>
      Object.freeze({ adSurfaceId: adSurfaceId as string, width: width as number, height: height as number }),
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

/** What test ads need of the world. */
export interface TestAdsEnvironment {
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

/**
 * Test ads (option `testMode`): every surface is filled at once, by an image that says what it is, without any network.
 * How they answer can be changed at any time, for all surfaces or for one:
 *
 * ```ts
 * AdsGlobalPlugin.of(this.game).testAds!.answer('blockedImage', 'roof');
 * ```
 *
 * A surface id that ends in a size, such as `roof-728x90`, gets an image of that size, others one of 320 × 180.
 */
export class TestAds implements AdService {
  readonly #environment: TestAdsEnvironment;
  readonly #bySurface = new Map<string, TestAnswer>();
  #forAll: TestAnswer;
  #serves = 0;

  constructor(answer: TestAnswer, environment: TestAdsEnvironment) {
    this.#forAll = answer;
    this.#environment = environment;
  }

  /**
   * How ads are answered from now on.
   * @param adSurfaceId left out: all surfaces, also those told otherwise before
   * @throws AdsError `arg/option`, `arg/surface-id`
   */
  answer(answer: TestAnswer, adSurfaceId?: string): this {
    if (!TEST_ANSWERS.includes(answer)) {
      throw new AdsError('arg/option', `answer: expected one of ${TEST_ANSWERS.join(', ')}`);
    }
    if (adSurfaceId === undefined) {
      this.#forAll = answer;
      this.#bySurface.clear();
    } else {
      this.#bySurface.set(readSurfaceId(adSurfaceId), answer);
    }
    return this;
  }

  /** One surface of each usual shape. Any other id is filled too. */
  getAdSurfaces(): Promise<AdSurfaceList> {
    return Promise.resolve(SURFACES);
  }

  async getAd(adSurfaceId: string, options?: CallOptions): Promise<Ad> {
    const id = readSurfaceId(adSurfaceId);
    const { signal } = readCallOptions(options);
    const answer = this.#bySurface.get(id) ?? this.#forAll;
    const refusal = REFUSALS[answer];
    if (refusal !== undefined) throw refusal();
    if (answer === 'noFill') return noAd;
    if (answer === 'slow' || answer === 'silent') await this.#wait(answer === 'slow' ? SLOW_MS : null, signal);
    return this.#makeAd(id, answer);
  }

  #makeAd(id: string, answer: TestAnswer): Ad {
    const serve = ++this.#serves;
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

  /** @param ms null for ever */
  #wait(ms: number | null, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onTime = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const cancel = ms === null ? () => undefined : this.#environment.after(ms, onTime);
      const onAbort = (): void => {
        cancel();
        reject(new AdsError('net/aborted', 'The call was cancelled'));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
    });
  }
}

function sizeOf(adSurfaceId: string): { readonly width: number; readonly height: number } {
  const [, width, height] = /(\d{2,4})x(\d{2,4})$/.exec(adSurfaceId) ?? [];
  const isSize = Number(width) >= 16 && Number(height) >= 16 && Number(width) <= 4096 && Number(height) <= 4096;
  return isSize ? { width: Number(width), height: Number(height) } : DEFAULT_SIZE;
}
