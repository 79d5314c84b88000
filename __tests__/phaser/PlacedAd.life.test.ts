import type Phaser from 'phaser';

import { AdsError } from '../../src/errors.js';
import { AdsEvents } from '../../src/events.js';
import type { PlacedAd } from '../../src/placement/PlacedAd.js';
import type { SessionFact } from '../../src/report/AdEvent.js';
import type { Ad } from '../../src/service/AdService.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { pngOf } from './support/imageFiles.js';
import { press } from './support/press.js';
import { countListeners, TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };
const NEXT_URL = 'https://cdn.example.com/next.png';
const HOUSE_URL = 'https://game.example.com/house.png';
const MRC = { minPercentageInView: 50, minDurationMs: 1000 };

/** As the session of an ad tells it when the rule of a standard is met. */
function meetRule(ad: PlacedAd, rule: typeof MRC, standard = 'iig-display'): void {
  ad.noteFact({ kind: 'viewable', standard, rule, durationMs: rule.minDurationMs } as SessionFact);
}
const NO_AD = { adId: '', url: '' };

/** A game whose log holds every ad event of its scene. */
async function start(data: object = {}, world = new FakeWorld()) {
  world.images.set(NEXT_URL, { body: pngOf(300, 250) });
  world.images.set(HOUSE_URL, { body: pngOf(320, 160) });
  const test = await TestGame.start({ world, data });
  const scene = test.scene();
  const log: string[] = [];
  for (const event of Object.values(AdsEvents)) scene.ads.on(event, () => void log.push(event));
  const client = world.clients[0]!;
  /** Lets time pass, draws, and lets what follows be answered. */
  const pass = async (ms: number): Promise<void> => {
    world.pass(ms);
    test.step(2);
    await test.settle();
    test.step(2);
  };
  return { test, scene, world, client, log, pass };
}

function serveNext(world: FakeWorld): void {
  world.ads.set('roof', { adId: 'next', url: NEXT_URL, serveId: 's-2' });
}

it.each(['ad', 'refresh', 'house ad'])(
  'an end at any turn around the arrival of the creative leaves nothing behind: %s',
  async (what) => {
    const { test, scene, world, pass } = await start();
    for (let turns = 0; turns < 24; turns++) {
      world.ads.set('roof', what === 'house ad' ? NO_AD : { adId: 'first', url: IMAGE_URL });
      const ad = scene.ads.place('roof', { ...PLACE, refresh: true, fallback: { houseAd: { url: HOUSE_URL } } });
      if (what === 'refresh') {
        await ad.ready;
        await pass(0);
        serveNext(world);
        meetRule(ad, MRC);
      }
      const added = new Promise<void>((resolve) => test.game.textures.once('addtexture', () => resolve()));
      world.pass(60_000);
      test.step(2);
      await added;
      for (let i = 0; i < turns; i++) await Promise.resolve();
      ad.destroy();
      await test.settle();
      expect({ turns, keys: test.creativeKeys(), open: world.openImages.size }).toEqual({ turns, keys: [], open: 0 });
    }
  },
);

it.each(['loaded', 'expired', 'unfilled'])(
  'an end in beforeReport is the end, and leaves nothing behind: %s',
  async (what) => {
    const beforeReport = ({ kind, finishReason }: { kind: string; finishReason?: string }): void => {
      if (kind === what || finishReason === what) ad.destroy();
    };
    const { test, scene, world, log, pass } = await start({ beforeReport });
    const before = countListeners(test.game);
    world.ads.set('roof', what === 'unfilled' ? NO_AD : { adId: 'first', url: IMAGE_URL, expiresInSeconds: 10 });
    const ad = scene.ads.place('roof', { ...PLACE, x: -1000 });
    await ad.ready;
    await pass(40_000);
    await pass(0);
    expect([ad.state, log.filter((event) => event === 'adfinish')]).toEqual(['finished', ['adfinish']]);
    expect(countListeners(test.game)).toEqual(before);
    expect(test.creativeKeys()).toEqual([]);
  },
);

it.each(['loaded', 'refreshed'])(
  'an ad that the player reports as beforeReport is asked makes room for the next: %s',
  async (what) => {
    const reported: unknown[] = [];
    const world = new FakeWorld();
    const beforeReport = (event: { kind: string; finishReason?: string; adId?: string }): void => {
      if ((event.kind === what && event.adId === 'next') || event.finishReason === what) ad.reportAd();
    };
    const { scene, log, pass } = await start({ beforeReport }, world);
    world.ads.set('roof', { adId: 'first', url: IMAGE_URL });
    scene.ads.on('adrefresh', (event) => reported.push(event.previousAd.adId, event.ad.adId));
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    serveNext(world);
    meetRule(ad, MRC);
    await pass(40_000);
    expect([ad.state, ad.ad?.adId ?? null]).toEqual(what === 'loaded' ? ['requesting', null] : ['shown', 'next']);
    world.ads.set('roof', { adId: 'last', url: NEXT_URL });
    for (const ms of [0, 80_000, 0]) await pass(ms);
    expect([ad.state, ad.ad!.adId, reported]).toEqual([
      'shown',
      what === 'loaded' ? 'last' : 'next',
      ['first', 'next'],
    ]);
    expect(log.filter((event) => event === 'adloaded')).toHaveLength(2);
  },
);

