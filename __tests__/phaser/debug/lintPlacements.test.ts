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
  expect(watchPlacements(test.game).findings({ resolutions })).toHaveLength(found.length);
});

it('looks at the screen of this device when it is told no other, and it has one', async () => {
  const test = await TestGame.start();
  await place(test);
  test.game.scale.scaleMode = Phaser.Scale.RESIZE;
  const screen = jest.spyOn(window, 'screen', 'get');
  for (const [width, height, found] of [[1080, 1920, ['too-small billboard']], [390, 844, []], [0, 0, []]] as const) {
    screen.mockReturnValue({ width, height } as Screen);
    expect(rulesIn(test.scene())).toEqual(found);
  } // prettier-ignore
});

it('judges no placeholder: it is no creative', async () => {
  const test = await TestGame.start({ data: { placeholder: 'panel' } });
  test.game.textures.createCanvas('panel', 20, 10);
  test.world.ads.set('billboard', { adId: '', url: '' });
  const { sprite, state } = await place(test);
  expect([sprite.texture.key, sprite.scaleX, state]).toEqual(['panel', 7.5, 'noFill']);
  expect(rulesIn(test.scene())).toEqual([]);
});

it('judges each ad by its own time in view, though nobody watches', async () => {
  const test = await TestGame.start();
  await place(test);
  test.step(70);
  await place(test, { x: 2_000 }, 'far');
  test.scene().cameras.main.setBounds(1_000, 0, 800, 300).setScroll(1_000, 0);
  test.step(5);
  expect(rulesIn(test.scene())).toEqual(['outside-camera-path far']);
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

it('finds nothing in a frame that nobody sees', async () => {
  const test = await TestGame.start();
  const { sprite } = await place(test);
  sprite.setFlipX(true).setAlpha(1);
  const page = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  test.game.loop.stop();
  test.step(2);
  expect(lintPlacements(test.game)).toEqual([]);
  page.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  test.game.loop.stop();
  test.step(2);
  expect(rulesIn(test.scene())).toEqual(['mirrored billboard']);
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

it('finds no ad behind a background that hides only some of it', async () => {
  const test = await TestGame.start();
  const { sprite } = await place(test, { y: 50, depth: -1 });
  test.scene().add.rectangle(200, 175, 400, 250, 0x0000ff);
  test.scene().add.rectangle(200, 280, 30, 30, 0xff0000);
  test.step(2);
  expect(rulesIn(test.scene())).toEqual([]);
  sprite.y = 150;
  test.step(2);
  expect(rulesIn(test.scene())).toEqual(['behind-background billboard']);
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
  const { sprite } = await place(test);
  for (const x of [200, 900, 200]) {
    sprite.x = x;
    test.step(20);
  }
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
    const { test, scene } = await watched({ x: 1_100 });
    scene.cameras.main.setScroll(1_000, 0);
    test.step(5);
    test.game.scene.add('score', { create(this: Phaser.Scene) { this.add.rectangle(200, 150, 400, 300, 0x000000) } }, true); // prettier-ignore
    await place(test, { x: 1_300 }, 'truck');
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

  it('what is done to it outside the screen is no fault', async () => {
    const { test, ad, scene } = await watched({ x: 900 });
    const { scaleX } = ad.sprite;
    ad.sprite.scaleX *= 0.2;
    test.step(130);
    ad.sprite.setPosition(200, 150).scaleX = scaleX;
    test.step(30);
    expect(rulesIn(scene)).toEqual([]);
  });

  it('a background that came after it was seen for long is no fault, though nobody watched then', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    await place(test, { depth: -1 });
    scene.add.rectangle(200, 280, 30, 30, 0xff0000).setDepth(1);
    test.step(70);
    watchPlacements(test.game);
    scene.add.rectangle(200, 150, 400, 300, 0x0000ff);
    test.step(130);
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

describe('what counts of the time in which somebody watches', () => {
  const COVERED = ['always-covered billboard'];
  const BRIEF = ['too-brief billboard'];
  const NEVER_SHOWN = ['outside-camera-path billboard'];

  async function start() {
    const test = await TestGame.start();
    const scene = test.scene();
    // A menu is drawn in front of most of the scene.
    for (let i = 0; i < 2; i++) scene.add.rectangle(390, 290, 5, 5, 0xffffff);
    const cover = () => scene.add.rectangle(200, 150, 200, 200, 0xff0000).setDepth(1);
    const menu = () => scene.add.rectangle(200, 150, 400, 300, 0x000000).setDepth(2);
    /** The fewest frames that count in full. */
    const play = (ms: number) => {
      for (let left = ms; left > 0; left -= 250) {
        test.skip(234);
        test.step();
      }
    };
    return { test, scene, cover, menu, play, rules: () => rulesIn(scene) };
  }

  it('is not a stall, nor a clock that is set back', async () => {
    const { test, rules } = await start();
    watchPlacements(test.game);
    const ad = await place(test);
    test.step(30);
    for (const ms of [5_000, -9_000]) {
      test.skip(ms);
      test.step();
    }
    ad.destroy();
    test.step();
    expect(rules()).toEqual(BRIEF);
    expect(lintPlacements(test.game)[0]!.sentence).toContain('0.7 s');
  });

  it('is only that of a scene that runs, in a page that is shown', async () => {
    const { test, scene, play, rules } = await start();
    const page = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    watchPlacements(test.game);
    const ad = await place(test);
    play(31_000);
    expect([ad.measurement!.reasons, rules()]).toEqual([['backgrounded'], []]);
    page.mockRestore();
    document.dispatchEvent(new Event('visibilitychange'));
    ad.sprite.x = 900;
    test.step();
    scene.scene.pause();
    play(31_000);
    expect(rules()).toEqual([]);
    scene.scene.resume();
    play(31_000);
    expect(rules()).toEqual(NEVER_SHOWN);
  });

  it('tells nothing of an ad for as long as it cannot be measured: it may have been uncovered', async () => {
    const { test, cover, play, rules } = await start();
    watchPlacements(test.game);
    cover();
    const ad = await place(test, { width: 100 });
    const { scaleX } = ad.sprite;
    // A mirrored picture that is cropped cannot be measured on Canvas.
    ad.sprite.setCrop(0, 0, 290, 240).scaleX *= -1;
    play(500);
    expect(ad.measurement!.reasons).toContain('unmeasurable');
    ad.sprite.setCrop().scaleX = scaleX;
    play(3_000);
    expect([ad.measurement!.percentageInView, rules()]).toEqual([0, []]);
  });

  it('begins anew for an ad that is still there when somebody watches again', async () => {
    const { test, cover, play, rules } = await start();
    const { stop } = watchPlacements(test.game);
    cover();
    await place(test);
    play(3_000);
    stop();
    expect(rules()).toEqual(COVERED);
    watchPlacements(test.game);
    play(1_000);
    expect(rules()).toEqual([]);
    play(3_000);
    expect(rules()).toEqual(COVERED);
  });

  it('is that of all who watch, once, until the last one stops', async () => {
    const { test, cover, play, rules } = await start();
    const one = watchPlacements(test.game);
    const listening = test.game.events.listenerCount('postrender');
    watchPlacements(test.game);
    expect(test.game.events.listenerCount('postrender')).toBe(listening);
    cover();
    await place(test);
    one.stop();
    one.stop();
    play(3_000);
    expect(rules()).toEqual(COVERED);
  });

  it('leaves no ear behind in a scene', async () => {
    const { test, scene } = await start();
    const listening = scene.sys.events.listenerCount('adfinish');
    for (let i = 0; i < 2; i++) {
      const { stop } = watchPlacements(test.game);
      await place(test);
      await place(test);
      // It ends before it was ever seen.
      scene.ads.place('billboard', PLACE).destroy();
      expect(scene.sys.events.listenerCount('adfinish')).toBe(listening + 1);
      stop();
      expect(scene.sys.events.listenerCount('adfinish')).toBe(listening);
    }
    expect(test.world.reported).toEqual([]);
  });

  it('keeps what was seen of an ad that ends while nobody watches', async () => {
    const { test, cover, play, rules } = await start();
    const { stop } = watchPlacements(test.game);
    cover();
    const ad = await place(test);
    play(3_000);
    stop();
    ad.destroy();
    watchPlacements(test.game);
    test.step(2);
    expect(rules()).toEqual(COVERED);
  });

  it('makes no one view of two with a pause of the watch between them, and sees the next end', async () => {
    const { test, scene, play, rules } = await start();
    const { stop } = watchPlacements(test.game);
    const ad = await place(test);
    play(250);
    stop();
    play(250);
    watchPlacements(test.game);
    play(250);
    // Its length is not known.
    ad.sprite.x = 900;
    play(250);
    expect(rules()).toEqual([]);
    ad.sprite.x = 200;
    play(500);
    ad.destroy();
    play(250);
    expect(rules()).toEqual(BRIEF);
    expect(lintPlacements(scene)[0]!.sentence).toContain('0.5 s');
  });

  it('is told in the scene of the ad, of no more than the last hundred ads that are gone', async () => {
    const { test, scene } = await start();
    watchPlacements(test.game);
    for (let i = 0; i < 101; i++) {
      const ad = await place(test, {}, `pop-up ${i}`);
      test.step(2);
      ad.destroy();
    }
    const names = lintPlacements(scene).map(({ rule, name }) => `${rule} ${name}`);
    expect([names.length, names[0], names[99]]).toEqual([100, 'too-brief pop-up 1', 'too-brief pop-up 100']);
    const other = test.game.scene.add('other', {}, true)!;
    test.step(2);
    expect(lintPlacements(other)).toEqual([]);
  });

  it('an ad outside the screen does not show that a curtain comes and goes', async () => {
    const { test, menu, play, rules } = await start();
    menu();
    watchPlacements(test.game);
    await place(test, { x: 900 }, 'far');
    await place(test);
    play(29_000);
    expect(rules()).toEqual([]);
    play(3_000);
    expect(rules()).toEqual(['outside-camera-path far', ...COVERED]);
  });

  it('a menu that was gone for a moment is none of the faults of what comes later', async () => {
    const { test, menu, play, rules } = await start();
    const first = menu();
    watchPlacements(test.game);
    await place(test, { x: 100 });
    test.step(3);
    first.setVisible(false);
    test.step(20);
    first.setVisible(true);
    const later = await place(test, { x: 300 }, 'later');
    play(40_000);
    expect(rules()).toEqual([]);
    later.destroy();
    test.step();
    expect(rules()).toEqual([]);
  });

  it('what stays above an ad after a menu is its fault', async () => {
    const { test, menu, cover, play, rules } = await start();
    watchPlacements(test.game);
    await place(test, { x: 30, y: 30, width: 40, height: 40 }, 'free');
    test.step(20);
    const first = menu();
    cover();
    await place(test);
    play(3_000);
    expect(rules()).toEqual(['too-small free']);
    first.destroy();
    play(3_000);
    expect(rules()).toContain(COVERED[0]);
  });

  it('covers no ad that is faint itself', async () => {
    const { test, play, rules } = await start();
    watchPlacements(test.game);
    const ad = await place(test, { x: 900 });
    ad.sprite.setAlpha(0.1).x = 200;
    play(3_000);
    expect([ad.measurement!.onScreenArea > 0, ad.measurement!.visibleArea, rules()]).toEqual([true, 0, []]);
  });

  it('covers nothing while the camera has faded out, unless that never ends', async () => {
    const { test, scene, play, rules } = await start();
    watchPlacements(test.game);
    scene.cameras.main.fadeOut(1);
    const ad = await place(test);
    play(5_000);
    expect([ad.measurement!.reasons, rules()]).toEqual([['obstructed'], []]);
    play(26_000);
    expect(rules()).toEqual(COVERED);
    ad.destroy();
    test.step();
    expect(rules()).toEqual(COVERED);
  });

  it.each([
    ['a dialog over the whole page covers no ad', () => document.body, []],
    ['a notice over the ad alone does', () => document.querySelector('canvas'), COVERED],
  ])('of HTML above the canvas, %s', async (_name, elementFromPoint, found) => {
    const { test, play, rules } = await start();
    document.body.append(test.game.canvas);
    // jsdom has no layout: it tells of no HTML above an ad by itself.
    Object.assign(document, { elementFromPoint });
    const ad = await place(test);
    const under = { visibleArea: 0, percentageInView: 0, reasons: ['obstructed'], blockingSprites: [] };
    const { camera } = ad.measurement!;
    Object.defineProperty(ad, 'measurement', { value: { ...ad.measurement, camera, ...under } });
    watchPlacements(test.game);
    jest.spyOn(ad.sprite.scene.ads, 'summary').mockReturnValue([]);
    play(3_000);
    expect(rules()).toEqual(found);
    Reflect.deleteProperty(document, 'elementFromPoint');
  });

  it('covers what is behind a background, though that fills the screen', async () => {
    const { test, scene, play, rules } = await start();
    watchPlacements(test.game);
    scene.add.rectangle(200, 150, 400, 300, 0x0000ff).setDepth(-1);
    await place(test, { depth: -2 });
    play(3_000);
    expect(rules()).toEqual(['behind-background billboard', ...COVERED]);
  });

  it('takes no standard of little more than nothing for a view', async () => {
    const faint = { id: 'faint', minPercentageInView: 1, minDurationMs: 2_000 };
    const test = await TestGame.start({ data: { standards: ['iig-display', faint] } });
    const ad = await place(test, { x: 420 });
    test.step(140);
    expect(
      test
        .scene()
        .ads.summary()[0]!
        .standards.map(({ verdict }) => verdict),
    ).toEqual(['notViewable', 'viewable']);
    watchPlacements(test.game);
    for (const x of [900, 200, 900]) {
      ad.sprite.x = x;
      test.step(30);
    }
    expect(rulesIn(test.scene())).toEqual(BRIEF);
  });

  it.each([
    [300, BRIEF],
    [1_500, []],
  ])('begins with what the session of the very ad knows: %i ms in view', async (ms, found) => {
    const { test, scene, play, rules } = await start();
    await place(test, { x: 80 }, 'first');
    const ad = await place(test, { x: 320 });
    scene.add.rectangle(200, 40, 60, 50, 0xff0000).setDepth(1);
    await place(test, { y: 40, width: 60, height: 50 }, 'covered');
    test.step(Math.ceil(ms / 16));
    watchPlacements(test.game);
    for (const x of [900, 320, 900]) {
      ad.sprite.x = x;
      play(500);
    }
    play(2_000);
    expect(rules()).toEqual([...found, 'always-covered covered']);
  });
});
