import Phaser from 'phaser';

import { type AdsEventMap, AdsEvents } from '../../src/events.js';
import type { PlacedAd } from '../../src/placement/PlacedAd.js';
import { AdsGlobalPlugin } from '../../src/plugin/AdsGlobalPlugin.js';
import { SpriteScan } from '../../src/record/canvas2d/SpriteScan.js';
import { FrameReader } from '../../src/rehearsal/FrameReader.js';
import { FakeWorld } from './support/FakeWorld.js';
import { press } from './support/press.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());
// Phaser warns of a second game's global plugin, which works all the same.
beforeEach(() => jest.spyOn(console, 'warn').mockImplementation());

const PLACE = { x: 200, y: 150, width: 120, height: 100 };
const AD = { adId: 'own', url: '' };

function fail(): never {
  throw new Error('broken');
}

function hear(scene: Phaser.Scene) {
  const told: string[] = [];
  const blocked: AdsEventMap['adblocked'][] = [];
  const visible: AdsEventMap['advisible'][] = [];
  scene.ads.on(AdsEvents.BLOCKED, (payload) => {
    told.push('blocked');
    blocked.push(payload);
  });
  scene.ads.on(AdsEvents.VISIBLE, (payload) => {
    told.push('visible');
    visible.push(payload);
  });
  return { told, blocked, visible };
}

describe('what the player sees of an ad', () => {
  it('is told when it changes, and only then', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const { told, blocked, visible } = hear(scene);
    const ad = scene.ads.place('a', PLACE);
    await ad.ready;
    test.step(5);
    expect(told).toEqual(['visible']);
    const car = scene.add.rectangle(200, 150, 60, 100, 0xff0000);
    test.step(5);
    car.x = 300;
    test.step(5);
    expect(told).toEqual(['visible', 'blocked', 'visible']);
    expect(blocked[0]!.placedAd).toBe(ad);
    expect(blocked[0]!.blockingSprites).toEqual([car]);
    expect(blocked[0]!.reasons).toEqual(['obstructed']);
    expect(blocked[0]!.coverage).toEqual({
      isVisible: true,
      screenCoveragePercentage: 5,
      visibleArea: 6000,
      totalArea: 12_000,
    });
    expect(visible[1]!.coverage.visibleArea).toBeCloseTo(12_000, 3);
  });

  it('is told of an ad that is blocked from the start', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const { told, blocked } = hear(scene);
    const ad = scene.ads.place('a', { ...PLACE, x: 0 });
    await ad.ready;
    test.step(3);
    expect(told).toEqual(['blocked']);
    expect(blocked[0]!.blockingSprites).toEqual([]);
    expect(blocked[0]!.measurement).toMatchObject({ percentageInView: 50, reasons: ['clipped'] });
  });

  it('is measured on the canvas as it is, from the frame on in which the game resizes it', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ad = scene.ads.place('a', PLACE);
    await ad.ready;
    test.step();
    test.game.scale.resize(200, 300);
    test.step();
    expect(ad.measurement).toMatchObject({ percentageInView: 50, reasons: ['clipped'] });
    ad.sprite.x = 500;
    test.game.scale.resize(600, 300);
    test.step();
    expect(ad.measurement).toMatchObject({ percentageInView: 100, reasons: [] });
  });

  it('is not told of a placeholder', async () => {
    const world = new FakeWorld();
    world.ads.set('a', { adId: '', url: '' });
    const test = await TestGame.start({ world });
    const { told } = hear(test.scene());
    const ad = test.scene().ads.place('a', PLACE);
    await ad.ready;
    test.step(3);
    expect(told).toEqual([]);
    expect(ad.measurement).toBeNull();
    const measured = test.scene().ads.measure(ad);
    expect(measured).toMatchObject({ isVisible: false, visibleArea: 0, percentageInView: 0, reasons: ['notLoaded'] });
    expect(measured.totalArea).toBeCloseTo(12_000, 3);
  });

  it('is handed out as a copy that stays as it is', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const { visible } = hear(scene);
    const ad = scene.ads.place('a', PLACE);
    await ad.ready;
    test.step();
    const measured = scene.ads.measure(ad);
    scene.add.rectangle(200, 150, 60, 100, 0xff0000);
    test.step();
    expect(ad.measurement?.visibleArea).toBeCloseTo(6000, 3);
    for (const copy of [measured, visible[0]!.measurement]) expect(copy.visibleArea).toBeCloseTo(12_000, 3);
  });

  it('respects the option blockingOpacity', async () => {
    const test = await TestGame.start({ data: { blockingOpacity: 0.9 } });
    const scene = test.scene();
    const { told } = hear(scene);
    await scene.ads.place('a', PLACE).ready;
    scene.add.rectangle(200, 150, 60, 100, 0xff0000, 0.7);
    test.step(2);
    expect(told).toEqual(['visible']);
  });
});

