import type { Ad } from '../../src/service/AdService.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };
const REVENUE = { value: 0.0025, currency: 'EUR', precision: 'exact', line: 'deal-1' } as const;
const BURL = { event: 'billable', url: 'https://t.example.com/bill' } as const;

async function show(more: Partial<Ad>, data: object = {}, world = new FakeWorld(), place = PLACE) {
  world.ads.set('roof', { adId: 'a', url: IMAGE_URL, advertiser: 'Soda', ...more });
  const test = await TestGame.start({ world, data });
  const scene = test.scene();
  const told: { readonly value: number }[] = [];
  scene.ads.on('adrevenue', (event) => told.push(event));
  const ad = scene.ads.place('roof', place);
  await ad.ready;
  const run = async (frames: number): Promise<void> => {
    for (let i = 0; i < frames; i++) test.step(1);
    await test.settle();
  };
  return { world, test, scene, ad, told, run };
}

describe('P7: adrevenue', () => {
  it('comes once with the impression of an ad without a billing notice', async () => {
    const { ad, told, run } = await show({ revenue: REVENUE });
    await run(200);
    expect(told).toEqual([{ ...REVENUE, placedAd: ad, ad: ad.ad, placementId: ad.placementId, advertiser: 'Soda' }]);
  });

  it.each([undefined, 7])('may be nothing, an estimate, and of no line of business (%j)', async (line) => {
    const price = { value: 0, currency: 'USD', precision: 'estimated' } as const;
    const { ad, told, run } = await show({ revenue: { ...price, line } as never });
    await run(10);
    expect(told).toStrictEqual([{ ...price, placedAd: ad, ad: ad.ad, placementId: ad.placementId, advertiser: 'Soda' }]); // prettier-ignore
  });

  it('comes once when the billing notice goes out, of an ad that has one', async () => {
    const { told, run } = await show({ revenue: REVENUE, trackers: [BURL] });
    await run(10);
    expect(told).toEqual([]);
    await run(200);
    expect(told).toHaveLength(1);
  });

  it('comes with no billing notice where another standard is met than the one that leads', async () => {
    // One per cent of the canvas: enough by pixels, and too small for the in-game guidelines.
    const small = { ...PLACE, width: 40, height: 30 };
    const leads = async (standards: string[]) => {
      const more = { revenue: REVENUE, trackers: [BURL] };
      const { world, ad, told, run } = await show(more, { standards }, new FakeWorld(), small);
      await run(200);
      world.pass(1_000);
      await run(1);
      expect(ad.session.view.statuses().map(({ verdict }) => verdict)).toContain('viewable');
      return [told.length, world.trackersCalled.length];
    };
    expect(await leads(['iig-display', 'mrc-display'])).toEqual([0, 0]);
    expect(await leads(['mrc-display', 'iig-display'])).toEqual([1, 1]);
  });

  it('comes when the billing notice goes out, of a sprite of the game’s own, too', async () => {
    const { world, scene, told, run } = await show({});
    const own: Ad = { adId: 'own', url: '', revenue: REVENUE, trackers: [BURL] };
    scene.ads.observe(scene.add.image(50, 50, '__WHITE').setDisplaySize(100, 90), own);
    await run(10);
    expect(told).toEqual([]);
    await run(200);
    world.pass(1_000);
    await run(1);
    expect([told.length, world.trackersCalled]).toEqual([1, [BURL.url]]);
  });

  it.each([
    undefined,
    null,
    7,
    ...[NaN, -1, Infinity, '1'].map((value) => ({ ...REVENUE, value })),
    { ...REVENUE, currency: 978 },
    { ...REVENUE, precision: 'sure' },
  ])('does not come for an ad that tells no price (%j)', async (revenue) => {
    const { scene, told, run } = await show({ revenue } as never);
    const seen = jest.fn();
    scene.ads.on('adimpression', seen);
    await run(20);
    expect(told).toEqual([]);
    expect(seen).toHaveBeenCalledTimes(1);
  });

  it('comes with the impression of an ad of the game’s own whose trackers are no list', async () => {
    const { told, run } = await show({ revenue: REVENUE, trackers: { billable: [BURL.url] } } as never);
    await run(20);
    expect(told).toHaveLength(1);
  });

  it('goes with a billing notice that leaves, however many other calls wait on slow hosts', async () => {
    const world = new FakeWorld();
    world.environment.fetchTracker = (url, { signal }) => {
      world.trackersCalled.push(url);
      return url.includes('slow')
        ? new Promise((_, reject) => signal!.addEventListener('abort', reject))
        : Promise.resolve();
    };
    const trackers = (event: string, name: string, count: number): object[] =>
      Array.from({ length: count }, (_, i) => ({ event, url: `https://t.example.com/${name}-${i}` }));
    const more = { revenue: REVENUE, trackers: [...trackers('viewable-mrc50', 'late', 90), BURL] } as never;
    const { scene, run, told } = await show(more, {}, world);
    for (const id of ['a', 'b']) {
      world.ads.set(id, { adId: id, url: IMAGE_URL, trackers: trackers('impression', `slow-${id}`, 90) } as never);
      await scene.ads.place(id, { ...PLACE, y: id === 'a' ? 40 : 260, height: 60 }).ready;
    }
    await run(200);
    for (let i = 0; i < 100; i++) {
      world.pass(10_000);
      await run(1);
    }
    expect([told.length, world.trackersCalled.includes(BURL.url)]).toEqual([1, true]);
  });

  it('goes with a billing notice that leaves before the page does, however slow the hosts of other calls are', async () => {
    const world = new FakeWorld();
    world.environment.fetchTracker = (url) => {
      world.trackersCalled.push(url);
      return new Promise(() => undefined);
    };
    const slow = Array.from({ length: 4 }, (_, i) => ({ event: 'impression', url: `https://slow.example.com/${i}` }));
    const { told, run } = await show({ revenue: REVENUE, trackers: [...slow, BURL] } as never, {}, world);
    await run(200);
    world.pass(0);
    await run(1);
    expect([told.length, world.trackersCalled.includes(BURL.url)]).toEqual([1, false]);
    for (const watcher of world.pageWatchers) watcher.hidden();
    expect(world.trackersCalled.filter((url) => url === BURL.url)).toHaveLength(1);
  });

  it.each(['it is back', 'the game ends'])(
    'goes with a billing notice that found the device offline, which is sent again when %s',
    async (when) => {
      const world = new FakeWorld();
      let isOnline = false;
      const tried: string[] = [];
      world.environment.reporting.isOnline = () => isOnline;
      world.environment.fetchTracker = async (url) => {
        tried.push(url);
        if (!isOnline) throw new TypeError('Failed to fetch');
      };
      const { test, told, run } = await show({ revenue: REVENUE, trackers: [BURL] }, {}, world);
      const wait = async (): Promise<void> => {
        for (let i = 0; i < 3; i++) {
          world.pass(5_000);
          await run(1);
        }
      };
      await run(100);
      await wait();
      expect([told.length, tried]).toEqual([1, [BURL.url]]);
      if (when === 'it is back') {
        isOnline = true;
        await wait();
      }
      test.destroy();
      await test.settle();
      expect(tried).toEqual([BURL.url, BURL.url]);
      expect(world.runningReportTimers).toBe(0);
    },
  );

  it('is told to the game alone: no report holds a price, or whose ad it is', async () => {
    const { world, run, test } = await show({ revenue: REVENUE });
    await run(200);
    test.destroy();
    await test.settle();
    const reports = JSON.stringify(world.clients[0]!.reports);
    expect(reports).toContain('impression');
    expect(reports).not.toMatch(/0\.0025|EUR|deal-1|Soda/);
  });
});

