import type { ObjectReader } from './ObjectReader.js';
import { readImage, readText } from './readers/image.js';
import { objectReaders } from './readers/index.js';

/** Reader of every object type Phaser 3 and its common plugins draw, by `GameObject.type`. */
export function standardReaders(): Map<string, ObjectReader> {
  const readers = new Map(objectReaders);
  for (const type of ['Image', 'Sprite', 'PathFollower']) readers.set(type, readImage as unknown as ObjectReader);
  readers.set('Text', readText as unknown as ObjectReader);
  return readers;
}
