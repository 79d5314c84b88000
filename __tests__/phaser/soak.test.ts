import Phaser from 'phaser';

import { AdsError } from '../../src/errors.js';
import { seededRandom } from '../bench/seededRandom.js';
import { FakeWorld } from './support/FakeWorld.js';
import { pngOf } from './support/imageFiles.js';
import { countListeners, TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const isDeep = Boolean(process.env['DEEP']);
/** 24 hours at 60 Hz, over 10,000 restarts with 10 ads each; shorter in the normal run. */
const RESTARTS = isDeep ? 10_000 : 100;
const FRAMES_PER_RUN = isDeep ? 519 : 60;
const ADS_PER_RUN = 10;

/** Everything a game with ads could leave behind. */
function census(test: TestGame) {
  const { game, world } = test;
  return {
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
  world.ads.set('missing', { adId: 'missing', url: 'https://cdn.example.com/missing.png' });
  world.ads.set('forbidden', { adId: 'forbidden', url: 'http://cdn.example.com/a.png' });
  world.ads.set('none', { adId: '', url: '' });
  world.ads.set('broken', new AdsError('service/unavailable', 'test'));
  return world;
}

it(`${RESTARTS * FRAMES_PER_RUN} frames with ${RESTARTS} restarts and ${RESTARTS * ADS_PER_RUN} ads end exactly where they began`, async () => {
  const world = worldOfMixedFortune();
  const random = seededRandom(24);
  const surfaces = [...world.ads.keys()];
  const test = await TestGame.start({ world, type: Phaser.HEADLESS, data: { reporting: false } });

  async function playRun(): Promise<void> {
    const { ads } = test.scene();
    world.holdImages = random() < 0.2;
    const placed = Array.from({ length: ADS_PER_RUN }, (_, i) => {
      const surface = surfaces[Math.floor(random() * surfaces.length)]!;
      return ads.place(surface, { x: 20 * i, y: 150, width: 30, height: 20, clickable: i % 2 === 0 });
    });
    ads.on('adloaded', () => undefined);
    test.step(FRAMES_PER_RUN >> 1);
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (const ad of placed) {
      const fate = random();
      if (fate < 0.2) ad.sprite.destroy();
      else if (fate < 0.4) ad.destroy();
    }
    test.step(FRAMES_PER_RUN - (FRAMES_PER_RUN >> 1));
    world.pass(FRAMES_PER_RUN * 16);
    // Some are still on their way: their images arrive in the next run.
    test.scene().scene.restart();
    test.step(1);
    world.releaseImages();
  }

  await playRun();
  await test.settle();
  world.pass(60_000);
  const before = census(test);
  for (let run = 0; run < RESTARTS; run++) await playRun();
  await test.settle();
  world.pass(60_000);
  await test.settle();
  expect(census(test)).toEqual(before);
  expect(before).toMatchObject({ openImages: 0, loadTimers: 0, objects: 0, ads: 0 });
}, 1_800_000);

it('F55 a game destroyed at 100 random instants leaves no timer, no image, no client and no sound', async () => {
  const random = seededRandom(55);
  for (let instant = 0; instant < 100; instant++) {
    const world = worldOfMixedFortune();
    world.holdImages = random() < 0.5;
    const test = await TestGame.start({ world, type: Phaser.HEADLESS });
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
