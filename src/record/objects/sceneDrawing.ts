import type * as Phaser from 'phaser';

import type { DrawnObject } from '../phaser3/internals.js';
import { holderOf } from './holderOf.js';

/**
 * The scene on whose display list an object is, directly or in containers and layers; the object's own scene when it is
 * on none. The two differ once the object is put into another scene, as by `hud.add.existing(badge)`: it keeps the
 * scene that made it.
 */
export function sceneDrawing(object: Phaser.GameObjects.GameObject): Phaser.Scene {
  let at = object as unknown as DrawnObject;
  for (let holder = holderOf(at); holder !== null; holder = holderOf(at)) at = holder;
  return (at.displayList as { readonly scene: Phaser.Scene } | null | undefined)?.scene ?? object.scene;
}
