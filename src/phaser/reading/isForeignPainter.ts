import { hasForeignRender } from './foreignRender.js';
import type { DrawnObject } from './internals.js';
import { kindredReader } from './readers/kindred.js';
import { isList } from './readers/list.js';
import { isOfItsType } from './readers/ofItsType.js';
import { standardReaders } from './standardReaders.js';

const STANDARD = standardReaders();

/** Decided once for each class. */
const known = new WeakMap<object, boolean>();

/**
 * True for an object that code of the game's own draws on Canvas, or of a library nothing is known of: it may do anything, and is
 * not to be run once more.
 */
export function isForeignPainter(object: DrawnObject): boolean {
  if (hasForeignRender(object, false) || object.type === 'Extern') return true;
  if ((object as { readonly displayCallback?: unknown }).displayCallback) return true;
  if (STANDARD.has(object.type) && isOfItsType(object)) return false;
  const kind = Object.getPrototypeOf(object) as object;
  let isForeign = known.get(kind);
  if (isForeign === undefined) {
    isForeign = !isList(object) && kindredReader(object) === null;
    known.set(kind, isForeign);
  }
  return isForeign;
}
