import type { PlaceOptions } from '../../src/placement/placeOptions.js';
import { AdsGlobalPlugin } from '../../src/plugin/AdsGlobalPlugin.js';
import type { PlacedAd } from '../../src/placement/PlacedAd.js';
import type { SessionFact } from '../../src/report/AdEvent.js';
import type { Ad, AdService, CallOptions } from '../../src/service/AdService.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { pngOf } from './support/imageFiles.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE: PlaceOptions = { x: 200, y: 150, width: 200, height: 100 };
const SLOW_URL = 'https://cdn.example.com/slow.png';
const HOUR_MS = 3_600_000;

const adOf = (adId: string, advertiser = adId, more: Partial<Ad> = {}): Ad => ({ adId, url: IMAGE_URL, advertiser, ...more }); // prettier-ignore

/** @param getAd of a source of the game's own; left out: the ads are the service's */
async function start(data: object = {}, getAd?: AdService['getAd']) {
  const world = new FakeWorld();
  world.images.set(SLOW_URL, { body: pngOf(300, 250) });
  const source = getAd && { getAd, getAdSurfaces: () => Promise.resolve({ items: [] }) };
  const test = await TestGame.start({ world, data: source === undefined ? data : { ...data, source } });
  const pass = async (ms = 0): Promise<void> => {
    world.pass(ms);
    test.step(2);
    await test.settle();
    test.step(2);
  };
  return { test, world, scene: test.scene(), pass };
}

/** The ad has been seen as its standard wants it: it may be refreshed. */
function meetRule(ad: PlacedAd): void {
  const rule = { minPercentageInView: 50, minDurationMs: 1000 };
  ad.noteFact({ kind: 'viewable', standard: 'iig-display', rule, durationMs: 1000 } as SessionFact);
}

const shownBy = (ad: PlacedAd): string | undefined => (ad.state === 'shown' ? ad.ad?.adId : ad.state);

describe('an ad that the player has reported does not come again', () => {
  it('as another copy that was preloaded', async () => {
    const { scene, world, pass } = await start();
    world.ads.set('roof', adOf('bad', 'bad', { url: SLOW_URL }));
    await scene.ads.preload(['roof', 'roof']);
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    world.ads.set('roof', adOf('good'));
    expect([shownBy(ad), ad.reportAd()]).toEqual(['bad', true]);
    await pass();
    expect(shownBy(ad)).toBe('good');
    expect(world.openImages.size).toBe(1);
  });

  it.each(['bad', 'late'])(
    'as the refresh that was on its way, nor does any other on its way with it: %s',
    async (adId) => {
      const { test, scene, world, pass } = await start();
      world.ads.set('roof', adOf('bad'));
      const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
      await ad.ready;
      await pass();
      for (const isNextThere of [true, false]) {
        world.ads.set('roof', adOf(adId, adId, { url: SLOW_URL }));
        world.holdImages = true;
        meetRule(ad);
        await pass(31_000);
        ad.reportAd();
        world.holdImages = false;
        world.ads.set('roof', adOf(`good ${isNextThere}`));
        if (isNextThere) await pass();
        world.releaseImages();
        await test.settle();
        expect(shownBy(ad)).toBe(isNextThere ? 'good true' : 'requesting');
        await pass(100_000);
        expect([shownBy(ad), world.openImages.size]).toEqual([`good ${isNextThere}`, 1]);
      }
    },
  );

  it('on another surface, to which its picture was on its way', async () => {
    const { scene, world, pass } = await start({ debug: true });
    world.ads.set('roof', adOf('bad'));
    const roof = scene.ads.place('roof', PLACE);
    await roof.ready;
    world.ads.set('wall', adOf('bad', 'bad', { url: SLOW_URL }));
    world.holdImages = true;
    const wall = scene.ads.place('wall', PLACE);
    await pass();
    roof.reportAd();
    world.releaseImages();
    await wall.ready;
    expect([shownBy(wall), wall.diagnosis]).toEqual(['noFill', [expect.stringContaining('reported')]]);
    expect(world.notes).toContainEqual(expect.stringContaining('reported'));
  });
});

