import { GameMeter } from '../../src/meter/GameMeter.js';
import { calculateAdCoverage, checkAdFullVisibility } from '../../src/meter/tracking.js';
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
