import fc from 'fast-check';
import Phaser from 'phaser';

import { installAdLoader } from '../../src/plugin/adLoader.js';
import { AdsScenePlugin } from '../../src/plugin/AdsScenePlugin.js';
import { tiledPlacements } from '../../src/plugin/tiledPlacements.js';
import { AdsError } from '../../src/errors.js';
import { withCode } from '../helpers/withCode.js';
import { FakeWorld, IMAGE_URL } from './support/FakeWorld.js';
import { OPTIONS, pluginIn, TestGame } from './support/TestGame.js';

afterEach(() => TestGame.endAll());

type Image = Phaser.GameObjects.Image;
const SIZE = { width: 200, height: 100 };

describe('this.add.ad', () => {
  it('hangs an ad as place does, and gives the Image', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const image = scene.add.ad(200, 150, 'roof', { ...SIZE, depth: 3 }).setAlpha(0.9);
    expect(image).toBeInstanceOf(Phaser.GameObjects.Image);
    expect(scene.children.list).toContain(image);
    expect(image).toMatchObject({ x: 200, y: 150, displayWidth: 200, displayHeight: 100, depth: 3 });
    const second = scene.add.ad(20, 15, 'wall', SIZE);
    const ad = scene.ads.get(image)!;
    await ad.ready;
    expect(scene.ads.get(second)?.surface).toEqual({ adSurfaceId: 'wall' });
    expect(ad).toMatchObject({ state: 'shown', surface: { adSurfaceId: 'roof' } });
    ad.destroy();
    expect(scene.ads.get(image)).toBeNull();
  });

  it('works under whatever name the plugin is mapped to, and says so where it is not installed', async () => {
    const world = new FakeWorld();
    const global = [{ key: 'AdsGlobalPlugin', plugin: pluginIn(world), start: true, data: OPTIONS }];
    const test = await TestGame.start({
      plugins: { global, scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'billboards' }] },
      scene: [{ key: 'main' }, { key: 'bare', active: true, plugins: ['Clock'] }],
    });
    expect(test.scene().add.ad(0, 0, 'roof', SIZE)).toBeInstanceOf(Phaser.GameObjects.Image);
    const bare = test.scene('bare');
    expect(() => bare.add.ad(0, 0, 'roof', SIZE)).toThrow(withCode('config/not-installed'));
  });

  it('lasts as long as any game on the page has the plugin, and then is gone', async () => {
    const prototype = Phaser.GameObjects.GameObjectFactory.prototype as unknown as Record<string, unknown>;
    const creator = Phaser.GameObjects.GameObjectCreator.prototype as unknown as Record<string, unknown>;
    expect(prototype['ad']).toBeUndefined();
    const first = await TestGame.start();
    const second = await TestGame.start();
    first.destroy();
    expect(second.scene().add.ad(0, 0, 'roof', SIZE).scene).toBe(second.scene());
    second.destroy();
    expect([prototype['ad'], creator['ad']]).toEqual([undefined, undefined]);
    const third = await TestGame.start();
    expect(third.scene().add.ad(0, 0, 'roof', SIZE)).toBeInstanceOf(Phaser.GameObjects.Image);
  });

  it("leaves a factory of the game's own alone", async () => {
    const own = jest.fn();
    Phaser.GameObjects.GameObjectFactory.register('ad', own);
    try {
      const test = await TestGame.start();
      test.scene().add.ad(0, 0, 'roof', SIZE);
      expect(own).toHaveBeenCalled();
      test.destroy();
      expect((Phaser.GameObjects.GameObjectFactory.prototype as unknown as { ad: unknown }).ad).toBe(own);
    } finally {
      Phaser.GameObjects.GameObjectFactory.remove('ad');
    }
  });

  it.each<[string, (scene: Phaser.Scene) => unknown, string]>([
    ['B54 a position that is none', (scene) => scene.add.ad(NaN, 0, 'roof', SIZE), 'arg/position'],
    ['B55 a size that is none', (scene) => scene.add.ad(0, 0, 'roof', { width: 0, height: 10 }), 'arg/size'],
    ['B52 no surface', (scene) => scene.add.ad(0, 0, '', SIZE), 'arg/surface-id'],
    ['B66 options that throw', (scene) => scene.add.ad(0, 0, 'roof', TRAP), 'arg/option'],
    [
      'B66 a refresh that is none',
      (scene) => scene.add.ad(0, 0, 'roof', { ...SIZE, refresh: 5 as never }),
      'arg/option',
    ],
    [
      'B66 a fallback that is none',
      (scene) => scene.add.ad(0, 0, 'roof', { ...SIZE, fallback: 5 as never }),
      'arg/option',
    ],
    ['B66 make: a config that throws', (scene) => scene.make.ad(TRAP as never), 'arg/option'],
    ['B54 make: a config that is none', (scene) => scene.make.ad(null as never), 'arg/option'],
    ['B55 make: a size that is none', (scene) => scene.make.ad({ surface: 'roof', width: -1, height: 1 }), 'arg/size'],
    ['B52 make: no surface', (scene) => scene.make.ad({ ...SIZE } as never), 'arg/surface-id'],
  ])('%s', async (_name, call, code) => {
    const test = await TestGame.start();
    const before = test.scene().children.length;
    expect(() => call(test.scene())).toThrow(withCode(code));
    expect(test.scene().children.length).toBe(before);
  });
});

