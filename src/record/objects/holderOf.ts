import type { DrawnObject, RexRendererLayer } from '../phaser3/internals.js';

/** The container or layer that draws an object; null when a scene's own display list does, or nothing. */
export function holderOf({ parentContainer, displayList }: DrawnObject): DrawnObject | null {
  if (parentContainer) return parentContainer;
  const list = displayList as (DrawnObject & Partial<RexRendererLayer>) | null | undefined;
  if (!list) return null;
  // The scene's own display list is no object.
  if ((list.renderFlags as unknown) !== undefined) return list;
  return list.parent?.rendererLayer === list ? list.parent : null;
}