describe('measuring that has failed', () => {
  it('shows no ad any more, tells so once, and stops neither the game nor its other ads', async () => {
    const errors = jest.spyOn(console, 'error').mockImplementation();
    const test = await TestGame.start();
    const scene = test.scene();
    const { told } = hear(scene);
    const viewable = jest.fn();
    scene.ads.on(AdsEvents.VIEWABLE, viewable);
    const ads = [scene.ads.place('a', PLACE), scene.ads.place('b', { ...PLACE, y: 45, height: 80 })];
    await Promise.all(ads.map(({ ready }) => ready));
    test.step(3);
    expect(told).toEqual(['visible', 'visible']);
    // Phaser 4 has no scan of sprites: there each frame is rehearsed.
    const look = Phaser.VERSION.startsWith('4')
      ? jest.spyOn(FrameReader.prototype, 'read').mockImplementationOnce(fail)
      : jest.spyOn(SpriteScan.prototype, 'look').mockImplementationOnce(fail);
    let updates = 0;
    scene.events.on('update', () => updates++);
    test.step(190);
    await test.settle();
    expect(updates).toBe(190);
    expect(look).toHaveBeenCalledTimes(1);
    expect(errors.mock.calls).toEqual([[expect.objectContaining({ code: 'internal/unexpected' })]]);
    for (const { measurement } of ads) expect(measurement).toMatchObject({ isVisible: false, percentageInView: 0 });
    expect(viewable).not.toHaveBeenCalled();
    expect(scene.ads.summary().map(({ reasons }) => reasons)).toEqual([['unmeasurable'], ['unmeasurable']]);
  });
});

describe('observe', () => {
  it("measures a sprite of the game's own until it is told not to, and leaves it alone", async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const { told } = hear(scene);
    const ends = jest.fn();
    scene.ads.on(AdsEvents.FINISH, ({ reason }) => void ends(reason));
    const sprite = scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 50);
    const printed = jest.spyOn(console, 'error').mockImplementation();
    const observed = scene.ads.observe(sprite, AD);
    expect(observed.sprite).toBe(sprite);
    expect([observed.ad, observed.state, observed.surface]).toEqual([AD, 'shown', null]);
    await expect(observed.ready).resolves.toBe('shown');
    test.step();
    expect(told).toEqual(['visible']);
    expect(scene.ads.unobserve(sprite)).toBe(true);
    expect(scene.ads.unobserve(sprite)).toBe(false);
    test.step();
    // The ad is gone, whatever is seen of the sprite.
    expect([scene.ads.measure(observed).reasons, scene.ads.measure(sprite).isFullyVisible]).toEqual([
      ['notFound'],
      true,
    ]);
    expect(ends.mock.calls).toEqual([['unobserved']]);
    expect(sprite.scene).toBe(scene);
    expect(sprite.texture.key).toBe('__WHITE');
    expect(scene.ads.all()).toEqual([]);
    expect(printed).not.toHaveBeenCalled();
  });

  it('knows nothing of what is seen in another game', async () => {
    const [one, other] = [await TestGame.start(), await TestGame.start()];
    const sprite = one.scene().add.image(200, 150, '__WHITE').setDisplaySize(100, 50);
    for (const test of [one, other]) test.step(2);
    const reasons = [one, other].map((test) => test.scene().ads.measure(sprite).reasons);
    expect(reasons).toEqual([[], ['unmeasurable']]);
  });

  it('begins anew when a sprite is observed again, and ends with the sprite', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const ends: string[] = [];
    scene.ads.on(AdsEvents.FINISH, ({ reason }) => ends.push(reason));
    const sprite = scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 50);
    const first = scene.ads.observe(sprite, AD);
    const second = scene.ads.observe(sprite, { ...AD, adId: 'other' });
    expect([first.state, second.state]).toEqual(['finished', 'shown']);
    sprite.destroy();
    expect(ends).toEqual(['unobserved', 'destroyed']);
  });

  it('bills an ad that says by getters of a class whom to tell, too', async () => {
    class Served {
      readonly url = '';
      get adId() {
        return 'mine';
      }
      get trackers() {
        return [{ event: 'impression', url: 'https://t.example.com/seen' }] as const;
      }
    }
    const test = await TestGame.start();
    const scene = test.scene();
    scene.ads.observe(scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 50), new Served());
    test.step(2);
    test.world.pass(0);
    expect(test.world.trackersCalled).toEqual(['https://t.example.com/seen']);
  });

  it('is observed once, also when a handler of its end observes it, and not in a scene that this handler has ended', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const sprite = scene.add.image(200, 150, '__WHITE').setDisplaySize(100, 50);
    scene.ads.observe(sprite, AD);
    scene.ads.once(AdsEvents.FINISH, () => void scene.ads.observe(sprite, { ...AD, adId: 'next' }));
    const again = scene.ads.observe(sprite, { ...AD, adId: 'other' });
    expect(scene.ads.all().map(({ ad }) => ad?.adId)).toEqual(['next']);
    expect(scene.ads.all()).toEqual([again]);

    scene.ads.once(AdsEvents.FINISH, () => void test.game.scene.stop('main'));
    expect(() => scene.ads.observe(sprite, AD)).toThrow('does not run');
    expect([scene.ads.all(), scene.events.listenerCount('update')]).toEqual([[], 0]);
  });
});