describe('an ad that the player complains about', () => {
  it('is told to the game, goes at once, and does not come again', async () => {
    const { world, ad, scene, run } = await show({});
    const reported: unknown[] = [];
    scene.ads.on('adreported', ({ reason, ad: theirs }) => reported.push([theirs.adId, reason]));
    await run(5);
    expect(ad.reportAd('it is offensive')).toBe(true);
    expect(reported).toEqual([['a', 'it is offensive']]);
    expect([ad.state, ad.ad, ad.mediaType, ad.measurement]).toEqual(['requesting', null, null, null]);
    expect(ad.reportAd()).toBe(false);
    const again = scene.ads.place('roof', PLACE);
    await expect(again.ready).resolves.toBe('noFill');
    expect(again.diagnosis).toEqual(['The ad is not shown: the player has reported it']);
    world.ads.set('roof', { adId: 'b', url: IMAGE_URL });
    const next = scene.ads.place('roof', PLACE);
    await expect(next.ready).resolves.toBe('shown');
    scene.ads.on('adreported', ({ placedAd }) => placedAd.destroy());
    expect([next.reportAd('x'.repeat(600)), next.state, next.reportAd()]).toEqual([true, 'finished', false]);
    expect(reported.slice(1)).toEqual([['b', 'x'.repeat(500)]]);
  });

  it('is an ad that hangs: not one whose picture is on its way; a sprite of the game’s own stays', async () => {
    const { world, scene, test } = await show({});
    world.ads.set('bus', { adId: 'b', url: 'https://cdn.example.com/late.png' });
    world.images.set('https://cdn.example.com/late.png', 'never');
    const late = scene.ads.place('bus', PLACE);
    await test.settle();
    expect([late.state, late.reportAd()]).toEqual(['loading', false]);
    const own = scene.ads.observe(scene.add.image(50, 50, '__WHITE'), { adId: 'own', url: '' });
    expect([own.reportAd(), own.state, own.ad?.adId]).toEqual([true, 'shown', 'own']);
  });
});

describe('the mix of ads', () => {
  it('an advertiser seen as often as allowed comes no more', async () => {
    const { scene, run } = await show({}, { frequency: { perPage: 1 } });
    await run(5);
    await expect(scene.ads.place('bus', PLACE).ready).resolves.toBe('shown');
    await expect(scene.ads.place('roof', PLACE).ready).resolves.toBe('noFill');
  });

  it('an ad that hangs and was seen counts once, and one that was not seen yet as if it had been', async () => {
    const { scene, run } = await show({}, { frequency: { perPage: 2 } });
    await run(5);
    await expect(scene.ads.place('roof', PLACE).ready).resolves.toBe('shown');
    await expect(scene.ads.place('roof', PLACE).ready).resolves.toBe('noFill');
  });

  it('one advertiser has one of two neighbouring surfaces, and the other once that is free', async () => {
    const { world, scene, ad } = await show({}, { separateAdvertisers: true });
    world.ads.set('bus', { adId: 'a2', url: IMAGE_URL, advertiser: 'Soda' });
    await expect(scene.ads.place('bus', PLACE).ready).resolves.toBe('noFill');
    ad.destroy();
    await expect(scene.ads.place('bus', PLACE).ready).resolves.toBe('shown');
  });
});
