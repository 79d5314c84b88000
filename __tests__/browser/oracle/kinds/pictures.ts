import { ATLAS_FRAMES, HOLED_PICTURES, OPAQUE_PICTURES } from '../art.js';
import type { Random } from '../Random.js';
import type { Options } from '../SceneSpec.js';
import { type Kind, option } from './Kind.js';

function picture(random: Random): Options {
  if (random.chance(0.2)) return { key: 'atlas', frame: random.pick(ATLAS_FRAMES) };
  return { key: random.chance(0.45) ? random.pick(OPAQUE_PICTURES) : random.pick(HOLED_PICTURES) };
}

function frameOf(options: Options): string | undefined {
  return option<string | undefined>(options, 'frame', undefined);
}

export const pictureKinds: Record<string, Kind> = {
  image: {
    weight: 10,
    random: picture,
    build: (scene, o) => scene.add.image(0, 0, option(o, 'key', 'brick'), frameOf(o)),
  },
  sprite: {
    weight: 8,
    random: picture,
    build: (scene, o) => scene.add.sprite(0, 0, option(o, 'key', 'brick'), frameOf(o)),
  },
  tileSprite: {
    weight: 4,
    random: (random) => ({
      key: random.pick(['brick', 'disc', 'fence', 'ring', 'block']),
      width: random.integer(40, 140),
      height: random.integer(40, 110),
      tileX: random.chance(0.5) ? random.integer(0, 40) : 0,
      tileY: random.chance(0.5) ? random.integer(0, 40) : 0,
      tileScale: random.pick([1, 1, 0.5, 1.5]),
    }),
    build: (scene, o) => {
      const tile = scene.add.tileSprite(
        0,
        0,
        option(o, 'width', 60),
        option(o, 'height', 60),
        option(o, 'key', 'brick'),
      );
      tile.setTilePosition(option(o, 'tileX', 0), option(o, 'tileY', 0));
      return tile.setTileScale(option(o, 'tileScale', 1));
    },
  },
  nineSlice: {
    weight: 3,
    random: (random) => ({
      width: random.integer(48, 140),
      height: random.integer(48, 110),
      corner: random.integer(10, 18),
      threeSlice: random.chance(0.2),
    }),
    build: (scene, o) => {
      const corner = option(o, 'corner', 14);
      const vertical = option(o, 'threeSlice', false) ? undefined : corner;
      const width = option(o, 'width', 60);
      return scene.add.nineslice(
        0,
        0,
        'panel',
        undefined,
        width,
        option(o, 'height', 60),
        corner,
        corner,
        vertical,
        vertical,
      );
    },
  },
  renderTexture: {
    weight: 0.25,
    random: (random) => ({ width: random.integer(40, 120), height: random.integer(40, 100) }),
    build: (scene, o) => {
      const target = scene.add.renderTexture(0, 0, option(o, 'width', 60), option(o, 'height', 60));
      return target.fill(0x508050, 1);
    },
  },
};
