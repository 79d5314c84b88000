import type Phaser from 'phaser';

import { AdsEvents } from '../../src/events.js';
import { calculateAdCoverage, checkAdFullVisibility } from '../../src/meter/tracking.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());
beforeEach(() => jest.spyOn(console, 'warn').mockImplementation());

type Sprite = Phaser.GameObjects.Image;
type Cut = (sprite: Sprite, frame: Phaser.Textures.Frame) => unknown;

/** The creative is 300 × 250. */
const CUTS: readonly (readonly [string, number, Cut])[] = [
  ['cropped to a fifth each way', 4, (sprite) => sprite.setCrop(0, 0, 60, 50)],
  ['cropped, and turned over', 4, (sprite) => sprite.setCrop(100, 50, 60, 50).setFlip(true, true)],
  ['cropped to half, in a container', 50, (sprite) => sprite.scene.add.container(5, 5, [sprite.setCrop(0, 0, 150, 250)])],
  ['shown by a smaller frame', 4, (sprite, { texture }) => {
    texture.add('part', 0, 60, 50, 60, 50);
    sprite.setFrame('part');
  }],
  ['shown by a smaller frame, as large as it was', 4, (sprite, { texture }) => {
    texture.add('part', 0, 60, 50, 60, 50);
    sprite.setFrame('part').setDisplaySize(60, 50);
  }],
  ['cut by its frame', 4, (_, frame) => frame.setCutSize(60, 50)],
  ['cut in its middle by its frame', 4, (_, frame) => frame.setCutPosition(120, 100).setCutSize(60, 50)],
  ['cut and trimmed', 4, (_, frame) => frame.setCutSize(60, 50).setTrim(300, 250, 0, 0, 60, 50)],
  ['cropped by all of it', 100, (sprite) => sprite.setCrop(0, 0, 300, 250)],
  ['cropped and whole again', 100, (sprite) => sprite.setCrop(0, 0, 60, 50).setCrop()],
]; // prettier-ignore

async function show(fit: 'contain' | 'cover' = 'contain') {
  const test = await TestGame.start();
  const scene = test.scene();
  const told: string[] = [];
  for (const event of [AdsEvents.VISIBLE, AdsEvents.VIEWABLE]) scene.ads.on(event, () => told.push(event));
  const ad = scene.ads.place('a', { x: 200, y: 150, width: 120, height: fit === 'cover' ? 50 : 100, fit });
  await ad.ready;
  return { test, scene, ad, told };
}

describe('E2: an ad is measured against its whole creative', () => {
  test.each(CUTS)('%s: %d %%', async (_name, share, cut) => {
    const { test, scene, ad, told } = await show();
    cut(ad.sprite, ad.sprite.frame);
    test.step(190);
    await test.settle();
    const { measurement } = ad;
    expect(measurement!.percentageInView).toBeCloseTo(share, 6);
    expect(measurement).toMatchObject({ isFullyVisible: share === 100, reasons: share === 100 ? [] : ['clipped'] });
    // Half of it in view is enough to be viewable.
    expect(told.includes(AdsEvents.VIEWABLE)).toBe(share >= 50);
    expect(told.includes(AdsEvents.VISIBLE)).toBe(share === 100);
    const { visibleArea, totalArea } = calculateAdCoverage(ad.sprite, scene.cameras.main);
    expect((100 * visibleArea) / totalArea).toBeCloseTo(share, 6);
    expect(checkAdFullVisibility(ad.sprite, scene).isFullyVisible).toBe(share === 100);
  });

  test('from the frame on in which it is cut', async () => {
    const { test, ad } = await show();
    test.step(3);
    const shares = [150, 75, 300, 30].map((width) => {
      ad.sprite.setCrop(0, 0, width, 250);
      test.step();
      return ad.measurement!.percentageInView;
    });
    for (const [i, share] of [50, 25, 100, 10].entries()) expect(shares[i]).toBeCloseTo(share, 6);
  });

  test('or what `fit: cover` leaves of it, and of that what the game leaves', async () => {
    const { test, ad } = await show('cover');
    test.step();
    expect(ad.measurement).toMatchObject({ percentageInView: 100, reasons: [] });
    expect(ad.measurement!.totalArea).toBeCloseTo(120 * 50, 3);
    ad.sprite.setCrop(0, 0, 60, 125);
    test.step();
    expect(ad.measurement!.percentageInView).toBeCloseTo(20, 6);
    ad.sprite.setCrop();
    ad.sprite.frame.setCutSize(60, 125);
    test.step();
    expect(ad.measurement!.percentageInView).toBeCloseTo(20, 6);
    expect(ad.measurement!.reasons).toEqual(['clipped']);
  });

  test('and a moved cut that shows what is no part of it is unmeasurable', async () => {
    const { test, ad } = await show();
    ad.sprite.frame.setCutPosition(150, 0);
    // Canvas goes on drawing from where the frame began.
    test.step();
    expect(ad.measurement!.percentageInView).toBeCloseTo(100, 6);
    ad.sprite.frame.setCutSize(400, 250);
    test.step();
    expect(ad.measurement).toMatchObject({ isVisible: false });
    expect(ad.measurement!.reasons).toContain('unmeasurable');
  });

  test('an object of the game against its frame, uncut, trimmed or not', async () => {
    const { test, scene } = await show();
    const texture = scene.textures.createCanvas('sheet', 100, 100)!;
    texture.add('whole', 0, 10, 10, 50, 40);
    texture.add('trimmed', 0, 10, 10, 50, 40)!.setTrim(80, 80, 10, 20, 50, 40);
    for (const frame of ['whole', 'trimmed']) {
      const own = scene.ads.observe(scene.add.image(200, 150, 'sheet', frame), { adId: 'own', url: '' });
      test.step();
      expect(own.measurement!.percentageInView).toBeCloseTo(100, 6);
      expect(own.measurement!.totalArea).toBeCloseTo(2000, 3);
      own.sprite.frame.setCutSize(25, 40);
      test.step();
      expect(own.measurement!.percentageInView).toBeCloseTo(50, 6);
      own.sprite.destroy();
    }
  });

  test('a tile sprite against its size, or one tile if that is larger', async () => {
    const { test, scene } = await show();
    scene.textures.createCanvas('tile', 40, 40);
    const tiles = scene.add.tileSprite(200, 60, 80, 40, 'tile');
    const own = scene.ads.observe(tiles, { adId: 'own', url: '' });
    const shareAfter = (change: () => unknown): number => {
      change();
      test.step(3);
      return own.measurement!.percentageInView;
    };
    expect(shareAfter(() => undefined)).toBeCloseTo(100, 6);
    // Those of Phaser 4 cannot be cropped.
    if ('setCrop' in tiles) {
      expect(shareAfter(() => tiles.setCrop(0, 0, 20, 40))).toBeCloseTo(25, 6);
      tiles.setCrop();
    }
    expect(shareAfter(() => tiles.setTileScale(4, 4))).toBeCloseTo(12.5, 6);
  });
});
