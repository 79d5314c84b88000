import { AdsError } from '../errors.js';
import type { Ad, AdService, AdSurfaceList, CallOptions } from '../service/AdService.js';
import { readCallOptions, readSurfaceId } from '../service/arguments.js';
import { TEST_ANSWERS, type TestAnswer } from '../testAnswers.js';
import type { After } from '../waiting.js';
import type { TestServe } from '../testing/serveTestAd.js';

/** What test ads need of the world. */
export interface TestAdsEnvironment {
  readonly after: After;
}

/**
 * Test ads (option `testMode`): every surface is filled at once, by an image that says what it is, without any network.
 * How they answer can be changed at any time, for all surfaces or for one:
 *
 * ```ts
 * AdsGlobalPlugin.of(this.game).testAds!.answer('blockedImage', 'roof');
 * ```
 *
 * A surface id that ends in a size, such as `roof-728x90`, gets an image of that size, others one of 320 × 180. What
 * serves and paints test ads is loaded with the first of them.
 */
export class TestAds implements AdService {
  /** Test ads ask no third party. */
  readonly isFirstParty = true;
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
   * @param adSurfaceId left out: all surfaces, also those that were given another answer before
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
  async getAdSurfaces(): Promise<AdSurfaceList> {
    return (await loadServing()).TEST_SURFACES;
  }

  async getAd(adSurfaceId: string, options?: CallOptions): Promise<Ad> {
    const id = readSurfaceId(adSurfaceId);
    const { signal } = readCallOptions(options);
    const answer = this.#bySurface.get(id) ?? this.#forAll;
    const serve: TestServe = {
      signal,
      after: (ms, callback) => this.#environment.after(ms, callback),
      next: () => ++this.#serves,
    };
    return (await loadServing()).serveTestAd(id, answer, serve);
  }
}

function loadServing(): Promise<typeof import('../testing/serveTestAd.js')> {
  return import('../testing/serveTestAd.js').catch(() => {
    throw new AdsError('net/unreachable', 'The part of the package that makes test ads did not load');
  });
}
