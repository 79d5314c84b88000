import type * as Phaser from 'phaser';

import { type DrawnObject, WILL_RENDER } from '../phaser3/internals.js';
import { holderOf } from './holderOf.js';
import { isDrawn } from './isDrawn.js';

/** Where game objects were drawn at one moment, to find out whether they still are. */
export class DrawnPlaces {
  /** Of each object: x, y, and which cameras ignored it. */
  readonly #noted: number[] = [];

  note(objects: readonly Phaser.GameObjects.GameObject[]): void {
    const noted = this.#noted;
    noted.length = 3 * objects.length;
    for (let i = 0; i < objects.length; i++) {
      const { x, y, filters } = placeOf(objects[i]!);
      noted[3 * i] = x;
      noted[3 * i + 1] = y;
      noted[3 * i + 2] = filters;
    }
  }

  /** True when all objects are still drawn, in their noted places, and ignored by the same cameras as then. */
  areOf(objects: readonly Phaser.GameObjects.GameObject[]): boolean {
    const noted = this.#noted;
    for (let i = 0; i < objects.length; i++) {
      const { x, y, filters } = placeOf(objects[i]!);
      if (x !== noted[3 * i] || y !== noted[3 * i + 1] || filters !== noted[3 * i + 2]) return false;
    }
    return true;
  }
}

/** True for an object that the next frame would show, as far as the lists around it decide. */
export function isStillDrawn(object: Phaser.GameObjects.GameObject): boolean {
  return !Number.isNaN(placeOf(object).x);
}

const PLACE = { x: 0, y: 0, filters: 0 };

/** Where the object lies, its containers added, and which cameras ignore it or them; the same object each time. */
function placeOf(object: Phaser.GameObjects.GameObject): Readonly<typeof PLACE> {
  PLACE.x = PLACE.y = PLACE.filters = 0;
  let at = object as unknown as DrawnObject;
  for (;;) {
    // A layer has no place.
    if ((at.x as unknown) !== undefined) {
      PLACE.x += at.x;
      PLACE.y += at.y;
    }
    PLACE.filters += at.cameraFilter;
    const holder = holderOf(at);
    if (at.renderFlags !== WILL_RENDER || (holder === null && !isOnDrawnScene(at))) {
      // Not drawn: NaN equals no noted place.
      PLACE.x = NaN;
      return PLACE;
    }
    if (holder === null) return PLACE;
    at = holder;
  }
}

/** On the display list of a scene that the game draws, whichever scene made the object. */
function isOnDrawnScene({ displayList }: DrawnObject): boolean {
  const scene = (displayList as { readonly scene?: Phaser.Scene } | null | undefined)?.scene;
  return scene !== undefined && isDrawn(scene);
}
