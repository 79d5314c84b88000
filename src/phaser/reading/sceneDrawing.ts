import type * as Phaser from 'phaser';

import type { DrawnObject, RexRendererLayer } from './internals.js';

/**
 * The scene on whose display list an object is, its containers and layers asked; its own when it is on none. They differ once
 * it is put into another scene, as by `hud.add.existing(badge)`: it keeps the scene that made it.
 */
export function sceneDrawing(object: Phaser.GameObjects.GameObject): Phaser.Scene {
  let at = object as unknown as DrawnObject;
  for (;;) {
    if (at.parentContainer) {
      at = at.parentContainer;
      continue;
    }
    const list = at.displayList as (DrawnObject & Partial<RexRendererLayer>) | null | undefined;
    if (!list) return object.scene;
    // The scene's own display list is no object.
    if ((list.renderFlags as unknown) !== undefined) at = list;
    else if (list.parent?.rendererLayer === list) at = list.parent;
    else return list.scene!;
  }
}
