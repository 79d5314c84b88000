import type * as Phaser from 'phaser';

/** True for a game that has ended: its plugin manager then drops the game. */
export function isDestroyed(game: Phaser.Game): boolean {
  return !game.plugins?.game;
}
