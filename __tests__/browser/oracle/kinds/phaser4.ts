import type { Random } from '../Random.js';
import { colour, type Kind, opacity, option } from './Kind.js';

/** What the types of Phaser 3 do not have. */
interface Factory4 {
  mesh2d?(x: number, y: number, key: string, vertices: number[], indices: number[]): Mesh2D;
  stencil?(x: number, y: number, children: object[], options: object): Phaser.GameObjects.GameObject;
  stencilReference?(stencil: object, options: object): Phaser.GameObjects.GameObject;
  captureFrame(key: string): void;
  gradient(config: object, x: number, y: number, width: number, height: number): Phaser.GameObjects.GameObject;
  noise(config: object, x: number, y: number, width: number, height: number): Phaser.GameObjects.GameObject;
  spriteGPULayer(key: string, size: number): Phaser.GameObjects.GameObject & { addMember(member: object): void };
}

type Mesh2D = Phaser.GameObjects.GameObject & { renderAsTriangles: boolean };

interface Image4 extends Phaser.GameObjects.Image {
  vertexRoundMode: string;
  setTintMode(mode: number): this;
  enableFilters(): this;
  readonly filters: { readonly internal: FilterList; readonly external: FilterList };
}

type FilterList = Record<string, (...values: unknown[]) => { renderNode: string }>;

const PICTURES = ['brick', 'disc', 'star', 'frame', 'slab'] as const;

const factory = (scene: Phaser.Scene): Factory4 => scene.add as unknown as Factory4;

const picture = (scene: Phaser.Scene, key: string): Image4 => scene.add.image(0, 0, key) as Image4;

/** Captured frames so far: each is a texture of its own. */
let captures = 0;

function filteredBy(...filters: (string | number)[][]): Kind['random'] {
  return (random) => ({
    key: random.pick(PICTURES),
    filter: random.pick(filters),
    isExternal: random.chance(0.5),
  });
}

const buildFiltered: Kind['build'] = (scene, o) => {
  const image = picture(scene, option(o, 'key', 'brick')).enableFilters();
  const [name, ...values] = option<[string, ...unknown[]]>(o, 'filter', ['addColorMatrix']);
  image.filters[option(o, 'isExternal', false) ? 'external' : 'internal'][name]!(...values);
  return image;
};

/** The box of a mask, about its place. */
const block = (random: Random) => ({ width: random.integer(40, 140), height: random.integer(30, 110) });

