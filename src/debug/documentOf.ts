import type * as Phaser from 'phaser';

/** The page of a game, also of one that has not booted yet and so has no canvas. */
export function documentOf(game: Phaser.Game): Document {
  return (game.canvas as HTMLCanvasElement | null)?.ownerDocument ?? document;
}
