import { adShape, calculateAdCoverage } from '../../../src/meter/tracking.js';
import { TestGame } from '../support/TestGame.js';

afterEach(() => TestGame.endAll());

function areaOf(polygons: readonly Float64Array[]): number {
  return polygons.reduce((sum, xy) => {
    let twice = 0;
    for (let i = 0; i < xy.length; i += 2) {
      const [x, y, nextX, nextY] = [xy[i]!, xy[i + 1]!, xy[(i + 2) % xy.length]!, xy[(i + 3) % xy.length]!];
      twice += x * nextY - nextX * y;
    }
    return sum + Math.abs(twice) / 2;
  }, 0);
}

it('tells of an ad the whole, what is on the screen, and what is seen', async () => {
  const test = await TestGame.start();
  const scene = test.scene();
  // A quarter of it is left of the screen, and of the rest a third is covered.
  const ad = scene.add.rectangle(50, 100, 200, 100, 0xffffff);
  scene.add.rectangle(25, 100, 50, 300, 0x000000);
  test.step();
  const { main } = scene.cameras;
  const { outline, onScreen, visible } = adShape(ad, main);
  expect([outline, onScreen, visible].map(areaOf)).toEqual([20_000, 15_000, 10_000]);
  expect(calculateAdCoverage(ad, main)).toMatchObject({ totalArea: 20_000, visibleArea: 10_000 });
});

it('tells nothing of an object that the camera does not draw', async () => {
  const test = await TestGame.start();
  const scene = test.scene();
  const ad = scene.add.rectangle(50, 100, 200, 100, 0xffffff);
  scene.cameras.main.ignore(ad);
  test.step();
  expect(adShape(ad, scene.cameras.main)).toEqual({ outline: [], onScreen: [], visible: [] });
  ad.destroy();
  expect(adShape(ad, scene.cameras.main)).toEqual({ outline: [], onScreen: [], visible: [] });
});
