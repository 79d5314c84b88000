import type Phaser from 'phaser';

import { ObstructionPurpose } from '../../src/meter/FriendlyObstructions.js';
import { GameMeter } from '../../src/meter/GameMeter.js';
import { calculateAdCoverage, checkAdFullVisibility, visibleFragments } from '../../src/meter/tracking.js';
import { withCode } from '../helpers/withCode.js';
import { asVersion } from './support/asVersion.js';
import { TestGame } from './support/TestGame.js';

const WRONG_VERSION = withCode('config/phaser-version');
const PLACE = { x: 9, y: 9, width: 9, height: 9 };

let printed: jest.SpyInstance;
let test: TestGame | null = null;
let giveBack: (() => void) | null = null;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockImplementation();
  jest.spyOn(console, 'warn').mockImplementation();
});
afterEach(() => {
  test?.destroy();
  giveBack?.();
  test = giveBack = null;
});

const errors = (): unknown[] => printed.mock.calls.map(([error]) => (error as { code?: string }).code);

/** A game whose library says it is of this version, up to the end of its scene's `create()`. */
async function play(version: string, preload: (scene: Phaser.Scene) => unknown = () => undefined): Promise<TestGame> {
  giveBack = asVersion(version);
  const scene = {
    preload(this: Phaser.Scene) {
      preload(this);
    },
    create: () => undefined,
  };
  return (test = await TestGame.start({ scene }));
}

describe.each(['2.6.2', '3.24.1', '3.55.2', '5.0.0', '5.0.0-beta.1', '12.1.0', 'next'])('a game of Phaser %s', (version) => {
  it('is told once that it has no ads, as the plugin is installed', async () => {
    await play(version);
    expect(errors()).toEqual(['config/phaser-version']);
  });

  it.each<[string, (scene: Phaser.Scene) => unknown]>([
    ['this.load.ad', (scene) => scene.load.ad(['a', 'b']).ad('c')],
    ['this.ads.preload', (scene) => scene.ads.preload(['a', 'b'])],
  ])('starts without ads after %s in preload()', async (_call, preload) => {
    const scene = (await play(version, preload)).scene();
    await expect(scene.ads.preload(['d'])).resolves.toBeUndefined();
    expect(errors()).toEqual(['config/phaser-version']);
  });

  it('is refused an ad, whichever way it asks for one', async () => {
    const scene = (await play(version)).scene();
    const ad = scene.add.image(200, 150, '__WHITE');
    for (const ask of [
      () => scene.ads.place('a', PLACE),
      () => scene.add.ad(9, 9, 'a', { width: 9, height: 9 }),
      () => scene.make.ad({ surface: 'a', ...PLACE }),
      () => scene.ads.observe(ad, { adId: 'a', url: 'https://example.com/a.png' }),
      () => scene.ads.addFriendlyObstruction(ad, ObstructionPurpose.OTHER),
      () => GameMeter.of(scene.game).observe(ad, () => undefined),
    ])
      expect(ask).toThrow(WRONG_VERSION);
  });

  it('is not told that something can be seen, nor stopped in a frame', async () => {
    const scene = (await play(version)).scene();
    const ad = scene.add.image(200, 150, '__WHITE');
    for (let frame = 0; frame < 3; frame++) {
      expect(checkAdFullVisibility(ad, scene)).toEqual({ isFullyVisible: false, blockingSprites: [] });
      expect(calculateAdCoverage(ad, scene.cameras.main)).toMatchObject({ isVisible: false, visibleArea: 0 });
      expect(visibleFragments(ad, scene.cameras.main)).toEqual([]);
      for (const measured of [scene.ads.measure(ad), GameMeter.of(scene.game).measure(ad)])
        expect(measured).toMatchObject({ isVisible: false, isFullyVisible: false, reasons: ['unmeasurable'] });
    }
    expect(errors()).toEqual(['config/phaser-version']);
  });
}); // prettier-ignore

it.each(['3.60.0', '3.90.0', '3.101.0', '4.0.0-rc.4', '4.0.0', '4.2.1', '4.11.0'])(
  'a game of Phaser %s has its ads',
  async (version) => {
    const scene = (await play(version)).scene();
    await scene.ads.place('a', PLACE).ready;
    expect(errors()).toEqual([]);
  },
);

it('a game whose library left nothing on the page is known by its features', async () => {
  test = await TestGame.start();
  giveBack = asVersion(null);
  expect(() => test!.scene().ads.place('a', PLACE)).not.toThrow();
  // Of 3.60: games before it have none.
  const older = new Proxy(test.game.textures, { has: (_, name) => name !== 'addDynamicTexture' });
  Object.assign(test.game, { textures: older });
  expect(() => test!.scene().ads.place('a', PLACE)).toThrow(WRONG_VERSION);
});

it('a library of another game on the page tells nothing of this one', async () => {
  test = await TestGame.start();
  giveBack = asVersion('5.0.0', function Other() {});
  expect(() => test!.scene().ads.place('a', PLACE)).not.toThrow();
});
