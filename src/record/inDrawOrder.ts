import type { DrawnObject } from './phaser3/internals.js';

/** The display list of a scene. */
export interface SceneList {
  readonly list: readonly DrawnObject[];
  readonly sortChildrenFlag: boolean;
}

/** A list in the order it is drawn: Phaser sorts by depth just before drawing, and only when something changed. */
export function inDrawOrder(list: SceneList): readonly DrawnObject[] {
  if (!list.sortChildrenFlag) return list.list;
  return list.list
    .slice()
    .sort((a, b) => (a as unknown as { _depth: number })._depth - (b as unknown as { _depth: number })._depth);
}