it.each<[how: string, end: (sprite: Phaser.GameObjects.GameObject) => unknown]>([
  ['the sprite is destroyed', (sprite) => sprite.destroy()],
  ['the scene is stopped', ({ scene }) => scene.sys.game.scene.stop('main')],
])('the handler of its end may destroy the sprite, whether that is why or not: %s', async (_, end) => {
  const { test, scene, log } = await start();
  const ad = scene.ads.place('roof', PLACE);
  const own = scene.ads.observe(scene.add.rectangle(50, 50, 40, 40, 0), { adId: 'own', url: IMAGE_URL });
  await ad.ready;
  scene.ads.on('adfinish', ({ placedAd }) => placedAd.sprite.destroy());
  const sprites = [own.sprite, ad.sprite];
  for (const sprite of sprites) if (sprite.scene as unknown) end(sprite);
  test.step(2);
  expect(log.filter((event) => event === 'adfinish')).toHaveLength(2);
  expect(sprites.map((sprite) => sprite.scene as unknown)).toEqual([undefined, undefined]);
});

it('an end at any turn around the answer is the end: nothing is told of the ad afterwards, and nothing left', async () => {
  const { test, scene, world, log } = await start();
  for (const answer of [NO_AD, { adId: 'first', url: IMAGE_URL }, new AdsError('service/unavailable', 'down')]) {
    world.ads.set('roof', answer);
    for (let turns = 0; turns < 24; turns++) {
      const ad = scene.ads.place('roof', PLACE);
      for (let i = 0; i < turns; i++) await Promise.resolve();
      ad.destroy();
      await test.settle();
      expect([turns, ad.state, log.at(-1), test.creativeKeys()]).toEqual([turns, 'finished', 'adfinish', []]);
    }
  }
});

describe('the session of each ad that hung in a place', () => {
  type One = Awaited<ReturnType<typeof start>> & { readonly ad: PlacedAd };
  const SHORT = { adId: 'first', url: IMAGE_URL, expiresInSeconds: 10 };

  it.each<[reason: string, answer: object, x: number, next: (one: One) => void]>([
    ['refreshed', SHORT, 200, ({ ad }) => meetRule(ad, MRC)],
    ['expired', SHORT, -500, () => undefined],
    ['reported', SHORT, 200, ({ ad }) => ad.reportAd()],
    ['unfilled', NO_AD, 200, () => undefined],
  ])('ends once, in order, and says why: %s', async (reason, answer, x, next) => {
    const world = new FakeWorld();
    world.ads.set('roof', answer as never);
    const started = await start({}, world);
    const { scene, pass, test } = started;
    const ad = scene.ads.place('roof', { ...PLACE, x, refresh: true });
    const first = ad.placementId;
    await ad.ready;
    await pass(0);
    expect(ad.placementId).toBe(first);
    serveNext(world);
    next({ ...started, ad });
    await pass(60_000);
    await pass(0);
    expect([ad.state, ad.ad?.adId]).toEqual(['shown', 'next']);
    const second = ad.placementId;
    ad.destroy();
    await test.settle();
    world.pass(5_000);
    await test.settle();
    const told = world.clients[0]!.reports.flat();
    const ends = told.filter(({ kind }) => kind === 'summary');
    expect(ends.map((event) => 'finishReason' in event && [event.placementId, event.finishReason])).toEqual([[first, reason], [second, 'destroyed']]); // prettier-ignore
    for (const id of [first, second]) {
      const own = told.filter(({ placementId }) => placementId === id);
      expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, i) => i));
      expect(own.at(-1)!.kind).toBe('summary');
    }
  });
});

