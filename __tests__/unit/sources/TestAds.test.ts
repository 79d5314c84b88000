import { isAdsError } from '../../../src/errors.js';
import { TEST_ANSWERS } from '../../../src/testAnswers.js';
import { TestAds } from '../../../src/sources/TestAds.js';
import { SLOW_MS } from '../../../src/testing/serveTestAd.js';
import { withCode } from '../../helpers/withCode.js';
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
