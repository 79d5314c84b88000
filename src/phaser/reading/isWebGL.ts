import type * as Phaser from 'phaser';

/** True when a game draws with Phaser 3's WebGL renderer; that of Phaser 4 has no pipelines. */
export function isWebGL(game: Phaser.Game): boolean {
  const renderer = game.renderer as object | null;
  return renderer !== null && 'gl' in renderer && 'pipelines' in renderer;
}
