import type * as Phaser from 'phaser';

/** What draws a game. Each kind has a {@link MeterEngine} of its own. */
export type RendererKind = 'phaser3' | 'phaser4' | 'canvas';

/** The kind of a game that has made its renderer. Under HEADLESS nothing is drawn, and any will do. */
export function rendererKindOf(game: Phaser.Game): RendererKind {
  const renderer = game.renderer as object | null;
  if (renderer === null || !('gl' in renderer)) return 'canvas';
  return 'renderNodes' in renderer ? 'phaser4' : 'phaser3';
}
