import { type Kind, option } from './Kind.js';

/** Kinds that paint nothing themselves. Their children are built by the scene builder. */
export const groupKinds: Record<string, Kind> = {
  container: {
    weight: 0,
    random: () => ({}),
    build: (scene) => scene.add.container(0, 0),
  },
  layer: {
    weight: 0,
    random: () => ({}),
    build: (scene) => scene.add.layer() as unknown as Phaser.GameObjects.GameObject,
  },
  zone: {
    weight: 1.5,
    random: (random) => ({ width: random.integer(30, 100), height: random.integer(30, 80) }),
    build: (scene, o) => scene.add.zone(0, 0, option(o, 'width', 50), option(o, 'height', 50)),
  },
};