describe('refresh', () => {
  it('is off by default', async () => {
    const { scene, client, pass, log } = await start();
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    await pass(3_600_000);
    expect(client.asked).toHaveLength(1);
    expect(log).not.toContain('adrefresh');
  });

  it('comes after the interval and a viewable impression, and shows the next ad in the same place', async () => {
    const { test, scene, world, client, pass, log } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    const first = ad.placementId;
    await pass(60_000);
    expect(client.asked).toHaveLength(1);
    meetRule(ad, MRC);
    serveNext(world);
    log.length = 0;
    const told = jest.fn();
    scene.ads.on('adrefresh', told);
    await pass(0);
    expect(client.asked).toHaveLength(2);
    expect(ad).toMatchObject({ state: 'shown', ad: { adId: 'next' } });
    expect(log.slice(0, 2)).toEqual(['adrefresh', 'adloaded']);
    expect(told).toHaveBeenCalledWith(
      expect.objectContaining({ placedAd: ad, previousAd: { adId: 'ad-of-roof', url: IMAGE_URL } }),
    );
    expect(ad.placementId).not.toBe(first);
    // The texture of the first ad is gone with it.
    expect(test.creativeKeys()).toHaveLength(1);
    expect(world.openImages.size).toBe(1);
    await pass(60_000);
    expect(client.asked).toHaveLength(2);
  });

  it('is earned by the standard that leads, and by no other', async () => {
    const { scene, client, pass } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC, 'mrc-display');
    await pass(60_000);
    await pass(0);
    expect(client.asked).toHaveLength(1);
  });

  it('does not come any more when a handler ends the ad in the frame in which it is due', async () => {
    const { test, scene, client, pass } = await start();
    const errors = jest.spyOn(console, 'error');
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    const wall = scene.add.rectangle(200, 150, 50, 50, 0xffffff);
    await pass(60_000);
    scene.ads.on('advisible', ({ placedAd }) => placedAd.destroy());
    wall.destroy();
    test.step(2);
    await test.settle();
    expect([ad.state, client.asked.length, errors.mock.calls]).toEqual(['finished', 1, []]);
  });

  it('never comes while the ad is blocked or out of the picture, and does as soon as it is not', async () => {
    const { scene, client, pass } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, refresh: { minIntervalMs: 5_000 } });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    const wall = scene.add.rectangle(200, 150, 50, 50, 0xffffff);
    await pass(60_000);
    expect(client.asked).toHaveLength(1);
    wall.destroy();
    ad.sprite.x = -500;
    await pass(60_000);
    expect(client.asked).toHaveLength(1);
    ad.sprite.x = 200;
    await pass(0);
    await pass(0);
    expect(client.asked).toHaveLength(2);
  });

  it('never comes while the scene is paused', async () => {
    const { scene, client, pass } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    scene.scene.pause();
    await pass(0);
    await pass(3_600_000);
    expect(client.asked).toHaveLength(1);
    scene.scene.resume();
    await pass(0);
    await pass(0);
    expect(client.asked).toHaveLength(2);
  });

  it.each<[string, (world: FakeWorld) => void, string]>([
    ['no other ad', (world) => world.ads.set('roof', NO_AD), 'adnofill'],
    [
      'a failing service',
      (world) => world.ads.set('roof', new AdsError('service/unavailable', 'down')),
      'aderror service/unavailable',
    ],
    [
      'a creative that is missing',
      (world) => world.ads.set('roof', { adId: 'x', url: 'https://cdn.example.com/no.png' }),
      'aderror ad/http-status',
    ],
  ])('keeps the present ad with %s, says so, and tries again later', async (_name, change, told) => {
    const { scene, world, client, pass, log } = await start();
    const errors: string[] = [];
    scene.ads.on('aderror', ({ error }) => errors.push(error.code));
    const ad = scene.ads.place('roof', { ...PLACE, refresh: { minIntervalMs: 5_000 } });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    change(world);
    log.length = 0;
    await pass(6_000);
    expect(client.asked).toHaveLength(2);
    expect(ad).toMatchObject({ state: 'shown', ad: { adId: 'ad-of-roof' } });
    expect([...log, ...errors].join(' ')).toBe(told);
    expect(ad.error).toBeNull();
    await pass(10_000);
    expect(client.asked).toHaveLength(2);
    await pass(30_000);
    expect(client.asked).toHaveLength(3);
  });

  it('leaves nothing behind when the ad is destroyed on the way', async () => {
    const { test, scene, world, pass } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    serveNext(world);
    world.holdImages = true;
    await pass(30_000);
    ad.destroy();
    world.releaseImages();
    await pass(0);
    expect(test.creativeKeys()).toEqual([]);
    expect(world.openImages.size).toBe(0);
    expect(world.runningTimers).toBe(0);
  });

  it('may end the ad from its handler', async () => {
    const { test, scene, world, pass } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    serveNext(world);
    scene.ads.on('adrefresh', ({ placedAd }) => placedAd.destroy());
    const { placementId } = ad;
    await pass(30_000);
    expect([ad.state, ad.placementId]).toEqual(['finished', placementId]);
    expect(test.creativeKeys()).toEqual([]);
  });

  it('may have the earlier ad reported from its handler: the next one hangs, and none is asked for in its place', async () => {
    const { scene, world, client, log, pass } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    serveNext(world);
    scene.ads.once('adrefresh', ({ placedAd }) => void placedAd.reportAd('loud'));
    await pass(30_000);
    await pass(60_000);
    expect([ad.state, ad.ad?.adId, client.asked.length]).toEqual(['shown', 'next', 2]);
    expect(log.filter((event) => event === 'adreported')).toHaveLength(1);
  });
});

