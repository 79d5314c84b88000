import type Phaser from 'phaser';

import { type AdsEventMap, AdsEvents } from '../../src/events.js';
import { AdsScenePlugin } from '../../src/plugin/AdsScenePlugin.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { countListeners, OPTIONS, pluginIn, TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

const PLACE = { x: 200, y: 150, width: 200, height: 100 };

/** Hears every end of an ad in a scene, on its own emitter, which outlives a run. */
function hearEnds(scene: Phaser.Scene): string[] {
  const ends: string[] = [];
  scene.events.on(AdsEvents.FINISH, ({ reason }: AdsEventMap['adfinish']) => ends.push(reason));
  return ends;
}

/** A scene that places one ad in each run. */
function placingScene(key = 'main', active = true) {
  return {
    key,
    active,
    create(this: Phaser.Scene) {
      this.ads.place('billboard', PLACE);
    },
  };
}

describe('the end of an ad', () => {
  it('comes once and last, whoever brings it about', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const told: string[] = [];
    for (const event of Object.values(AdsEvents)) scene.ads.on(event, () => told.push(event));
    const ad = scene.ads.place('a', PLACE);
    await ad.ready;
    test.step();
    await test.settle();
    ad.destroy();
    ad.destroy();
    test.step(2);
    await test.settle();
    expect(told).toEqual(['adloaded', 'adgeometrychange', 'advisible', 'adimpression', 'adfinish']);
    expect([ad.state, ad.error]).toEqual(['finished', null]);
    expect(ad.measurement).toBeNull();
    expect(ad.sprite.scene).toBeUndefined();
    const early = scene.ads.place('a', PLACE);
    early.destroy();
    await expect(early.ready).resolves.toBe('finished');
    expect(early.error?.code).toBe('place/scene-stopped');
    expect(scene.ads.all()).toEqual([]);
  });

  it.each([
    ['destroyed directly', (sprite: Phaser.GameObjects.GameObject) => sprite.destroy()],
    [
      'destroyed with its container',
      (sprite: Phaser.GameObjects.GameObject) => {
        sprite.scene.add.container(0, 0, [sprite]).destroy();
      },
    ],
    [
      'destroyed after its listeners were removed',
      (sprite: Phaser.GameObjects.GameObject) => {
        sprite.removeAllListeners();
        sprite.destroy();
      },
    ],
  ])('F53 comes once when the game destroys the sprite: %s', async (_, destroySprite) => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ends = hearEnds(scene);
    const ad = scene.ads.place('a', { ...PLACE, clickable: true });
    await ad.ready;
    test.step();
    let destroyEvents = 0;
    ad.sprite.on('destroy', () => destroyEvents++);
    destroySprite(ad.sprite);
    expect(() => test.step(2)).not.toThrow();
    expect(destroyEvents).toBeLessThanOrEqual(1);
    expect(ends).toEqual(['destroyed']);
    expect(test.creativeKeys()).toEqual([]);
    expect(test.world.openImages.size).toBe(0);
  });

  it.each<[how: string, end: (test: TestGame) => void]>([
    ['the game', (test) => test.destroy()],
    ['the scene', ({ game }) => void game.scene.remove('main')],
  ])(
    'F53 comes with the end of %s also to a clickable ad that the game has taken off the display list',
    async (_, end) => {
      const test = await TestGame.start();
      const scene = test.scene();
      const ends = hearEnds(scene);
      const ad = scene.ads.place('a', { ...PLACE, clickable: true });
      await ad.ready;
      test.step(2);
      // As a pool does.
      scene.children.remove(ad.sprite);
      expect(() => end(test)).not.toThrow();
      await test.settle();
      expect(ends).toHaveLength(1);
      expect([ad.state, test.world.openImages.size]).toEqual(['finished', 0]);
    },
  );

  it('F53 leaves nothing of a sprite that is destroyed while its creative is on its way', async () => {
    const world = new FakeWorld();
    world.holdImages = true;
    const test = await TestGame.start({ world });
    const ends = hearEnds(test.scene());
    const ad = test.scene().ads.place('a', PLACE);
    await test.settle();
    ad.sprite.destroy();
    await test.settle();
    expect(world.abortedFetches).toBe(1);
    world.releaseImages();
    await expect(ad.ready).resolves.toBe('finished');
    await test.settle();
    expect(ends).toEqual(['destroyed']);
    expect(test.creativeKeys()).toEqual([]);
    expect(world.openImages.size).toBe(0);
  });

  it('comes last also where the click address is refused, and who is told of it ends the ad', async () => {
    const test = await TestGame.start();
    test.world.ads.set('a', { adId: 'a', url: IMAGE_URL, clickUrl: 'ftp://shop.example.com/' });
    const { ads } = test.scene();
    const told: string[] = [];
    for (const event of Object.values(AdsEvents)) ads.on(event, () => told.push(event));
    ads.on(AdsEvents.ERROR, ({ placedAd }) => placedAd?.destroy());
    await expect(ads.place('a', { ...PLACE, clickable: true }).ready).resolves.toBe('finished');
    expect(told).toEqual(['aderror', 'adfinish']);
  });

  it('may be brought about inside of a handler of a frame', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ads = [0, 1, 2].map((i) => scene.ads.place(`s${i}`, { x: 60 + 120 * i, y: 50, width: 100, height: 50 }));
    await Promise.all(ads.map(({ ready }) => ready));
    const visible = jest.fn();
    scene.ads.on(AdsEvents.VISIBLE, ({ placedAd }) => {
      visible(placedAd);
      for (const ad of ads) ad.destroy();
    });
    expect(() => test.step(2)).not.toThrow();
    expect(visible).toHaveBeenCalledTimes(1);
    expect(visible).toHaveBeenCalledWith(ads[0]);
  });
});

