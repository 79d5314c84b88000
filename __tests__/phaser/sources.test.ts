import { AdsGlobalPlugin } from '../../src/plugin/AdsGlobalPlugin.js';
import type { Ad, CallOptions } from '../../src/service/AdService.js';
import { StaticAds } from '../../src/sources/StaticAds.js';
import { withCode } from '../helpers/withCode.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { press } from './support/press.js';
import { OPTIONS, pluginIn, TestGame } from './support/TestGame.js';
import { AdsScenePlugin } from '../../src/plugin/AdsScenePlugin.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };

/** A game without credentials. */
function startWithout(data: object, world = new FakeWorld()) {
  const global = [{ key: 'AdsGlobalPlugin', plugin: pluginIn(world), start: true, data }];
  const scene = [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }];
  return TestGame.start({ world, plugins: { global, scene } });
}

describe('a game with a source of its own', () => {
  it('shows its ads without credentials; accounts and reports there are none', async () => {
    const world = new FakeWorld();
    const source = new StaticAds({ ads: [{ url: IMAGE_URL, adSurfaceIds: ['roof'] }] });
    const test = await startWithout({ source }, world);
    const scene = test.scene();
    const ad = scene.ads.place('roof', PLACE);
    await expect(ad.ready).resolves.toBe('shown');
    expect((await scene.ads.getAdSurfaces()).items).toEqual([{ adSurfaceId: 'roof' }]);
    expect(world.clients).toEqual([]);
    expect(() => scene.ads.client).toThrow(withCode('config/missing'));
    expect(() => AdsGlobalPlugin.of(test.game).session).toThrow(withCode('config/missing'));
    test.destroy();
    expect(world.runningReportTimers).toBe(0);
  });

  it('keeps accounts and reports when it has credentials too', async () => {
    const world = new FakeWorld();
    const source = new StaticAds({ ads: [{ url: IMAGE_URL }] });
    const test = await TestGame.start({ world, data: { source } });
    await test.scene().ads.place('roof', PLACE).ready;
    expect(world.clients[0]!.asked).toEqual([]);
    expect(test.scene().ads.client).toBe(world.clients[0]);
  });

  it('needs credentials when it has none', async () => {
    await expect(startWithout({})).rejects.toMatchObject({ code: 'config/api-key' });
  });

  it('is taken as it is: an object with the two methods', async () => {
    const source = {
      getAd: async () => ({ adId: 'mine', url: IMAGE_URL }),
      getAdSurfaces: async () => ({ items: [] }),
    };
    const test = await startWithout({ source });
    const ad = test.scene().ads.place('roof', PLACE);
    await ad.ready;
    expect(ad.ad?.adId).toBe('mine');
  });
});

it('an ad that is fetched ahead is taken of a source that has something to say, too', async () => {
  const source = {
    getAd: async (_id: string, options?: CallOptions) => {
      options!.note!('one bid of three');
      return { adId: 'ahead', url: IMAGE_URL };
    },
    getAdSurfaces: async () => ({ items: [] }),
  };
  const world = new FakeWorld();
  const test = await startWithout({ source, debug: true }, world);
  const { ads } = test.scene();
  await ads.preload(['roof']);
  source.getAd = () => Promise.reject(new Error('asked again'));
  const ad = ads.place('roof', PLACE);
  await expect(ad.ready).resolves.toBe('shown');
  expect(world.notes).toEqual(['phaser-inview: one bid of three']);
});

it('a source that calls an address only after the game has ended leaves nothing that watches the page', async () => {
  let call: CallOptions['call'];
  const source = {
    getAd: (_id: string, options?: CallOptions) => new Promise<Ad>(() => (call = options!.call)),
    getAdSurfaces: async () => ({ items: [] }),
  };
  const world = new FakeWorld();
  const test = await startWithout({ source }, world);
  test.scene().ads.place('roof', PLACE);
  await test.settle();
  test.destroy();
  call!('https://t.example.com/lost');
  expect(world.pageWatchers.size).toBe(0);
});

