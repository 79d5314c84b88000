import type Phaser from 'phaser';

import { type AdsEventMap, AdsEvents } from '../../src/events.js';
import type { SpriteMeasurement } from '../../src/meter/SpriteMeasurement.js';
import { GameMeter } from '../../src/meter/GameMeter.js';
import { CreativeTextures } from '../../src/placement/CreativeTextures.js';
import type { PlacedAd } from '../../src/placement/PlacedAd.js';
import { calculateAdCoverage } from '../../src/meter/tracking.js';
import type { SessionFact } from '../../src/report/AdEvent.js';
import type { FakeVideo } from '../helpers/FakeVideo.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { pngOf, WEBM } from './support/imageFiles.js';
import { press } from './support/press.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 120, height: 100, clickable: true };
const AD_URL = 'https://shop.example.com/offer';
const VIDEO_URL = 'https://cdn.example.com/ad.webm';
const HOUSE_URL = 'https://game.example.com/house.png';
const HOUSE = { houseAd: { url: HOUSE_URL, clickUrl: 'https://game.example.com/sequel' } };
const AD = { adId: 'a', url: IMAGE_URL, clickUrl: AD_URL };
const NO_AD = { adId: '', url: '' };

/** What listens to a game object, by event. */
const listenersOf = (object: Phaser.GameObjects.GameObject): Record<string, number> =>
  Object.fromEntries(object.eventNames().map((event) => [String(event), object.listenerCount(event)]));

async function start(ad: object = AD, data: object = {}) {
  const world = new FakeWorld();
  world.images.set(HOUSE_URL, { body: pngOf(320, 160) });
  world.ads.set('roof', ad as typeof AD);
  const test = await TestGame.start({ world, data });
  const scene = test.scene();
  const clicks: AdsEventMap['adclick'][] = [];
  const refused: string[] = [];
  scene.ads.on(AdsEvents.CLICK, (payload) => clicks.push(payload));
  scene.ads.on(AdsEvents.CLICK_REFUSED, ({ reason }) => refused.push(reason));
  const pass = async (ms: number): Promise<void> => {
    world.pass(ms);
    test.step(2);
    await test.settle();
    test.step(2);
  };
  return { test, world, scene, clicks, refused, pass };
}

/** Presses, and waits for what is told of it. */
async function pressed({ test }: { test: TestGame }, at: { x: number; y: number }): Promise<void> {
  press(test, at);
  await test.settle();
}

