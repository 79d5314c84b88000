import { AdsEvents } from '../../src/events.js';
import { asVersion } from './support/asVersion.js';
import { TestGame } from './support/TestGame.js';
import { withCode } from '../helpers/withCode.js';

let test: TestGame;
beforeAll(async () => (test = await TestGame.start()));
afterAll(() => TestGame.endAll());
// Phaser warns of a second game's global plugin, which works all the same.
beforeEach(() => jest.spyOn(console, 'warn').mockImplementation());

const PLACE = { x: 10, y: 10, width: 100, height: 50 };

const hostile = {
  getter: Object.defineProperty({ ...PLACE }, 'x', {
    get: () => {
      throw new Error('getter');
    },
  }),
  proxy: new Proxy(
    {},
    {
      get: () => {
        throw new Error('proxy');
      },
    },
  ),
  text: {
    toString: () => {
      throw new Error('toString');
    },
  },
};

describe('place refuses at once, and makes no sprite', () => {
  it.each([
    ['B52 an empty surface id', '', PLACE, 'arg/surface-id'],
    ['B52 a number as surface', 5, PLACE, 'arg/surface-id'],
    ['B52 no surface', undefined, PLACE, 'arg/surface-id'],
    ['B52 a surface without id', { name: 'x' }, PLACE, 'arg/surface-id'],
    ['B54 x = NaN', 'a', { ...PLACE, x: NaN }, 'arg/position'],
    ['B54 y = Infinity', 'a', { ...PLACE, y: Infinity }, 'arg/position'],
    ['B54 x as text', 'a', { ...PLACE, x: '10' }, 'arg/position'],
    ['B54 no options', 'a', undefined, 'arg/position'],
    ['B55 width 0', 'a', { ...PLACE, width: 0 }, 'arg/size'],
    ['B55 a negative height', 'a', { ...PLACE, height: -1 }, 'arg/size'],
    ['B55 width = NaN', 'a', { ...PLACE, width: NaN }, 'arg/size'],
    ['B55 width above 16384', 'a', { ...PLACE, width: 16_385 }, 'arg/size'],
    ['B55 no size at all', 'a', { x: 1, y: 1 }, 'arg/size'],
    ['B63 a signal that is none', 'a', { ...PLACE, signal: {} }, 'arg/signal'],
    ['B66 a getter that throws', 'a', hostile.getter, 'arg/option'],
    ['B66 a proxy that throws', 'a', hostile.proxy, 'arg/option'],
    ['B66 a proxy as surface', hostile.proxy, PLACE, 'arg/surface-id'],
    ['B66 a toString that throws', 'a', { ...PLACE, x: hostile.text }, 'arg/position'],
    ['B66 a proxy as container', 'a', { ...PLACE, container: hostile.proxy }, 'arg/option'],
    ['B66 a proxy as signal', 'a', { ...PLACE, signal: hostile.proxy }, 'arg/signal'],
    ['an unknown fit', 'a', { ...PLACE, fit: 'fill' }, 'arg/option'],
    ['a depth that is no number', 'a', { ...PLACE, depth: 'top' }, 'arg/option'],
    ['an origin that is no number', 'a', { ...PLACE, origin: { x: 0 } }, 'arg/option'],
    ['clickable that is no boolean', 'a', { ...PLACE, clickable: 1 }, 'arg/option'],
    ['a container that is none', 'a', { ...PLACE, container: {} }, 'arg/option'],
  ])('%s', (_, surface, options, code) => {
    const { ads, children } = test.scene();
    const before = children.length;
    expect(() => ads.place(surface as never, options as never)).toThrow(withCode(code));
    expect(children).toHaveLength(before);
    expect(ads.all()).toEqual([]);
  });

  it.each([
    [{ x: NaN }, 'got NaN'],
    [{ y: '10' }, 'got a string'],
    [{ y: null }, 'got null'],
    [{ width: -1 }, 'got -1'],
    [{ height: undefined }, 'got undefined'],
    [{ fit: 5 }, 'got 5'],
  ])('and says what it got: %j', (wrong, got) => {
    expect(() => test.scene().ads.place('a', { ...PLACE, ...wrong } as never)).toThrow(got);
  });

  it('but warns of options that do not exist', () => {
    const { ads } = test.scene();
    const { reported } = test.world;
    reported.length = 0;
    for (const options of [PLACE, { ...PLACE, clickble: true, rotation: 1 }]) ads.place('a', options).destroy();
    expect(reported).toEqual([
      'phaser-inview: place has no option `clickble`. Did you mean `clickable`?',
      'phaser-inview: place has no option `rotation`.',
    ]);
  });

  it('but takes the largest box there may be, and of a surface what can be read', () => {
    const { ads } = test.scene();
    const surface = { adSurfaceId: 'a', name: 5, width: -1, height: 50, more: 1 } as never;
    const ad = ads.place(surface, { x: 1, y: 1, width: 16_384 });
    expect(ad.surface).toEqual({ adSurfaceId: 'a', height: 50 });
    ad.destroy();
  });

  it('B46 a Phaser that is not known yet', async () => {
    const other = await TestGame.start();
    const giveBack = asVersion('5.0.0');
    expect(() => other.scene().ads.place('a', PLACE)).toThrow(withCode('config/phaser-version'));
    giveBack();
    other.destroy();
  });

  it('a signal that is aborted already', () => {
    const place = () => test.scene().ads.place('a', { ...PLACE, signal: AbortSignal.abort() });
    expect(place).toThrow(withCode('net/aborted'));
  });

  it('B59 a container of another scene', async () => {
    const other = await TestGame.start();
    const container = other.scene().add.container();
    const place = () => test.scene().ads.place('a', { ...PLACE, container });
    expect(place).toThrow(withCode('arg/scene-mismatch'));
    other.destroy();
  });

  it('B56 before create(), and in a scene that does not run', async () => {
    const codes: unknown[] = [];
    const other = await TestGame.start({
      scene: [
        {
          key: 'early',
          init(this: Phaser.Scene) {
            try {
              this.ads.place('a', PLACE);
            } catch (error) {
              codes.push((error as { code: unknown }).code);
            }
          },
        },
        { key: 'never', create: () => undefined },
      ],
    });
    expect(codes).toEqual(['place/scene-not-running']);
    other.scene('early').scene.stop();
    other.step();
    for (const key of ['never', 'early'])
      expect(() => other.scene(key).ads.place('a', PLACE)).toThrow(withCode('place/scene-not-running'));
    other.destroy();
  });
});