it('a creative larger than the textures of the renderer may be is refused', async () => {
  const world = new FakeWorld();
  const test = await TestGame.start({ world, plugins: { scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }] } }); // prettier-ignore
  Object.assign(test.game.renderer, { getMaxTextureSize: () => 200 });
  pluginIn(world).install(test.game, OPTIONS);
  const ad = test.scene().ads.place('roof', PLACE);
  await ad.ready;
  expect([ad.state, ad.error?.code]).toEqual(['failed', 'ad/dimensions']);
});

describe("an ad of a source of the game's own", () => {
  const IMPRESSION = { event: 'impression', url: '//t.example.com/seen' };
  const sourceOf = (answer: unknown) => ({
    getAd: () => Promise.resolve(answer as Ad),
    getAdSurfaces: async () => ({ items: [] }),
  });

  it('S4: tells the trackers that cannot be called, each of them, and calls the others', async () => {
    const world = new FakeWorld();
    const trackers = [
      IMPRESSION,
      { event: 'impression', url: 'http://t.example.com/' },
      { event: 'seen', url: 'https://t.example.com/' },
      null,
    ];
    const test = await startWithout({ source: sourceOf({ adId: 'a', url: IMAGE_URL, trackers }), debug: true }, world);
    const ad = test.scene().ads.place('roof', PLACE);
    await ad.ready;
    expect(ad.warnings).toMatchObject([
      { code: 'tracker/address', count: 1, path: '$.trackers[1]' },
      { code: 'tracker/event', count: 2, path: '$.trackers[2]' },
    ]);
    expect(world.notes).toEqual([
      expect.stringMatching(/^phaser-inview: 1 × tracker not called: .*\(\$\.trackers\[1\]\)$/),
      expect.stringMatching(/^phaser-inview: 2 × tracker not called: .*\(\$\.trackers\[2\]\)$/),
    ]);
    for (let i = 0; i < 2; i++) {
      world.pass(0);
      test.step(2);
      await test.settle();
    }
    expect(world.trackersCalled).toEqual(['https://t.example.com/seen']);
  });

  it.each([true, false])(
    'tells what of it its source could not use; printed with the option debug (%j)',
    async (debug) => {
      const world = new FakeWorld();
      const found = { code: 'field/unusable', count: 3, path: '$.advertiser', message: 'field left out' };
      const test = await startWithout(
        { source: sourceOf({ adId: 'a', url: IMAGE_URL, warnings: [found] }), debug },
        world,
      );
      const ad = test.scene().ads.place('roof', PLACE);
      await ad.ready;
      expect([ad.warnings, ad.diagnosis]).toEqual([[found], ['3 × field left out ($.advertiser)']]);
      expect(world.notes).toEqual(debug ? ['phaser-inview: 3 × field left out ($.advertiser)'] : []);
    },
  );

  it('S4: is not shown when its billing notice cannot be called', async () => {
    const trackers = [{ event: 'billable', url: 'http://t.example.com/bill' }];
    const test = await startWithout({ source: sourceOf({ adId: 'a', url: IMAGE_URL, trackers }) });
    const ad = test.scene().ads.place('roof', PLACE);
    await expect(ad.ready).resolves.toBe('failed');
    expect(ad.error).toMatchObject({ code: 'response/schema', path: '$.trackers[0].url' });
  });

  it('stays what was served when the source fills one object anew for each answer', async () => {
    const world = new FakeWorld();
    const tracker = { event: 'impression', url: '' };
    const revenue = { value: 0, currency: 'EUR', precision: 'estimated' };
    const only = { adId: 'mine', url: IMAGE_URL, serveId: '', trackers: [tracker], revenue };
    let serves = 0;
    const getAd = async (): Promise<Ad> => {
      only.serveId = `serve-${++serves}`;
      tracker.url = `https://t.example.com/${serves}`;
      revenue.value = serves;
      return only as unknown as Ad;
    };
    const test = await startWithout({ source: { ...sourceOf(null), getAd } }, world);
    const scene = test.scene();
    const paid: unknown[] = [];
    scene.ads.on('adrevenue', ({ value, ad }) => paid.push([value, ad.serveId]));
    world.holdImages = true;
    const first = scene.ads.place('roof', PLACE);
    await test.settle();
    const ads = [first, scene.ads.place('roof', { ...PLACE, y: 300 })];
    await test.settle();
    world.releaseImages();
    await Promise.all(ads.map(({ ready }) => ready));
    for (let i = 0; i < 2; i++) {
      world.pass(0);
      test.step(2);
      await test.settle();
    }
    expect(ads.map(({ ad }) => ad?.serveId)).toEqual(['serve-1', 'serve-2']);
    expect(world.trackersCalled).toEqual(['https://t.example.com/1', 'https://t.example.com/2']);
    expect(paid).toEqual([
      [1, 'serve-1'],
      [2, 'serve-2'],
    ]);
  });

  it('says all it says when it is an instance of a class with getters, too', async () => {
    class Paid {
      get value() {
        return 2;
      }
      readonly currency = 'EUR';
      readonly precision = 'exact';
    }
    class Served {
      readonly url = IMAGE_URL;
      readonly mine = 'kept';
      get adId() {
        return 'mine';
      }
      get trackers() {
        return [{ event: 'impression', url: 'https://t.example.com/seen' }];
      }
      readonly #paid = new Paid();
      get revenue() {
        return this.#paid;
      }
    }
    const world = new FakeWorld();
    const test = await startWithout({ source: sourceOf(new Served()) }, world);
    const scene = test.scene();
    const paid: unknown[] = [];
    scene.ads.on('adrevenue', ({ value, ad }) => paid.push([value, ad]));
    const placedAd = scene.ads.place('roof', PLACE);
    expect([await placedAd.ready, placedAd.error]).toEqual(['shown', null]);
    test.step(2);
    world.pass(0);
    await test.settle();
    expect(world.trackersCalled).toEqual(['https://t.example.com/seen']);
    expect(paid).toEqual([[2, expect.objectContaining({ adId: 'mine', mine: 'kept' })]]);
  });

  it.each([null, 'soon', 0, -1, NaN])('expires as usual when it says %p about that', async (expiresInSeconds) => {
    const world = new FakeWorld();
    const source = sourceOf({ adId: 'a', url: IMAGE_URL, expiresInSeconds });
    const test = await startWithout({ source }, world);
    const ad = test.scene().ads.place('roof', { ...PLACE, x: 5000 });
    await ad.ready;
    test.step(2);
    expect(ad.state).toBe('shown');
    world.pass(299_000);
    test.step(2);
    expect(ad.state).toBe('shown');
    world.pass(2_000);
    test.step(2);
    expect(ad.state).not.toBe('shown');
  });

  it.each([undefined, null, 7, {}, { adId: 'a' }, [{ adId: 'a', url: IMAGE_URL }]])(
    'S6: a source that answers %j is told what to return',
    async (answer) => {
      const test = await startWithout({ source: sourceOf(answer) });
      const ad = test.scene().ads.place('roof', PLACE);
      await expect(ad.ready).resolves.toBe('failed');
      expect(ad.error).toMatchObject({ code: 'config/option', hint: expect.stringContaining('{ adId') as string });
    },
  );
});

