import type * as Phaser from 'phaser';

import { AdsError } from '../../errors.js';
import { oneFor } from '../../oneFor.js';

/** A rectangle in an object's own coordinates: before it is turned, scaled and put in its place. (0, 0) is where the object is. */
export interface ObjectBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Tells where an object may paint now; null when it paints nothing. It must not change the object. */
export type ObjectBounds<T = Phaser.GameObjects.GameObject> = (object: T) => ObjectBox | null;

/** A registered function, made safe: undefined where the game's function has failed. */
type SafeBounds = (object: Phaser.GameObjects.GameObject) => ObjectBox | null | undefined;

/** By type of game object. */
export type BoundsByType = ReadonlyMap<string, SafeBounds>;

/** The bounds a game registered; a live map. */
export const boundsOf = oneFor((_game: Phaser.Game) => new Map<string, SafeBounds>());

/**
 * Tells a game where a type of object paints that draws outside of Phaser's pipelines: an `Extern`, or a class of your
 * own with raw calls of WebGL or of the 2D context. Such objects are not drawn once more to find out what they paint.
 * Each counts as opaque within its box, and an ad that the box touches is `unmeasurable`. Without registered bounds
 * such an object may be anywhere on the canvas.
 *
 * Objects that Phaser's own functions draw need no bounds: what they draw is recorded. A class with a `renderWebGL` or
 * `renderCanvas` of its own is recorded in each frame of WebGL. On Canvas, and where the scenes are drawn once more to
 * find out (masks, blend modes, single calls), its box is the one around what it painted in the last frame. It is
 * watched only after the first question about it: until one frame later it may be anywhere. Objects of a registered
 * type are always judged by the registered box.
 *
 * @param type The object's `type`, as passed to the GameObject constructor. Registering it again replaces what was
 *   there.
 * @param bounds Where one object may paint, in its own coordinates. It is called when an ad is measured: keep it quick.
 *   When it throws, or returns no box of finite numbers, the object is judged by its size, and the console tells so
 *   once.
 * @throws {AdsError} `arg/handler` when `bounds` is not a function.
 */
export function registerBounds<T extends Phaser.GameObjects.GameObject>(
  game: Phaser.Game,
  type: string,
  bounds: ObjectBounds<T>,
): void {
  if (typeof bounds !== 'function')
    throw new AdsError('arg/handler', 'registerBounds: expected `bounds` to be a function');
  let hasFailed = false;
  boundsOf(game).set(type, (object) => {
    try {
      const box = bounds(object as T) as ObjectBox | null | undefined;
      if (box === null || isBox(box)) return box;
      throw new TypeError('expected a box of finite numbers, or null');
    } catch (cause) {
      if (!hasFailed) {
        const message = `The bounds registered for "${type}" failed: objects of this type are judged by their size`;
        console.error(new AdsError('internal/unexpected', message, { cause }));
      }
      hasFailed = true;
      return undefined;
    }
  });
}

function isBox(box: ObjectBox | undefined): boolean {
  if (typeof box !== 'object') return false;
  const { x, y, width, height } = box;
  return [x, y, width, height].every(Number.isFinite) && width >= 0 && height >= 0;
}