describe('asking again', () => {
  it.each<[string, AdsError | typeof NO_AD, string]>([
    ['no ad', NO_AD, 'noFill'],
    ['a service that is down', new AdsError('service/unavailable', 'down'), 'failed'],
  ])('after %s: half a minute later, then later and later', async (_name, answer, state) => {
    const world = new FakeWorld();
    world.ads.set('roof', answer);
    const { test, scene, client, pass } = await start({}, world);
    const ad = scene.ads.place('roof', PLACE);
    await expect(ad.ready).resolves.toBe(state);
    const first = ad.placementId;
    await pass(29_000);
    expect(client.asked).toHaveLength(1);
    world.pass(6_000);
    test.step();
    expect([ad.state, ad.fallback]).toEqual(['requesting', 'placeholder']);
    await pass(0);
    expect(client.asked).toHaveLength(2);
    expect([ad.state, ad.placementId === first]).toEqual([state, false]);
    await pass(50_000);
    expect(client.asked).toHaveLength(2);
    world.ads.delete('roof');
    await pass(30_000);
    expect(client.asked).toHaveLength(3);
    expect(ad).toMatchObject({ state: 'shown', error: null });
  });

  it('waits as long as the service wants', async () => {
    const world = new FakeWorld();
    world.ads.set('roof', new AdsError('service/rate-limited', 'slow', { retryAfterMs: 300_000 }));
    const { scene, client, pass } = await start({}, world);
    await scene.ads.place('roof', PLACE).ready;
    await pass(299_000);
    expect(client.asked).toHaveLength(1);
    await pass(2_000);
    expect(client.asked).toHaveLength(2);
  });

  it('asks a service that never has an ad at most twelve times an hour, whatever the frame rate', async () => {
    const world = new FakeWorld();
    world.ads.set('roof', NO_AD);
    const { scene, client, pass } = await start({}, world);
    await scene.ads.place('roof', PLACE).ready;
    for (let s = 0; s < 3600; s += 30) await pass(30_000);
    expect(client.asked.length).toBeLessThanOrEqual(12);
    expect(client.asked.length).toBeGreaterThan(6);
  });

  it('does not ask again for a surface the service does not know', async () => {
    const world = new FakeWorld();
    world.ads.set('roof', new AdsError('ad/unknown-surface', 'unknown'));
    const { scene, client, pass } = await start({}, world);
    await scene.ads.place('roof', PLACE).ready;
    await pass(86_400_000);
    expect(client.asked).toHaveLength(1);
  });
});

describe('expiry', () => {
  it('takes down an ad nobody has seen for five minutes and asks for another', async () => {
    const { test, scene, world, client, pass, log } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, x: -500 });
    await ad.ready;
    await pass(0);
    serveNext(world);
    log.length = 0;
    await pass(299_000);
    expect(client.asked).toHaveLength(1);
    await pass(1_000);
    await pass(0);
    expect(log.slice(0, 1)).toEqual(['adexpired']);
    expect(client.asked).toHaveLength(2);
    expect(ad).toMatchObject({ state: 'shown', ad: { adId: 'next' } });
    expect(test.creativeKeys()).toHaveLength(1);
  });

  it('shows the placeholder until the next one is there', async () => {
    const { test, scene, world, pass } = await start();
    world.ads.set('roof', { adId: 'short', url: IMAGE_URL, expiresInSeconds: 10 });
    const ad = scene.ads.place('roof', { ...PLACE, x: -500 });
    await ad.ready;
    await pass(0);
    world.holdImages = true;
    serveNext(world);
    await pass(10_000);
    expect(ad.sprite.texture.key).toMatch(/placeholder/);
    expect([ad.mediaType, test.creativeKeys()]).toEqual([null, []]);
    world.releaseImages();
    await pass(0);
    expect([ad.state, ad.mediaType]).toEqual(['shown', 'image']);
    ad.destroy();
    expect(ad.mediaType).toBeNull();
  });

  it.each(['hangs', 'waits for its place'])('takes the time in which the device slept for time, too: an ad %s', async (what) => {
    const { scene, world, pass } = await start();
    if (what === 'hangs') scene.ads.place('roof', { ...PLACE, x: -500 });
    else await scene.ads.preload(['roof']);
    await pass(0);
    serveNext(world);
    // A clock that is set back makes nothing younger.
    for (const ms of [299_000, -400_000, 900]) world.suspend(ms);
    await pass(50);
    expect(scene.ads.all().map(({ ad }) => ad?.adId)).toEqual(what === 'hangs' ? ['ad-of-roof'] : []);
    world.suspend(3_600_000);
    if (what !== 'hangs') scene.ads.place('roof', PLACE);
    await pass(0);
    await pass(0);
    expect(scene.ads.all().map(({ ad }) => ad?.adId)).toEqual(['next']);
  }); // prettier-ignore

  it.each([60_000, 3_600_000])('takes no ad that was asked for before the device slept for longer than answers may take: %d ms', async (ms) => {
    let answer!: (ad: Ad) => void;
    const getAd = () => new Promise<Ad>((resolve) => (answer = resolve));
    const { test, scene, world, pass } = await start({ source: { getAd, getAdSurfaces: async () => ({ items: [] }) } });
    const ad = scene.ads.place('roof', PLACE);
    await test.settle();
    world.suspend(ms);
    answer({ adId: 'old', url: IMAGE_URL });
    await pass(0);
    expect([ad.state, ad.error?.code]).toEqual(ms > 120_000 ? ['failed', 'net/timeout'] : ['shown', undefined]);
  }); // prettier-ignore

  it('counts nothing of an ad that expired while its scene was paused, and comes into view before that goes on', async () => {
    const { scene, log, pass } = await start();
    const ad = scene.ads.place('roof', { ...PLACE, x: -500 });
    await pass(0);
    scene.scene.pause();
    await pass(400_000);
    ad.sprite.x = 200;
    await pass(0);
    expect(log).not.toContain('adimpression');
    expect([ad.state, log]).toEqual(['requesting', expect.arrayContaining(['adexpired'])]);
    scene.scene.resume();
    await pass(0);
    await pass(0);
    expect(log).toContain('adimpression');
  });

  it('leaves an ad that was seen', async () => {
    const { scene, world, client, pass, log } = await start();
    world.ads.set('roof', { adId: 'short', url: IMAGE_URL, expiresInSeconds: 1 });
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    await pass(0);
    ad.sprite.x = -500;
    await pass(3_600_000);
    expect(client.asked).toHaveLength(1);
    expect(log).not.toContain('adexpired');
  });
});

