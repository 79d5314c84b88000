import { DEFAULT_CREATIVE_LIMITS } from '../../../src/creative/CreativeLimits.js';
import { loadCreative } from '../../../src/creative/loadCreative.js';
import { isAdsError } from '../../../src/errors.js';
import { TEST_ANSWERS, type TestAnswer } from '../../../src/testAnswers.js';
import { TestAds } from '../../../src/sources/TestAds.js';
import { answerTestImage } from '../../../src/testing/answerTestImage.js';
import { SLOW_MS } from '../../../src/testing/serveTestAd.js';
import { withCode } from '../../helpers/withCode.js';
import { FakeHost, settle } from '../creative/FakeHost.js';
import { png } from '../creative/imageFiles.js';
import { FakeWorld } from '../service/FakeWorld.js';
import { faultOf, watch } from '../service/startClient.js';

describe('TestAds', () => {
  it('fills every surface by an ad of its own, in the size its name asks for', async () => {
    const ads = new TestAds('ad', new FakeWorld());
    const first = await ads.getAd('roof-728x90');
    const second = await ads.getAd('anything');
    expect(first).toMatchObject({ width: 728, height: 90, adId: 'test-ad-1' });
    expect(second).toMatchObject({ width: 320, height: 180, adId: 'test-ad-2' });
    expect(new URL(first.url).hostname).toBe('test-ads.invalid');
    expect((await ads.getAdSurfaces()).items.length).toBeGreaterThan(3);
  });

  it.each([
    ['error', 'service/unavailable'],
    ['rateLimited', 'service/rate-limited'],
    ['unknownSurface', 'ad/unknown-surface'],
    ['offline', 'net/offline'],
  ] as const)('%s: %s', async (answer, code) => {
    expect((await faultOf(new TestAds(answer, new FakeWorld()).getAd('roof'))).code).toBe(code);
  });

  it('can be told at any time how to answer, for one surface or for all', async () => {
    const ads = new TestAds('ad', new FakeWorld());
    ads.answer('noFill', 'roof');
    await expect(ads.getAd('roof')).resolves.toEqual({ adId: '', url: '' });
    await expect(ads.getAd('bus')).resolves.toMatchObject({ adId: 'test-ad-1' });
    ads.answer('ad');
    await expect(ads.getAd('roof')).resolves.toMatchObject({ adId: 'test-ad-2' });
    expect(() => ads.answer('nothing' as never)).toThrow(withCode('arg/option'));
  });

  it('answers late, or never until it is cancelled', async () => {
    const world = new FakeWorld();
    const ads = new TestAds('slow', world);
    const slow = watch(ads.getAd('roof'));
    await world.advance(SLOW_MS - 1);
    expect(slow.settled).toBe(false);
    await world.advance(1);
    expect(slow.settled).toBe(true);
    const controller = new AbortController();
    const silent = faultOf(ads.answer('silent').getAd('roof', { signal: controller.signal }));
    controller.abort();
    expect((await silent).code).toBe('net/aborted');
    expect(world.leftovers).toBe(0);
  });

  it('has nothing but ads, no ad, and typed errors to answer', async () => {
    for (const answer of TEST_ANSWERS.filter((name) => name !== 'slow' && name !== 'silent')) {
      const end: unknown = await new TestAds(answer, new FakeWorld()).getAd('roof').catch((error: unknown) => error);
      expect(isAdsError(end) || typeof (end as { adId: unknown }).adId === 'string').toBe(true);
    }
  });
});

describe('the image of a test ad', () => {
  let host: FakeHost;
  const painted: unknown[] = [];
  const controller = new AbortController();
  const load = async (answer: TestAnswer) => {
    const { url } = await new TestAds(answer, new FakeWorld()).getAd('sign 5-300x250');
    return loadCreative(url, DEFAULT_CREATIVE_LIMITS, host, controller.signal);
  };
  beforeEach(() => {
    host = new FakeHost();
    host.after = host.after.bind(host);
    const paint = async (width: number, height: number, words: readonly string[]) => {
      painted.push([width, height, words]);
      return new Blob([png(width, height)]);
    };
    host.fetch = (url, init) => answerTestImage(new URL(url).pathname, paint, host, init);
  });

  it('says what it is, and where', async () => {
    await expect(load('ad')).resolves.toMatchObject({ width: 300, height: 250 });
    expect(painted.pop()).toEqual([300, 250, ['TEST AD', 'sign 5-300x250', '300x250 · no. 1']]);
  });

  it.each([
    ['blockedImage', 'net/unreachable'],
    ['missingImage', 'ad/http-status'],
    ['wrongImage', 'ad/type'],
    ['hugeImage', 'ad/dimensions'],
    ['noCors', 'ad/cors'],
  ] as const)('%s fails by %s', async (answer, code) => {
    expect((await faultOf(load(answer))).code).toBe(code);
  });

  it('that is broken has the header of a PNG, and nothing to decode', async () => {
    const decode = jest.spyOn(host, 'decode');
    await load('brokenImage');
    expect(decode.mock.calls[0]).toMatchObject([{ size: 33 }]);
  });

  it('may come late, or never', async () => {
    const slow = watch(load('slowImage'));
    await settle();
    host.pass(SLOW_MS - 1);
    await settle();
    expect(slow.settled).toBe(false);
    host.pass(1);
    await settle();
    expect(slow.settled).toBe(true);
    const silent = faultOf(load('silentImage'));
    await settle();
    host.pass(60_000);
    expect((await silent).code).toBe('ad/timeout');
    expect(host.runningTimers).toBe(0);
  });
});
