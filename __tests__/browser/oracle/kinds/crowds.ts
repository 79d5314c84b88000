import { withSeededRandom } from '../Random.js';
import { colour, type Kind, opacity, option } from './Kind.js';

/** Kinds that paint many small parts. */
export const crowdKinds: Record<string, Kind> = {
  blitter: {
    weight: 3,
    random: (random) => ({
      key: random.pick(['block', 'disc', 'atlas']),
      bobs: Array.from({ length: random.integer(1, 6) }, () => [
        random.integer(-80, 40),
        random.integer(-60, 30),
        opacity(random),
        random.chance(0.2),
        random.chance(0.85),
      ]),
    }),
    build: (scene, o) => {
      const key = option<string>(o, 'key', 'block');
      const blitter = scene.add.blitter(0, 0, key, key === 'atlas' ? 'trimmed' : undefined);
      for (const [x, y, alpha, flip, visible] of option<[number, number, number, boolean, boolean][]>(o, 'bobs', [])) {
        const bob = blitter.create(x, y);
        bob.setAlpha(alpha).setVisible(visible);
        if (flip) bob.setFlipX(true);
      }
      return blitter;
    },
  },
  tilemap: {
    weight: 4,
    random: (random) => {
      const orientation = random.pick(['orthogonal', 'orthogonal', 'isometric', 'staggered', 'hexagonal']);
      const columns = random.integer(3, 8);
      const rows = random.integer(3, 6);
      const data = Array.from({ length: rows }, () =>
        Array.from({ length: columns }, () => (random.chance(0.45) ? -1 : random.integer(0, 3))),
      );
      return { orientation, data, alpha: random.chance(0.2) ? random.between(0.2, 0.45) : 1 };
    },
    build: (scene, o) =>
      buildTilemap(
        scene,
        option(o, 'orientation', 'orthogonal'),
        option<number[][]>(o, 'data', [[0]]),
        option(o, 'alpha', 1),
      ),
  },
  particles: {
    weight: 4,
    random: (random) => ({
      key: random.pick(['spark', 'block', 'star']),
      count: random.integer(1, 12),
      speed: random.integer(0, 90),
      scale: random.pick([
        [1, 1],
        [1, 0.4],
        [0.5, 2],
        [1.5, 1.5],
      ]),
      alpha: random.pick([
        [1, 1],
        [1, 0.7],
        [0.3, 0.3],
      ]),
      rotate: random.chance(0.4),
      age: random.integer(100, 700),
      seed: random.integer(1, 1e6),
      tint: colour(random),
    }),
    build: (scene, o) => {
      const [scaleFrom, scaleTo] = option(o, 'scale', [1, 1]);
      const [alphaFrom, alphaTo] = option(o, 'alpha', [1, 1]);
      const speed = option(o, 'speed', 40);
      const emitter = scene.add.particles(0, 0, option(o, 'key', 'spark'), {
        speed: { min: speed * 0.3, max: speed },
        angle: { min: 0, max: 360 },
        scale: { start: scaleFrom, end: scaleTo },
        alpha: { start: alphaFrom, end: alphaTo },
        ...(option(o, 'rotate', false) ? { rotate: { min: 0, max: 360 } } : {}),
        lifespan: 1000,
        emitting: false,
      });
      withSeededRandom(option(o, 'seed', 1), () => {
        emitter.explode(option(o, 'count', 5), 0, 0);
        emitter.preUpdate(0, option(o, 'age', 300));
      });
      emitter.active = false;
      return emitter;
    },
  },
};

function buildTilemap(
  scene: Phaser.Scene,
  orientation: string,
  data: number[][],
  alpha: number,
): Phaser.GameObjects.GameObject {
  const isometric = orientation === 'isometric';
  const diamond = isometric || orientation === 'hexagonal';
  const width = diamond ? 32 : 16;
  const height = isometric ? 16 : diamond ? 32 : 16;
  const map = new Phaser.Tilemaps.Tilemap(
    scene,
    new Phaser.Tilemaps.MapData({
      name: 'map',
      tileWidth: width,
      tileHeight: height,
      width: data[0]!.length,
      height: data.length,
      orientation: Phaser.Tilemaps.Orientation[orientation.toUpperCase() as 'ORTHOGONAL'] as never,
      widthInPixels: data[0]!.length * width,
      heightInPixels: data.length * height,
    }),
  );
  // The property that hexagonal maps need comes from Tiled's file; a map made by hand lacks it.
  (map as unknown as { hexSideLength: number }).hexSideLength = 16;
  const image = diamond ? 'diamonds' : 'tiles';
  const tileset = map.addTilesetImage(image, image, width, diamond ? 32 : 16, 0, 0, 0)!;
  const layer = map.createBlankLayer('layer', tileset, 0, 0)!;
  if (orientation === 'hexagonal') (layer.layer as { hexSideLength: number }).hexSideLength = 16;
  data.forEach((row, y) =>
    row.forEach((index, x) => {
      if (index >= 0) layer.putTileAt(diamond ? 0 : index, x, y);
    }),
  );
  layer.setAlpha(alpha);
  return layer;
}
