import type { DrawnObject } from '../phaser3/internals.js';

/** A container, a layer, or the display list of a scene. */
export interface DrawnList<T extends object = DrawnObject> {
  readonly list: readonly T[];
  /** The list is sorted before it is drawn. Containers have none. */
  readonly sortChildrenFlag?: boolean;
}

/** A list in the order it is drawn: Phaser sorts by depth just before drawing, and only when something changed. */
export function inDrawOrder<T extends object>(list: DrawnList<T>): readonly T[] {
  if (!list.sortChildrenFlag) return list.list;
  return list.list
    .slice()
    .sort((a, b) => (a as unknown as { _depth: number })._depth - (b as unknown as { _depth: number })._depth);
}
