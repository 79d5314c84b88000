import type { DrawnContainer, DrawnLayer, DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';

/** Stands for containers and layers, which are walked and not read. */
export const readList: ObjectReader<object> = () => {};

/** True for a container, also for one of a game's own class with a type of its own. */
export function isContainer(object: DrawnObject): object is DrawnContainer {
  return 'localTransform' in object;
}

/** True for containers and layers, whatever they call their type. */
export function isList(object: DrawnObject): object is DrawnContainer | DrawnLayer {
  return isContainer(object) || ('list' in object && 'sortChildrenFlag' in object);
}
