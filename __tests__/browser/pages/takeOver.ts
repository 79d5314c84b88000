import type * as Phaser from 'phaser';
import { drawNothing } from './drawNothing.js';

/**
 * From the game's first frame on its frames are made by hand (`game.step`), and nothing is painted. Its own loop begins
 * only after its first scene was made, and cannot be stopped before.
 */
export async function takeOver(game: Phaser.Game): Promise<void> {
  await new Promise((drawn) => game.events.once('postrender', drawn));
  game.loop.stop();
  drawNothing(game);
}
