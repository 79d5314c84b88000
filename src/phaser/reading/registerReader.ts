import type * as Phaser from 'phaser';

import { AdsError } from '../../errors.js';
import type { ObjectReader } from './ObjectReader.js';
import { standardReaders } from './standardReaders.js';

const registries = new WeakMap<Phaser.Game, Map<string, ObjectReader>>();

/** The readers in force for a game. */
export function readersOf(game: Phaser.Game): Map<string, ObjectReader> {
  let readers = registries.get(game);
  if (readers === undefined) {
    readers = standardReaders();
    registries.set(game, readers);
  }
  return readers;
}

/**
 * Teaches one game how a foreign type of game object paints, so that such objects are measured instead of being judged
 * by their size as `unmeasurable`. Replaces the reader of a type that has one.
 *
 * @param type The object's `type`, as passed to the GameObject constructor.
 * @throws {AdsError} `arg/handler` when `reader` is not a function.
 */
export function registerReader<T extends Phaser.GameObjects.GameObject>(
  game: Phaser.Game,
  type: string,
  reader: ObjectReader<T>,
): void {
  if (typeof reader !== 'function')
    throw new AdsError('arg/handler', 'registerReader: expected `reader` to be a function');
  readersOf(game).set(type, reader as unknown as ObjectReader);
}