const TRAP = new Proxy({}, { get: () => { throw new Error('trap'); }, ownKeys: () => { throw new Error('trap'); } }); // prettier-ignore

describe('this.make.ad', () => {
  it("takes Phaser's game object config, its scale on top of the box", async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const image = scene.make.ad({
      surface: 'roof',
      x: 50,
      y: [60],
      ...SIZE,
      angle: 90,
      scale: 0.5,
      depth: 4,
      origin: 0,
      fit: 'stretch',
    });
    expect(image).toMatchObject({
      x: 50,
      y: 60,
      angle: 90,
      depth: 4,
      originX: 0,
      displayWidth: 100,
      displayHeight: 50,
    });
    await scene.ads.get(image)!.ready;
    expect(image.displayWidth).toBeCloseTo(100, 6);
    expect(image.displayHeight).toBeCloseTo(50, 6);
    expect(scene.children.list).toContain(image);
  });

  it('leaves it out of the scene when asked to', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const container = scene.add.container(10, 10);
    const loose = [
      scene.make.ad({ surface: 'roof', ...SIZE, add: false }),
      scene.make.ad({ surface: 'roof', ...SIZE }, false),
    ];
    const inside = scene.make.ad({ surface: 'roof', ...SIZE, container });
    expect(scene.children.list).toEqual([container]);
    expect(container.list).toEqual([inside]);
    for (const image of loose) expect(image.displayList).toBeNull();
    const high = scene.make.ad({ surface: 'roof', ...SIZE, scale: { x: 1, y: 3 } });
    expect([high.displayWidth, high.displayHeight]).toEqual([200, 300]);
  });
});

