import type * as Phaser from 'phaser';

import { browserFault } from '../browserFault.js';
import { AdsError } from '../errors.js';
import { isDestroyed } from './isDestroyed.js';

/** The first version this package was tried with, and the first major version it was not tried with. */
const FIRST = [3, 60] as const;
const END = 5;

/** What Phaser's scripts leave on the page; its modules leave nothing. */
interface Library {
  readonly VERSION?: unknown;
  readonly Game?: unknown;
}

/**
 * The error `config/phaser-version` when this package was not tried with the game's version of Phaser; null when it was.
 * Reading a game by the rules of other versions would give wrong figures silently.
 */
export function versionFault(game: Phaser.Game | null): AdsError | null {
  // A game that has ended is not read.
  if (game === null || isDestroyed(game)) return null;
  const version = versionOf(game);
  const isKnown = version === null ? hasKnownFeatures(game) : isTried(version);
  if (isKnown) return null;
  return new AdsError('config/phaser-version', `This is ${version === null ? 'another Phaser' : `Phaser ${version}`}`);
}

/** @throws AdsError `config/phaser-version` in a game of a Phaser this package was not tried with */
export function requireKnownPhaser(scene: Phaser.Scene): void {
  const fault = versionFault(gameOf(scene));
  if (fault !== null) throw fault;
}

/** Games whose fault was printed, and games without one. */
const told = new WeakSet<Phaser.Game>();
const known = new WeakSet<Phaser.Game>();

/**
 * Says whether frames of a scene can be measured. In a game on an unknown Phaser and in a browser that is too old it prints
 * the error, once, and does not throw: an exception would end the game's loop or keep a scene from starting.
 */
export function isMeasurable(scene: Phaser.Scene): boolean {
  const game = gameOf(scene);
  if (game !== null && known.has(game)) return true;
  const fault = versionFault(game) ?? browserFault();
  if (game !== null) {
    if (fault === null) known.add(game);
    else tellOnce(game, fault);
  }
  return fault === null;
}

/** Null once the game has ended. */
function gameOf({ sys }: Phaser.Scene): Phaser.Game | null {
  return sys.game;
}

/** Prints why a game has no ads. */
export function tellOnce(game: Phaser.Game, fault: AdsError): void {
  if (told.has(game)) return;
  told.add(game);
  console.error(fault);
}

/** The version of the library that made a game; null where only its features tell. */
function versionOf(game: Phaser.Game): string | null {
  const { VERSION, Game } = (globalThis as { readonly Phaser?: Library }).Phaser ?? {};
  if (typeof VERSION !== 'string' || typeof Game !== 'function') return null;
  // There may be more than one Phaser on a page.
  return game instanceof (Game as new () => object) ? VERSION : null;
}

function isTried(version: string): boolean {
  const [major = NaN, minor = NaN] = version.split('.', 2).map(Number);
  return major === FIRST[0] ? minor >= FIRST[1] : major > FIRST[0] && major < END;
}

/** Whether a game has what came with 3.60, and in WebGL the pipelines of Phaser 3 or the render nodes of Phaser 4. */
function hasKnownFeatures({ textures, renderer }: Phaser.Game): boolean {
  if (!('addDynamicTexture' in textures)) return false;
  const drawn = renderer as object | null;
  return drawn === null || !('gl' in drawn) || 'pipelines' in drawn || 'renderNodes' in drawn;
}
