import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import type { ObjectReader } from './ObjectReader.js';

const registries = new WeakMap<Phaser.Game, Map<string, ObjectReader>>();

/** The readers a game registered, by type. */
export function readersOf(game: Phaser.Game): Map<string, ObjectReader> {
  let readers = registries.get(game);
  if (readers === undefined) {
    readers = new Map();
    registries.set(game, readers);
  }
  return readers;
}

/**
 * Teaches one game how a foreign type of game object paints, so that such objects are measured instead of being judged
 * by their size as `unmeasurable`. Also for a type of Phaser's, whose objects are then no longer drawn to find out.
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
