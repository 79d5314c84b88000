import type * as Phaser from 'phaser';

import { browserFault } from '../browserFault.js';
import { AdsError } from '../errors.js';

/**
 * True in a game of Phaser 4, which keeps a camera's scroll in a matrix of another name, and masks in filters: reading it with
 * the rules of 3.x would be wrong in silence.
 */
export function isPhaser4(scene: Phaser.Scene): boolean {
  const { cameras } = scene.sys as { cameras?: { default?: object; cameras?: readonly object[] } };
  // A scene may have removed all of its cameras; the default one is never drawn and always there.
  return isOfPhaser4(cameras?.cameras?.[0]) || isOfPhaser4(cameras?.default);
}

function isOfPhaser4(camera: object | undefined): boolean {
  return camera !== undefined && 'matrixCombined' in camera;
}

/** @throws AdsError `config/phaser-version` in a game of Phaser 4 */
export function requirePhaser3(scene: Phaser.Scene): void {
  if (isPhaser4(scene)) throw unsupported();
}

/** Games that were told. */
const told = new WeakSet<Phaser.Game>();

/**
 * Says whether frames of a scene can be measured, where an exception would end the game's loop or keep a scene from starting: in
 * a game of Phaser 4 and in a browser that is too old the error is printed, once.
 */
export function isMeasurable(scene: Phaser.Scene): boolean {
  const fault = isPhaser4(scene) ? unsupported() : browserFault();
  if (fault === null) return true;
  tellOnce(scene.sys.game, fault);
  return false;
}

/** Prints why a game has no ads. */
export function tellOnce(game: Phaser.Game, fault: AdsError): void {
  if (told.has(game)) return;
  told.add(game);
  console.error(fault);
}

function unsupported(): AdsError {
  return new AdsError('config/phaser-version', 'This version of phaser-inview measures Phaser 3 only');
}
