import type * as Phaser from 'phaser';

/** True of a game that has ended: its plugin manager lets go of it then. */
export function isDestroyed(game: Phaser.Game): boolean {
  return !game.plugins?.game;
}
