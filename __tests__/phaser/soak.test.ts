import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { AdsError } from '../../src/errors.js';
import { seededRandom } from '../bench/seededRandom.js';
import { FakeWorld } from './support/FakeWorld.js';
import { pngOf, WEBM } from './support/imageFiles.js';
import { countListeners, TestGame } from './support/TestGame.js';
import { forgetDrawing } from './support/forgetDrawing.js';
import { watchDomListeners } from './support/watchDomListeners.js';

afterEach(() => TestGame.endAll());

const isDeep = Boolean(process.env['DEEP']);
/** 24 hours at 60 Hz, over 10,000 restarts with 10 ads each; shorter in the normal run. */
const RESTARTS = isDeep ? 10_000 : 100;
const FRAMES_PER_RUN = isDeep ? 519 : 60;
const ADS_PER_RUN = 10;

/** Everything a game with ads could leave behind. */
function census(test: TestGame, domListeners: () => Record<string, number>) {
  const { game, world } = test;
  return {
    domListeners: domListeners(),
    textures: game.textures.getTextureKeys().sort(),
    listeners: countListeners(game),
    openImages: world.openImages.size,
    loadTimers: world.runningTimers,
    reportTimers: world.runningReportTimers,
    objects: test.scene().children.length,
    ads: test.scene().ads.all().length,
  };
}

function worldOfMixedFortune(): FakeWorld {
  const world = new FakeWorld();
  const names = ['wide', 'tall', 'square', 'shared'];
  names.forEach((name, i) => {
    const url = `https://cdn.example.com/${name}.png`;
    world.images.set(url, { body: pngOf(40 + 20 * i, 100 - 20 * i) });
    world.ads.set(name, { adId: name, url });
  });
  world.videoSeconds = 2;
  world.images.set('https://cdn.example.com/ad.webm', { body: WEBM, type: 'video/webm' });
  world.ads.set('video', { adId: 'video', url: 'https://cdn.example.com/ad.webm' });
  world.ads.set('missing', { adId: 'missing', url: 'https://cdn.example.com/missing.png' });
  world.ads.set('forbidden', { adId: 'forbidden', url: 'http://cdn.example.com/a.png' });
  world.ads.set('none', { adId: '', url: '' });
  world.ads.set('broken', new AdsError('service/unavailable', 'test'));
  return world;
}

const HOUSE_AD = { houseAd: { url: 'https://cdn.example.com/wide.png', clickUrl: 'https://game.example.com/' } };

it(`${RESTARTS * FRAMES_PER_RUN} frames with ${RESTARTS} restarts and ${RESTARTS * ADS_PER_RUN} ads end exactly where they began`, async () => {
  const domListeners = watchDomListeners();
  const forget = forgetDrawing();
  const world = worldOfMixedFortune();
  const random = seededRandom(24);
  const surfaces = [...world.ads.keys()];
  const anySurface = (): string => surfaces[Math.floor(random() * surfaces.length)]!;
  const test = await TestGame.start({ world, data: { reporting: false } });
  let shown = 0;
  let houseAds = 0;
  let videosPlayed = 0;
  let seen = 0;

  async function playRun(): Promise<void> {
    const { ads } = test.scene();
    world.holdImages = random() < 0.2;
    if (random() < 0.2) void ads.preload([anySurface(), anySurface()]);
    const placed = Array.from({ length: ADS_PER_RUN }, (_, i) =>
      ads.place(anySurface(), {
        x: 15 + 35 * i,
        y: 150,
        width: 30,
        height: 20,
        clickable: i % 2 === 0,
        ...(i % 3 === 0 ? { fallback: HOUSE_AD } : {}),
      }),
    );
    ads.on('advideostart', () => videosPlayed++);
    test.step(FRAMES_PER_RUN >> 1);
    await test.settle();
    world.pass(FRAMES_PER_RUN * 8);
    await test.settle();
    for (const ad of placed) {
      if (ad.state === 'shown') shown++;
      if (ad.fallback === 'houseAd') houseAds++;
      const fate = random();
      if (fate < 0.2) ad.sprite.destroy();
      else if (fate < 0.4) ad.destroy();
    }
    test.step(FRAMES_PER_RUN - (FRAMES_PER_RUN >> 1) - 1);
    world.pass(FRAMES_PER_RUN * 8);
    test.step(1);
    // What a video tells is announced a few turns later.
    for (let turns = 0; turns < 5; turns++) await Promise.resolve();
    for (const ad of placed) if ((ad.measurement?.percentageInView ?? 0) > 50) seen++;
    // Some are still on their way: their images arrive in the next run.
    test.scene().scene.restart();
    test.step(1);
    world.releaseImages();
    forget();
  }

  /** No ad that was fetched ahead is still waiting for its place. */
  async function comeToRest(): Promise<void> {
    await test.settle();
    world.pass(600_000);
    await test.settle();
    // Looks through what waits, and drops what is too old.
    test.scene().ads.place('none', { x: 0, y: 0, width: 30, height: 20 });
    await test.settle();
    test.scene().scene.restart();
    test.step(2);
    await test.settle();
  }

  await playRun();
  await comeToRest();
  const before = census(test, domListeners);
  const heapMiB: string[] = [];
  for (let run = 0; run < RESTARTS; run++) {
    await playRun();
    if (isDeep && run % (RESTARTS / 5) === 0) heapMiB.push((heapBytes() / 1_048_576).toFixed(1));
  }
  await comeToRest();
  expect(census(test, domListeners)).toEqual(before);
  expect(before).toMatchObject({ openImages: 0, loadTimers: 0, objects: 0, ads: 0 });
  // Not all of them failed, nor all of them went well.
  expect(shown).toBeGreaterThan(RESTARTS);
  expect(houseAds).toBeGreaterThan(RESTARTS / 20);
  expect(seen).toBeGreaterThan(RESTARTS);
  expect(videosPlayed).toBeGreaterThan(RESTARTS / 10);
  if (isDeep) {
    console.info(`${RESTARTS * FRAMES_PER_RUN} frames, ${shown} ads and ${houseAds} house ads shown; heap in MiB, at every fifth of the way: ${heapMiB.join(', ')}`); // prettier-ignore
  }
}, 7_200_000);

/** In the deep run after a garbage collection; else of no meaning. */
function heapBytes(): number {
  if (isDeep) {
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
  }
  return process.memoryUsage().heapUsed;
}

it('F55 a game destroyed at 100 random instants leaves no timer, no image, no client and no sound', async () => {
  const random = seededRandom(55);
  for (let instant = 0; instant < 100; instant++) {
    const world = worldOfMixedFortune();
    world.holdImages = random() < 0.5;
    const test = await TestGame.start({ world });
    const { ads, events } = test.scene();
    for (const surface of world.ads.keys()) ads.place(surface, { x: 50, y: 50, width: 30, height: 20 });
    for (let turns = Math.floor(random() * 12); turns > 0; turns--) await Promise.resolve();
    if (random() < 0.5) test.step(Math.floor(random() * 4));
    if (random() < 0.3) await test.settle();
    test.destroy();
    const emit = jest.spyOn(events, 'emit');
    world.releaseImages();
    await test.settle();
    world.pass(60_000);
    await test.settle();
    expect([world.openImages.size, world.runningTimers, world.pageWatchers.size]).toEqual([0, 0, 0]);
    expect(emit).not.toHaveBeenCalled();
    expect(world.clients.every(({ isDestroyed }) => isDestroyed)).toBe(true);
  }
});