describe('fallback', () => {
  const house = { houseAd: { url: HOUSE_URL, clickUrl: 'https://game.example.com/sequel' } };

  const failing = async (fallback: unknown, data: object = {}) => {
    const world = new FakeWorld();
    world.ads.set('roof', new AdsError('service/unavailable', 'down'));
    const started = await start(data, world);
    started.scene.textures.createCanvas('wall', 64, 32);
    const placement = fallback === undefined ? PLACE : { ...PLACE, fallback: fallback as never };
    const ad = started.scene.ads.place('roof', { ...placement, clickable: true });
    await ad.ready;
    await started.pass(0);
    return { ...started, ad };
  };

  it('is the placeholder by default', async () => {
    const { ad } = await failing(undefined);
    expect(ad).toMatchObject({ state: 'failed', fallback: 'placeholder' });
  });

  it('hides the sprite, and shows it again with the next ad', async () => {
    const { ad, world, pass } = await failing('hide');
    expect(ad.fallback).toBe('hidden');
    expect(ad.sprite.visible).toBe(false);
    world.ads.delete('roof');
    await pass(40_000);
    expect(ad).toMatchObject({ state: 'shown', fallback: null });
    expect(ad.sprite.visible).toBe(true);
  });

  it('does not show a sprite the game has hidden itself', async () => {
    const world = new FakeWorld();
    world.ads.set('roof', NO_AD);
    const { scene, pass } = await start({}, world);
    const ad = scene.ads.place('roof', { ...PLACE, fallback: 'hide' });
    ad.sprite.setVisible(false);
    await ad.ready;
    world.ads.delete('roof');
    await pass(40_000);
    expect(ad.state).toBe('shown');
    expect(ad.sprite.visible).toBe(false);
  });

  it('shows a texture of the game, and the placeholder when there is no such texture', async () => {
    const { ad } = await failing({ textureKey: 'wall' });
    expect(ad.sprite.texture.key).toBe('wall');
    expect(ad.fallback).toBe('texture');
    expect((await failing({ textureKey: 'nowhere' })).ad.fallback).toBe('placeholder');
  });

  it('shows a house ad, which is neither measured nor reported, and gives its texture back', async () => {
    const { ad, test, world, pass } = await failing(house);
    expect(ad).toMatchObject({ state: 'failed', fallback: 'houseAd', measurement: null, ad: null });
    expect(test.creativeKeys()).toEqual([ad.sprite.texture.key]);
    const key = ad.sprite.texture.key;
    // The next try fails as well: the house ad stays.
    await pass(40_000);
    expect(ad.sprite.texture.key).toBe(key);
    world.ads.delete('roof');
    await pass(80_000);
    expect(ad).toMatchObject({ state: 'shown', fallback: null });
    expect(test.creativeKeys()).toHaveLength(1);
    ad.destroy();
    expect(test.creativeKeys()).toEqual([]);
    expect(world.openImages.size).toBe(0);
  });

  it('tells of a click on a house ad, opens its address unless prevented, and reports nothing of it', async () => {
    const { ad, test, world } = await failing(house);
    const told: object[] = [];
    let prevents = false;
    test.scene().ads.on('adbeforeclick', ({ preventDefault }) => prevents && preventDefault());
    test.scene().ads.on('adclick', (payload) => told.push(payload));
    const click = () => press(test, ad.sprite);
    click();
    prevents = true;
    click();
    const url = 'https://game.example.com/sequel';
    expect(told).toEqual(
      (['unknown', false] as const).map((isOpened) => ({ placedAd: ad, ad: null, isHouseAd: true, url, isOpened })),
    );
    expect(world.opened).toEqual([url]);
    await test.settle();
    world.pass(5_000);
    await test.settle();
    const reported = world.clients.flatMap(({ reports }) => reports.flat());
    expect(reported.map(({ kind }) => kind)).toEqual(['error']);
  });

  it('tells why a press on a house ad is no click, reports nothing of it, and opens nothing', async () => {
    const { ad, test, world } = await failing(house);
    const told: object[] = [];
    test.scene().ads.on('adclickrefused', (payload) => told.push(payload));
    press(test, ad.sprite, { isTrusted: false });
    const url = 'https://game.example.com/sequel';
    expect(told).toEqual([{ placedAd: ad, ad: null, isHouseAd: true, url, reason: 'scripted' }]);
    expect(world.opened).toEqual([]);
    await test.settle();
    world.pass(5_000);
    await test.settle();
    const reported = world.clients.flatMap(({ reports }) => reports.flat());
    expect(reported.map(({ kind }) => kind)).toEqual(['error']);
  });

  it('tells of a click on a house ad without an address, and opens nothing', async () => {
    const { ad, scene, world, test, log } = await failing({ houseAd: { url: HOUSE_URL } });
    const urls: unknown[] = [];
    scene.ads.on('adclick', ({ url, isOpened }) => urls.push(url, isOpened));
    press(test, ad.sprite);
    expect([urls, world.opened, log.filter((event) => event === 'aderror').length]).toEqual([[null, false], [], 1]);
  });

  it('keeps the placeholder and says why when the house ad cannot be had', async () => {
    const { ad, log } = await failing({ houseAd: { url: 'https://game.example.com/gone.png' } });
    expect(ad.fallback).toBe('placeholder');
    expect(log.filter((event) => event === 'aderror')).toHaveLength(2);
  });

  it('is chosen by a function, told why', async () => {
    const chooser = jest.fn(() => 'hide' as const);
    const { ad } = await failing(chooser);
    expect(ad.fallback).toBe('hidden');
    expect(chooser).toHaveBeenCalledWith({
      adSurfaceId: 'roof',
      error: expect.objectContaining({ code: 'service/unavailable' }) as AdsError,
    });
  });

  it('is not chosen any more for an ad that a handler has ended', async () => {
    for (const answer of [NO_AD, new AdsError('service/unavailable', 'down')]) {
      const { scene, world } = await start();
      world.ads.set('roof', answer);
      for (const event of ['adnofill', 'aderror'] as const) scene.ads.on(event, ({ placedAd }) => placedAd?.destroy());
      const chooser = jest.fn(() => 'hide' as const);
      await scene.ads.place('roof', { ...PLACE, fallback: chooser }).ready;
      expect(chooser).not.toHaveBeenCalled();
      TestGame.endAll();
    }
  });

  it('may be another one each time: a house ad is seen where the sprite was hidden before', async () => {
    const answers: unknown[] = ['hide', house];
    const { ad, pass } = await failing(() => answers.shift());
    expect([ad.fallback, ad.sprite.visible]).toEqual(['hidden', false]);
    await pass(80_000);
    expect([ad.fallback, ad.sprite.visible]).toEqual(['houseAd', true]);
  });

  it('has a default for the whole game', async () => {
    expect((await failing(undefined, { fallback: 'hide' })).ad.fallback).toBe('hidden');
    expect((await failing('placeholder', { fallback: 'hide' })).ad.fallback).toBe('placeholder');
  });

  it('ends with the next ad: no click is the house ad’s any more', async () => {
    const { ad, test, world, scene, pass } = await failing(house);
    const clicked: unknown[] = [];
    scene.ads.on('adclick', ({ isHouseAd }) => clicked.push(isHouseAd));
    world.ads.delete('roof');
    await pass(40_000);
    press(test, ad.sprite);
    await test.settle();
    expect([ad.state, clicked, world.opened]).toEqual(['shown', [false], []]);
  });

  it('cannot be clicked where no ad can', async () => {
    const { test, scene, world, pass } = await start();
    world.ads.set('roof', NO_AD);
    const ad = scene.ads.place('roof', { ...PLACE, fallback: house });
    await ad.ready;
    await pass(0);
    press(test, ad.sprite);
    expect([ad.fallback, ad.sprite.input ?? null, world.opened]).toEqual(['houseAd', null, []]);
  });

  it('leaves nothing when the ad goes while its house ad hangs there, or is on its way', async () => {
    const { ad, test, world } = await failing(house);
    ad.sprite.destroy();
    expect(test.creativeKeys()).toEqual([]);
    world.holdImages = true;
    const second = test.scene().ads.place('roof', { ...PLACE, fallback: house });
    await second.ready;
    second.destroy();
    world.releaseImages();
    await test.settle();
    expect(test.creativeKeys()).toEqual([]);
    expect(world.openImages.size).toBe(0);
    expect(() => test.step(2)).not.toThrow();
  });
});