describe('what is about the ad', () => {
  it.each<[name: string, wrong: readonly unknown[], code: string]>([
    ['width', [0, 16_384.5, '9'], 'arg/size'],
    ['height', [-1, Infinity, null], 'arg/size'],
    ['fit', ['fill', null], 'arg/option'],
    ['container', [{ type: 'Container' }, { type: 'Image', add: jest.fn() }], 'arg/option'],
    ['clickable', ['yes', null], 'arg/option'],
    ['refresh', [{ minIntervalMs: 4_999 }, null], 'arg/option'],
    ['fallback', ['nothing', null], 'arg/option'],
    ['label', ['x'.repeat(21), null], 'arg/option'],
    ['signal', [{ aborted: false }, { addEventListener: jest.fn() }], 'arg/signal'],
  ])('%s is read by every way in: what one refuses, all refuse', async (name, wrong, code) => {
    const test = await TestGame.start();
    const scene = test.scene();
    const map = { objects: [{ name: 'ads', visible: true, objects: [{ properties: { adSurfaceId: 'roof' } }] }] };
    for (const value of wrong) {
      const options = { ...SIZE, [name]: value } as never;
      for (const hang of [
        () => scene.ads.place('roof', { ...(options as object), x: 0, y: 0 }),
        () => scene.add.ad(0, 0, 'roof', options),
        () => scene.make.ad({ ...(options as object), surface: 'roof' }),
        () => scene.ads.placeFromObjects(map as never, 'ads', options),
      ]) {
        expect(hang).toThrow(withCode(code));
      }
    }
    expect(scene.ads.all()).toEqual([]);
    expect(scene.children.list).toEqual([]);
  });

  it.each(['origin', 'scrollFactor'] as const)('%s is a number for both, or one for each', async (name) => {
    const test = await TestGame.start();
    const { ads } = test.scene();
    const of = (value: unknown) => {
      const { sprite } = ads.place('roof', { x: 0, y: 0, ...SIZE, [name]: value });
      return [sprite[`${name}X`], sprite[`${name}Y`]];
    };
    expect(of(0.25)).toEqual([0.25, 0.25]);
    expect(of({ x: 0, y: 0.75 })).toEqual([0, 0.75]);
    expect(of(undefined)).toEqual(name === 'origin' ? [0.5, 0.5] : [1, 1]);
    for (const value of [{ x: 0 }, { y: 0 }, { x: NaN, y: 0 }, { x: 0, y: '0' }, '0', null, TRAP]) {
      expect(() => of(value)).toThrow(withCode('arg/option'));
    }
  });
});

