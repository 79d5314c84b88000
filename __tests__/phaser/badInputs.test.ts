import type Phaser from 'phaser';

import type { SpriteMeasurement } from '../../src/meter/SpriteMeasurement.js';
import { calculateAdCoverage, checkAdFullVisibility } from '../../src/meter/tracking.js';
import { withCode } from '../helpers/withCode.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };

async function start() {
  const test = await TestGame.start({
    scene: [{ key: 'main' }, { key: 'other', active: true }] as Phaser.Types.Scenes.SettingsConfig[],
  });
  const scene = test.scene('main');
  const ad = scene.ads.place('roof', PLACE);
  await ad.ready;
  test.step(2);
  return { test, scene, ad };
}

/** Every figure is a number there can be. */
function expectSound(figures: SpriteMeasurement): void {
  const { percentageInView, visibleArea, totalArea, onScreenArea, screenCoveragePercentage } = figures;
  for (const figure of [percentageInView, visibleArea, totalArea, onScreenArea, screenCoveragePercentage]) {
    expect(Number.isFinite(figure)).toBe(true);
    expect(figure).toBeGreaterThanOrEqual(0);
  }
  expect(percentageInView).toBeLessThanOrEqual(100);
}

describe('B60 a scene or camera that is none, or of another scene', () => {
  it.each([undefined, null, 7, 'main', {}])('B60 scene %p', async (given) => {
    const { ad } = await start();
    expect(() => checkAdFullVisibility(ad.sprite, given as never)).toThrow(withCode('arg/scene'));
  });

  it.each([undefined, null, 7, 'main', {}, { scrollX: 0, zoomX: 1 }])('B60 camera %p', async (given) => {
    const { ad } = await start();
    expect(() => calculateAdCoverage(ad.sprite, given as never)).toThrow(withCode('arg/camera'));
  });

  it('B60 a group for a sprite', async () => {
    const { scene } = await start();
    const group = scene.add.group() as unknown as Phaser.GameObjects.GameObject;
    expect(() => checkAdFullVisibility(group, scene)).toThrow(withCode('arg/sprite'));
    expect(() => calculateAdCoverage(group, scene.cameras.main)).toThrow(withCode('arg/sprite'));
  });

  it('B60 of another scene: the ad is not visible there, asked in any frame', async () => {
    const { test, ad } = await start();
    const other = test.scene('other');
    expect(checkAdFullVisibility(ad.sprite, other)).toEqual({ isFullyVisible: false, blockingSprites: [] });
    expect(calculateAdCoverage(ad.sprite, other.cameras.main)).toMatchObject({ isVisible: false, visibleArea: 0 });
  });
});

describe('B61 a camera that shows nothing', () => {
  it.each<[string, (camera: Phaser.Cameras.Scene2D.Camera) => unknown]>([
    ['zoom 0', (camera) => Object.assign(camera, { _zoomX: 0, _zoomY: 0 })],
    ['size 0', (camera) => camera.setSize(0, 0)],
    ['alpha 0', (camera) => camera.setAlpha(0)],
    ['invisible', (camera) => camera.setVisible(false)],
    ['a viewport beside the canvas', (camera) => camera.setPosition(5000, 0)],
  ])('B61 %s: nothing is visible, all figures finite', async (_name, change) => {
    const { test, scene, ad } = await start();
    change(scene.cameras.main);
    test.step(2);
    const measured = scene.ads.measure(ad);
    expectSound(measured);
    expect(measured).toMatchObject({ isVisible: false, isFullyVisible: false, visibleArea: 0 });
    expect(calculateAdCoverage(ad.sprite, scene.cameras.main)).toMatchObject({ isVisible: false, visibleArea: 0 });
  });
});

describe('B62 a sprite whose matrix is out of bounds', () => {
  it.each([0, NaN, Infinity, 1e308, -1e308, 1e-308])('B62 scale %p: finite, from 0 to 100 %%', async (scale) => {
    const { test, scene, ad } = await start();
    ad.sprite.setScale(scale);
    test.step(2);
    expectSound(scene.ads.measure(ad));
  });

  it('B62 rotated in nested containers', async () => {
    const { test, scene } = await start();
    const inner = scene.add.container(0, 0).setScale(1e-9, 1e9).setAngle(45);
    const outer = scene.add.container(200, 150, [inner]).setScale(1e200).setAngle(30);
    const ad = scene.ads.place('roof', { x: 0, y: 0, width: 20, height: 10, container: inner });
    await ad.ready;
    test.step(2);
    expectSound(scene.ads.measure(ad));
    outer.setScale(NaN);
    test.step(2);
    expectSound(scene.ads.measure(ad));
  });
});

describe('B58 an ad that is gone', () => {
  it('B58 is not visible, asked in any frame', async () => {
    const { test, scene, ad } = await start();
    ad.destroy();
    for (let i = 0; i < 3; i++) {
      test.step();
      expect(scene.ads.measure(ad)).toMatchObject({ isVisible: false, percentageInView: 0 });
      expect(checkAdFullVisibility(ad.sprite, scene).isFullyVisible).toBe(false);
    }
  });
});
