import type * as Phaser from 'phaser';

import { type DrawnList, inDrawOrder } from '../objects/inDrawOrder.js';
import { isForeignPainter } from '../objects/isForeignPainter.js';
import { isList } from '../objects/isList.js';
import type { DrawnObject } from './internals.js';

/** What a part of a frame may have left in the context. */
interface Leavings {
  isTouched: boolean;
  readonly unsure: Set<object>;
}

/**
 * The tile layers that are drawn on Canvas after an object with render code of the game's own. Only tile layers take over
 * what they find in the context, and a game's code may leave anything there: it is unknown where they lie.
 */
export function unsureLayers(game: Phaser.Game): ReadonlySet<object> {
  const leavings: Leavings = { isTouched: false, unsure: new Set() };
  for (const { sys } of game.scene.scenes) {
    leavings.isTouched = false;
    visit(inDrawOrder(sys.displayList as unknown as DrawnList), leavings);
  }
  return leavings.unsure;
}

function visit(list: readonly DrawnObject[], leavings: Leavings): void {
  for (const object of list) {
    if ((object as { readonly visible?: boolean }).visible === false) continue;
    if ('gidMap' in object) {
      if (leavings.isTouched) leavings.unsure.add(object);
    } else if (isList(object)) {
      visit(inDrawOrder(object), leavings);
    } else if (mayLeave(object)) {
      leavings.isTouched = true;
    }
  }
}

/** True when an object may leave something in the context; a text's callback only shifts letters. */
function mayLeave(object: DrawnObject): boolean {
  return isForeignPainter(object, false, false) && !(object as { readonly displayCallback?: unknown }).displayCallback;
}
