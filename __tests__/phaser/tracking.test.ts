import Phaser from 'phaser';

import { convexArea } from '../../src/geometry/convexArea.js';
import { GameMeter } from '../../src/meter/GameMeter.js';
import { adShape, calculateAdCoverage, checkAdFullVisibility, visibleFragments } from '../../src/meter/tracking.js';
import { withCode } from '../helpers/withCode.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

async function start() {
  const test = await TestGame.start();
  const scene = test.scene('main');
  scene.textures.createCanvas('ad', 80, 40);
  const ad = scene.add.image(200, 150, 'ad');
  test.step(2);
  return { test, scene, ad };
}

describe('the tracking functions between two frames', () => {
  it.each([
    [2, 1],
    [1, 2],
    [2, 0.5],
  ])('describe a camera zoomed from %d to %d as it stands', async (before, after) => {
    const { test, scene, ad } = await start();
    const { main } = scene.cameras;
    main.setZoom(before);
    test.step();
    expect(calculateAdCoverage(ad, main).totalArea).toBeCloseTo(3200 * before ** 2, 3);
    main.setZoom(after);
    const asked = calculateAdCoverage(ad, main).totalArea;
    expect(asked).toBeCloseTo(3200 * after ** 2, 3);
    test.step();
    expect(calculateAdCoverage(ad, main).totalArea).toBeCloseTo(asked, 3);
  });
});

describe('what the player sees of an ad of 80 × 40 through a camera', () => {
  const areaOf = (polygons: readonly Float64Array[]) =>
    polygons.reduce((sum, polygon) => sum + convexArea(polygon, 0, polygon.length / 2), 0);

  it.each<[string, number, (ad: Phaser.GameObjects.Image, scene: Phaser.Scene) => unknown]>([
    ['is all of it', 3200, () => undefined],
    ['is half of it under a cover', 1600, (_, scene) => scene.add.image(180, 150, '__WHITE').setDisplaySize(40, 90)],
    ['is the part on the canvas', 1600, (ad) => ad.setX(0)],
    ['is nothing while the page is hidden', 0, () => jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')],
    ['is nothing when it is too faint', 0, (ad) => ad.setAlpha(0.3)],
    ['is nothing when its picture cannot be known', 0, (ad) => ad.setBlendMode(Phaser.BlendModes.ADD)],
    ['is nothing when the camera leaves it out', 0, (ad, scene) => scene.cameras.main.ignore(ad)],
    ['is nothing when the camera is off', 0, (_, scene) => scene.cameras.main.setVisible(false)],
  ])('%s, by each function that tells', async (_what, area, change) => {
    const { test, scene, ad } = await start();
    const { main } = scene.cameras;
    ad.setTexture('__WHITE').setDisplaySize(80, 40);
    change(ad, scene);
    test.step(2);
    const { isVisible, visibleArea, totalArea, screenCoveragePercentage } = calculateAdCoverage(ad, main);
    expect([isVisible, totalArea]).toEqual([area > 0, expect.closeTo(3200, 3)]);
    expect(visibleArea).toBeCloseTo(area, 3);
    expect(screenCoveragePercentage).toBeCloseTo((100 * area) / (400 * 300), 6);
    expect(checkAdFullVisibility(ad, scene).isFullyVisible).toBe(area === 3200);
    expect(areaOf(adShape(ad, main).visible)).toBeCloseTo(area, 3);
    expect(areaOf(visibleFragments(ad, main))).toBeCloseTo(area, 3);
  }); // prettier-ignore

  it('is asked of game objects and cameras only', async () => {
    const { scene, ad } = await start();
    for (const ask of [calculateAdCoverage, adShape, visibleFragments]) {
      expect(() => ask({} as never, scene.cameras.main)).toThrow(withCode('arg/sprite'));
      expect(() => ask(ad, {} as never)).toThrow(withCode('arg/camera'));
    }
  });
});

describe('a hidden sprite whose texture was removed', () => {
  it.each(['above the ad', 'as the ad'])('harms nobody %s', async (place) => {
    const { test, scene, ad } = await start();
    const { main } = scene.cameras;
    scene.textures.createCanvas('stored', 80, 40);
    const stored = scene.add.image(200, 150, 'stored').setVisible(false);
    const asked = place === 'as the ad' ? stored : ad;
    const measured = scene.ads.observe(asked, { adId: 'a', url: 'https://example.com/a.png' });
    scene.textures.remove('stored');
    test.step(3);
    const isAd = asked === ad;
    expect(checkAdFullVisibility(asked, scene)).toEqual({ isFullyVisible: isAd, blockingSprites: [] });
    expect(calculateAdCoverage(asked, main).isVisible).toBe(isAd);
    expect(measured.measurement?.isFullyVisible).toBe(isAd);
  });
});

test('an ad scaled to less than a pixel is hidden, not visible', async () => {
  const { test, scene, ad } = await start();
  const measured = scene.ads.observe(ad, { adId: 'a', url: 'https://example.com/a.png' });
  ad.setScale(0.01);
  test.step(2);
  expect(checkAdFullVisibility(ad, scene).isFullyVisible).toBe(false);
  expect(measured.measurement).toMatchObject({ isFullyVisible: false, reasons: ['hidden'] });
});

describe.each(['while something was observed', 'while nothing was'])('after the game has ended %s', (when) => {
  it('a sprite is not visible, and observing it is refused', async () => {
    const { test, scene, ad } = await start();
    const { main } = scene.cameras;
    // Of no display list, it is not destroyed with its scene.
    const held = scene.make.image({ x: 200, y: 150, key: 'ad' }, false);
    const meter = GameMeter.of(test.game);
    if (when === 'while something was observed') meter.observe(ad, () => undefined);
    test.destroy();
    for (const sprite of [ad, held]) {
      expect(() => meter.observe(sprite, () => undefined)).toThrow(withCode('lifecycle/destroyed'));
      expect(meter.measure(sprite)).toMatchObject({ isVisible: false, blockingSprites: [] });
      expect(checkAdFullVisibility(sprite, scene)).toEqual({ isFullyVisible: false, blockingSprites: [] });
      expect(calculateAdCoverage(sprite, main).isVisible).toBe(false);
    }
  });
});