describe('observe and measure', () => {
  it.each([
    ['B57 null', null],
    ['B57 no sprite', { x: 1 }],
    ['B57 what is not drawn', { type: 'Image', on: (): void => undefined }],
    ['B57 what tells nothing', { type: 'Image', renderFlags: 15 }],
    ['B57 what has no type', { on: (): void => undefined, renderFlags: 15 }],
    ['B57 text', 'sprite'],
    ['B66 a proxy that throws', hostile.proxy],
  ])('refuse as a sprite: %s', (_, sprite) => {
    const { ads } = test.scene();
    const wrong = withCode('arg/sprite');
    expect(() => ads.observe(sprite as never, { adId: 'a', url: '' })).toThrow(wrong);
    expect(() => ads.measure(sprite as never)).toThrow(wrong);
  });

  it('B59 refuse to observe a sprite of another scene', async () => {
    const other = await TestGame.start();
    const sprite = other.scene().add.image(0, 0, '__WHITE');
    const observe = () => test.scene().ads.observe(sprite, { adId: 'a', url: '' });
    expect(observe).toThrow(withCode('arg/scene-mismatch'));
    other.destroy();
  });

  it('refuse to observe a sprite that place() made, and an ad without adId', () => {
    const { ads } = test.scene();
    const placed = ads.place('a', PLACE);
    expect(() => ads.observe(placed.sprite, { adId: 'a', url: '' })).toThrow(withCode('arg/sprite'));
    const sprite = test.scene().add.image(0, 0, '__WHITE');
    for (const ad of [null, {}, { adId: '' }, hostile.proxy]) {
      expect(() => ads.observe(sprite, ad as never)).toThrow(withCode('arg/option'));
    }
    for (const options of [null, { clickable: 1 }]) {
      expect(() => ads.observe(sprite, { adId: 'a', url: '' }, options as never)).toThrow(withCode('arg/option'));
    }
    expect(ads.all()).toEqual([placed]);
    placed.destroy();
  });

  it('measure any object of the game, one that is no ad, too', () => {
    const sprite = test.scene().add.image(100, 100, '__WHITE').setDisplaySize(40, 20);
    test.step();
    const { ads } = test.scene();
    expect(ads.measure(sprite)).toMatchObject({ isVisible: true, totalArea: 800, reasons: [] });
    sprite.destroy();
  });

  it('B58 measure a destroyed sprite as not there', () => {
    const sprite = test.scene().add.image(0, 0, '__WHITE');
    sprite.destroy();
    const measured = test.scene().ads.measure(sprite);
    expect(measured).toMatchObject({ isVisible: false, totalArea: 0, reasons: ['notFound'] });
  });
});

describe('handlers', () => {
  it('are called with their context, `once` one time', () => {
    const { ads, events } = test.scene();
    const calls: unknown[] = [];
    const handler = function (this: unknown): void {
      calls.push(this);
    };
    const [always, once] = [{}, {}];
    ads.on(AdsEvents.LOADED, handler, always).once(AdsEvents.LOADED, handler, once);
    for (let i = 0; i < 2; i++) events.emit(AdsEvents.LOADED);
    ads.off(AdsEvents.LOADED, handler);
    events.emit(AdsEvents.LOADED);
    expect(calls).toHaveLength(3);
    for (const [i, context] of [always, once, always].entries()) expect(calls[i]).toBe(context);
  });

  it.each(['on', 'once', 'off'] as const)('B64 %s refuses what is no function', (how) => {
    const { ads } = test.scene();
    for (const handler of [undefined, null, 'f', {}]) {
      expect(() => ads[how](AdsEvents.LOADED, handler as never)).toThrow(withCode('arg/handler'));
    }
  });
});

describe('B65 after the game is destroyed', () => {
  it('every call of the plugin says so', async () => {
    const other = await TestGame.start();
    const { ads } = other.scene();
    const sprite = other.scene().add.image(0, 0, '__WHITE');
    const placed = ads.place('a', PLACE);
    other.destroy();
    const destroyed = withCode('lifecycle/destroyed');
    expect(() => ads.place('a', PLACE)).toThrow(destroyed);
    expect(() => ads.observe(sprite, { adId: 'a', url: '' })).toThrow(destroyed);
    expect(() => ads.on(AdsEvents.LOADED, () => undefined)).toThrow(destroyed);
    expect(() => ads.client).toThrow(destroyed);
    expect(ads.measure(sprite).isVisible).toBe(false);
    expect(ads.measure(placed).isVisible).toBe(false);
    expect(ads.all()).toEqual([]);
    expect(ads.unobserve(sprite)).toBe(false);
    expect(ads.off(AdsEvents.LOADED, () => undefined)).toBe(ads);
    expect(() => placed.destroy()).not.toThrow();
  });
});