it('a source that has several ads is told which of them may not hang now', async () => {
  const broken = adOf('broken', 'broken', { url: 'http://cdn.example.com/ad.png' });
  const getAd: AdService['getAd'] = async (_id, options) =>
    [broken, adOf('soda'), adOf('shoes')].find((ad) => options!.accepts!(ad)) ?? { adId: '', url: '' };
  const { scene, pass } = await start({ frequency: { perPage: 1 } }, getAd);
  const shown: unknown[] = [];
  for (let i = 0; i < 3; i++) {
    const ad = scene.ads.place(`place-${i}`, PLACE);
    await ad.ready;
    await pass();
    shown.push(shownBy(ad));
    ad.destroy();
  }
  expect(shown).toEqual(['soda', 'shoes', 'noFill']);
});

it('what was preloaded is shown no more often than the option frequency allows', async () => {
  const { scene, world, pass } = await start({ frequency: { perPage: 1 } });
  world.ads.set('roof', adOf('a', 'Soda'));
  await scene.ads.preload(['roof', 'roof']);
  const first = scene.ads.place('roof', PLACE);
  await first.ready;
  await pass();
  first.destroy();
  world.ads.set('roof', adOf('b', 'Shoes'));
  const second = scene.ads.place('roof', PLACE);
  await second.ready;
  expect(shownBy(second)).toBe('b');
});

it('boards that ask at the same time show an advertiser together no more often than the option frequency allows', async () => {
  const { scene, world, pass } = await start({ frequency: { perPage: 2 } });
  for (const id of ['roof', 'wall', 'bus']) world.ads.set(id, adOf(id, 'Soda'));
  const boards = ['roof', 'wall', 'bus'].map((id, i) => scene.ads.place(id, { ...PLACE, x: 70 + 120 * i, width: 100 }));
  await Promise.all(boards.map(({ ready }) => ready));
  await pass();
  expect(boards.map(shownBy)).toEqual(['roof', 'wall', 'noFill']);
  expect(boards[2]!.diagnosis).toEqual([expect.stringContaining('frequency')]);
});

it('an ad that hangs unseen keeps the place of its advertiser until it goes', async () => {
  const { scene, world, pass } = await start({ frequency: { perPage: 1 } });
  world.ads.set('roof', adOf('a', 'Soda'));
  world.ads.set('wall', adOf('b', 'Soda'));
  const unseen = scene.ads.place('roof', { ...PLACE, x: -5_000 });
  await unseen.ready;
  const early = scene.ads.place('wall', PLACE);
  await early.ready;
  await pass();
  expect([unseen, early].map(shownBy)).toEqual(['a', 'noFill']);
  unseen.destroy();
  const late = scene.ads.place('wall', PLACE);
  await late.ready;
  expect(shownBy(late)).toBe('b');
});

