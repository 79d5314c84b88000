import type * as Phaser from 'phaser';

import { browserFault } from '../browserFault.js';
import { AdsError } from '../errors.js';
import { isDestroyed } from './isDestroyed.js';

/** The first version this package was tried with, and the first major one it was not. */
const FIRST = [3, 60] as const;
const END = 5;

/** What Phaser's scripts leave on the page; its modules leave nothing. */
interface Library {
  readonly VERSION?: unknown;
  readonly Game?: unknown;
}

/**
 * Why the version of Phaser a game runs on is none that this package was tried with: `config/phaser-version`; null when it is
 * one. Reading it by the rules of others would be wrong in silence.
 */
export function versionFault(game: Phaser.Game | null): AdsError | null {
  // Of one that has ended nothing is read.
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

/** Games that were told, and those that need not be. */
const told = new WeakSet<Phaser.Game>();
const known = new WeakSet<Phaser.Game>();

/**
 * Says whether frames of a scene can be measured, where an exception would end the game's loop or keep a scene from starting: in
 * a game of an unknown Phaser and in a browser that is too old the error is printed, once.
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

/** Null once it has ended. */
function gameOf({ sys }: Phaser.Scene): Phaser.Game | null {
  return sys.game;
}

/** Prints why a game has no ads. */
export function tellOnce(game: Phaser.Game, fault: AdsError): void {
  if (told.has(game)) return;
  told.add(game);
  console.error(fault);
}

/** True in a game of Phaser 4. A scene may have removed all of its cameras; the default one is never drawn and always there. */
export function isPhaser4({ scene: { scenes } }: Phaser.Game): boolean {
  return scenes.some(({ sys }) => {
    const { cameras } = sys as { readonly cameras?: { readonly default?: object } | null };
    return cameras?.default !== undefined && 'matrixCombined' in cameras.default;
  });
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

/** Whether a game has what came with 3.60, and in WebGL what draws in 3 or in 4. */
function hasKnownFeatures({ textures, renderer }: Phaser.Game): boolean {
  if (!('addDynamicTexture' in textures)) return false;
  const drawn = renderer as object | null;
  return drawn === null || !('gl' in drawn) || 'pipelines' in drawn || 'renderNodes' in drawn;
}