/** Kinds that only Phaser 4 has, in its scenes only. Where a version lacks one, there is a picture instead. */
export const phaser4Kinds: Record<string, Kind> = {
  mesh2d: {
    weight: 0,
    phaser4Weight: 4,
    random: (random) => ({
      key: random.pick(PICTURES),
      vertices: Array.from({ length: 6 }, (_, i) => [
        (i % 3) * 40 - 40 + random.integer(-12, 12),
        Math.floor(i / 3) * 50 - 25 + random.integer(-12, 12),
        (i % 3) / 2,
        1 - Math.floor(i / 3),
      ]).flat(),
      asTriangles: random.chance(0.5),
    }),
    build: (scene, o) => {
      const key = option(o, 'key', 'brick');
      const { mesh2d } = factory(scene);
      if (mesh2d === undefined) return scene.add.image(0, 0, key);
      const corners = [0, 1, 3, 1, 3, 4, 1, 2, 4, 2, 4, 5];
      const indices = [0, 3, 6, 9].flatMap((i) => [corners[i]!, corners[i + 1]!, corners[i + 2]!, 0]);
      const mesh = mesh2d.call(scene.add, 0, 0, key, option<number[]>(o, 'vertices', []), indices);
      mesh.renderAsTriangles = option(o, 'asTriangles', false);
      return mesh;
    },
  },
  stencil: {
    weight: 0,
    phaser4Weight: 1.5,
    random: (random) => ({
      ...block(random),
      round: random.chance(0.4),
      invert: random.chance(0.5),
      twice: random.chance(0.2),
    }),
    build: (scene, o) => {
      const { stencil, stencilReference } = factory(scene);
      const [width, height] = [option(o, 'width', 60), option(o, 'height', 60)];
      const shape = option(o, 'round', false)
        ? scene.add.circle(0, 0, width / 2, 0xffffff)
        : scene.add.rectangle(0, 0, width, height, 0xffffff);
      if (stencil === undefined || stencilReference === undefined) return shape;
      const options = { stencilInvert: option(o, 'invert', false) };
      const made = stencil.call(scene.add, 0, 0, [shape], options);
      if (option(o, 'twice', false)) stencilReference.call(scene.add, made, { stencilLayerMode: 'subtractLayer' });
      return made;
    },
  },
  roundedPicture: {
    weight: 0,
    phaser4Weight: 3,
    random: (random) => ({ key: random.pick(PICTURES), mode: random.pick(['full', 'fullAuto', 'safe', 'off']) }),
    build: (scene, o) => {
      const image = picture(scene, option(o, 'key', 'brick'));
      image.vertexRoundMode = option(o, 'mode', 'full');
      return image;
    },
  },
  mixedTint: {
    weight: 0,
    phaser4Weight: 3,
    random: (random) => ({
      key: random.pick(PICTURES),
      mode: random.pick([1, 2, 4, 5, 6, 7]),
      tints: Array.from({ length: 4 }, () => colour(random)),
      alpha: opacity(random),
    }),
    build: (scene, o) => {
      const image = picture(scene, option(o, 'key', 'brick')).setTintMode(option(o, 'mode', 1));
      return image.setTint(...option<[number, number, number, number]>(o, 'tints', [0, 0, 0, 0]));
    },
  },
  redrawnTexture: {
    weight: 0,
    phaser4Weight: 3,
    random: (random) => ({
      ...block(random),
      key: random.pick(PICTURES),
      mode: random.pick(['render', 'redraw', 'all']),
    }),
    build: (scene, o) => {
      const target = scene.add.renderTexture(0, 0, option(o, 'width', 60), option(o, 'height', 60));
      const texture = target.texture as Phaser.Textures.DynamicTexture;
      const redrawn = target as unknown as { setRenderMode(mode: string, preserve: boolean): void };
      redrawn.setRenderMode(option(o, 'mode', 'render'), true);
      texture.draw(option(o, 'key', 'brick'), 10, 10);
      return target;
    },
  },
  filtered: {
    weight: 0,
    phaser4Weight: 3,
    random: filteredBy(['addColorMatrix'], ['addThreshold', 0.2, 0.4], ['addThreshold', 0, 1]),
    build: buildFiltered,
  },
  // Bounded, and unknown within: as rare as the light of many lamps.
  softened: {
    weight: 0,
    phaser4Weight: 0.4,
    random: filteredBy(
      ['addBlur', 0, 2, 2, 1],
      ['addGlow', 0x808080, 4],
      ['addShadow', 0, 0, 0.1, 1, 0, 6],
      ['addVignette', 0.5, 0.5, 0.9, 0.2],
      ['addPixelate', 2],
      ['addBarrel', 1.1],
    ),
    build: buildFiltered,
  },
  captured: {
    weight: 0,
    phaser4Weight: 1,
    random: () => ({}),
    build: (scene) => {
      const key = `captured ${(captures += 1)}`;
      (scene.cameras.main as unknown as { setForceComposite(is: boolean): void }).setForceComposite(true);
      factory(scene).captureFrame(key);
      // Black, since the copy of the ad in it would be as bright as the ad: it hides the ad, and is not the ad.
      const copy = scene.add.image(0, 0, key).setName('captured picture').setScale(0.2).setTint(0);
      return scene.add.container(0, 0, [copy]);
    },
  },
  gradient: {
    weight: 0,
    phaser4Weight: 1,
    random: (random) => ({ ...block(random), isNoise: random.chance(0.4) }),
    build: (scene, o) => {
      const { gradient, noise } = factory(scene);
      const make = option(o, 'isNoise', false) ? noise : gradient;
      return make.call(scene.add, {}, 0, 0, option(o, 'width', 60), option(o, 'height', 60));
    },
  },
  gpuSprites: {
    weight: 0,
    phaser4Weight: 0.4,
    random: (random) => ({
      members: Array.from({ length: random.integer(1, 4) }, () => ({
        x: random.integer(-50, 50),
        y: random.integer(-40, 40),
      })),
    }),
    build: (scene, o) => {
      const members = option<object[]>(o, 'members', []);
      const layer = factory(scene).spriteGPULayer('brick', members.length);
      for (const member of members) layer.addMember(member);
      return layer;
    },
  },
  gpuTiles: {
    weight: 0,
    phaser4Weight: 0.4,
    random: (random) => ({
      data: Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => random.integer(-1, 3))),
    }),
    build: (scene, o) => {
      const map = scene.make.tilemap({ data: option<number[][]>(o, 'data', [[0]]), tileWidth: 16, tileHeight: 16 });
      const tiles = map.addTilesetImage('tiles', 'tiles', 16, 16, 0, 0)!;
      const createLayer = map.createLayer.bind(map) as (...values: unknown[]) => Phaser.GameObjects.GameObject;
      return createLayer(0, tiles, 0, 0, true);
    },
  },
};