describe('an advertiser keeps its neighbours from its ads only while one of them hangs, or is about to', () => {
  it('and not with one that was preloaded and never placed', async () => {
    const { scene, world, pass } = await start({ separateAdvertisers: true });
    world.ads.set('roof', adOf('a', 'Soda', { expiresInSeconds: 10 }));
    world.ads.set('wall', adOf('b', 'Soda'));
    await scene.ads.preload(['roof']);
    await pass(60_000);
    const wall = scene.ads.place('wall', PLACE);
    await wall.ready;
    expect(shownBy(wall)).toBe('b');
  });

  it('and not with a refresh whose picture did not come, while the one that hangs does', async () => {
    const { scene, world, pass } = await start({ separateAdvertisers: true });
    world.ads.set('roof', adOf('a', 'Soda'));
    const roof = scene.ads.place('roof', { ...PLACE, x: 100, width: 100, refresh: true });
    await roof.ready;
    await pass();
    world.ads.set('roof', adOf('c', 'Shoes', { url: 'https://cdn.example.com/gone.png' }));
    meetRule(roof);
    await pass(31_000);
    world.ads.set('wall', adOf('b', 'Soda'));
    world.ads.set('bus', adOf('d', 'Shoes'));
    const [wall, bus] = ['wall', 'bus'].map((id) => scene.ads.place(id, { ...PLACE, x: 300, width: 100 }));
    await Promise.all([wall!.ready, bus!.ready]);
    expect([roof, wall!, bus!].map(shownBy)).toEqual(['a', 'noFill', 'd']);
    roof.destroy();
    await pass(HOUR_MS);
    expect(shownBy(wall!)).toBe('b');
  });

  it('and not with one that was taken away before its picture came, which is no fault of the ad', async () => {
    const { scene, world, pass } = await start({ separateAdvertisers: true });
    const trackers = [{ event: 'error', url: 'https://t.example.com/?e=[ERRORCODE]' }] as const;
    world.ads.set('roof', adOf('a', 'Soda', { trackers }));
    world.ads.set('wall', adOf('b', 'Soda'));
    world.holdImages = true;
    const roof = scene.ads.place('roof', PLACE);
    await pass();
    const early = scene.ads.place('wall', PLACE);
    await pass();
    expect([roof.state, shownBy(early)]).toEqual(['loading', 'noFill']);
    roof.destroy();
    world.holdImages = false;
    world.releaseImages();
    const late = scene.ads.place('wall', PLACE);
    await late.ready;
    expect([shownBy(late), world.trackersCalled]).toEqual(['b', []]);
  });
});

it('of what a source says about a request the first twenty lines are kept', async () => {
  const { scene } = await start({}, (_id, { note } = {}) => {
    for (let i = 1; i <= 30; i++) note!(`line ${i}`);
    return Promise.resolve({ adId: '', url: '' });
  });
  const ad = scene.ads.place('roof', PLACE);
  await ad.ready;
  expect([ad.diagnosis.length, ad.diagnosis[0], ad.diagnosis[19]]).toEqual([20, 'line 1', 'line 20']);
});

it('an ad that was bid for on terms the player has taken back, while its picture came, is not shown', async () => {
  const asked: unknown[] = [];
  const getAd = async (_id: string, { consent }: CallOptions = {}): Promise<Ad> => {
    asked.push(consent?.tcString);
    return adOf(`by ${consent?.tcString}`);
  };
  const { test, scene, world, pass } = await start({ consent: { gdprApplies: true, tcString: 'YES' } }, getAd);
  world.holdImages = true;
  const loaded = scene.ads.preload(['roof']);
  await pass();
  AdsGlobalPlugin.of(test.game).setConsent({ gdprApplies: true, tcString: 'NO' });
  world.holdImages = false;
  world.releaseImages();
  await loaded;
  const ad = scene.ads.place('roof', PLACE);
  await ad.ready;
  expect([shownBy(ad), asked]).toEqual(['by NO', ['YES', 'NO']]);
});

describe('of several ads a source takes the best that can be shown', () => {
  const bestOf = (...ads: Ad[]): AdService['getAd'] => {
    const none = { adId: '', url: '' };
    return (_id, { accepts } = {}) => Promise.resolve(ads.find((ad) => accepts?.(ad)) ?? none);
  };

  it.each<[string, string, string]>([
    ['by plain http', 'http://cdn.example.com/ad.png', 'http:'],
    ['from a host that is none of creativeHosts', 'https://elsewhere.example.net/ad.png', 'elsewhere.example.net'],
    ['from an address that is too long', `https://cdn.example.com/${'a'.repeat(2048)}.png`, 'no absolute URL'],
    ['from nowhere', '/ad.png', 'no absolute URL'],
  ])('not one whose creative would come %s', async (_how, url, why) => {
    const trackers = [{ event: 'error', url: 'https://t.example.com/?e=[ERRORCODE]' }] as const;
    const getAd = bestOf(adOf('best', 'Soda', { url, trackers }), adOf('second', 'Shoes', { trackers }));
    const { scene, world, pass } = await start({ creativeHosts: ['cdn.example.com'] }, getAd);
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    expect([shownBy(ad), ad.diagnosis]).toEqual(['second', [expect.stringContaining(why)]]);
    await pass();
    expect(world.trackersCalled).toEqual(['https://t.example.com/?e=405']);
  });
});