describe('placeFromObjects', () => {
  const property = (name: string, value: unknown, type = 'string') => ({ name, type, value });
  const surface = property('adSurfaceId', 'roof');

  /** What Tiled exports, as Phaser's own parser reads it. */
  function mapOf(scene: Phaser.Scene, objects: object[], more: object = {}): Phaser.Tilemaps.Tilemap {
    const layer = {
      type: 'objectgroup',
      name: 'ads',
      opacity: 1,
      visible: true,
      x: 0,
      y: 0,
      draworder: 'topdown',
      objects,
    };
    const json = {
      type: 'map', version: '1.10', orientation: 'orthogonal', width: 10, height: 10, tilewidth: 32, tileheight: 32,
      infinite: false, layers: [layer], tilesets: [], ...more,
    }; // prettier-ignore
    const key = `map-${Math.random()}`;
    scene.cache.tilemap.add(key, { format: Phaser.Tilemaps.Formats.TILED_JSON, data: json });
    return scene.make.tilemap({ key });
  }

  const objectOf = (fields: object) => ({ id: 1, name: 'wall', type: '', rotation: 0, visible: true, x: 100, y: 80, width: 64, height: 32, properties: [surface], ...fields }); // prettier-ignore

  /** Corners of the sprite in the world. */
  const boxOf = (image: Image) => {
    const { x, y, width, height } = image.getBounds();
    return [x, y, width, height].map((value) => Math.round(value * 1000) / 1000);
  };

  it('hangs an ad on every object with an adSurfaceId, named like it, with what it says of itself', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const map = mapOf(scene, [
      objectOf({}),
      objectOf({ name: 'tree', properties: [property('height', 3, 'int')] }),
      objectOf({ name: 'no properties', properties: undefined }),
      objectOf({
        name: 'ghost',
        visible: false,
        properties: [
          surface,
          property('fit', 'cover'),
          property('depth', 7, 'int'),
          property('clickable', true, 'bool'),
        ],
      }),
    ]);
    const ads = scene.ads.placeFromObjects(map, 'ads', { depth: 2, refresh: true });
    expect(ads.map(({ sprite }) => [sprite.name, sprite.visible, sprite.depth])).toEqual([['wall', true, 2], ['ghost', false, 7]]); // prettier-ignore
    expect(boxOf(ads[0]!.sprite)).toEqual([100, 80, 64, 32]);
  });

  it.each<[string, object, number[]]>([
    ['a rectangle hangs by its top left corner', {}, [100, 80, 64, 32]],
    ['an ellipse too', { ellipse: true }, [100, 80, 64, 32]],
    ['a tile by its bottom left corner', { gid: 1 }, [100, 48, 64, 32]],
    ['a rectangle turns around its corner', { rotation: 90 }, [68, 80, 32, 64]],
    ['a tile turns around its corner', { rotation: 90, gid: 1 }, [100, 80, 32, 64]],
    [
      'a polygon is its bounding box',
      {
        width: 0,
        height: 0,
        polygon: [
          { x: 0, y: 0 },
          { x: 40, y: 10 },
          { x: -20, y: 30 },
        ],
      },
      [80, 80, 60, 30],
    ],
    [
      'a polyline too, turned around its first point',
      {
        width: 0,
        height: 0,
        rotation: 180,
        polyline: [
          { x: 0, y: 0 },
          { x: 40, y: 10 },
        ],
      },
      [60, 70, 40, 10],
    ],
    [
      'a point has the size of its properties',
      {
        width: 0,
        height: 0,
        point: true,
        properties: [surface, property('width', 20), property('height', 10)].map((p) => ({
          ...p,
          value: Number(p.value) || p.value,
        })),
      },
      [90, 75, 20, 10],
    ],
  ])('%s', async (_name, fields, box) => {
    const test = await TestGame.start();
    const scene = test.scene();
    const [ad] = scene.ads.placeFromObjects(mapOf(scene, [objectOf(fields)]), 'ads', { fit: 'stretch' });
    expect(boxOf(ad!.sprite)).toEqual(box);
    await ad!.ready;
    expect(boxOf(ad!.sprite)).toEqual(box);
  });

  it.each([0, 30, 90, 200])(
    'puts it where Phaser puts a sprite of the same object, turned by %d°',
    async (rotation) => {
      const test = await TestGame.start();
      const scene = test.scene();
      scene.textures.createCanvas('pic', 64, 32);
      for (const gid of [undefined, 1]) {
        for (const orientation of ['orthogonal', 'isometric']) {
          const map = mapOf(scene, [objectOf({ rotation, gid })], { orientation, tileheight: 16 });
          const [sprite] = map.createFromObjects('ads', { key: 'pic' }, false) as unknown as Image[];
          const [ad] = scene.ads.placeFromObjects(map, 'ads');
          expect([ad!.sprite.x, ad!.sprite.y].map(Math.round)).toEqual([sprite!.x, sprite!.y].map(Math.round));
          expect(ad!.sprite.rotation).toBeCloseTo(sprite!.rotation, 6);
        }
      }
    },
  );

  it('covers the box of what was drawn, turned around its anchor, whatever that is', () => {
    const length = fc.integer({ min: 0, max: 300 });
    const point = fc.record({ x: fc.integer({ min: -300, max: 300 }), y: fc.integer({ min: -300, max: 300 }) }, { requiredKeys: [] }); // prettier-ignore
    const points = fc.array(point, { maxLength: 5 });
    const shape = fc.oneof(
      fc.record({ width: length, height: length, gid: fc.constantFrom(undefined, 0, 7) }),
      fc.record({ polygon: points }),
      fc.record({ polyline: points }),
    );
    type Vector = { x?: number; y?: number };
    const number = (value: number | undefined): number => value ?? 0;
    fc.assert(
      fc.property(point, fc.integer({ min: -360, max: 360 }), shape, (anchor, rotation, drawn) => {
        const { width, height, gid, polygon, polyline } = drawn as {
          width?: number;
          height?: number;
          gid?: number;
          polygon?: Vector[];
          polyline?: Vector[];
        };
        const up = gid === 7 ? -number(height) : 0;
        const box = [{ x: 0, y: up }, { x: number(width), y: number(height) + up }]; // prettier-ignore
        const corners: Vector[] = [polygon ?? polyline ?? box, box].find((some) => some.length > 0)!;
        const [xs, ys] = [corners.map(({ x }) => number(x)), corners.map(({ y }) => number(y))];
        const [left, top, right, bottom] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
        const turn = (rotation * Math.PI) / 180;
        const object = { ...anchor, ...drawn, rotation, properties: [null, surface] };
        const layer = { name: 'ads', visible: true, objects: [{ ...object, properties: null }, object] };
        const [placement, ...others] = tiledPlacements({ objects: [layer] }, 'ads');
        expect(others).toEqual([]);
        const { x, y, ...size } = placement!.options;
        const [across, down] = [(left + right) / 2, (top + bottom) / 2];
        expect(x).toBeCloseTo(number(anchor.x) + across * Math.cos(turn) - down * Math.sin(turn), 6);
        expect(y).toBeCloseTo(number(anchor.y) + across * Math.sin(turn) + down * Math.cos(turn), 6);
        const hasArea = right > left && bottom > top;
        expect(size).toEqual(hasArea ? { width: right - left, height: bottom - top } : {});
      }),
    );
  });

  it('counts the offset of the layer, and hides with the layer', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const layer = {
      type: 'objectgroup',
      name: 'ads',
      opacity: 1,
      visible: false,
      x: 0,
      y: 0,
      offsetx: 10,
      offsety: 20,
      objects: [objectOf({})],
    };
    const [ad] = scene.ads.placeFromObjects(mapOf(scene, [], { layers: [layer] }), 'ads');
    expect(boxOf(ad!.sprite)).toEqual([110, 100, 64, 32]);
    expect(ad!.sprite.visible).toBe(false);
  });

  it('names the object whose ad cannot be placed, and hangs none', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const point = objectOf({ id: 7, name: 'spot', point: true, width: 0, height: 0 });
    const hang = () => scene.ads.placeFromObjects(mapOf(scene, [objectOf({}), point]), 'ads');
    expect(hang).toThrow(withCode('arg/size'));
    expect(hang).toThrow(
      /^placeFromObjects: object 7, "spot": expected `width and height` to be [^[]+ \[arg\/size\] [^[]+$/,
    );
    expect([scene.ads.all(), scene.children.length]).toEqual([[], 0]);
  });

  it('leaves an error as it is that no object has caused', async () => {
    const scene = (await TestGame.start()).scene();
    const options = { signal: AbortSignal.abort() };
    expect(() => scene.ads.placeFromObjects(mapOf(scene, [objectOf({})]), 'ads', options)).toThrow(
      /^place: .*\[net\/aborted\]/,
    );
    const broken = new TypeError('of a plugin of the game');
    jest.spyOn(scene.add, 'image').mockImplementation(() => {
      throw broken;
    });
    expect(() => scene.ads.placeFromObjects(mapOf(scene, [objectOf({})]), 'ads')).toThrow(broken);
  });

  it('hands on what an object says of its ad, the size of a point too, and nothing else', () => {
    const said = { fit: 'cover', depth: 7, clickable: true, width: 50, height: 40 };
    const object = { x: 1, y: 2, properties: { adSurfaceId: 'roof', ...said, refresh: true, container: 'none', x: 9 } };
    const [point] = tiledPlacements({ objects: [{ name: 'ads', visible: true, objects: [object] }] }, 'ads');
    expect(point!.options).toEqual({ x: 1, y: 2, ...said });
    const line = { polyline: [{ x: 0, y: 0 }, { x: 10, y: 0 }], properties: { adSurfaceId: 'roof' } }; // prettier-ignore
    const [flat] = tiledPlacements({ objects: [{ name: 'ads', visible: true, objects: [line] }] }, 'ads');
    expect(flat!.options).toEqual({ x: 5, y: 0 });
  });

  it('reads maps made by hand: properties as an object, of the object itself, and the word isometric', () => {
    const at = { x: 100, y: 80, width: 64, height: 32 };
    const properties = [{ adSurfaceId: 'roof', depth: 7 }, { adSurfaceId: '' }, Object.create({ adSurfaceId: 'roof' })];
    const objects = properties.map((own: unknown) => ({ ...at, properties: own }));
    const layer = { name: 'ads', visible: true, objects };
    const map = { objects: [layer], orientation: 'isometric', tileWidth: 32, tileHeight: 16 };
    expect(tiledPlacements(map, 'ads')).toEqual([
      {
        surface: 'roof',
        options: { x: 20 + 32, y: 90 + 16, width: 64, height: 32, depth: 7 },
        rotation: 0,
        name: '',
        isVisible: true,
      },
    ]);
  });

  it('takes the layer itself, and gives nothing for one without ads', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const map = mapOf(scene, [objectOf({})]);
    expect(scene.ads.placeFromObjects(map, map.getObjectLayer('ads')!)).toHaveLength(1);
    expect(scene.ads.placeFromObjects(mapOf(scene, []), 'ads')).toEqual([]);
  });

  it('B54 refuses a map or layer that is none, naming the layers there are', async () => {
    const test = await TestGame.start();
    const scene = test.scene();
    const map = mapOf(scene, []);
    expect(() => scene.ads.placeFromObjects({} as never, 'ads')).toThrow(withCode('arg/option'));
    expect(() => scene.ads.placeFromObjects(null as never, 'ads')).toThrow(withCode('arg/option'));
    expect(() => scene.ads.placeFromObjects(map, 'adds')).toThrow(expect.objectContaining({ hint: 'Object layers of this map: "ads".' }) as Error); // prettier-ignore
    const none = mapOf(scene, [], { layers: [] });
    expect(() => scene.ads.placeFromObjects(none, 'ads')).toThrow(expect.objectContaining({ hint: 'The map has no object layers.' }) as Error); // prettier-ignore
    expect(() => scene.ads.placeFromObjects(mapOf(scene, [objectOf({ width: 0 })]), 'ads')).toThrow(
      withCode('arg/size'),
    );
  });
});

