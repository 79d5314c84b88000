import type * as PhaserTypes from 'phaser';

import { AdsScenePlugin } from '../../src/phaser/AdsScenePlugin.js';
import { ObstructionPurpose } from '../../src/phaser/FriendlyObstructions.js';
import { GameMeter } from '../../src/phaser/GameMeter.js';
import { calculateAdCoverage, checkAdFullVisibility, visibleFragments } from '../../src/phaser/tracking.js';
import { withCode } from '../helpers/withCode.js';
import { FakeWorld } from './support/FakeWorld.js';
import { OPTIONS, pluginIn } from './support/TestGame.js';

const WRONG_VERSION = withCode('config/phaser-version');

/** Of a file, since Phaser 4 hides all but its main one. */
const Phaser4 = jest.requireActual<typeof PhaserTypes>('../../node_modules/phaser-4.2/dist/phaser.min.js');

interface Played {
  readonly game: PhaserTypes.Game;
  readonly scene: PhaserTypes.Scene;
  readonly ad: PhaserTypes.GameObjects.Image;
}

/** A game of Phaser 4 up to the end of its scene's `create()`. */
function play(preload: (scene: PhaserTypes.Scene) => unknown): Promise<Played> {
  return new Promise((resolve) => {
    const game = new Phaser4.Game({
      type: Phaser4.CANVAS,
      width: 400,
      height: 300,
      banner: false,
      autoFocus: false,
      audio: { noAudio: true },
      plugins: {
        global: [{ key: 'AdsGlobalPlugin', plugin: pluginIn(new FakeWorld()), start: true, data: OPTIONS }],
        scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
      },
      scene: {
        preload(this: PhaserTypes.Scene) {
          preload(this);
        },
        create(this: PhaserTypes.Scene) {
          resolve({ game, scene: this, ad: this.add.image(200, 150, '__WHITE') });
        },
      },
    });
  });
}

let printed: jest.SpyInstance;
let played: Played | null = null;
beforeEach(() => {
  printed = jest.spyOn(console, 'error').mockImplementation();
  jest.spyOn(console, 'warn').mockImplementation();
});
afterEach(() => {
  played?.game.loop.stop();
  played?.game.destroy(true);
  played?.game.step(0, 0);
  played = null;
});

const errors = (): unknown[] => printed.mock.calls.map(([error]) => (error as { code?: string }).code);

describe('a game of Phaser 4', () => {
  it.each<[string, (scene: PhaserTypes.Scene) => unknown]>([
    ['this.load.ad', (scene) => scene.load.ad(['a', 'b']).ad('c')],
    ['this.ads.preload', (scene) => scene.ads.preload(['a', 'b'])],
  ])('starts without ads after %s in preload(), and is told why, once', async (_call, preload) => {
    played = await play(preload);
    expect(errors()).toEqual(['config/phaser-version']);
    await expect(played.scene.ads.preload(['d'])).resolves.toBeUndefined();
    expect(errors()).toHaveLength(1);
  });

  it('is refused an ad, whichever way it asks for one', async () => {
    const { game, scene, ad } = (played = await play(() => undefined));
    const where = { x: 9, y: 9, width: 9, height: 9 };
    for (const ask of [
      () => scene.ads.place('a', where),
      () => scene.add.ad(9, 9, 'a', { width: 9, height: 9 }),
      () => scene.make.ad({ surface: 'a', ...where }),
      () => scene.ads.observe(ad, { adId: 'a', url: 'https://example.com/a.png' }),
      () => scene.ads.addFriendlyObstruction(ad, ObstructionPurpose.OTHER),
      () => GameMeter.of(game).observe(ad, () => undefined),
    ])
      expect(ask).toThrow(WRONG_VERSION);
    expect(errors()).toEqual([]);
  });

  it('is not told that something can be seen, nor stopped in a frame', async () => {
    const { game, scene, ad } = (played = await play(() => undefined));
    const { main } = scene.cameras;
    for (let frame = 0; frame < 3; frame++) {
      expect(checkAdFullVisibility(ad, scene)).toEqual({ isFullyVisible: false, blockingSprites: [] });
      expect(calculateAdCoverage(ad, main)).toMatchObject({ isVisible: false, visibleArea: 0 });
      expect(visibleFragments(ad, main)).toEqual([]);
      for (const measured of [scene.ads.measure(ad), GameMeter.of(game).measure(ad)])
        expect(measured).toMatchObject({ isVisible: false, isFullyVisible: false, reasons: ['unmeasurable'] });
    }
    expect(errors()).toEqual(['config/phaser-version']);
  });
});
