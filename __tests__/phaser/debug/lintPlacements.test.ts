import Phaser from 'phaser';

import { lintPlacements, watchPlacements } from '../../../src/debug.js';
import { TestGame } from '../support/TestGame.js';

afterEach(() => TestGame.endAll());

/** The creative has 300 × 250 pixels, the canvas 400 × 300. */
const PLACE = { x: 200, y: 150, width: 150, height: 125 };

async function place(test: TestGame, options: object = {}, surface = 'billboard') {
  const ad = test.scene().ads.place(surface, { ...PLACE, ...options });
  await ad.ready;
  test.step(2);
  return ad;
}

const rulesIn = (scene: Phaser.Scene) => lintPlacements(scene).map(({ rule, name }) => `${rule} ${name}`);

it('finds nothing in a scene with an ad as it should be', async () => {
  const test = await TestGame.start();
  await place(test);
  test.scene().add.rectangle(200, 290, 400, 20, 0x00ff00);
  test.step(2);
  expect(lintPlacements(test.scene())).toEqual([]);
});

const FAULTS: readonly (readonly [string, (test: TestGame) => Promise<unknown>])[] = [
  ['too-small', (test) => place(test, { width: 36, height: 30 })],
  ['squeezed', async (test) => (await place(test)).sprite.setScale(0.5, 0.2)],
  ['creative-scaled', (test) => place(test, { width: 200, height: 125, fit: 'stretch' })],
  ['creative-scaled', async (test) => (await place(test, { x: 100 })).sprite.scene.cameras.main.setZoom(5)],
  ['mirrored', async (test) => (await place(test)).sprite.setFlipX(true)],
  ['mirrored', async (test) => ((await place(test)).box!.scaleY *= -1)],
  [
    'mirrored',
    async (test) => {
      const truck = test.scene().add.container(200, 150).setScale(-1, 1);
      await place(test, { x: 0, y: 0, container: truck });
    },
  ],
  ['creative-cropped', (test) => place(test, { width: 300, height: 60, fit: 'cover' })],
  ['creative-cropped', async (test) => (await place(test)).sprite.setCrop(0, 0, 100, 250)],
  [
    'behind-background',
    async (test) => {
      const { add } = test.scene();
      await place(test, { depth: -1 });
      add.rectangle(200, 150, 400, 300, 0x0000ff).setName('sky');
      add.rectangle(200, 280, 30, 30, 0xff0000).setName('player');
    },
  ],
  [
    'outside-camera-path',
    async (test) => {
      test.scene().cameras.main.setBounds(0, 0, 800, 300);
      await place(test, { x: 2_000 });
    },
  ],
  [
    'surface-twice',
    async (test) => {
      await place(test, { x: 100 });
      await place(test, { x: 300 });
    },
  ],
];

it.each(FAULTS)('finds %s', async (rule, make) => {
  const test = await TestGame.start();
  await make(test);
  test.step(2);
  expect(rulesIn(test.scene())).toContain(`${rule} billboard`);
});

it.each([
  [Phaser.Scale.RESIZE, ['too-small billboard']],
  [Phaser.Scale.FIT, []],
])('looks at other screens only where the canvas has their size: scale mode %i', async (mode, found) => {
  const test = await TestGame.start();
  await place(test);
  test.game.scale.scaleMode = mode;
  const resolutions = [{ width: 1920, height: 1080 }];
  expect(lintPlacements(test.game, { resolutions }).map(({ rule, name }) => `${rule} ${name}`)).toEqual(found);
});

it('finds no mirror where one flip takes back the other', async () => {
  const test = await TestGame.start();
  const truck = test.scene().add.container(200, 150).setScale(-1, 1);
  const ad = await place(test, { x: 0, y: 0, container: truck });
  for (const flip of [
    () => ad.sprite.setFlipX(true),
    () => ad.sprite.setFlip(false, true),
    () => (ad.box!.scaleX *= -1),
  ]) {
    flip();
    test.step(2);
    expect(lintPlacements(test.scene()).map(({ rule }) => rule)).toEqual(
      ad.sprite.flipY && ad.box!.scaleX < 0 ? ['mirrored'] : [],
    );
  }
});

it('takes a menu that fills the screen for no background', async () => {
  const test = await TestGame.start();
  const { add } = test.scene();
  add.rectangle(200, 150, 400, 300, 0x0000ff).setName('sky');
  await place(test);
  add.rectangle(200, 280, 30, 30, 0xff0000).setName('player');
  add.rectangle(200, 150, 400, 300, 0x000000).setName('menu');
  test.step(2);
  expect(lintPlacements(test.scene())).toEqual([]);
});

it('asks no camera that was removed: a scene above may have another one', async () => {
  const test = await TestGame.start();
  const watched = watchPlacements(test.game);
  await place(test);
  let main!: Phaser.Cameras.Scene2D.Camera;
  test.game.scene.add('hud', { create(this: Phaser.Scene) {
    this.cameras.remove((main = this.cameras.main));
    this.cameras.add(0, 0, 400, 300);
    this.add.rectangle(200, 150, 400, 300, 0x000000);
  } }, true); // prettier-ignore
  test.step(3);
  expect([test.scene('hud').cameras.main, watched.findings()]).toEqual([main, []]);
});

