import { getEventListeners } from 'node:events';
import fc from 'fast-check';

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
    const endless = watch(ads.getAd('roof'));
    await world.advance(20 * SLOW_MS);
    expect(endless.settled).toBe(false);
    expect(world.leftovers).toBe(0);
  });

  it('makes an ad as large as the name of its surface ends, from 16 to 4096 pixels, and else of one size', async () => {
    const side = fc.oneof(
      fc.constantFrom(9, 10, 15, 16, 999, 1000, 4096, 4097, 12_345),
      fc.integer({ min: 0, max: 5_000 }),
    );
    const isSide = (px: number): boolean => px >= 16 && px <= 4096;
    const name = fc.record({ width: side, height: side, end: fc.constantFrom('', '', '-left') });
    const ads = new TestAds('ad', new FakeWorld());
    await fc.assert(
      fc.asyncProperty(name, async ({ width, height, end }) => {
        const isSize = isSide(width) && isSide(height) && end === '';
        const size = isSize ? { width, height } : { width: 320, height: 180 };
        await expect(ads.getAd(`roof-${width}x${height}${end}`)).resolves.toMatchObject(size);
      }),
      { numRuns: 500 },
    );
  });

  it('makes each ad anew, faulty where it is told to', async () => {
    const ads = new TestAds('ad', new FakeWorld());
    const get = (answer: TestAnswer) => ads.answer(answer).getAd('a/b?c');
    const ad = await get('ad');
    expect(ad).toEqual({ ...ad, clickUrl: 'https://example.com/' });
    expect(ad).not.toHaveProperty('expiresInSeconds');
    const last = await get('expiring');
    expect(last.expiresInSeconds).toBe(1);
    expect([last.serveId === ad.serveId, last.adId === ad.adId]).toEqual([false, false]);
    expect(new URL((await get('badClickUrl')).clickUrl!).protocol).toBe('javascript:');
    expect(URL.canParse((await get('badUrl')).url)).toBe(false);
  });

  it('fails as a service does: with a status, and with the time to wait', async () => {
    const fault = (answer: TestAnswer) => faultOf(new TestAds(answer, new FakeWorld()).getAd('roof'));
    expect(await fault('error')).toMatchObject({ status: 503 });
    expect(await fault('rateLimited')).toMatchObject({ status: 429, retryAfterMs: 60_000 });
  });

  it('lets go of a slow ad at once, and of the signal when it is there', async () => {
    const world = new FakeWorld();
    const ads = new TestAds('slow', world);
    const controller = new AbortController();
    const { signal } = controller;
    const slow = watch(ads.getAd('roof', { signal }));
    await world.advance(SLOW_MS);
    expect([slow.settled, getEventListeners(signal, 'abort').length]).toEqual([true, 0]);
    const other = faultOf(ads.getAd('roof', { signal }));
    await world.advance(1);
    expect(world.leftovers).toBe(1);
    controller.abort();
    expect([(await other).code, world.leftovers]).toEqual(['net/aborted', 0]);
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
    const { url } = await new TestAds(answer, new FakeWorld()).getAd('sign/5 ü-300x250');
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
    expect(painted.pop()).toEqual([300, 250, ['TEST AD', 'sign/5 ü-300x250', '300x250 · no. 1']]);
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

  it('that is missing or wrong says so as a host does', async () => {
    const answerOf = async (answer: TestAnswer) => {
      const { url } = await new TestAds(answer, new FakeWorld()).getAd('sign');
      const { status, headers } = await host.fetch(url, {});
      return [status, headers.get('content-type')];
    };
    expect(await answerOf('missingImage')).toEqual([404, null]);
    expect(await answerOf('wrongImage')).toEqual([200, 'text/html']);
  });

  it('that is too large differs from a good one by its width alone', async () => {
    const bytesOf = async (answer: TestAnswer) => {
      const { url } = await new TestAds(answer, new FakeWorld()).getAd('sign-300x250');
      const response = await host.fetch(url, {});
      expect(response.headers.get('content-type')).toBe('image/png');
      return new Uint8Array(await response.arrayBuffer());
    };
    const [good, huge] = [await bytesOf('ad'), await bytesOf('hugeImage')];
    const width = (bytes: Uint8Array) => new DataView(bytes.buffer).getUint32(16);
    expect([width(good), width(huge)]).toEqual([300, 20_000]);
    huge.set(good.subarray(16, 20), 16);
    expect(huge).toEqual(good);
  });

  it.each([
    ['slowImage', 1],
    ['silentImage', 0],
  ] as const)('%s: lets go at once of what nobody waits for', async (answer, timers) => {
    const { url } = await new TestAds(answer, new FakeWorld()).getAd('sign');
    const aborting = new AbortController();
    const fetched = faultOf(host.fetch(url, { signal: aborting.signal }));
    expect(host.runningTimers).toBe(timers);
    aborting.abort();
    expect([(await fetched).code, host.runningTimers]).toEqual(['net/aborted', 0]);
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
