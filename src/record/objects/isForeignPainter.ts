import { hasForeignRender } from '../phaser3/foreignRender.js';
import type { DrawnObject } from '../phaser3/internals.js';
import { hasForeignSteps } from '../phaser4/hasForeignSteps.js';
import { isList } from './isList.js';
import { kindOf, ObjectKind } from './objectKind.js';

/**
 * True for an object that code of the game's own draws, or a library nothing is known of: such code may do anything,
 * and must not be run once more.
 *
 * @param isAd the object is an ad: a render function of the game's own is then allowed
 */
export function isForeignPainter(object: DrawnObject, isAd: boolean, isWebGL: boolean): boolean {
  if (!isAd && (hasForeignRender(object, isWebGL) || (isWebGL && hasForeignSteps(object)))) return true;
  if (isList(object)) return false;
  if ((object as { readonly displayCallback?: unknown }).displayCallback) return true;
  const kind = kindOf(object);
  // On Canvas shaders draw nothing, and skeletons draw in the same way as everything else.
  return isWebGL ? kind !== ObjectKind.PHASER : kind === null || kind === ObjectKind.EXTERN;
}