describe('a creative on this machine', () => {
  const LOCAL = 'http://localhost:9000/ad.png';
  const source = new StaticAds({ ads: [{ url: LOCAL }] });

  it.each<[what: string, page: string | null, data: object, error: string | null]>([
    ['is loaded by a page on this machine', 'http://localhost:8080/', { source }, null],
    ['is refused to any other page', 'https://game.example.com/', { source }, 'ad/url-scheme'],
    ['is refused to a game without a page', null, { source }, 'ad/url-scheme'],
    ['is loaded where the service is on this machine, too', null, { baseUrl: 'http://localhost:3000' }, null],
    ['is refused where the service is not, whatever the page', 'http://localhost:8080/', {}, 'ad/url-scheme'],
  ])('%s', async (_what, page, data, error) => {
    const world = new FakeWorld();
    world.environment.pageAddress = () => page;
    world.images.set(LOCAL, world.images.get(IMAGE_URL)!);
    world.ads.set('roof', { adId: 'local', url: LOCAL });
    const test = await TestGame.start({ world, data });
    const ad = test.scene().ads.place('roof', PLACE);
    expect([await ad.ready, ad.error?.code ?? null]).toEqual([error === null ? 'shown' : 'failed', error]);
  });
});

it('in test mode the test ads are asked for, whatever hosts the creatives of others may come from', async () => {
  const test = await TestGame.start({ data: { testMode: true, creativeHosts: ['cdn.example.com'] } });
  const ad = test.scene().ads.place('roof', PLACE);
  await ad.ready;
  // jsdom has no responses to answer with; but nothing was refused.
  expect(ad.error?.code).toBe('net/unreachable');
});

