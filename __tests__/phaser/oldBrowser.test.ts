import type { AdsScenePlugin } from '../../src/plugin/AdsScenePlugin.js';
import type { TestGame } from './support/TestGame.js';

/** What browsers lack that can read the package all the same; each hides its predecessors in time. */
const LATEST: readonly [place: object, name: string][] = [
  [Object, 'hasOwn'],
  [Array.prototype, 'at'],
  [String.prototype, 'replaceAll'],
  [Object, 'fromEntries'],
  [AbortSignal.prototype, 'reason'],
];

let printed: jest.SpyInstance;
let test: TestGame;
let giveBack: () => void;
beforeEach(() => (printed = jest.spyOn(console, 'error').mockImplementation()));
afterEach(() => {
  test.destroy();
  giveBack();
});

/** A game in a browser that lacks something, of a package loaded there. */
async function playWithout(place: object, name: string): Promise<void> {
  const had = Object.getOwnPropertyDescriptor(place, name)!;
  giveBack = () => Object.defineProperty(place, name, had);
  Reflect.deleteProperty(place, name);
  jest.resetModules();
  const support = await import('./support/TestGame.js');
  test = await support.TestGame.start();
}

describe('S19: a browser older than the package needs', () => {
  it.each(LATEST.map(([place, name]) => [name, place] as const))(
    'S19: without %s plays the game, without ads, and is told why, once',
    async (name, place) => {
      await playWithout(place, name);
      const scene = test.scene();
      const { ObstructionPurpose } = await import('../../src/meter/FriendlyObstructions.js');
      const { checkAdFullVisibility, calculateAdCoverage } = await import('../../src/meter/tracking.js');
      const ads: AdsScenePlugin = scene.ads;
      const own = scene.add.image(200, 200, '__WHITE');
      await ads.preload(['a']);
      const where = { x: 99, y: 99, width: 64, height: 64 };
      const placed = ads.place('a', where);
      scene.add.ad(9, 9, 'b', { width: 9, height: 9 });
      scene.make.ad({ surface: 'c', ...where });
      const observed = ads.observe(own, { adId: 'a', url: 'https://example.com/a.png' }, { clickable: true });
      ads.addFriendlyObstruction(own, ObstructionPurpose.OTHER);
      expect(await placed.ready).toBe('failed');
      test.step(3);
      expect(placed.error).toMatchObject({ code: 'config/browser', retryable: false });
      expect(placed.error!.message).toContain(name);
      expect(checkAdFullVisibility(own, scene)).toMatchObject({ isFullyVisible: false });
      expect(calculateAdCoverage(own, scene.cameras.main)).toMatchObject({ isVisible: false });
      expect(ads.measure(observed)).toMatchObject({ isVisible: false, reasons: ['unmeasurable'] });
      expect(ads.summary()).toHaveLength(4);
      observed.destroy();
      placed.destroy();
      test.step();
      expect([printed.mock.calls, test.world.reported]).toEqual([[[placed.error]], []]);
    },
  );
});