describe('load.ad', () => {
  it('is a file of the loader like others: chained, in its progress, told when complete', async () => {
    const world = new FakeWorld();
    world.holdImages = true;
    const told: string[] = [];
    const created = jest.fn();
    const test = await TestGame.start({
      world,
      scene: {
        preload(this: Phaser.Scene) {
          this.load.on('filecomplete', (key: string, type: string) => told.push(`${type} ${key}`));
          this.load.on('progress', (share: number) => told.push(share.toFixed(2)));
          this.load.ad('roof').ad(['bus', { adSurfaceId: 'roof' }], { timeoutMs: 1_000 });
        },
        create: created,
      } as never,
    });
    await test.settle();
    test.step(2);
    expect(created).not.toHaveBeenCalled();
    world.releaseImages();
    await test.settle();
    test.step(3);
    expect(created).toHaveBeenCalled();
    expect(told).toEqual(expect.arrayContaining(['ad roof', 'ad bus', 'ad roof:2', '0.33', '0.67', '1.00']));
    const ad = test.scene().ads.place('bus', { x: 200, y: 150, ...SIZE });
    await ad.ready;
    expect([ad.state, world.clients[0]!.asked]).toEqual(['shown', ['roof', 'bus', 'roof']]);
  });

  it('queued while the scene runs, waits for start() like every file', async () => {
    const test = await TestGame.start();
    const { load } = test.scene();
    const complete = jest.fn();
    load.once('complete', complete);
    load.ad('roof');
    expect(load.list.size).toBe(1);
    load.start();
    await test.settle();
    test.step(2);
    await test.settle();
    expect(complete).toHaveBeenCalledTimes(1);
  });

  it('is one file also where the game starts the loader as soon as there is one', async () => {
    const test = await TestGame.start();
    const { load } = test.scene();
    load.on('addfile', () => load.start());
    load.ad('roof');
    await test.settle();
    test.step(2);
    await test.settle();
    expect([load.totalComplete, test.world.clients[0]!.asked]).toEqual([1, ['roof']]);
  });

  it("is gone with its scene, and leaves a method of the game's own alone", async () => {
    const test = await TestGame.start();
    const { load } = test.scene();
    expect('ad' in load).toBe(true);
    test.game.scene.remove('main');
    test.step(2);
    expect('ad' in load).toBe(false);
    const own = jest.fn();
    expect(installAdLoader({ ad: own } as never, jest.fn())).toBeNull();
    const later = {} as { ad?: unknown };
    const uninstall = installAdLoader(later as never, jest.fn());
    later.ad = own;
    uninstall!();
    expect(later.ad).toBe(own);
  });

  it('is not there in a scene whose plugins leave the loader out; all else is', async () => {
    const plugins = ['Clock', 'InputPlugin', 'AdsScenePlugin'];
    const test = await TestGame.start({ scene: { key: 'main', plugins, create: () => undefined } as never });
    const scene = test.scene();
    expect(scene.load).toBeUndefined();
    await expect(scene.ads.place('roof', { x: 9, y: 9, width: 9, height: 9 }).ready).resolves.toBe('shown');
    expect(() => scene.scene.remove()).not.toThrow();
    expect(() => test.step(2)).not.toThrow();
  });

  it('B54 refuses what is no surface, at once', async () => {
    const test = await TestGame.start();
    expect(() => test.scene().load.ad(7 as never)).toThrow(withCode('arg/surface-id'));
    expect(() => test.scene().load.ad('roof', { timeoutMs: -1 })).toThrow(withCode('arg/option'));
  });
});

