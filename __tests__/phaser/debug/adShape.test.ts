import { adShape, adShapes, calculateAdCoverage, visibleFragments } from '../../../src/meter/tracking.js';
import { ObstructionPurpose } from '../../../src/index.js';
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
  expect(adShape(ad, scene.cameras.main)).toEqual({ outline: [], onScreen: [], visible: [], html: [] });
  ad.destroy();
  expect(adShape(ad, scene.cameras.main)).toEqual({ outline: [], onScreen: [], visible: [], html: [] });
});

it('tells of many objects at once what it tells of each', async () => {
  const test = await TestGame.start();
  const scene = test.scene();
  const zoomed = scene.cameras.add(200, 0, 200, 300).setZoom(2);
  const objects = [30, 110, 190, 270].map((x, i) =>
    scene.add.rectangle(x, 60 + 40 * i, 120, 90, 0xffffff).setAngle(7 * i),
  );
  const hidden = scene.add.rectangle(10, 10, 5, 5, 0xffffff);
  hidden.destroy();
  test.step();
  const { main } = scene.cameras;
  const asked = [...objects, hidden, objects[1]!].map((object, i) => ({ object, camera: i % 2 === 0 ? main : zoomed }));
  expect(adShapes(asked)).toEqual(asked.map(({ object, camera }) => adShape(object, camera)));
  const outlines = asked.map((one) => ({ ...one, isOutline: true }));
  expect(adShapes(outlines)).toEqual(
    adShapes(asked).map(({ outline }) => ({ outline, onScreen: [], visible: [], html: [] })),
  );
  expect(adShapes([])).toEqual([]);
});

it('shows of an ad what is measured of it: what was declared a friendly obstruction takes nothing', async () => {
  const test = await TestGame.start();
  const scene = test.scene();
  const ad = scene.ads.place('billboard', { x: 200, y: 150, width: 200, height: 100 });
  await ad.ready;
  const close = scene.add.rectangle(200, 150, 40, 100, 0xff0000);
  test.step(2);
  const seen = () => areaOf(adShape(ad.sprite, scene.cameras.main).visible);
  expect(seen()).toBe(ad.measurement!.visibleArea);
  scene.ads.addFriendlyObstruction(close, ObstructionPurpose.CLOSE_AD);
  test.step(2);
  expect(seen()).toBe(ad.measurement!.visibleArea);
  expect(ad.measurement!.isFullyVisible).toBe(true);
  // A single call makes no such difference.
  expect(areaOf(visibleFragments(ad.sprite, scene.cameras.main))).toBeLessThan(seen());
});