describe('R7: what is given back', () => {
  it('is what a scene has declared friendly, when it shuts down, though the object lives on', async () => {
    const test = await TestGame.start({ scene: [{ key: 'main' }, { key: 'hud', active: true }] });
    const [scene, hud] = [test.scene('main'), test.scene('hud')];
    const { friendly } = GameMeter.of(test.game);
    const frame = hud.add.rectangle(0, 0, 10, 10);
    const before = listenersOf(frame);
    scene.ads.addFriendlyObstruction(frame, 'OTHER');
    scene.ads.addFriendlyObstruction(hud.add.rectangle(0, 0, 10, 10), 'OTHER');
    // Only who has declared it can take it back.
    expect(hud.ads.removeFriendlyObstruction(frame)).toBe(false);
    expect(friendly.list).toHaveLength(2);
    scene.scene.stop();
    test.step();
    expect(friendly.list).toEqual([]);
    expect(friendly.has(frame)).toBe(false);
    expect(listenersOf(frame)).toEqual(before);
    // The next run declares for itself.
    scene.scene.start();
    test.step(2);
    expect(friendly.list).toEqual([]);
  });

  it('is what a scene has declared friendly, once it is destroyed, while the scene goes on', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const { friendly } = GameMeter.of(test.game);
    for (let i = 0; i < 50; i++) {
      const button = scene.add.rectangle(0, 0, 10, 10);
      scene.ads.addFriendlyObstruction(button, 'CLOSE_AD');
      button.destroy();
    }
    const kept = scene.add.rectangle(0, 0, 10, 10);
    scene.ads.addFriendlyObstruction(kept, 'CLOSE_AD');
    const listeners = kept.listenerCount('destroy');
    // A game may declare it anew in each frame.
    for (let i = 0; i < 50; i++) scene.ads.addFriendlyObstruction(kept, 'OTHER');
    expect(friendly.list).toEqual([{ purpose: 'OTHER' }]);
    expect(kept.listenerCount('destroy')).toBe(listeners);
    const remove = jest.spyOn(friendly, 'remove');
    scene.scene.stop();
    test.step();
    expect(friendly.list).toHaveLength(0);
    expect(remove.mock.calls.length).toBeLessThan(3);
  });

  it('is a handler for one time, once it was called', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    for (let i = 0; i < 50; i++) {
      scene.ads.once(AdsEvents.LOADED, () => undefined);
      scene.events.emit(AdsEvents.LOADED);
    }
    const waiting = jest.fn();
    scene.ads.once(AdsEvents.FINISH, waiting).once(AdsEvents.LOADED, waiting);
    const off = jest.spyOn(scene.events, 'off');
    scene.scene.stop();
    test.step();
    expect(off.mock.calls.filter(([event]) => event === AdsEvents.LOADED || event === AdsEvents.FINISH)).toHaveLength(
      2,
    );
    scene.events.emit(AdsEvents.FINISH);
    expect(waiting).not.toHaveBeenCalled();
  });

  it.each<[until: string, end: (test: TestGame, stop: () => void) => void]>([
    ['it is no longer observed', (_test, stop) => stop()],
    ['the game ends', (test) => test.destroy()],
  ])('is what a measurement names, which somebody keeps, when %s', async (_until, end) => {
    const { test, scene } = await start();
    const sprite = scene.add.image(200, 150, '__WHITE').setDisplaySize(60, 60);
    const cover = scene.add.rectangle(200, 150, 30, 90, 0);
    let kept: SpriteMeasurement | null = null;
    const stop = GameMeter.of(test.game).observe(sprite, (measurement) => (kept = measurement));
    test.step(2);
    const held = kept as SpriteMeasurement | null;
    expect([held?.blockingSprites, held?.camera]).toEqual([[cover], scene.cameras.main]);
    end(test, stop);
    expect([held?.blockingSprites, held?.camera]).toEqual([[], null]);
  });

  it('is whoever was told, at once: no listener hears of the frame or the interruption in which another has stopped it', async () => {
    const { test, scene } = await start();
    const meter = GameMeter.of(test.game);
    const heard: string[] = [];
    const hear = (what: string) => () => {
      heard.push(what);
      stopSecond();
    };
    const [first, second] = [0, 1].map(() => scene.add.image(200, 150, '__WHITE').setDisplaySize(60, 60)) as [Phaser.GameObjects.Image, Phaser.GameObjects.Image]; // prettier-ignore
    let stopSecond = (): void => undefined;
    const stopFirst = meter.observe(first, hear('frame'), { onInterruption: hear('interruption') });
    const observeSecond = (): void => {
      stopSecond = meter.observe(second, () => heard.push('late'), { onInterruption: () => heard.push('late') });
    };
    observeSecond();
    test.step();
    observeSecond();
    test.game.events.emit('pause');
    expect(heard).toEqual(['frame', 'interruption']);
    stopFirst();
  });

  it('is the time it asked for between frames to read textures in, once nothing is observed any more', async () => {
    const { test, scene } = await start();
    const sprite = scene.add.image(200, 150, '__WHITE').setDisplaySize(60, 60);
    scene.textures.createCanvas('cover', 512, 512);
    scene.add.image(200, 150, 'cover');
    const [asked, givenUp] = [jest.spyOn(window, 'setTimeout'), jest.spyOn(window, 'clearTimeout')];
    const stop = GameMeter.of(test.game).observe(sprite, () => undefined);
    test.step();
    expect(asked).toHaveBeenCalledTimes(1);
    stop();
    expect(givenUp.mock.calls).toEqual([[asked.mock.results[0]!.value]]);
  });

  it('is the input it gave an object, and never the input that is the game’s', async () => {
    const { test, scene } = await start();
    const own = scene.add.image(60, 60, '__WHITE').setDisplaySize(60, 60).setInteractive();
    const lent = scene.add.image(200, 60, '__WHITE').setDisplaySize(60, 60);
    let heard = 0;
    own.on('pointerup', () => heard++);
    const before = [listenersOf(own), listenersOf(lent)];
    const ads = [own, lent].map((sprite) => scene.ads.observe(sprite, { ...AD, url: '' }, { clickable: true }));
    expect([own.input?.enabled, lent.input?.enabled]).toEqual([true, true]);
    await pressed({ test }, own);
    for (const ad of ads) ad.destroy();
    test.step(2);
    await pressed({ test }, own);
    await pressed({ test }, lent);
    expect(heard).toBe(2);
    expect([own.input?.enabled, Boolean(lent.input)]).toEqual([true, false]);
    expect([listenersOf(own), listenersOf(lent)]).toEqual(before);
  });

  it('is every listener on an object, however often it is observed anew', async () => {
    const { test, scene } = await start();
    const sprite = scene.add.image(60, 60, '__WHITE').setDisplaySize(60, 60);
    const before = listenersOf(sprite);
    let once: object | null = null;
    for (let i = 0; i < 5; i++) {
      scene.ads.observe(sprite, { ...AD, url: '', adId: `ad-${i}` }, { clickable: true });
      test.step();
      once ??= listenersOf(sprite);
      expect(listenersOf(sprite)).toEqual(once);
    }
    expect(scene.ads.unobserve(sprite)).toBe(true);
    expect(listenersOf(sprite)).toEqual(before);
  });

  it('is a sprite of the game’s own to the scene that observes it, once; no ad that was placed, and to no other scene', async () => {
    const { test, scene } = await start();
    const hud = test.game.scene.add('hud', {}, true)!;
    const placed = scene.ads.place('roof', PLACE);
    const own = scene.ads.observe(scene.add.image(60, 60, '__WHITE'), { adId: 'own', url: '' });
    const refused = [scene.ads.unobserve(placed), scene.ads.unobserve(placed.sprite), hud.ads.unobserve(own)];
    expect([...refused, placed.state, own.state]).toEqual([false, false, false, 'requesting', 'shown']);
    expect([scene.ads.unobserve(own), scene.ads.unobserve(own), own.state]).toEqual([true, false, 'finished']);
  });

  it('is the ear for the caller’s signal, once the ad is there or known not to come', async () => {
    const { scene, test } = await start();
    for (const surface of ['roof', 'other']) {
      if (surface === 'other') test.world.ads.set('other', NO_AD);
      const { signal } = new AbortController();
      const [added, removed] = [jest.spyOn(signal, 'addEventListener'), jest.spyOn(signal, 'removeEventListener')];
      await scene.ads.place(surface, { ...PLACE, signal }).ready;
      expect(added).toHaveBeenCalledTimes(1);
      expect(removed.mock.calls).toEqual([[added.mock.calls[0]![0], added.mock.calls[0]![1]]]);
    }
  });

  it('is the click of a house ad, when an ad takes its place', async () => {
    const started = await start(NO_AD);
    const { world, scene, clicks, pass } = started;
    const ad = scene.ads.place('roof', { ...PLACE, fallback: HOUSE });
    await ad.ready;
    await pass(0);
    await pressed(started, ad.sprite);
    world.ads.set('roof', AD);
    await pass(600_000);
    expect(ad.state).toBe('shown');
    await pressed(started, ad.sprite);
    expect(clicks.map(({ isHouseAd }) => isHouseAd)).toEqual([true, false]);
    expect(world.opened).toEqual([HOUSE.houseAd.clickUrl, AD_URL]);
    expect(ad.sprite.listenerCount('pointerup')).toBe(1);
  });

  it('is the click of an ad that is replaced by the next, half-way through a press too', async () => {
    const started = await start();
    const { world, scene, clicks, pass } = started;
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    const pointer = {
      button: 0,
      downX: 200,
      downY: 150,
      upX: 200,
      upY: 150,
      x: 200,
      y: 150,
      event: { isTrusted: true },
    };
    const canvas = { downElement: scene.game.canvas, upElement: scene.game.canvas };
    ad.sprite.emit('pointerdown', { ...pointer, ...canvas });
    world.ads.set('roof', { ...AD, adId: 'next', clickUrl: 'https://shop.example.com/next' });
    meetRule(ad);
    await pass(60_000);
    expect(ad.ad?.adId).toBe('next');
    ad.sprite.emit('pointerup', { ...pointer, ...canvas });
    await pressed(started, ad.sprite);
    expect(world.opened).toEqual(['https://shop.example.com/next']);
    expect(clicks.map(({ ad }) => ad?.adId)).toEqual(['next']);
    expect(ad.sprite.listenerCount('pointerup')).toBe(1);
  });

  it('is the address of a click, when the next ad has none', async () => {
    const started = await start();
    const { world, scene, clicks, pass } = started;
    const ad = scene.ads.place('roof', { ...PLACE, refresh: true });
    await ad.ready;
    await pass(0);
    world.ads.set('roof', { adId: 'next', url: IMAGE_URL });
    meetRule(ad);
    await pass(60_000);
    expect(ad.ad?.adId).toBe('next');
    await pressed(started, ad.sprite);
    expect([world.opened, clicks.map(({ url }) => url)]).toEqual([[], [null]]);
  });

  it('is what was painted over a creative, whoever has the key of its texture next', async () => {
    const { test } = await start();
    const textures = new CreativeTextures(test.game);
    const paint = jest.fn();
    const key = textures.addPainted('__WHITE', { scale: 1, paint });
    expect(textures.remove(key)).toBe(true);
    test.game.textures.createCanvas(key, 8, 8);
    textures.refresh(key);
    expect(paint).toHaveBeenCalledTimes(1);
  });

  it('is the click of an ad that is taken down, and of one that has ended', async () => {
    const started = await start({ ...AD, expiresInSeconds: 10 });
    const { world, scene, test, refused, pass } = started;
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    ad.sprite.x = -500;
    await pass(0);
    world.ads.set('roof', NO_AD);
    await pass(20_000);
    expect(ad.ad).toBeNull();
    ad.sprite.x = 200;
    await pressed(started, { x: 200, y: 150 });
    expect(Boolean(ad.sprite.input)).toBe(false);
    expect(ad.sprite.listenerCount('pointerdown') + ad.sprite.listenerCount('pointerup')).toBe(0);
    ad.destroy();
    await pressed(started, { x: 200, y: 150 });
    expect([world.opened, refused]).toEqual([[], []]);
    expect(test.creativeKeys()).toEqual([]);
  });

  it('is the place of a house ad that comes when an ad hangs there already', async () => {
    const started = await start(NO_AD);
    const { world, scene, test, clicks, pass } = started;
    world.holdImages = true;
    const ad = scene.ads.place('roof', { ...PLACE, fallback: HOUSE });
    await ad.ready;
    await pass(0);
    // Only the house ad is held up.
    world.holdImages = false;
    world.ads.set('roof', AD);
    world.sleep(600_000);
    test.step();
    await test.settle();
    expect(ad.state).toBe('shown');
    const shown = ad.sprite.texture.key;
    // Before the deadline of its load is found to be over.
    world.releaseImages();
    await test.settle();
    await pass(0);
    await pressed(started, ad.sprite);
    expect([ad.sprite.texture.key, ad.fallback, test.creativeKeys()]).toEqual([shown, null, [shown]]);
    expect([world.openImages.size, world.opened]).toEqual([1, [AD_URL]]);
    expect(clicks.map(({ isHouseAd }) => isHouseAd)).toEqual([false]);
  });

  it('is what was odd about an ad, when it is taken down', async () => {
    const trackers = [{ event: 'click', url: 'ftp://shop.example.com' }];
    const { world, scene, pass } = await start({ ...AD, trackers, expiresInSeconds: 10 });
    const ad = scene.ads.place('roof', { ...PLACE, x: -500 });
    await ad.ready;
    expect(ad.warnings).toHaveLength(1);
    world.ads.set('roof', NO_AD);
    await pass(20_000);
    expect([ad.ad, ad.warnings]).toEqual([null, []]);
  });

  it('is an ad whose creative cannot be had, when there is no ad the next time', async () => {
    const { world, scene, pass } = await start();
    world.images.set(IMAGE_URL, { status: 404 });
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    expect([ad.state, ad.ad?.adId]).toEqual(['failed', 'a']);
    world.ads.set('roof', NO_AD);
    await pass(600_000);
    expect([ad.state, ad.ad, ad.error]).toEqual(['noFill', null, null]);
  });

  it('is the video: it stands once its ad has ended, though the game shows its picture somewhere else', async () => {
    const world = new FakeWorld();
    world.videoSeconds = 100;
    world.images.set(VIDEO_URL, { body: WEBM, type: 'video/webm' });
    world.ads.set('roof', { adId: 'film', url: VIDEO_URL });
    const test = await TestGame.start({ world });
    const scene = test.scene();
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    test.step(2);
    await test.settle();
    const [video] = [...world.openImages] as FakeVideo[];
    expect(video!.isPlaying).toBe(true);
    const copy = scene.add.image(50, 50, ad.sprite.texture.key);
    ad.destroy();
    expect([video!.isPlaying, test.creativeKeys()]).toEqual([false, [copy.texture.key]]);
  });

  it('is nothing of placeholders, of which there is one for each shape of box, however many ads there are', async () => {
    const { test, scene } = await start(NO_AD);
    const errors = jest.spyOn(console, 'error');
    const placeholders = (): number =>
      test.game.textures.getTextureKeys().filter((key) => key.includes(':placeholder:')).length;
    for (let i = 0; i < 20; i++) {
      const ad = scene.ads.place('roof', { ...PLACE, width: 120 + 20 * (i % 2) });
      await ad.ready;
      ad.destroy();
    }
    expect([placeholders(), errors.mock.calls]).toEqual([2, []]);
  });

  it('is the texture of a house ad, when the next fallback is another', async () => {
    const answers: unknown[] = [HOUSE, 'placeholder', HOUSE];
    const { test, world, scene, pass } = await start(NO_AD);
    const ad = scene.ads.place('roof', { ...PLACE, fallback: () => answers.shift() as typeof HOUSE });
    await ad.ready;
    const kept: unknown[] = [];
    await test.settle();
    for (let i = 0; i < 3; i++) {
      kept.push([ad.fallback, test.creativeKeys().length, world.openImages.size]);
      await pass(600_000);
    }
    expect(kept).toEqual([['houseAd', 1, 1], ['placeholder', 0, 0], ['houseAd', 1, 1]]); // prettier-ignore
  });

  it.each<[what: string, show: (scene: Phaser.Scene, key: string) => { destroy(): void }]>([
    ['an image', (scene, key) => scene.add.image(50, 50, key)],
    ['an image in a container', (scene, key) => scene.add.container(0, 0, [scene.make.image({ key }, false)])],
    ['an image in a layer', (scene, key) => scene.add.layer([scene.make.image({ key }, false)])],
    ['a tile sprite', (scene, key) => scene.add.tileSprite(50, 50, 100, 100, key)],
  ])('is a creative that %s of the game still shows, once that is gone or the game ends', async (_what, show) => {
    for (const end of ['gone', 'game ends'] as const) {
      const { test, world, scene } = await start();
      const ad = scene.ads.place('roof', PLACE);
      await ad.ready;
      const shows = show(scene, ad.sprite.texture.key);
      ad.destroy();
      test.step();
      expect([test.creativeKeys().length, world.openImages.size]).toEqual([1, 1]);
      if (end === 'game ends') {
        test.destroy();
      } else {
        shows.destroy();
        // Looked for with the next creative that goes.
        const next = scene.ads.place('roof', PLACE);
        await next.ready;
        next.destroy();
        expect(test.creativeKeys()).toEqual([]);
      }
      expect(world.openImages.size).toBe(0);
    }
  });

  it('is what is on its way when the game ends: a source is told, trackers go, no timer runs', async () => {
    const signals: AbortSignal[] = [];
    const getAd = (id: string, { signal }: { signal: AbortSignal }): Promise<unknown> => {
      signals.push(signal);
      const trackers = [{ event: 'impression', url: 'https://t.example.com/seen' }];
      return id === 'roof' ? Promise.resolve({ ...AD, trackers }) : new Promise(() => undefined);
    };
    const { test, world, scene } = await start(AD, {
      source: { getAd, getAdSurfaces: () => Promise.resolve({ items: [] }) },
    });
    const ad = scene.ads.place('roof', PLACE);
    await ad.ready;
    void scene.ads.preload(['wall']);
    await test.settle();
    test.step();
    test.destroy();
    await test.settle();
    expect(signals.at(-1)!.aborted).toBe(true);
    expect(world.trackersCalled).toEqual(['https://t.example.com/seen']);
    expect([world.runningTimers, world.runningReportTimers, world.openImages.size]).toEqual([0, 0, 0]);
  });

  it('is the wait for a slow test image, when its ad ends before', async () => {
    const { test, world, scene } = await start(AD, { testMode: 'slowImage' });
    const ad = scene.ads.place('roof', PLACE);
    await test.settle();
    expect(ad.state).toBe('loading');
    ad.destroy();
    await test.settle();
    expect(world.runningTimers).toBe(0);
  });

  it('is the patience of the loader, once the ads are there', async () => {
    const world = new FakeWorld();
    const preload = function (this: Phaser.Scene): void {
      void this.ads.preload(['roof', 'wall']);
    };
    const test = await TestGame.start({ world, scene: { key: 'main', preload, create: () => undefined } });
    for (let i = 0; i < 3; i++) {
      await test.settle();
      test.step();
    }
    expect(test.scene().sys.isActive()).toBe(true);
    expect(world.runningTimers).toBe(0);
  });

  it('is never taken twice: however many measure on Canvas, the renderer is listened to once', async () => {
    const { test, scene } = await start();
    const { renderer } = test.game;
    const listeners = () => ['prerender', 'postrender'].map((event) => renderer.listenerCount(event));
    const sprite = scene.add.image(200, 150, '__WHITE').setDisplaySize(99, 99);
    scene.add.graphics().fillStyle(0).fillCircle(200, 150, 20);
    const stop = GameMeter.of(test.game).observe(sprite, () => undefined);
    test.step(2);
    const once = listeners();
    for (let i = 0; i < 3; i++) calculateAdCoverage(scene.add.image(9, 9, '__WHITE'), scene.cameras.main);
    expect(listeners()).toEqual(once);
    stop();
  });

  it('is the turn to load, by ads that end while they load', async () => {
    const { world, scene, test } = await start();
    world.holdImages = true;
    const waiting = Array.from({ length: 20 }, () => scene.ads.place('roof', PLACE));
    await test.settle();
    for (const ad of waiting) ad.destroy();
    await test.settle();
    world.releaseImages();
    const next = scene.ads.place('roof', PLACE);
    await expect(next.ready).resolves.toBe('shown');
    expect(world.openImages.size).toBe(1);
  });
});

function meetRule(ad: PlacedAd): void {
  const rule = { minPercentageInView: 50, minDurationMs: 1000 };
  ad.noteFact({ kind: 'viewable', standard: 'iig-display', rule, durationMs: 1000 } as SessionFact);
}
