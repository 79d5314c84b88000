import type { DrawnContainer, DrawnObject } from '../internals.js';

/** Product of an object's scroll factor and those of all containers around it, as `ContainerWebGLRenderer` applies it. */
export function scrollFactorX(object: DrawnObject): number {
  let factor = object.scrollFactorX;
  for (let parent: DrawnContainer | null = object.parentContainer; parent; parent = parent.parentContainer) {
    factor *= parent.scrollFactorX;
  }
  return factor;
}

export function scrollFactorY(object: DrawnObject): number {
  let factor = object.scrollFactorY;
  for (let parent: DrawnContainer | null = object.parentContainer; parent; parent = parent.parentContainer) {
    factor *= parent.scrollFactorY;
  }
  return factor;
}
