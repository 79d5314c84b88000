import { farLimit, isFarSprite } from '../objects/isFarSprite.js';
import type { DrawnObject, TexturedObject } from '../phaser3/internals.js';

/**
 * Puts the objects of a part of a display list into `found`, without the sprites that are far away. A function of its
 * own, so that the JavaScript engine optimizes it for the many objects that pass through it.
 *
 * @param view scrollX, scrollY, middleX and middleY of {@link isFarSprite}, then half the rectangle's width and height
 * @returns how many there are
 */
export function findNear(
  list: readonly DrawnObject[],
  from: number,
  to: number,
  view: Float64Array,
  found: DrawnObject[],
): number {
  const scrollX = view[0]!;
  const scrollY = view[1]!;
  const middleX = view[2]!;
  const middleY = view[3]!;
  const limitX = farLimit(view[4]!);
  const limitY = farLimit(view[5]!);
  let count = 0;
  for (let i = from; i < to; i++) {
    const object = list[i]!;
    const type = object.type;
    if (type === 'Sprite' || type === 'Image') {
      if (isFarSprite(object as TexturedObject, scrollX, scrollY, middleX, middleY, limitX, limitY)) continue;
    }
    found[count++] = object;
  }
  return count;
}