describe('the end of a run', () => {
  it('F50 finishes an ad in mid-load in the same tick and stops the fetch', async () => {
    const world = new FakeWorld();
    world.holdImages = true;
    const test = await TestGame.start({ world });
    const scene = test.scene();
    const ends = hearEnds(scene);
    const ad = scene.ads.place('a', PLACE);
    await test.settle();
    scene.scene.stop();
    test.step();
    expect(ad.state).toBe('finished');
    expect(ad.error?.code).toBe('place/scene-stopped');
    expect(ends).toEqual(['scene-ended']);
    await test.settle();
    expect(world.abortedFetches).toBe(1);
    world.releaseImages();
    await test.settle();
    expect(test.creativeKeys()).toEqual([]);
    expect(world.openImages.size).toBe(0);
    expect(world.runningTimers).toBe(0);
  });

  it('F51 shows nothing of an old run in a new one, over 100 restarts in mid-load', async () => {
    const world = new FakeWorld();
    const test = await TestGame.start({ world, scene: placingScene() });
    const scene = test.scene();
    const ends = hearEnds(scene);
    const loaded: unknown[] = [];
    scene.events.on(AdsEvents.LOADED, ({ placedAd }: AdsEventMap['adloaded']) => loaded.push(placedAd));
    await test.settle();
    world.holdImages = true;
    loaded.length = 0;
    for (let i = 0; i < 100; i++) {
      scene.scene.restart();
      test.step();
      await Promise.resolve();
    }
    world.releaseImages();
    await test.settle();
    expect(ends).toEqual(Array(100).fill('scene-ended'));
    expect(scene.ads.all()).toHaveLength(1);
    expect(loaded).toEqual(scene.ads.all());
    expect(test.creativeKeys()).toHaveLength(1);
    expect(world.openImages.size).toBe(1);
  });

  it('drops the handlers of the run, so that create() may add them anew', async () => {
    const heard = jest.fn();
    const test = await TestGame.start({
      scene: {
        key: 'main',
        create(this: Phaser.Scene) {
          this.ads.on(AdsEvents.LOADED, heard);
          this.ads.place('billboard', PLACE);
        },
      },
    });
    const scene = test.scene();
    await test.settle();
    for (let runs = 2; runs < 6; runs++) {
      scene.scene.restart();
      test.step(2);
      await test.settle();
      expect(heard).toHaveBeenCalledTimes(runs);
    }
  });

  it('drops no handler that was taken away before and that the game has added itself, and every other', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const [a, b] = [{ name: 'a' }, { name: 'b' }];
    const heard: string[] = [];
    function hear(this: { name: string }, event: string): void {
      heard.push(`${event} ${this.name}`);
    }
    const other = (event: string): void => void heard.push(`${event} other`);
    const tell = (): string[] => {
      heard.length = 0;
      for (const event of [AdsEvents.LOADED, AdsEvents.FINISH]) scene.events.emit(event, event);
      return heard;
    };
    const restart = (): void => {
      scene.scene.restart();
      test.step(2);
    };
    const { LOADED, FINISH } = AdsEvents;
    scene.ads
      .on(LOADED, hear as never, a)
      .on(LOADED, hear as never, b)
      .on(FINISH, hear as never, a);
    scene.ads
      .on(LOADED, other as never)
      .on(FINISH, hear as never, b)
      .on(FINISH, other as never);
    scene.ads.off(LOADED, hear as never, a).off(FINISH, hear as never);
    expect(tell()).toEqual([`${LOADED} b`, `${LOADED} other`, `${FINISH} other`]);
    scene.events.on(LOADED, hear, a).on(FINISH, hear, b);
    restart();
    expect(tell()).toEqual([`${LOADED} a`, `${FINISH} b`]);
    // What a run has let go of is not taken from the game in the next one.
    scene.events.on(LOADED, other);
    scene.ads.on(FINISH, other as never);
    restart();
    expect(tell()).toEqual([`${LOADED} a`, `${LOADED} other`, `${FINISH} b`]);
  });

  it.each(['stop', 'restart', 'remove'] as const)(
    'finishes also ads in containers and off the lists: %s',
    async (how) => {
      const test = await TestGame.start();
      const scene = test.scene();
      const ends = hearEnds(scene);
      const container = scene.add.container();
      const contained = scene.ads.place('a', { ...PLACE, container });
      const pooled = scene.ads.place('b', PLACE);
      pooled.sprite.removeFromDisplayList();
      await Promise.all([contained.ready, pooled.ready]);
      scene.scene[how]();
      test.step(2);
      expect(ends).toEqual(['scene-ended', 'scene-ended']);
      expect(pooled.sprite.scene).toBeUndefined();
      expect(test.creativeKeys()).toEqual([]);
    },
  );

  it('leaves not one listener behind, over 20 restarts', async () => {
    const test = await TestGame.start({ scene: [placingScene(), placingScene('hud', false)] });
    const scene = test.scene();
    // The renderer is listened to from the first ad on that is looked at closely.
    await test.settle();
    test.step();
    scene.scene.stop();
    test.step();
    const before = countListeners(test.game);
    const added = jest.spyOn(window, 'addEventListener');
    const removed = jest.spyOn(window, 'removeEventListener');
    for (let i = 0; i < 20; i++) {
      scene.scene.start();
      test.step();
      await test.settle();
      test.step();
      expect(countListeners(test.game)).not.toEqual(before);
      scene.scene.stop();
      test.step();
    }
    expect(countListeners(test.game)).toEqual(before);
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
    expect(test.creativeKeys()).toEqual([]);
  });

  it('listens to nothing but its end in a scene without ads', async () => {
    const plain = await TestGame.start({ plugins: {}, scene: { key: 'main' } });
    const without = countListeners(plain.game);
    plain.destroy();
    const test = await TestGame.start({ scene: { key: 'main' } });
    const withAds = countListeners(test.game);
    for (const [name, count] of Object.entries(withAds)) {
      expect([name, count - (without[name] ?? 0)]).toEqual([name, name === 'scene main:destroy' ? 1 : 0]);
    }
  });
});

