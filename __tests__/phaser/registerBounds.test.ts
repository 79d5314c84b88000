import type Phaser from 'phaser';
import { calculateAdCoverage, checkAdFullVisibility, registerBounds } from 'phaser-inview';

import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

type Placed = Phaser.GameObjects.GameObject &
  Phaser.GameObjects.Components.Transform &
  Phaser.GameObjects.Components.ScrollFactor;

/** An ad of 100 × 100 about (200, 150), and over it an object that paints in a way of its own. */
async function show() {
  const test = await TestGame.start();
  const scene = test.scene();
  const ad = scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 100);
  const foreign = scene.add.extern() as unknown as Placed;
  foreign.type = 'Badge';
  Object.assign(foreign, { renderCanvas: () => undefined });
  const look = () => {
    test.step();
    const { isFullyVisible, blockingSprites } = checkAdFullVisibility(ad, scene);
    const { visibleArea, totalArea } = calculateAdCoverage(ad, scene.cameras.main);
    return { seen: (100 * visibleArea) / totalArea, isFullyVisible, blockers: blockingSprites };
  };
  return { test, scene, ad, foreign, look };
}

describe('bounds that a game tells of a type of object', () => {
  it('hide of an ad what lies in them, as camera, container and object place them', async () => {
    const { test, scene, foreign, look } = await show();
    registerBounds(test.game, 'Badge', () => ({ x: -10, y: -5, width: 20, height: 10 }));
    scene.cameras.main.setScroll(7, -3);
    foreign.setPosition(20, 0).setScale(2, 4);
    scene.add.container(200, 150, [foreign]).setAngle(90);
    // 40 × 40, turned.
    const { seen, isFullyVisible, blockers } = look();
    expect(seen).toBeCloseTo(84, 3);
    expect(isFullyVisible).toBe(false);
    expect(blockers).toEqual([foreign]);
  });

  it('make an ad unmeasurable that they touch, and leave one alone that they do not', async () => {
    const { test, scene, foreign } = await show();
    registerBounds(test.game, 'Badge', () => ({ x: 0, y: 0, width: 30, height: 30 }));
    const placed = scene.ads.place('a', { x: 200, y: 150, width: 100, height: 100 });
    await placed.ready;
    scene.children.bringToTop(foreign);
    const reasons = [180, 20].map((x) => {
      foreign.setPosition(x, 150);
      test.step(2);
      return placed.measurement!.reasons;
    });
    expect(reasons[0]).toContain('unmeasurable');
    expect(reasons[1]).not.toContain('unmeasurable');
  });

  it('that are null hide nothing', async () => {
    const { test, look } = await show();
    registerBounds(test.game, 'Badge', () => null);
    expect(look()).toMatchObject({ seen: 100, isFullyVisible: true });
  });

  it.each([
    ['throw', () => { throw new Error('a fault of the game'); }],
    ['are no numbers', () => ({ x: 0, y: NaN, width: 10, height: 10 })],
    ['are endless', () => ({ x: 0, y: 0, width: Infinity, height: 10 })],
    ['are of a width below 0', () => ({ x: 0, y: 0, width: -10, height: 10 })],
    ['are undefined', () => undefined],
  ])('that %s are replaced by the size of the object, and the console tells so once', async (_, fail) => {
    const { test, foreign, look } = await show();
    const error = jest.spyOn(console, 'error').mockImplementation();
    registerBounds(test.game, 'Badge', fail as unknown as () => null);
    // Without a size it may be anywhere.
    expect(look().seen).toBe(0);
    Object.assign(foreign.setPosition(150, 100), { width: 50, height: 100 });
    expect(look().seen).toBeCloseTo(50, 3);
    expect(error).toHaveBeenCalledTimes(1);
    expect(error.mock.calls[0]![0]).toMatchObject({ code: 'internal/unexpected' });
  }); // prettier-ignore

  it('must be a function', async () => {
    const { test } = await show();
    const wrong = 'a box' as unknown as () => null;
    expect(() => registerBounds(test.game, 'Badge', wrong)).toThrow(
      expect.objectContaining({ code: 'arg/handler' }) as Error,
    );
  });
});