describe('a sprite whose texture the game changes', () => {
  it("F54 ends the ad with 'texture-changed', and leaves the sprite to the game", async () => {
    const { test, scene, pass } = await start();
    scene.textures.createCanvas('wall', 64, 32);
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    await pass(0);
    const finished = jest.fn();
    scene.ads.on('adfinish', finished);
    ad.sprite.setTexture('wall');
    await pass(0);
    expect(finished).toHaveBeenCalledWith({ placedAd: ad, reason: 'texture-changed' });
    expect(ad).toMatchObject({ state: 'finished', measurement: null });
    expect(ad.sprite.scene).toBe(scene);
    expect(ad.sprite.texture.key).toBe('wall');
    expect(test.creativeKeys()).toEqual([]);
    expect(scene.ads.all()).toEqual([]);
  });

  it('F54 leaves a game its own picture while the first ad is on its way', async () => {
    const { scene } = await start();
    scene.textures.createCanvas('wall', 64, 32);
    const ad = scene.ads.place('roof', PLACE);
    ad.sprite.setTexture('wall');
    await expect(ad.ready).resolves.toBe('shown');
    expect(ad.sprite.texture.key).not.toBe('wall');
  });

  it.each<[string, object]>([
    ['the next ad', { adId: 'next', url: IMAGE_URL }],
    ['the next fallback', NO_AD],
    ['the fallback after an error', new AdsError('service/unavailable', 'down')],
  ])('F54 does so too while the placeholder or a fallback is shown: %s does not paint over it', async (_what, next) => {
    const world = new FakeWorld();
    world.ads.set('roof', NO_AD);
    const { test, scene, pass } = await start({}, world);
    scene.textures.createCanvas('wall', 64, 32);
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    ad.sprite.setTexture('wall');
    world.ads.set('roof', next as never);
    await pass(40_000);
    expect(ad.state).toBe('finished');
    expect(ad.sprite.texture.key).toBe('wall');
    expect([test.creativeKeys(), world.openImages.size]).toEqual([[], 0]);
  });

  it('F54 ends the ad, and frees both creatives, when the next one arrives before a frame shows the change', async () => {
    const { test, scene, world, log, pass } = await start();
    scene.textures.createCanvas('wall', 64, 32);
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    meetRule(ad, MRC);
    serveNext(world);
    world.holdImages = true;
    await pass(60_000);
    ad.sprite.setTexture('wall');
    log.length = 0;
    world.releaseImages();
    await test.settle();
    expect(log).toEqual(['adfinish']);
    expect(ad.sprite.texture.key).toBe('wall');
    expect(test.creativeKeys()).toEqual([]);
    expect(world.openImages.size).toBe(0);
  });

  it('F54 holds for an observed sprite, but not for its animation, which may end on another texture', async () => {
    const { scene, pass } = await start();
    scene.textures.createCanvas('wall', 64, 32);
    scene.textures.createCanvas('board', 64, 32);
    const image = scene.ads.observe(scene.add.image(50, 50, 'board'), { adId: 'a', url: '' });
    scene.anims.create({ key: 'turn', frames: [{ key: 'board' }, { key: 'wall' }], frameRate: 60 });
    const sprite = scene.ads.observe(scene.add.sprite(150, 50, 'board').play('turn'), { adId: 'b', url: '' });
    await pass(0);
    image.sprite.setTexture('wall');
    for (let i = 0; i < 10; i++) await pass(16);
    expect(sprite.sprite.texture.key).toBe('wall');
    expect(sprite.sprite.anims.isPlaying).toBe(false);
    expect([image.state, sprite.state]).toEqual(['finished', 'shown']);
    // The next one begins later, and knows nothing of the texture shown until then.
    scene.anims.create({ key: 'rest', frames: [{ key: 'board' }], frameRate: 60 });
    sprite.sprite.play({ key: 'rest', delay: 10_000 });
    await pass(16);
    expect([sprite.sprite.texture.key, sprite.state]).toEqual(['wall', 'shown']);
  });

  it('F54 takes no animation that stops with the frame that brings another texture for a change by the game', async () => {
    const { scene, pass } = await start();
    scene.textures.createCanvas('wall', 64, 32);
    scene.textures.createCanvas('board', 64, 32);
    const turn = scene.anims.create({
      key: 'turn',
      frames: [{ key: 'board' }, { key: 'wall' }],
      frameRate: 60,
      repeat: -1,
    });
    const ad = scene.ads.observe(scene.add.sprite(150, 50, 'board').play('turn'), { adId: 'b', url: '' });
    ad.sprite.anims.stopOnFrame((turn as Phaser.Animations.Animation).frames[1]!);
    for (let i = 0; i < 10; i++) await pass(16);
    expect([ad.sprite.texture.key, ad.sprite.anims.isPlaying, ad.state]).toEqual(['wall', false, 'shown']);
    ad.sprite.setTexture('__WHITE');
    await pass(16);
    expect(ad.state).toBe('finished');
  });
});

