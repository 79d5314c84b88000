import type * as Phaser from 'phaser';

/** Scene status (`Phaser.Scenes`) from LOADING up to, not including, SLEEPING: the scene is drawn. */
const LOADING = 3;
const SLEEPING = 7;

/** True when the game draws the scene. */
export function isDrawn({ sys: { settings } }: Phaser.Scene): boolean {
  return settings.visible && settings.status >= LOADING && settings.status < SLEEPING;
}