describe('a source that does not answer', () => {
  const silent =
    (state: { isSilent: boolean }): AdService['getAd'] =>
    (id) =>
      state.isSilent ? new Promise(() => undefined) : Promise.resolve(adOf(id));

  it('holds nothing up once nobody waits for it any more', async () => {
    const state = { isSilent: true };
    const { test, scene, pass } = await start({}, silent(state));
    for (let i = 0; i < 8; i++) {
      scene.ads.place('roof', PLACE);
      scene.scene.restart();
      await pass();
    }
    state.isSilent = false;
    const ad = test.scene().ads.place('wall', PLACE);
    await ad.ready;
    expect(shownBy(ad)).toBe('wall');
  });

  it('fails in the end, and the next ads get their turn', async () => {
    const state = { isSilent: true };
    const { scene, pass, world } = await start({}, silent(state));
    const ads = Array.from({ length: 6 }, () => scene.ads.place('roof', PLACE));
    await pass();
    const last = scene.ads.place('wall', PLACE);
    state.isSilent = false;
    await pass(119_000);
    expect(last.state).toBe('requesting');
    await pass(1_000);
    await last.ready;
    expect([shownBy(last), ...ads.map(({ error }) => error?.code)]).toEqual(['wall', ...ads.map(() => 'net/timeout')]);
    expect(world.runningTimers).toBe(0);
  });
});

describe('where there is no ad', () => {
  it('a house ad hangs whose address counts from the page, as the pages of the docs write it', async () => {
    const { scene, world, pass } = await start({
      testMode: 'noFill',
      fallback: { houseAd: { url: 'ads/our-next-game.png' } },
    });
    world.images.set('https://game.example.com/ads/our-next-game.png', { body: pngOf(320, 160) });
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    await pass();
    expect(ad.fallback).toBe('houseAd');
  });

  it.each<[string, (ad: () => PlacedAd) => void]>([
    ['ends the ad', (ad) => ad().destroy()],
    ['destroys its sprite', (ad) => ad().sprite.destroy()],
    ['throws, and who is told ends the ad', () => { throw new Error('the game’s own'); }], // prettier-ignore
  ])('a choice of what is shown there that %s is no fault', async (_what, choose) => {
    const { scene, world, test } = await start();
    world.ads.set('roof', { adId: '', url: '' });
    scene.ads.on('aderror', ({ placedAd }) => placedAd?.destroy());
    const ad: PlacedAd = scene.ads.place('roof', { ...PLACE, fallback: () => (choose(() => ad), 'placeholder') });
    // A rejection nobody handles fails the test.
    await ad.ready;
    await test.settle();
    expect(ad.state).toBe('finished');
  });
});

it.each([null, 7, { text: 'rude' }])(
  'a complaint with a reason that is no text takes the ad down, too: %p',
  async (reason) => {
    const { scene, world, pass } = await start();
    world.ads.set('roof', adOf('bad'));
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    const reasons: unknown[] = [];
    scene.ads.on('adreported', (told) => reasons.push(told.reason));
    // Such as what `prompt()` gives when the player cancels it.
    expect(ad.reportAd(reason as never)).toBe(true);
    expect([ad.ad, reasons]).toEqual([null, [expect.any(String)]]);
    world.ads.set('roof', adOf('good'));
    await pass();
    expect(shownBy(ad)).toBe('good');
  },
);