describe('a click on an ad', () => {
  const URL = 'https://shop.example.com/offer';

  async function placeClickable(clickUrl: string | undefined, clickable = true) {
    const world = new FakeWorld();
    const ad = { adId: 'a', url: 'https://cdn.example.com/ad.png', ...(clickUrl === undefined ? {} : { clickUrl }) };
    world.ads.set('a', ad);
    const test = await TestGame.start({ world });
    const scene = test.scene();
    const clicks: AdsEventMap['adclick'][] = [];
    const errors: string[] = [];
    scene.ads.on(AdsEvents.CLICK, (payload) => clicks.push(payload));
    scene.ads.on(AdsEvents.ERROR, ({ error }) => errors.push(error.code));
    const placedAd = scene.ads.place('a', { ...PLACE, clickable });
    await placedAd.ready;
    return { test, world, scene, placedAd, clicks, errors };
  }

  it('S21: is told, and opens the address in a tab of its own, of which nobody knows whether it opened', async () => {
    const { test, world, placedAd, clicks } = await placeClickable(URL);
    press(test, placedAd.sprite);
    // Opened while the browser still knows that the player has clicked; committed first, announced then.
    expect(world.opened).toEqual([URL]);
    expect(clicks).toHaveLength(0);
    await test.settle();
    expect(clicks).toMatchObject([{ isOpened: 'unknown', isHouseAd: false, ad: { adId: 'a' } }]);
    expect(clicks[0]!.placedAd).toBe(placedAd);
    expect(clicks[0]!.url).toBe(URL);
    expect(world.opened).toEqual([URL]);
  });

  it('S21: is counted, and known not to be opened, where a wrapper has no tabs', async () => {
    const { test, world, placedAd, clicks } = await placeClickable(URL);
    world.opensWindows = false;
    press(test, placedAd.sprite);
    await test.settle();
    expect(clicks).toMatchObject([{ isOpened: false, url: URL }]);
  });

  it('opens nothing when the game prevents it, or there is no address', async () => {
    const vetoed = await placeClickable(URL);
    vetoed.scene.ads.on(AdsEvents.BEFORE_CLICK, (payload) => {
      expect([payload.url, payload.isHouseAd]).toEqual([URL, false]);
      payload.preventDefault();
    });
    press(vetoed.test, vetoed.placedAd.sprite);
    await vetoed.test.settle();
    expect(vetoed.clicks).toMatchObject([{ isOpened: false, url: URL }]);
    expect(vetoed.world.opened).toEqual([]);
    const without = await placeClickable(undefined);
    press(without.test, without.placedAd.sprite);
    await without.test.settle();
    expect(without.clicks[0]!.url).toBeNull();
    expect(without.world.opened).toEqual([]);
  });

  it('opens at once however long the report takes to be committed, and is told only then', async () => {
    const { test, world, placedAd, clicks } = await placeClickable(URL);
    let commit!: () => void;
    const committed = new Promise<void>((resolve) => (commit = resolve));
    jest.spyOn(AdsGlobalPlugin.of(test.game).core, 'report').mockReturnValue(committed);
    press(test, placedAd.sprite);
    await test.settle();
    expect([world.opened, clicks.length]).toEqual([[URL], 0]);
    commit();
    await test.settle();
    expect([world.opened, clicks.length]).toEqual([[URL], 1]);
  });

  it('tells whether it opened a tab also where other tasks run while it opens, as in Firefox', async () => {
    const { test, world, placedAd, clicks } = await placeClickable(URL);
    let commit!: () => void;
    const committed = { then: (onCommitted: () => void) => (commit = onCommitted) } as unknown as Promise<void>;
    jest.spyOn(AdsGlobalPlugin.of(test.game).core, 'report').mockReturnValue(committed);
    jest.spyOn(world.environment, 'openWindow').mockImplementation(() => commit());
    press(test, placedAd.sprite);
    expect(clicks).toMatchObject([{ isOpened: 'unknown', url: URL }]);
  });

  it('is counted even when the handler asked before ends the ad', async () => {
    const { test, world, scene, placedAd, clicks } = await placeClickable(URL);
    scene.ads.on(AdsEvents.BEFORE_CLICK, () => placedAd.destroy());
    press(test, placedAd.sprite);
    await test.settle();
    world.pass(5_000);
    await test.settle();
    const kinds = world.clients.flatMap(({ reports }) => reports.flat()).map(({ kind }) => kind);
    expect(kinds).toEqual(['loaded', 'impression', 'visible', 'click', 'summary']);
    expect([world.opened, clicks]).toEqual([[URL], []]);
  });

  it.each([
    ['made by a script', { isTrusted: false }, ['scripted']],
    ['released on another element', { releasedOn: document.body }, ['notOnCanvas']],
    ['of another button', { button: 2 }, []],
    ['that is a drag', { travel: 11 }, []],
  ])('does not count when it is one %s', async (_, given, reasons) => {
    const { test, world, scene, placedAd, clicks } = await placeClickable(URL);
    const refused: AdsEventMap['adclickrefused'][] = [];
    scene.ads.on(AdsEvents.CLICK_REFUSED, (payload) => refused.push(payload));
    press(test, placedAd.sprite, given);
    await test.settle();
    expect(clicks).toEqual([]);
    expect(world.opened).toEqual([]);
    expect(refused.map(({ reason }) => reason)).toEqual(reasons);
    for (const { placedAd: pressed, ad, isHouseAd, url } of refused) {
      expect(pressed).toBe(placedAd);
      expect({ adId: ad?.adId, isHouseAd, url }).toEqual({ adId: 'a', isHouseAd: false, url: URL });
    }
  });

  /** Of one finger or mouse; each step is an event of its own. */
  function pointerOn({ test, placedAd }: Awaited<ReturnType<typeof placeClickable>>, wasTouch: boolean) {
    const { canvas } = test.game;
    const place = { x: 200, y: 150, downX: 200, downY: 150, upX: 200, upY: 150 };
    const pointer = { ...place, button: 0, wasTouch, downElement: canvas, upElement: canvas, upTime: 0, event: {} };
    return (kind: 'pointerdown' | 'pointerup', timeStamp: number, button = 0): void => {
      const event = { isTrusted: true, timeStamp };
      placedAd.sprite.emit(kind, Object.assign(pointer, { upTime: timeStamp, button, event }));
    };
  }

  it('counts once for a tap, of which the browser tells once more as of a mouse', async () => {
    const placed = await placeClickable(URL);
    const [finger, mouse] = [pointerOn(placed, true), pointerOn(placed, false)];
    placed.test.step(2);
    finger('pointerdown', 100);
    finger('pointerup', 200);
    mouse('pointerdown', 900);
    mouse('pointerup', 901);
    expect(placed.world.opened).toEqual([URL]);
    mouse('pointerdown', 1_200);
    mouse('pointerup', 1_300);
    expect(placed.world.opened).toEqual([URL, URL]);
    // Neither is one that was pressed with another button than released.
    mouse('pointerdown', 1_310, 2);
    mouse('pointerup', 1_320, 0);
    mouse('pointerdown', 1_330, 0);
    mouse('pointerup', 1_340, 2);
    expect(placed.world.opened).toEqual([URL, URL]);
    finger('pointerdown', 1_400);
    finger('pointerup', 1_500);
    finger('pointerdown', 1_600);
    finger('pointerup', 1_700);
    expect(placed.world.opened).toHaveLength(4);
  });

  it('counts with a hand that trembles, and though Phaser tells of the press twice, then as of one beside the canvas', async () => {
    const { test, world, placedAd } = await placeClickable(URL);
    expect(placedAd.sprite.input!.cursor).toBe('pointer');
    const { emit } = placedAd.sprite;
    placedAd.sprite.emit = (event: string, pointer: Phaser.Input.Pointer, ...more: unknown[]) => {
      emit.call(placedAd.sprite, event, pointer, ...more);
      return emit.call(placedAd.sprite, event, Object.assign(pointer, { downElement: document.body }), ...more);
    };
    press(test, placedAd.sprite, { travel: 10 });
    expect(world.opened).toEqual([URL]);
  });

  it('is found where the ad is drawn, in a container that scrolls in its own way', async () => {
    const { test, world, scene, placedAd } = await placeClickable(URL);
    scene.cameras.main.scrollX = 50;
    scene.add.container(0, 0, [placedAd.sprite]).setScrollFactor(0, 1);
    press(test, { x: 145, y: 150 });
    press(test, { x: 255, y: 150 });
    expect(world.opened).toEqual([URL, URL]);
    // Up and down, it scrolls alike in another one.
    scene.cameras.main.scrollY = 30;
    scene.add.container(0, 0, [placedAd.sprite]).setScrollFactor(1, 0);
    for (const y of [101, 199]) press(test, { x: 150, y });
    expect(world.opened).toHaveLength(4);
  });

  it('is found on all that an object shows, such as a container without a size, and nowhere else', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const heard: string[] = [];
    for (const event of [AdsEvents.CLICK, AdsEvents.CLICK_REFUSED]) scene.ads.on(event, () => heard.push(event));
    const parts = [-20, 20].map((x) => scene.add.image(x, 0, '__WHITE').setDisplaySize(40, 60));
    const container = scene.add.container(200, 150, parts);
    const observed = scene.ads.observe<Phaser.GameObjects.GameObject>(container, AD, { clickable: true });
    expect(container.input!.cursor).toBe('pointer');
    const foundAt = async (x: number, y: number): Promise<boolean> => {
      heard.length = 0;
      press(test, { x, y });
      await test.settle();
      return heard.length > 0;
    };
    for (const [x, y] of [[161, 121], [239, 121], [161, 179], [239, 179], [200, 150]] as const) expect([x, y, await foundAt(x, y)]).toEqual([x, y, true]); // prettier-ignore
    for (const [x, y] of [[159, 150], [241, 150], [200, 119], [200, 181]] as const) expect([x, y, await foundAt(x, y)]).toEqual([x, y, false]); // prettier-ignore
    observed.destroy();
    container.destroy();
    // One that has a size and is turned is found where it is, not all around.
    scene.ads.observe(scene.add.rectangle(200, 150, 100, 100, 0xffffff).setAngle(45), AD, { clickable: true });
    expect([await foundAt(260, 150), await foundAt(250, 200)]).toEqual([true, false]);
  });

  it('is an error to wait for where an object has no area at all', async () => {
    const scene = (await TestGame.start()).scene();
    const codes: string[] = [];
    scene.ads.on(AdsEvents.ERROR, ({ error }) => codes.push(error.code));
    scene.ads.observe(scene.add.graphics(), AD, { clickable: true });
    expect(codes).toEqual(['arg/sprite']);
  });

  it('is none when it was pressed on something else, whatever was clicked before', async () => {
    const placed = await placeClickable(URL);
    const mouse = pointerOn(placed, false);
    placed.test.step(2);
    mouse('pointerdown', 100);
    mouse('pointerup', 200);
    mouse('pointerup', 300);
    expect(placed.world.opened).toEqual([URL]);
  });

  it('is none when the press before it was dragged away from the ad, and this one began beside it', async () => {
    const { test, world, scene, placedAd } = await placeClickable(URL);
    const heard: string[] = [];
    for (const event of [AdsEvents.CLICK, AdsEvents.CLICK_REFUSED]) scene.ads.on(event, () => heard.push(event));
    const { left, right, centerY } = placedAd.sprite.getBounds();
    press(test, { x: right - 3, y: centerY }, { travel: 60 });
    press(test, { x: left - 3, y: centerY }, { travel: 6 });
    await test.settle();
    expect([world.opened, heard]).toEqual([[], []]);
    press(test, { x: left + 3, y: centerY }, { travel: 6 });
    expect(world.opened).toEqual([URL]);
  });

  it('E1: is refused when the ad was covered as it was pressed, though it is free when released', async () => {
    const placed = await placeClickable(URL);
    const { test, world, scene } = placed;
    const reasons: string[] = [];
    scene.ads.on(AdsEvents.CLICK_REFUSED, ({ reason }) => reasons.push(reason));
    const mouse = pointerOn(placed, false);
    const car = scene.add.rectangle(200, 150, 60, 60, 0xff0000);
    test.step(2);
    mouse('pointerdown', 100);
    car.destroy();
    test.step(2);
    mouse('pointerup', 200);
    expect([world.opened, reasons]).toEqual([[], ['obstructed']]);
  });

  it('E1: is refused, told and counted where something lies over the ad, and counts again when it has gone', async () => {
    const { test, world, scene, placedAd, clicks } = await placeClickable(URL);
    const reasons: string[] = [];
    scene.ads.on(AdsEvents.CLICK_REFUSED, ({ reason }) => reasons.push(reason));
    const car = scene.add.rectangle(200, 150, 60, 60, 0xff0000);
    press(test, placedAd.sprite);
    press(test, placedAd.sprite, { isTrusted: false });
    car.destroy();
    press(test, placedAd.sprite);
    await test.settle();
    expect([world.opened, clicks.length, reasons]).toEqual([[URL], 1, ['obstructed', 'scripted']]);
    placedAd.destroy();
    world.pass(5_000);
    await test.settle();
    const events = world.clients.flatMap(({ reports }) => reports.flat());
    expect(events.filter(({ kind }) => kind === 'click')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ kind: 'summary', refusedClicks: { obstructed: 1, scripted: 1 } });
  });

  it('E1: is judged by the frame the player saw: what has not been drawn yet is not clicked', async () => {
    const { test, world, scene, placedAd } = await placeClickable(URL);
    placedAd.sprite.setVisible(false);
    test.step(2);
    const reasons: string[] = [];
    scene.ads.on(AdsEvents.CLICK_REFUSED, ({ reason }) => reasons.push(reason));
    placedAd.sprite.setVisible(true);
    press(test, placedAd.sprite, { frames: 0 });
    expect([world.opened, reasons]).toEqual([[], ['hidden']]);
    press(test, placedAd.sprite);
    expect(world.opened).toEqual([URL]);
  });

  it.each<[string, string, (test: TestGame) => unknown]>([
    ['while the game is paused', 'unmeasurable', ({ game }) => game.pause()],
    ['where the scenes cannot be read', 'unmeasurable', () => jest.spyOn(FrameReader.prototype, 'read').mockImplementation(fail)], // prettier-ignore
    ['while the page is hidden', 'backgrounded', () => jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')], // prettier-ignore
  ])('E1: is refused %s, as %s', async (_when, reason, change) => {
    const placed = await placeClickable(URL);
    const { test, world, scene } = placed;
    const reasons: string[] = [];
    scene.ads.on(AdsEvents.CLICK_REFUSED, (refused) => reasons.push(refused.reason));
    test.step(2);
    change(test);
    const mouse = pointerOn(placed, false);
    mouse('pointerdown', 100);
    mouse('pointerup', 200);
    expect([world.opened, reasons]).toEqual([[], [reason]]);
  });

  it.each<[string, string, (ad: Phaser.GameObjects.Image, scene: Phaser.Scene) => unknown]>([
    ['it lies outside of the camera', 'clipped', (_, { cameras }) => cameras.main.setViewport(0, 0, 90, 90)],
    ['it is hidden', 'hidden', (ad) => ad.setVisible(false)],
    ['it is too faint, and outside of another camera', 'transparent', (ad, { cameras }) => {
      ad.setAlpha(0.2);
      cameras.add(0, 0, 40, 40);
    }],
  ])('E1: is refused where %s, as %s', async (_when, reason, change) => {
    const placed = await placeClickable(URL);
    const { test, world, scene } = placed;
    const reasons: string[] = [];
    scene.ads.on(AdsEvents.CLICK_REFUSED, (refused) => reasons.push(refused.reason));
    change(placed.placedAd.sprite, scene);
    test.step(2);
    const mouse = pointerOn(placed, false);
    mouse('pointerdown', 100);
    mouse('pointerup', 200);
    expect([world.opened, reasons]).toEqual([[], [reason]]);
  }); // prettier-ignore

  it.each<[end: string, event: string, end: (placedAd: PlacedAd) => unknown]>([
    ['ended the ad', 'pointerdown', (placedAd) => placedAd.destroy()],
    ['ended the ad', 'pointerup', (placedAd) => placedAd.destroy()],
    ['had the ad reported', 'pointerup', (placedAd) => placedAd.reportAd()],
  ])('is none when the game has %s at its %s', async (_, event, end) => {
    const world = new FakeWorld();
    world.ads.set('a', { adId: 'a', url: 'https://cdn.example.com/ad.png', clickUrl: URL });
    const test = await TestGame.start({ world });
    const { ads } = test.scene();
    const told: string[] = [];
    for (const name of [AdsEvents.BEFORE_CLICK, AdsEvents.CLICK, AdsEvents.CLICK_REFUSED, AdsEvents.ERROR])
      ads.on(name, () => told.push(name));
    const placedAd = ads.place('a', { ...PLACE, clickable: true });
    // Heard before the ad's own.
    placedAd.sprite.on(event, () => end(placedAd));
    await placedAd.ready;
    press(test, placedAd.sprite);
    await test.settle();
    expect([world.opened, told]).toEqual([[], []]);
  });

  it('is not listened to unless asked for, nor after the end', async () => {
    const plain = await placeClickable(URL, false);
    expect(plain.placedAd.sprite.input).toBeNull();
    press(plain.test, plain.placedAd.sprite);
    expect(plain.clicks).toEqual([]);
    const { test, scene, placedAd, clicks, world } = await placeClickable(URL);
    const sprite = scene.add.image(0, 0, '__WHITE').setInteractive();
    const observed = scene.ads.observe(sprite, { adId: 'o', url: '', clickUrl: URL }, { clickable: true });
    observed.destroy();
    press(test, sprite);
    placedAd.destroy();
    expect(sprite.input).not.toBeNull();
    expect(sprite.listenerCount('pointerup')).toBe(0);
    expect(clicks).toEqual([]);
    expect(world.opened).toEqual([]);
  });

  it.each(['http://shop.example.com/', 'javascript:alert(1)', 'https://user:pw@shop.example.com/', '/offer'])(
    'B23 is disabled for a bad address, while the ad is shown: %s',
    async (address) => {
      const { test, world, placedAd, clicks, errors } = await placeClickable(address);
      test.step();
      press(test, placedAd.sprite);
      expect(placedAd.state).toBe('shown');
      expect(placedAd.measurement?.isFullyVisible).toBe(true);
      expect(errors).toEqual(['click/url']);
      await test.settle();
      world.pass(5_000);
      await test.settle();
      expect(clicks).toEqual([]);
      expect(world.opened).toEqual([]);
      const reported = world.clients.flatMap(({ reports }) => reports.flat());
      expect(reported.map(({ kind }) => kind)).not.toContain('click');
      expect(reported).toContainEqual(expect.objectContaining({ kind: 'error', errorCode: 'click/url', adId: 'a' }));
    },
  );
});
