import { type Kind, option } from './Kind.js';

/** Whether this Phaser makes no such object: Phaser 4 has neither planes nor meshes. */
const isGone = (scene: Phaser.Scene, name: string): boolean => !(name in scene.add);

/** Kinds that only WebGL draws; on Canvas they exist and paint nothing. */
export const deformedKinds: Record<string, Kind> = {
  rope: {
    weight: 2,
    random: (random) => ({
      points: Array.from({ length: random.integer(3, 6) }, (_, i) => [
        i * random.integer(14, 26) - 40,
        random.integer(-25, 25),
      ]),
      vertical: random.chance(0.2),
    }),
    build: (scene, o) => {
      const points = option<number[][]>(o, 'points', [
        [0, 0],
        [40, 20],
        [80, 0],
      ]).map(([x, y]) => new Phaser.Math.Vector2(x, y));
      return scene.add.rope(0, 0, 'rope', undefined, points, !option(o, 'vertical', false));
    },
  },
  plane: {
    weight: 1.5,
    random: (random) => ({
      key: random.pick(['brick', 'disc', 'slab']),
      tilt: [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)],
    }),
    build: (scene, o) => {
      if (isGone(scene, 'plane')) return scene.add.image(0, 0, option(o, 'key', 'brick'));
      const plane = scene.add.plane(0, 0, option(o, 'key', 'brick'));
      const [x, y, z] = option<[number, number, number]>(o, 'tilt', [0, 0, 0]);
      plane.modelRotation.set(x, y, z);
      return plane;
    },
  },
  mesh: {
    weight: 1,
    random: (random) => ({
      key: random.pick(['brick', 'star', 'slab']),
      tilt: [random.between(-1, 1), random.between(-1, 1), random.between(-3, 3)],
      showBack: random.chance(0.5),
    }),
    build: (scene, o) => {
      const key = option(o, 'key', 'brick');
      if (isGone(scene, 'mesh')) return scene.add.image(0, 0, key);
      const mesh = scene.add.mesh(0, 0, key);
      Phaser.Geom.Mesh.GenerateGridVerts({
        mesh,
        texture: key,
        width: 0.6,
        height: 0.5,
        widthSegments: 3,
        heightSegments: 3,
      });
      mesh.panZ(3);
      mesh.hideCCW = !option(o, 'showBack', false);
      const [x, y, z] = option<[number, number, number]>(o, 'tilt', [0, 0, 0]);
      mesh.modelRotation.set(x, y, z);
      return mesh;
    },
  },
  pointLight: {
    weight: 1,
    random: (random) => ({ radius: random.integer(20, 70), intensity: random.between(0.05, 0.3) }),
    build: (scene, o) => scene.add.pointlight(0, 0, 0x808080, option(o, 'radius', 40), option(o, 'intensity', 0.2)),
  },
};
