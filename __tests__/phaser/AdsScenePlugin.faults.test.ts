import type Phaser from 'phaser';

import { AdsError } from '../../src/errors.js';
import { type AdsEventMap, AdsEvents } from '../../src/events.js';
import { GameMeter } from '../../src/meter/GameMeter.js';
import { FakeWorld, IMAGE_URL, type ImageAnswer } from './support/FakeWorld.js';
import { pngOf } from './support/imageFiles.js';
import { TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

/** What Phaser's types leave out. */
interface CameraParts {
  readonly renderList: unknown;
  readonly addToRenderList: unknown;
}

const PLACE = { x: 200, y: 150, width: 200, height: 100 };

const text = (content: string): Uint8Array => Uint8Array.from(content, (c) => c.charCodeAt(0));

/** Places one ad and hears all that is told of it. */
async function placeOne(world: FakeWorld, surface = 'billboard') {
  const test = await TestGame.start({ world });
  const scene = test.scene();
  const told: string[] = [];
  const errors: AdsEventMap['aderror'][] = [];
  for (const event of Object.values(AdsEvents)) scene.ads.on(event, () => told.push(event));
  scene.ads.on(AdsEvents.ERROR, (payload) => errors.push(payload));
  const ad = scene.ads.place(surface, PLACE);
  const sprite = ad.sprite;
  return { test, scene, ad, sprite, told, errors };
}

/** The game goes on: frames are drawn, the placeholder fills its box, and nothing is left of the creative. */
function expectPlaceholder(test: TestGame, sprite: Phaser.GameObjects.Image): void {
  const drawn = jest.fn();
  test.game.events.on('postrender', drawn);
  test.step(3);
  expect(drawn).toHaveBeenCalledTimes(3);
  expect(sprite.texture.key).toMatch(/placeholder/);
  expect(sprite.getBounds()).toMatchObject({ x: 100, y: 100, width: 200, height: 100 });
  expect(test.creativeKeys()).toEqual([]);
  expect(test.world.openImages.size).toBe(0);
  expect(test.world.runningTimers).toBe(0);
}

describe('a creative that does not come leaves the placeholder and tells one typed error', () => {
  it.each<[string, ImageAnswer, string]>([
    ['F58 image 404', { status: 404 }, 'ad/http-status'],
    ['F58 image 500', { status: 500 }, 'ad/http-status'],
    ['F58 image host down', 'unreachable', 'net/unreachable'],
    ['F59 HTML with 200', { body: text('<!doctype html><p>hi'), type: 'text/html' }, 'ad/type'],
    ['F59 HTML that claims to be an image', { body: text('<!doctype html><p>hi'), type: 'image/png' }, 'ad/type'],
    ['F59 nothing at all', { body: new Uint8Array(0) }, 'ad/decode'],
    ['F59 a truncated image', { body: pngOf(300, 250).subarray(0, 20) }, 'ad/decode'],
    ['F60 image without CORS', 'no-cors-header', 'ad/cors'],
    ['F61 an image beyond the texture limit', { body: pngOf(20_000, 100) }, 'ad/dimensions'],
    ['B22 a redirect', 'redirect', 'ad/redirect'],
  ])('%s', async (_, answer, code) => {
    const world = new FakeWorld();
    world.images.set(IMAGE_URL, answer);
    const { test, ad, sprite, told, errors } = await placeOne(world);
    await expect(ad.ready).resolves.toBe('failed');
    expectPlaceholder(test, sprite);
    expect(told).toEqual(['aderror']);
    expect(errors[0]!.placedAd).toBe(ad);
    expect(ad.ad).toEqual({ adId: 'ad-of-billboard', url: IMAGE_URL });
    expect(errors[0]!.error.code).toBe(code);
    expect(errors[0]!.error.hint).not.toBe('');
    expect(ad.error).toBe(errors[0]!.error);
  });

  it('F58 an image that hangs, after 15 s', async () => {
    const world = new FakeWorld();
    world.images.set(IMAGE_URL, 'never');
    const { test, ad, sprite, errors } = await placeOne(world);
    await test.settle();
    world.pass(14_999);
    await test.settle();
    expect(ad.state).toBe('loading');
    world.pass(1);
    await expect(ad.ready).resolves.toBe('failed');
    expect(errors[0]!.error.code).toBe('ad/timeout');
    expect(world.abortedFetches).toBe(1);
    expectPlaceholder(test, sprite);
  });

  it('F64 a decoder without memory, once and not in a loop', async () => {
    const world = new FakeWorld();
    world.decodeFails = true;
    const { test, ad, sprite, errors } = await placeOne(world);
    await ad.ready;
    expectPlaceholder(test, sprite);
    expect(errors.map(({ error }) => error.code)).toEqual(['ad/decode']);
    expect(world.fetchCount).toBe(1);
  });

  it('B15 an address that is not https', async () => {
    const world = new FakeWorld();
    world.ads.set('billboard', { adId: 'a', url: 'http://cdn.example.com/ad.png' });
    const { ad, errors } = await placeOne(world);
    await ad.ready;
    expect(errors[0]!.error.code).toBe('ad/url-scheme');
    expect(world.fetchCount).toBe(0);
  });
});

describe('what the service answers', () => {
  it('no ad is an answer: adnofill, no error, the placeholder stays', async () => {
    const world = new FakeWorld();
    world.ads.set('billboard', { adId: '', url: '' });
    const { test, ad, sprite, told } = await placeOne(world);
    await expect(ad.ready).resolves.toBe('noFill');
    expectPlaceholder(test, sprite);
    expect(told).toEqual(['adnofill']);
    expect(ad.error).toBeNull();
    expect(ad.ad).toBeNull();
  });

  it.each(['ad/unknown-surface', 'net/unreachable', 'config/credentials-rejected'] as const)(
    'the error of the client is told as it is: %s',
    async (code) => {
      const world = new FakeWorld();
      world.ads.set('billboard', new AdsError(code, 'from the client'));
      const { test, ad, sprite, told, errors } = await placeOne(world);
      await expect(ad.ready).resolves.toBe('failed');
      expectPlaceholder(test, sprite);
      expect(told).toEqual(['aderror']);
      expect(errors[0]!.error.code).toBe(code);
    },
  );
});

describe('around the game', () => {
  it("F63 keeps its hands off the game's textures with keys like its own", async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    for (let i = 1; i <= 3; i++) scene.textures.createCanvas(`phaser-inview:creative:${i}`, 8, 8);
    const own = scene.textures.get('phaser-inview:creative:1');
    const ad = scene.ads.place('a', PLACE);
    await ad.ready;
    expect(ad.sprite.texture.key).toBe('phaser-inview:creative:4');
    ad.destroy();
    expect(scene.textures.get('phaser-inview:creative:1')).toBe(own);
  });

  it('F65 loads 6 at once, lets 256 wait, and refuses the rest of 10,000', async () => {
    const world = new FakeWorld();
    world.holdImages = true;
    for (let i = 0; i < 10_000; i++) {
      const url = `https://cdn.example.com/${i}.png`;
      world.images.set(url, { body: pngOf(10, 10) });
      world.ads.set(`s${i}`, { adId: `a${i}`, url });
    }
    const test = await TestGame.start({ world });
    const { ads } = test.scene();
    const refused = jest.fn();
    ads.on(AdsEvents.ERROR, ({ error }) => void refused(error.code));
    const placed = Array.from({ length: 10_000 }, (_, i) => ads.place(`s${i}`, { ...PLACE, x: i }));
    await test.settle();
    expect(world.fetchCount).toBe(6);
    expect(refused).toHaveBeenCalledTimes(10_000 - 262);
    expect(refused).toHaveBeenLastCalledWith('place/too-many');
    world.releaseImages();
    const states = await Promise.all(placed.map(({ ready }) => ready));
    expect(states.filter((state) => state === 'shown')).toHaveLength(262);
  });

  it('a handler of the game that throws at the end of its sprite keeps no ad from its end', async () => {
    const world = new FakeWorld();
    const { test, scene, ad, told } = await placeOne(world);
    await ad.ready;
    const fault = new Error('of the game');
    ad.sprite.once('destroy', () => {
      throw fault;
    });
    ad.destroy();
    expect([ad.state, scene.ads.all(), world.reported]).toEqual(['finished', [], [fault]]);
    expect([told.at(-1), test.creativeKeys(), world.openImages.size]).toEqual(['adfinish', [], 0]);
    test.step(2);
  });

  it('a camera of the game that throws while a frame is read is left as it was', async () => {
    const errors = jest.spyOn(console, 'error').mockImplementation();
    const scene = (await TestGame.start()).scene();
    const sprite = scene.add.image(200, 150, '__WHITE');
    const camera = scene.cameras.main as Phaser.Cameras.Scene2D.Camera & CameraParts;
    const { emit, renderList, addToRenderList } = camera;
    camera.preRender = () => {
      throw new Error('broken');
    };
    camera.scrollX = 3;
    expect(scene.ads.measure(sprite).reasons).toContain('unmeasurable');
    expect(errors.mock.calls).toEqual([[expect.objectContaining({ code: 'internal/unexpected' })]]);
    expect([camera.emit, camera.addToRenderList, camera.dirty]).toEqual([emit, addToRenderList, true]);
    expect(camera.renderList).toBe(renderList);
  });

  it('F66 a handler of the game that throws harms no other handler and no frame', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const fault = new Error('of the game');
    const heard: string[] = [];
    scene.events.on(AdsEvents.VISIBLE, () => {
      throw fault;
    });
    scene.events.on(AdsEvents.VISIBLE, () => heard.push('plain'));
    scene.ads.once(AdsEvents.VISIBLE, () => heard.push('once'));
    const ad = scene.ads.place('a', PLACE);
    await ad.ready;
    expect(() => test.step(3)).not.toThrow();
    expect(heard).toEqual(['plain', 'once']);
    expect(test.world.reported).toEqual([fault]);
    expect(ad.measurement?.isFullyVisible).toBe(true);
  });

  it('a listener of measurements that throws harms no other one, in a frame or when frames stop coming', async () => {
    const test = await TestGame.start();
    const [fault, printed] = [new Error('of the game'), jest.spyOn(console, 'error').mockImplementation()];
    const heard: string[] = [];
    const meter = GameMeter.of(test.game);
    const sprites = [0, 1].map(() => test.scene().add.image(200, 150, '__WHITE'));
    const fail = (): never => {
      throw fault;
    };
    meter.observe(sprites[0]!, fail, { onInterruption: fail });
    meter.observe(sprites[1]!, () => heard.push('frame'), { onInterruption: (reason) => heard.push(reason) });
    expect(() => test.step()).not.toThrow();
    expect(() => test.game.events.emit('pause')).not.toThrow();
    expect(() => test.step()).not.toThrow();
    expect(heard).toEqual(['frame', 'gamePaused', 'frame']);
    expect(printed.mock.calls).toEqual([[fault], [fault], [fault]]);
  });

  it('a frame that cannot be read leaves every ad unseen, tells so once, and no frame after it is measured', async () => {
    const test = await TestGame.start();
    const printed = jest.spyOn(console, 'error').mockImplementation();
    const heard: unknown[] = [];
    const sprite = test.scene().add.image(200, 150, '__WHITE');
    const meter = GameMeter.of(test.game);
    const tell = (name: string) => {
      meter.observe(sprite, ({ isVisible }) => heard.push([name, isVisible]), {
        onInterruption: (reason) => heard.push([name, reason]),
      });
    };
    tell('one');
    test.step();
    tell('other');
    jest.spyOn(test.game.canvas, 'isConnected', 'get').mockImplementationOnce(() => {
      throw new Error('broken');
    });
    test.step(3);
    expect(heard).toEqual([['one', true], ['one', false], ['other', false], ['one', 'unmeasurable'], ['other', 'unmeasurable']]);
    expect(printed.mock.calls).toEqual([[expect.objectContaining({ code: 'internal/unexpected' })]]);
  }); // prettier-ignore

  it('an error that nobody listens for is printed with what to do, once by its code', async () => {
    const world = new FakeWorld();
    world.images.set(IMAGE_URL, { status: 404 });
    const { ads } = (await TestGame.start({ world })).scene();
    await ads.place('a', PLACE).ready;
    await ads.place('b', PLACE).ready;
    expect(world.reported).toEqual([expect.stringMatching(/^phaser-inview: .*404.* \[ad\/http-status\] ./)]);
    const heard = jest.fn();
    ads.on(AdsEvents.ERROR, heard);
    world.images.set(IMAGE_URL, 'redirect');
    await ads.place('c', PLACE).ready;
    expect(heard).toHaveBeenCalledTimes(1);
    expect(world.reported).toHaveLength(1);
  });

  it('F66 handlers that come and go while an event is told are told in their turn', async () => {
    const test = await TestGame.start();
    const { ads } = test.scene();
    const heard: string[] = [];
    const late = (): void => void heard.push('late');
    ads.on(AdsEvents.LOADED, () => {
      heard.push('first');
      ads.on(AdsEvents.LOADED, late);
    });
    ads.once(AdsEvents.LOADED, () => heard.push('once'));
    await ads.place('a', PLACE).ready;
    expect(heard).toEqual(['first', 'once']);
    ads.off(AdsEvents.LOADED, late);
    await ads.place('b', PLACE).ready;
    expect(heard).toEqual(['first', 'once', 'first']);
  });

  it('F79 aborting the signal before the ad is shown destroys it; afterwards it does nothing', async () => {
    const world = new FakeWorld();
    world.holdImages = true;
    const test = await TestGame.start({ world });
    const scene = test.scene();
    const errors = jest.fn();
    scene.ads.on(AdsEvents.ERROR, errors);
    const early = new AbortController();
    const cancelled = scene.ads.place('a', { ...PLACE, signal: early.signal });
    await test.settle();
    early.abort();
    await expect(cancelled.ready).resolves.toBe('finished');
    expect(cancelled.error?.code).toBe('net/aborted');
    expect(scene.children).toHaveLength(0);
    expect(world.abortedFetches).toBe(1);
    world.releaseImages();
    const late = new AbortController();
    const shown = scene.ads.place('a', { ...PLACE, signal: late.signal });
    await shown.ready;
    late.abort();
    expect(shown.state).toBe('shown');
    expect(errors).not.toHaveBeenCalled();
  });
});