describe('preload', () => {
  const twoScenes = (preload: (scene: Phaser.Scene) => void, created = jest.fn()) => [
    { key: 'preloader', preload(this: Phaser.Scene) { preload(this); }, create: created },
    { key: 'main', create: () => undefined },
  ]; // prettier-ignore

  it('holds preload() up until the ads are there, with progress, and place takes them without asking again', async () => {
    const world = new FakeWorld();
    world.holdImages = true;
    const progress: number[] = [];
    const created = jest.fn();
    const complete = jest.fn();
    const test = await TestGame.start({
      world,
      scene: twoScenes((scene) => {
        scene.load.on('progress', (share: number) => progress.push(share));
        scene.load.on('filecomplete-ad-roof', complete);
        void scene.ads.preload(['roof', { adSurfaceId: 'bus' }, 'roof']);
      }, created) as never,
    });
    await test.settle();
    test.step(3);
    expect(created).not.toHaveBeenCalled();
    world.releaseImages();
    await test.settle();
    test.step(3);
    expect(created).toHaveBeenCalled();
    expect(complete).toHaveBeenCalledTimes(1);
    expect(progress.at(-1)).toBe(1);
    expect(progress.some((share) => share > 0 && share < 1)).toBe(true);
    const [client] = world.clients;
    expect(client!.asked).toEqual(['roof', 'bus', 'roof']);
    test.scene().scene.start('main');
    test.step(2);
    const main = test.scene('main');
    const ads = ['roof', 'roof', 'bus'].map((id) => main.ads.place(id, { x: 0, y: 0, ...SIZE }));
    await Promise.all(ads.map(({ ready }) => ready));
    expect(ads.map(({ state }) => state)).toEqual(['shown', 'shown', 'shown']);
    expect(client!.asked).toHaveLength(3);
    const more = main.ads.place('roof', { x: 0, y: 0, ...SIZE });
    await more.ready;
    expect(client!.asked).toHaveLength(4);
  });

  it('never holds the game up for longer than it may; the ad comes later', async () => {
    const world = new FakeWorld();
    world.holdImages = true;
    const created = jest.fn();
    const test = await TestGame.start({
      world,
      scene: twoScenes((scene) => void scene.ads.preload(['roof'], { timeoutMs: 1500 }), created) as never,
    });
    world.pass(1499);
    await test.settle();
    test.step(2);
    expect(created).not.toHaveBeenCalled();
    world.pass(1);
    await test.settle();
    test.step(2);
    expect(created).toHaveBeenCalled();
    world.releaseImages();
    await test.settle();
    await test.scene().ads.place('roof', { x: 0, y: 0, ...SIZE }).ready;
    expect(world.clients[0]!.asked).toHaveLength(1);
  });

  it.each<[string, (world: FakeWorld) => void]>([
    ['no ad', (world) => world.ads.set('roof', { adId: '', url: '' })],
    ['a failing service', (world) => world.ads.set('roof', new AdsError('service/unavailable', 'down'))],
    ['a missing image', (world) => world.images.delete(IMAGE_URL)],
  ])('lets the game begin with %s', async (_name, change) => {
    const world = new FakeWorld();
    change(world);
    const created = jest.fn();
    const test = await TestGame.start({ world, scene: twoScenes((scene) => void scene.ads.preload(['roof']), created) as never }); // prettier-ignore
    await test.settle();
    test.step(3);
    expect(created).toHaveBeenCalled();
    expect(test.creativeKeys()).toEqual([]);
  });

  it('drops what nobody placed in time, and everything with the game', async () => {
    const world = new FakeWorld();
    const test = await TestGame.start({ world });
    await test.scene().ads.preload(['roof']);
    // The loader of a scene that runs already is the game's to start.
    expect([test.creativeKeys().length, test.scene().load.list.size]).toEqual([1, 0]);
    world.pass(300_000);
    const ad = test.scene().ads.place('roof', { x: 0, y: 0, ...SIZE });
    await ad.ready;
    expect(world.clients[0]!.asked).toHaveLength(2);
    await test.scene().ads.preload(['roof']);
    test.destroy();
    expect(world.openImages.size).toBe(0);
  });

  it('survives a scene that is stopped while it loads', async () => {
    const world = new FakeWorld();
    world.holdImages = true;
    const test = await TestGame.start({
      world,
      scene: twoScenes((scene) => void scene.ads.preload(['roof'])) as never,
    });
    test.scene().scene.start('main');
    test.step(3);
    world.releaseImages();
    await test.settle();
    expect(() => test.step(3)).not.toThrow();
    test.scene('main').scene.start('preloader');
    test.step(3);
    await test.settle();
    test.step(3);
    expect(test.scene('preloader').sys.isActive()).toBe(true);
  });

  it('B52 refuses what is no list of surfaces', async () => {
    const test = await TestGame.start();
    const { ads } = test.scene();
    expect(() => ads.preload('roof' as never)).toThrow(withCode('arg/surface-id'));
    expect(() => ads.preload([7 as never])).toThrow(withCode('arg/surface-id'));
    for (const timeoutMs of [NaN, -1, 60_001, '5'])
      expect(() => ads.preload(['roof'], { timeoutMs: timeoutMs as number })).toThrow(withCode('arg/option'));
    expect(() => ads.preload(['roof'], null as never)).toThrow(withCode('arg/option'));
    await expect(ads.preload(['roof'], { timeoutMs: 0 })).resolves.toBeUndefined();
    await expect(ads.preload(['roof'], { timeoutMs: 60_000 })).resolves.toBeUndefined();
  });
});

describe('a newcomer', () => {
  it('who names the surface by the wrong key of make.ad is told the right one', async () => {
    const test = await TestGame.start();
    const config = { adSurfaceId: 'a', x: 9, y: 9, width: 9, height: 9 } as never;
    expect(() => test.scene().make.ad(config)).toThrow(/`surface`.*`adSurfaceId`.*make\.ad\(\{ surface/);
    expect(() => test.scene().make.ad({ x: 9, y: 9, width: 9, height: 9 } as never)).toThrow(
      /^(?!.*adSurfaceId`).*arg\/surface-id/,
    );
    // Beside the right one it does no harm, as in the fields of a surface.
    expect(test.scene().make.ad({ ...(config as object), surface: 'b' })).toBeInstanceOf(Phaser.GameObjects.Image);
  });

  it('who listens to an event that does not exist is told once, as of an option that does not exist', async () => {
    const test = await TestGame.start();
    const { ads } = test.scene();
    for (const name of ['adLoaded', 'adLoaded', 'adloaded']) ads.on(name as never, () => undefined);
    ads.once('adLoaded' as never, () => undefined);
    const told = test.world.reported.filter((text) => String(text).includes('there is no event'));
    expect(told).toHaveLength(1);
  });
});
