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

function areaOf(polygons: readonly Float64Array[]): number {
  return polygons.reduce((sum, polygon) => sum + convexArea(polygon, 0, polygon.length / 2), 0);
}

describe('what the player sees of an ad of 80 × 40 through a camera', () => {
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
    const { main } = scene.cameras;
    const nothing = [null, undefined, 7, 'ad', {}];
    const sprites = [...nothing, { type: 'Image' }, { type: 'Image', scene }, { scene, renderFlags: 15 }];
    for (const ask of [calculateAdCoverage, adShape, visibleFragments]) {
      // Says which call it was.
      const message = expect.stringContaining(`${ask.name}: expected`) as string;
      for (const sprite of sprites)
        expect(() => ask(sprite as never, main)).toThrow(
          expect.objectContaining({ code: 'arg/sprite', message }) as Error,
        );
      for (const camera of [...nothing, { matrix: {} }, { zoomX: 1 }])
        expect(() => ask(ad, camera as never)).toThrow(
          expect.objectContaining({ code: 'arg/camera', message }) as Error,
        );
    }
    for (const sprite of sprites)
      expect(() => checkAdFullVisibility(sprite as never, scene)).toThrow(withCode('arg/sprite'));
    for (const each of nothing) expect(() => checkAdFullVisibility(ad, each as never)).toThrow(withCode('arg/scene'));
  });
});

describe('what a tracking function says', () => {
  it('is the caller’s own: what a game does with a list changes no later answer', async () => {
    const { test, scene, ad } = await start();
    const ask = () => checkAdFullVisibility(ad, scene);
    for (let i = 0; i < 5; i++) {
      expect(ask()).toEqual({ isFullyVisible: true, blockingSprites: [] });
      ask().blockingSprites.push(ad);
      test.step();
    }
  });

  it('is of the picture of the ad that shows most, where a camera draws it twice', async () => {
    const { test, scene, ad } = await start();
    const { main } = scene.cameras;
    const container = scene.add.container(-190, 0).setExclusive(false).add(ad);
    test.step();
    let coverage = calculateAdCoverage(ad, main);
    expect([coverage.totalArea, coverage.visibleArea]).toEqual([expect.closeTo(3200, 3), expect.closeTo(3200, 3)]);
    ad.setX(0);
    container.setX(200).setScale(1.1);
    test.step();
    coverage = calculateAdCoverage(ad, main);
    expect([coverage.totalArea, coverage.visibleArea]).toEqual([expect.closeTo(3872, 3), expect.closeTo(3872, 3)]);
  });

  it('is of the scene that draws the ad, and of the camera that draws this scene, whoever made them', async () => {
    const keys = ['main', 'other', 'third'];
    const test = await TestGame.start({ scene: keys.map((key) => ({ key, active: true })) as never });
    const [scene, other, third] = keys.map((key) => test.scene(key)) as [Phaser.Scene, Phaser.Scene, Phaser.Scene];
    const ad = scene.add.rectangle(200, 150, 80, 40, 0xffffff);
    const camera = third.cameras.add(0, 0, 400, 300).setZoom(2);
    third.cameras.remove(camera, false);
    other.cameras.addExisting(camera);
    other.cameras.remove(other.cameras.main);
    other.add.existing(ad);
    test.step();
    expect(checkAdFullVisibility(ad, other).isFullyVisible).toBe(true);
    for (const each of [calculateAdCoverage(ad, camera).visibleArea, calculateAdCoverage(ad, camera).totalArea])
      expect(each).toBeCloseTo(12_800, 3);
    expect(areaOf(visibleFragments(ad, camera))).toBeCloseTo(12_800, 3);
    // The scene that made it does not draw it any more.
    const unseen = { isVisible: false, visibleArea: 0, screenCoveragePercentage: 0 };
    const totalArea = expect.closeTo(3200, 3) as number;
    expect(calculateAdCoverage(ad, scene.cameras.main)).toEqual({ ...unseen, totalArea });
    expect(calculateAdCoverage(ad, third.cameras.main)).toEqual({ ...unseen, totalArea: 0 });
    expect(visibleFragments(ad, scene.cameras.main)).toEqual([]);
  });

  it('is that there is nothing of an ad that is gone', async () => {
    const { scene, ad } = await start();
    const { main } = scene.cameras;
    ad.destroy();
    expect(checkAdFullVisibility(ad, scene)).toEqual({ isFullyVisible: false, blockingSprites: [] });
    const nothing = { isVisible: false, visibleArea: 0, totalArea: 0, screenCoveragePercentage: 0 };
    expect(calculateAdCoverage(ad, main)).toEqual(nothing);
    expect(visibleFragments(ad, main)).toEqual([]);
  });

  it('keeps no object of the game', async () => {
    const { test, scene, ad } = await start();
    const { main } = scene.cameras;
    scene.add.image(180, 150, '__WHITE').setDisplaySize(40, 90);
    const { snapshot } = GameMeter.of(test.game).bench.reader;
    checkAdFullVisibility(ad, scene);
    expect([snapshot.owners, snapshot.views]).toEqual([[], []]);
    calculateAdCoverage(ad, main);
    expect([snapshot.owners, snapshot.views]).toEqual([[], []]);
    visibleFragments(ad, main);
    expect([snapshot.owners, snapshot.views]).toEqual([[], []]);
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
