import Phaser from 'phaser';

import { AdsEvents } from '../../src/events.js';
import { calculateAdCoverage, checkAdFullVisibility, visibleFragments } from '../../src/meter/tracking.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());
beforeEach(() => jest.spyOn(console, 'warn').mockImplementation());

const PLACE = { x: 200, y: 150, width: 120, height: 100 };

/** Three seconds: three times what every standard asks of an image. */
const FRAMES = 190;

type Hide = (test: TestGame, sprite: Phaser.GameObjects.Image) => unknown;

const WAYS: readonly (readonly [string, Hide])[] = [
  ['the scene is not visible', ({ game }) => game.scene.getScene('main').scene.setVisible(false)],
  ['the scene sleeps', ({ game }) => game.scene.sleep('main')],
  ['the camera is not visible', (_, { scene }) => scene.cameras.main.setVisible(false)],
  ['the camera is clear', (_, { scene }) => scene.cameras.main.setAlpha(0)],
  ['the camera ignores the ad', (_, sprite) => sprite.scene.cameras.main.ignore(sprite)],
  ['the camera has no size', (_, { scene }) => scene.cameras.main.setSize(0, 0)],
  ['there is no camera', (_, { scene }) => scene.cameras.remove(scene.cameras.main)],
  ['the ad is not visible', (_, sprite) => sprite.setVisible(false)],
  ['the ad is clear', (_, sprite) => sprite.setAlpha(0)],
  ['the ad has no size', (_, sprite) => sprite.setScale(0)],
  ['the ad is on no display list', (_, sprite) => sprite.removeFromDisplayList()],
  ['the ad is in a container that is not visible', (_, ad) => ad.scene.add.container(0, 0, [ad]).setVisible(false)],
  ['the ad is in a layer that is not visible', (_, ad) => ad.scene.add.layer([ad]).setVisible(false)],
  ['the ad is in a container on no display list', (_, ad) => ad.scene.make.container({ x: 0, y: 0 }, false).add(ad)],
  ['the canvas is in no document', ({ game }) => game.canvas.remove()],
  ['frames pass without being drawn', (test) => jest.spyOn(test.game, 'step').mockImplementation(test.game.headlessStep)], // prettier-ignore
  // Within the frame that has lost the context.
  ['the renderer stops in the middle of a frame', ({ game }) => jest.spyOn(game.renderer, 'postRender').mockImplementation()], // prettier-ignore
];

async function playUndrawn(type: number, hide: Hide) {
  const test = await TestGame.start({ type });
  const scene = test.scene();
  const told: string[] = [];
  for (const event of [AdsEvents.IMPRESSION, AdsEvents.VIEWABLE, AdsEvents.VISIBLE])
    scene.ads.on(event, () => told.push(event));
  const { main } = scene.cameras;
  const ad = scene.ads.place('a', PLACE);
  await ad.ready;
  hide(test, ad.sprite);
  test.step(FRAMES);
  // They are announced once their report is committed.
  await test.settle();
  return { scene, main, ad, told };
}

test('an ad that is drawn is counted', async () => {
  const { told } = await playUndrawn(Phaser.CANVAS, () => undefined);
  expect(told).toEqual(expect.arrayContaining([AdsEvents.IMPRESSION, AdsEvents.VIEWABLE, AdsEvents.VISIBLE]));
});

describe('E4: an ad that is not drawn is hidden, and nothing is counted', () => {
  test('without a renderer', async () => {
    const { scene, main, ad, told } = await playUndrawn(Phaser.HEADLESS, () => undefined);
    expect(told).toEqual([]);
    expect(ad.measurement).toMatchObject({ isVisible: false, percentageInView: 0, reasons: ['hidden'] });
    for (const { visibleArea } of [scene.ads.measure(ad), scene.ads.measure(scene.add.rectangle(9, 9, 9, 9))])
      expect(visibleArea).toBe(0);
    expect(checkAdFullVisibility(ad.sprite, scene)).toEqual({ isFullyVisible: false, blockingSprites: [] });
    expect(calculateAdCoverage(ad.sprite, main)).toMatchObject({ isVisible: false, visibleArea: 0 });
    expect(visibleFragments(ad.sprite, main)).toEqual([]);
  });

  test.each(WAYS)('when %s', async (_way, hide) => {
    const { ad, told } = await playUndrawn(Phaser.CANVAS, hide);
    expect(told).toEqual([]);
    expect(ad.measurement?.isVisible ?? false).toBe(false);
  });

  // The frame drawn last stays where it is; these are what single calls can see of it.
  test.each(WAYS.slice(0, -2))('single calls say so when %s', async (_way, hide) => {
    const { scene, main, ad } = await playUndrawn(Phaser.CANVAS, hide);
    expect(checkAdFullVisibility(ad.sprite, scene).isFullyVisible).toBe(false);
    expect(calculateAdCoverage(ad.sprite, main).isVisible).toBe(false);
    expect(visibleFragments(ad.sprite, main)).toEqual([]);
    expect(scene.ads.measure(ad).isVisible).toBe(false);
  });

  test('for the time in which the loop stands still', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const told: string[] = [];
    scene.ads.on(AdsEvents.VIEWABLE, () => told.push('viewable'));
    await scene.ads.place('a', PLACE).ready;
    test.step(10);
    test.skip(60_000);
    test.step(10);
    await test.settle();
    expect(told).toEqual([]);
    test.step(FRAMES);
    await test.settle();
    expect(told.length).toBeGreaterThan(0);
  });
});