it.each([
  ['by destroy(), which leaves the sprite', 'unobserved', (ad: PlacedAd) => ad.destroy()],
  [
    'with its sprite, though its listeners were removed',
    'destroyed',
    ({ sprite }: PlacedAd) => sprite.removeAllListeners().destroy(),
  ],
])('the ad of a sprite of the game’s own ends %s: %s', async (_how, reason, end) => {
  const { test, scene } = await start();
  const finished = jest.fn();
  scene.ads.on('adfinish', finished);
  const ad = scene.ads.observe(scene.add.image(50, 50, '__WHITE'), { adId: 'own', url: '' });
  test.step(2);
  end(ad);
  test.step(2);
  expect(finished.mock.calls).toEqual([[{ placedAd: ad, reason }]]);
  expect([scene.ads.all(), Boolean(ad.sprite.scene)]).toEqual([[], reason === 'unobserved']);
});

describe.each([
  ['before', false],
  ['after', true],
])('a sprite that is destroyed %s the answer, when its listeners were removed', (_when, isAnswered) => {
  const HOUSE = { houseAd: { url: HOUSE_URL } };

  it.each<[string, object, 'placeholder' | 'hide' | typeof HOUSE]>([
    ['no fill', NO_AD, 'placeholder'],
    ['no fill, hidden', NO_AD, 'hide'],
    ['no fill, a house ad', NO_AD, HOUSE],
    ['an error', new AdsError('service/unavailable', 'down'), 'placeholder'],
    ['an error that is for good', new AdsError('ad/unknown-surface', 'unknown'), 'placeholder'],
    ['an ad', { adId: 'first', url: IMAGE_URL }, 'placeholder'],
  ])('ends its ad, which asks for no other: %s', async (_what, answer, fallback) => {
    const world = new FakeWorld();
    world.ads.set('roof', answer as never);
    const { test, scene, client, log, pass } = await start({}, world);
    const ad = scene.ads.place('roof', { ...PLACE, fallback });
    if (isAnswered) {
      await ad.ready;
      await pass(0);
    }
    ad.sprite.removeAllListeners();
    ad.sprite.destroy();
    await ad.ready;
    for (let i = 0; i < 3; i++) await pass(1_000_000);
    expect(ad.state).toBe('finished');
    expect(log.at(-1)).toBe('adfinish');
    expect(client.asked).toHaveLength(1);
    expect(scene.ads.all()).toEqual([]);
    expect(test.creativeKeys()).toEqual([]);
    expect(world.openImages.size).toBe(0);
  });
});