it('lets the game go on without it when an object of the game throws', async () => {
  const test = await TestGame.start();
  watchPlacements(test.game);
  await place(test);
  const broken = test.scene().add.rectangle(200, 150, 400, 300, 0x000000);
  broken.getBounds = () => {
    throw new Error('broken');
  };
  const told = jest.spyOn(console, 'error').mockImplementation();
  expect(() => test.step(30)).not.toThrow();
  expect(told).toHaveBeenCalledTimes(1);
});

it('finds what takes time only while it watches, and keeps what it knows of ads that are gone', async () => {
  const test = await TestGame.start();
  const scene = test.scene();
  const { add } = scene;
  const cover = add.rectangle(100, 150, 150, 125, 0xff0000).setName('crate').setDepth(1);
  const covered = await place(test, { x: 100 }, 'covered');
  add.rectangle(390, 10, 10, 10, 0xffffff);
  test.step(140);
  expect(lintPlacements(scene)).toEqual([]);

  const watched = watchPlacements(test.game);
  test.step(140);
  const [finding] = lintPlacements(scene);
  const { ad, rule, severity, name, sentence } = finding!;
  expect(ad).toBe(covered);
  expect([rule, severity, name, sentence]).toEqual(['always-covered', 'error', 'covered', expect.stringContaining('by crate')]); // prettier-ignore
  cover.destroy();
  const popUp = await place(test, { x: 300 }, 'pop-up');
  test.step(30);
  popUp.destroy();
  test.step(100);
  expect(watched.findings().map((found) => `${found.rule} ${found.name}`)).toEqual(['too-brief pop-up']);

  watched.stop();
  watched.stop();
  const listening = test.game.events.listenerCount('postrender');
  covered.destroy();
  expect(test.game.events.listenerCount('postrender')).toBe(listening - 1);
});

it('does not take an ad for too brief that ended with its scene', async () => {
  const test = await TestGame.start();
  watchPlacements(test.game);
  await place(test);
  test.step(20);
  test.scene().scene.restart();
  test.step(3);
  expect(lintPlacements(test.game)).toEqual([]);
});

describe('of an ad that is watched', () => {
  async function watched(options: object = {}) {
    const test = await TestGame.start();
    watchPlacements(test.game);
    const ad = await place(test, options);
    return { test, ad, scene: test.scene() };
  }

  it('a score over the street is no fault: not of what was seen before it, nor of what drives in beneath it', async () => {
    const { test, scene } = await watched({ x: 100 });
    test.step(5);
    scene.add.rectangle(200, 150, 400, 300, 0x000000, 0.62).setName('dimmer').setDepth(9);
    await place(test, { x: 300 }, 'truck');
    test.step(300);
    expect(rulesIn(scene)).toEqual([]);
  });

  it('a score in a scene of its own is no fault either', async () => {
    const { test, scene } = await watched({ x: 100 });
    test.step(5);
    test.game.scene.add('score', { create(this: Phaser.Scene) { this.add.rectangle(200, 150, 400, 300, 0x000000) } }, true); // prettier-ignore
    await place(test, { x: 300 }, 'truck');
    test.step(300);
    expect(rulesIn(scene)).toEqual([]);
  });

  it('a board that turns is not squeezed, one that never faces the player is', async () => {
    const { test, ad, scene } = await watched();
    test.step(70);
    ad.sprite.scaleX *= 0.2;
    test.step(300);
    expect(rulesIn(scene)).toEqual([]);
    const other = await place(test, { x: 300, width: 90, height: 75 }, 'side');
    other.sprite.scaleX *= 0.2;
    test.step(100);
    expect(rulesIn(scene)).toEqual(['squeezed side', 'creative-scaled side']);
  });

  it('a camera that comes near for a moment does not blur it for good, and what pops up is judged once it stands', async () => {
    const { test, ad, scene } = await watched();
    ad.sprite.setScale(1.2, 0.9);
    test.step(30);
    expect(rulesIn(scene)).toEqual([]);
    ad.sprite.setScale(0.5);
    test.step(70);
    scene.cameras.main.setZoom(5);
    test.step(100);
    expect(rulesIn(scene)).toEqual([]);
  });

  it('rooms with bounds of their own hide no ad for good', async () => {
    const { test, scene } = await watched({ x: 100 });
    test.step(70);
    scene.cameras.main.setBounds(1_000, 0, 800, 300).setScroll(1_000, 0);
    test.step(5);
    expect(rulesIn(scene)).toEqual([]);
  });

  it('what is known of it from before it was watched counts', async () => {
    const test = await TestGame.start();
    await place(test);
    test.step(70);
    test.scene().add.rectangle(200, 150, 200, 200, 0xff0000).setName('crate');
    watchPlacements(test.game);
    test.step(200);
    expect(rulesIn(test.scene())).toEqual([]);
  });
});
