import type { DrawnContainer, DrawnLayer, DrawnObject } from '../phaser3/internals.js';

/** True for containers and layers, whatever they call their type. */
export function isList(object: DrawnObject): object is DrawnContainer | DrawnLayer {
  return 'localTransform' in object || ('list' in object && 'sortChildrenFlag' in object);
}
