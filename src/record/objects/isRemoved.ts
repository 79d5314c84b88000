import type * as Phaser from 'phaser';

/**
 * True for a frame whose texture was removed: it has lost its size. Phaser cannot draw it, but hidden sprites may keep
 * it, such as those in a game's pool.
 */
export function isRemoved(frame: Phaser.Textures.Frame): boolean {
  return (frame.source as unknown) === null;
}
