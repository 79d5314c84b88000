import type * as Phaser from 'phaser';

type GameObject = Phaser.GameObjects.GameObject;

/** A container or a layer. */
export interface ListObject {
  list: GameObject[];
  /** Of layers: the list is sorted before it is drawn. */
  sortChildrenFlag?: boolean;
}

/** True for containers and layers, whatever they call their type. */
export function holdsList(object: object): object is ListObject {
  return 'list' in object && ('localTransform' in object || 'sortChildrenFlag' in object);
}

/** A list as Phaser sorts it: by depth, and within one depth as it was. */
export function sortedByDepth(list: readonly GameObject[]): GameObject[] {
  return list.slice().sort((a, b) => depthOf(a) - depthOf(b));
}

function depthOf(object: GameObject): number {
  return (object as unknown as { readonly depth: number }).depth;
}