describe('trackers', () => {
  const trackers = (
    ['impression', 'viewable-mrc50', 'viewable-mrc100', 'viewable-video50', 'billable', 'click'] as const
  ).map((event) => ({ event, url: `https://t.example.com/${event}?ts=\${AUCTION_IMP_TS}` }));

  const tracked = async (place: object = {}) => {
    const world = new FakeWorld();
    world.ads.set('roof', { adId: 'a', url: IMAGE_URL, trackers });
    const started = await start({}, world);
    const ad = started.scene.ads.place('roof', { ...PLACE, ...place });
    await ad.ready;
    await started.pass(0);
    const called = async () => {
      await started.pass(0);
      return world.trackersCalled.map((url) => new URL(url).pathname.slice(1));
    };
    return { ...started, ad, called };
  };

  it('tell of the impression once, with its time, outside of the frame', async () => {
    const { called, world, pass } = await tracked();
    expect(await called()).toEqual(['impression']);
    expect(world.trackersCalled[0]).toMatch(/ts=\d{13}$/);
    await pass(1000);
    expect(await called()).toHaveLength(1);
  });

  it('tell nothing of an ad nobody sees', async () => {
    const { called } = await tracked({ x: -500 });
    expect(await called()).toEqual([]);
  });

  it('tell of each rule that was met, and bill by the leading one', async () => {
    const { ad, called } = await tracked();
    meetRule(ad, MRC, 'mrc-display');
    expect(await called()).toEqual(['impression', 'viewable-mrc50']);
    meetRule(ad, { minPercentageInView: 100, minDurationMs: 1000 }, 'mrc-display');
    meetRule(ad, { minPercentageInView: 50, minDurationMs: 2000 });
    meetRule(ad, MRC);
    expect((await called()).slice(2)).toEqual(['viewable-mrc100', 'viewable-video50', 'billable']);
  });

  it('of a sprite of the game’s own bill by the leading standard, too', async () => {
    const { test, scene, world, pass } = await start();
    const ad = scene.ads.observe(scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 100), { adId: 'own', url: '', trackers }); // prettier-ignore
    await expect(ad.ready).resolves.toBe('shown');
    expect(ad).toMatchObject({ fallback: null, surface: null, mediaType: null, warnings: [], diagnosis: [] });
    test.step(80);
    await pass(0);
    const called = world.trackersCalled.map((url) => new URL(url).pathname.slice(1));
    expect(called).toEqual(['impression', 'viewable-mrc50', 'billable', 'viewable-mrc100']);
    ad.destroy();
    expect(ad).toMatchObject({ state: 'finished', fallback: null, surface: null });
  });

  it('are left out when they are not usable', async () => {
    const world = new FakeWorld();
    const bad = [
      'http://t.example.com/',
      'https://localhost/',
      'https://10.0.0.1/',
      'javascript:alert(1)',
      'https://a:b@t.example.com/',
      7,
    ].map((url) => ({ event: 'impression', url }));
    world.ads.set('roof', { adId: 'a', url: IMAGE_URL, trackers: [...bad, null, 'x', { event: 'impression', url: 'https://t.example.com/ok' }] as never }); // prettier-ignore
    const { scene, pass } = await start({}, world);
    await scene.ads.place('roof', PLACE).ready;
    await pass(0);
    await pass(0);
    expect(world.trackersCalled).toEqual(['https://t.example.com/ok']);
  });
});

it('has as many listeners, timers and textures after 50 runs with all of this as before', async () => {
  const { test, scene, world, pass } = await start({ fallback: { houseAd: { url: HOUSE_URL } }, refresh: true });
  scene.ads.all();
  const run = async (i: number): Promise<PlacedAd> => {
    if (i % 3 === 0) world.ads.set('roof', NO_AD);
    else world.ads.delete('roof');
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    await pass(0);
    if (ad.state === 'shown') meetRule(ad, MRC);
    await pass(35_000);
    scene.scene.restart();
    await pass(0);
    return ad;
  };
  // The renderer is listened to from the first ad on that is looked at closely.
  await run(0);
  await run(1);
  const before = countListeners(test.game);
  const textures = test.game.textures.getTextureKeys().length;
  for (let i = 2; i <= (process.env['DEEP'] ? 1000 : 50); i++) await run(i);
  expect(countListeners(test.game)).toEqual(before);
  expect(test.game.textures.getTextureKeys().length).toBe(textures);
  expect(world.openImages.size).toBe(0);
  expect(world.runningTimers).toBe(0);
});