it.each([
  ['cdn.example.com', 'houseAd'],
  ['elsewhere.example', 'placeholder'],
])('in test mode creatives of others come from the hosts of the options as ever: %s', async (host, fallback) => {
  const data = { testMode: true, creativeHosts: [host], fallback: { houseAd: { url: IMAGE_URL } } };
  const test = await TestGame.start({ data });
  const ad = test.scene().ads.place('roof', PLACE);
  await ad.ready;
  await test.settle();
  expect(ad.fallback).toBe(fallback);
});

describe('clickHosts', () => {
  it.each([
    ['https://shop.example.com/', 'https://shop.example.com/'],
    ['https://example.com.evil.io/', null],
  ])('lets a click on %s open %p', async (clickUrl, opened) => {
    const world = new FakeWorld();
    world.ads.set('roof', { adId: 'a', url: IMAGE_URL, clickUrl });
    const test = await TestGame.start({ world, data: { clickHosts: ['example.com'] } });
    const errors: string[] = [];
    test.scene().ads.on('aderror', ({ error }) => errors.push(error.code));
    const ad = test.scene().ads.place('roof', { ...PLACE, clickable: true });
    await ad.ready;
    press(test, ad.sprite);
    await test.settle();
    expect(world.opened).toEqual(opened === null ? [] : [opened]);
    expect(errors).toEqual(opened === null ? ['click/url'] : []);
  });
});

describe('a click on an observed object without a size', () => {
  const AD = { adId: 'a', url: '', clickUrl: 'https://shop.example.com/' };

  it('counts within the bounds of a container, and never breaks the pointer', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const container = scene.add.container(100, 100, [scene.add.rectangle(0, 0, 80, 40, 0xffffff)]).setAngle(90);
    scene.ads.observe(container, AD, { clickable: true });
    test.step(2);
    const { hitAreaCallback } = container.input!;
    const hits = ([[0, 0], [39, 19], [41, 0], [0, 21]] as const).map(([x, y]) => hitAreaCallback({}, x, y, container)); // prettier-ignore
    expect(hits).toEqual([true, true, false, false]);
    press(test, container);
    await test.settle();
    expect(test.world.opened).toEqual([AD.clickUrl]);
  });

  it('B57 is refused for one without bounds, which stays measured', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const errors: string[] = [];
    scene.ads.on('aderror', ({ error }) => errors.push(error.code));
    const graphics = scene.add.graphics().fillStyle(0xffffff).fillRect(10, 10, 50, 50);
    const ad = scene.ads.observe(graphics, AD, { clickable: true });
    test.step(2);
    expect(errors).toEqual(['arg/sprite']);
    expect(graphics.input).toBeNull();
    expect(ad.measurement?.isFullyVisible).toBe(true);
  });
});