describe('a scene that sleeps, pauses, and goes on', () => {
  it('F52 is measured while paused, and not visible while asleep', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ad = scene.ads.place('a', PLACE);
    await ad.ready;
    const told: string[] = [];
    scene.ads.on(AdsEvents.VISIBLE, () => told.push('visible'));
    scene.ads.on(AdsEvents.BLOCKED, ({ reasons }) => told.push(`blocked: ${reasons.join()}`));
    test.step();
    scene.scene.pause();
    test.step(2);
    expect(told).toEqual(['visible']);
    scene.scene.resume();
    scene.scene.sleep();
    test.step(2);
    expect(told).toEqual(['visible', 'blocked: hidden']);
    scene.scene.wake();
    test.step(2);
    expect(told).toEqual(['visible', 'blocked: hidden', 'visible']);
  });

  it('shows a creative that arrives while it sleeps', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ad = scene.ads.place('a', PLACE);
    scene.scene.sleep();
    test.step();
    await expect(ad.ready).resolves.toBe('shown');
    await expect(scene.ads.place('b', PLACE).ready).resolves.toBe('shown');
  });
});

describe('two scenes', () => {
  it('hear only of their own ads and end on their own', async () => {
    const test = await TestGame.start({ scene: [placingScene('street'), placingScene('hud')] });
    const [street, hud] = [test.scene('street'), test.scene('hud')];
    await test.settle();
    const heard = { street: 0, hud: 0 };
    street.events.on(AdsEvents.FINISH, () => heard.street++);
    hud.events.on(AdsEvents.FINISH, () => heard.hud++);
    hud.scene.stop();
    test.step();
    expect(heard).toEqual({ street: 0, hud: 1 });
    expect(street.ads.all()).toHaveLength(1);
    expect(test.creativeKeys()).toHaveLength(1);
    const { ads } = hud;
    hud.scene.remove();
    test.step();
    // Of a scene that is gone, nothing is seen; the scene that goes on measures as ever.
    const { sprite } = street.ads.all()[0]!;
    expect([ads.measure(sprite).isVisible, street.ads.measure(sprite).isVisible]).toEqual([false, true]);
  });

  it('block each other: an ad below is told what of the scene above covers it', async () => {
    const test = await TestGame.start({ scene: [placingScene('street'), { key: 'hud', active: true }] });
    await test.settle();
    const blocked: unknown[] = [];
    test.scene('street').ads.on(AdsEvents.BLOCKED, ({ blockingSprites }) => blocked.push(blockingSprites[0]));
    test.step();
    const panel = test.scene('hud').add.rectangle(200, 150, 50, 50, 0x112233);
    test.step(3);
    expect(blocked).toHaveLength(1);
    expect(blocked[0]).toBe(panel);
  });
});

