import { hasForeignSteps } from './phaser4/hasForeignSteps.js';
import { hasForeignRender } from './phaser3/foreignRender.js';
import type { DrawnObject } from './phaser3/internals.js';
import { isList } from './isList.js';
import { kindOf, ObjectKind } from './objectKind.js';

/**
 * True for an object that code of the game's own draws, or of a library nothing is known of: it may do anything, and is not to be
 * run once more.
 *
 * @param isAd how an ad is drawn is the game's choice
 */
export function isForeignPainter(object: DrawnObject, isAd: boolean, isWebGL: boolean): boolean {
  if (!isAd && (hasForeignRender(object, isWebGL) || (isWebGL && hasForeignSteps(object)))) return true;
  if (isList(object)) return false;
  if ((object as { readonly displayCallback?: unknown }).displayCallback) return true;
  const kind = kindOf(object);
  // On Canvas shaders draw nothing, and skeletons what everything else does.
  return isWebGL ? kind !== ObjectKind.PHASER : kind === null || kind === ObjectKind.EXTERN;
}
