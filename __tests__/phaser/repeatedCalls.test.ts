import type Phaser from 'phaser';
import { calculateAdCoverage, checkAdFullVisibility, GameMeter } from 'phaser-inview';

import { AdMeter } from '../../src/meter/AdMeter.js';
import { TrackingBench } from '../../src/meter/TrackingBench.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

/** An ad of 80 × 40, a quarter of which something covers. */
async function start() {
  const test = await TestGame.start();
  const scene = test.scene('main');
  const ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(80, 40);
  const cover = scene.add.image(170, 150, '__WHITE').setDisplaySize(20, 40);
  const readings = jest.spyOn(TrackingBench.prototype, 'read');
  readings.mockClear();
  const ask = () => ({
    visibility: checkAdFullVisibility(ad, scene),
    coverage: calculateAdCoverage(ad, scene.cameras.main),
  });
  /** Asked so many times, each after a frame was drawn, or several. */
  const askFor = (times: number, every = 1) =>
    Array.from({ length: times }, () => {
      test.step(every);
      return ask();
    });
  return { test, scene, ad, cover, readings, ask, askFor };
}

describe('a tracking function that is called again and again', () => {
  it.each([1, 2, 6, 60])(
    'reads the scenes for the first two calls, every %i frames, and says the same from then on',
    async (every) => {
      const { readings, askFor, cover } = await start();
      const answers = askFor(10, every);
      expect(readings).toHaveBeenCalledTimes(4);
      for (const { visibility, coverage } of answers) {
        expect(visibility).toEqual({ isFullyVisible: false, blockingSprites: [cover] });
        expect(coverage.totalArea).toBeCloseTo(3200, 3);
        expect(coverage.visibleArea).toBeCloseTo(2400, 3);
        expect(coverage.screenCoveragePercentage).toBeCloseTo(answers[0]!.coverage.screenCoveragePercentage, 6);
        expect(coverage.isVisible).toBe(true);
      }
    },
  );

  it('answers of what has been drawn since', async () => {
    const { askFor, cover, readings } = await start();
    askFor(3);
    readings.mockClear();
    cover.setVisible(false);
    expect(askFor(1)[0]).toMatchObject({ visibility: { isFullyVisible: true, blockingSprites: [] } });
    cover.setVisible(true).setPosition(200, 150);
    expect(askFor(1)[0]!.visibility).toEqual({ isFullyVisible: false, blockingSprites: [cover] });
    expect(readings).not.toHaveBeenCalled();
  });

  it.each<[string, (ad: Phaser.GameObjects.Image, scene: Phaser.Scene) => unknown]>([
    ['moved', (ad) => ad.setX(230)],
    ['hidden', (ad) => ad.setVisible(false)],
    ['taken off the display list', (ad) => ad.removeFromDisplayList()],
    ['put into a layer', (ad, scene) => scene.add.layer([ad])],
    ['faded', (ad) => ad.setAlpha(0.2)],
    ['put in a container', (ad, scene) => scene.add.container(30, 0, [ad])],
    ['cropped otherwise', (ad) => ad.setCrop(0, 0, 2, 4)],
    ['no longer cropped', (ad) => ad.setCrop()],
    ['hung by another corner', (ad) => ad.setOrigin(0, 1)],
    ['given another picture', (ad) => ad.setTexture('__DEFAULT')],
    ['made to scroll otherwise', (ad) => ad.setScrollFactor(0.5)],
    ['scrolled', (_, scene) => scene.cameras.main.setScroll(-30, 0)],
    ['zoomed', (_, scene) => scene.cameras.main.setZoom(2)],
    ['zoomed about another point', (_, scene) => scene.cameras.main.setOrigin(0, 0)],
    ['hidden with its scene', (_, scene) => scene.scene.setVisible(false)],
    ['put to sleep with its scene', (_, scene) => scene.sys.sleep()],
    ['drawn by another camera, too', (_, scene) => scene.cameras.add(0, 0, 100, 100)],
    ['moved up', (ad) => ad.setY(120)],
    ['made wider', (ad) => (ad.scaleX *= 1.5)],
    ['made higher', (ad) => (ad.scaleY *= 1.5)],
    ['turned', (ad) => ad.setAngle(20)],
    ['flipped', (ad) => ad.setFlipX(true)],
    ['turned upside down', (ad) => ad.setFlipY(true)],
    ['blended otherwise', (ad) => ad.setBlendMode('MULTIPLY')],
    ['masked', (ad, scene) => ad.setMask(scene.make.graphics().fillRect(170, 130, 20, 20).createGeometryMask())],
    ['hung higher', (ad) => ad.setOrigin(0.5, 0)],
    ['cropped from the left', (ad) => ad.setCrop(1, 0, 4, 4)],
    ['cropped from above', (ad) => ad.setCrop(0, 1, 4, 4)],
    ['cropped less', (ad) => ad.setCrop(0, 0, 4, 3)],
    ['made to scroll otherwise up and down', (ad) => ad.setScrollFactor(1, 0.5)],
    ['left out by the camera', (ad, scene) => scene.cameras.main.ignore(ad)],
    ['scrolled up and down', (_, scene) => scene.cameras.main.setScroll(0, -30)],
    ['zoomed sideways only', (_, scene) => scene.cameras.main.setZoom(2, 1.5)],
    ['zoomed upwards only', (_, scene) => scene.cameras.main.setZoom(1.5, 2)],
    ['shown by a camera that was turned', (_, scene) => scene.cameras.main.setAngle(20)],
    ['shown by a camera that was faded', (_, scene) => scene.cameras.main.setAlpha(0.2)],
    ['shown by a camera that was hidden', (_, scene) => scene.cameras.main.setVisible(false)],
    ['shown by a camera that was moved', (_, scene) => scene.cameras.main.setPosition(180, 0)],
    ['shown by a camera that was moved down', (_, scene) => scene.cameras.main.setPosition(0, 140)],
    ['shown by a narrower camera', (_, scene) => scene.cameras.main.setSize(200, 300)],
    ['shown by a lower camera', (_, scene) => scene.cameras.main.setSize(400, 150)],
  ])('reads the scenes when the ad was %s since the frame', async (_, change) => {
    const { askFor, ask, readings, ad, scene, test } = await start();
    scene.cameras.main.setZoom(1.5);
    ad.setCrop(0, 0, 4, 4);
    askFor(4);
    test.step();
    readings.mockClear();
    change(ad, scene);
    const { visibility } = ask();
    expect(readings).toHaveBeenCalledTimes(2);
    test.step();
    expect(visibility).toEqual(checkAdFullVisibility(ad, scene));
  });

  it('reads the scenes when it is called less than once a second', async () => {
    const { askFor, readings } = await start();
    askFor(5, 61);
    expect(readings).toHaveBeenCalledTimes(10);
  });

  it('reads the scenes when it is called twice in a frame', async () => {
    const { askFor, ask, cover } = await start();
    askFor(4);
    cover.setVisible(false);
    expect(ask().visibility.isFullyVisible).toBe(true);
  });

  it('reads the scenes while something is friendly, which counts as a cover all the same', async () => {
    const { askFor, cover, test, readings } = await start();
    GameMeter.of(test.game).friendly.add(cover, 'OTHER');
    expect(askFor(5)[4]!.visibility.blockingSprites).toEqual([cover]);
    expect(readings).toHaveBeenCalledTimes(10);
  });

  it('reads the scenes while the page has moved since it was looked at', async () => {
    const { askFor, readings, test } = await start();
    askFor(4);
    test.step();
    readings.mockClear();
    window.dispatchEvent(new Event('scroll'));
    askFor(1);
    expect(readings).toHaveBeenCalledTimes(2);
  });

  it('reads the scenes when what was measured of the frame is that nothing can be known', async () => {
    const { askFor, readings, test } = await start();
    askFor(3);
    jest.spyOn(AdMeter.prototype, 'reasons', 'get').mockReturnValue(['unmeasurable']);
    test.step();
    readings.mockClear();
    askFor(1);
    expect(readings).toHaveBeenCalledTimes(2);
  });

  it('no longer has the ad observed when it was not called for a second', async () => {
    const { askFor, test } = await start();
    const meter = GameMeter.of(test.game);
    const before = test.game.events.listenerCount('postrender');
    askFor(3);
    expect(meter.watchedPage).not.toBeNull();
    test.step(61);
    expect(meter.watchedPage).toBeNull();
    expect(test.game.events.listenerCount('postrender')).toBe(before);
  });

  it('leaves the ad to be judged by the opacity it is observed with, in figures and clicks', async () => {
    const { askFor, ad, scene, cover, test } = await start();
    cover.setPosition(200, 150).setDisplaySize(80, 40).setAlpha(0.7);
    expect(askFor(3)[2]!.coverage.isVisible).toBe(false);
    const meter = GameMeter.of(test.game);
    const options = { blockingOpacity: 0.9 };
    let observed = 0;
    meter.observe(ad, ({ visibleArea }) => (observed = visibleArea), options);
    expect(askFor(2)[1]!.coverage.isVisible).toBe(false);
    expect(observed).toBeCloseTo(3200, 3);
    expect(meter.measure(ad, options).visibleArea).toBeCloseTo(3200, 3);
    expect(meter.isHidden(ad, options)).toBe(false);
    expect(scene.ads.measure(ad).isVisible).toBe(false);
  });

  it('leaves other questions about a frame that was drawn before the ad was observed to be read anew', async () => {
    const { askFor, ad, scene, test } = await start();
    askFor(2);
    expect(scene.ads.measure(ad)).toMatchObject({ isVisible: true, reasons: ['obstructed'] });
    expect(scene.ads.measure(ad).percentageInView).toBeCloseTo(75, 3);
    const meter = GameMeter.of(test.game);
    const options = { blockingOpacity: 0.9 };
    meter.observe(ad, () => undefined, options);
    expect(meter.isHidden(ad, options)).toBe(false);
  });

  it('says that the ad is gone once it is destroyed, and no frame is harmed', async () => {
    const { askFor, ask, test, ad } = await start();
    const errors = jest.spyOn(console, 'error');
    askFor(3);
    ad.destroy();
    test.step(2);
    expect(ask().visibility).toEqual({ isFullyVisible: false, blockingSprites: [] });
    expect(errors).not.toHaveBeenCalled();
  });
});