describe('the end of the game', () => {
  it('F55 finishes every ad, closes every image and client, and is silent afterwards', async () => {
    for (const frames of [0, 1, 2, 5]) {
      const world = new FakeWorld();
      const test = await TestGame.start({ world, scene: placingScene() });
      const scene = test.scene();
      const ends = hearEnds(scene);
      if (frames > 1) await test.settle();
      const added = jest.spyOn(window, 'addEventListener');
      test.step(frames);
      world.holdImages = true;
      scene.ads.place('late', PLACE);
      await Promise.resolve();
      test.destroy();
      world.releaseImages();
      await test.settle();
      expect(ends).toEqual(['game-ended', 'game-ended']);
      expect(world.clients.map(({ isDestroyed }) => isDestroyed)).toEqual([true]);
      expect(world.openImages.size).toBe(0);
      expect(world.runningTimers).toBe(0);
      expect(world.reported).toEqual([]);
      added.mockRestore();
    }
  });
});

describe('ended by hand', () => {
  it('leaves none of its listeners on a scene that goes on', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const listeners = (): unknown[] => ['boot', 'destroy'].flatMap((event) => scene.events.listeners(event));
    const before = listeners().length;
    const plugin = new AdsScenePlugin(scene);
    expect(listeners()).toHaveLength(before + 1);
    for (let times = 0; times < 2; times++) plugin.destroy();
    expect(listeners()).toHaveLength(before);
    scene.ads.destroy();
    expect(listeners()).toHaveLength(before - 1);
  });
});

describe('installed late', () => {
  it('works in a running scene at once, and after a restart', async () => {
    const world = new FakeWorld();
    const test = await TestGame.start({
      world,
      plugins: { global: [{ key: 'AdsGlobalPlugin', plugin: pluginIn(world), start: true, data: OPTIONS }] },
    });
    const scene = test.scene();
    expect(scene.ads).toBeUndefined();
    const waitingForBoot = scene.events.listenerCount('boot');
    scene.sys.plugins.installScenePlugin('AdsScenePlugin', AdsScenePlugin, 'ads', scene);
    expect(scene.events.listenerCount('boot')).toBe(waitingForBoot);
    const ends = hearEnds(scene);
    const ad = scene.ads.place('a', PLACE);
    await expect(ad.ready).resolves.toBe('shown');
    test.step();
    expect(ad.measurement?.isFullyVisible).toBe(true);
    scene.scene.restart();
    test.step(2);
    expect(ends).toEqual(['scene-ended']);
    await expect(scene.ads.place('a', PLACE).ready).resolves.toBe('shown');
    scene.scene.remove();
    test.step();
    expect(ends).toEqual(['scene-ended', 'scene-ended']);
  });
});
