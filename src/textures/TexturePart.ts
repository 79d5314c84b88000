import type * as Phaser from 'phaser';

/**
 * A rectangle of a texture that Phaser keeps no Frame for, such as a tile of a tileset or a glyph of a font. It has the fields
 * of a frame that looking up an alpha map reads, and stays the same object as long as the rectangle does, as the lookup needs.
 */
export class TexturePart {
  constructor(
    readonly source: Phaser.Textures.TextureSource,
    readonly cutX: number,
    readonly cutY: number,
    readonly cutWidth: number,
    readonly cutHeight: number,
  ) {}

  isAt(source: Phaser.Textures.TextureSource, x: number, y: number, width: number, height: number): boolean {
    return (
      this.source === source &&
      this.cutX === x &&
      this.cutY === y &&
      this.cutWidth === width &&
      this.cutHeight === height
    );
  }

  /** Itself, in the type that an alpha map is asked for. */
  get frame(): Phaser.Textures.Frame {
    return this as unknown as Phaser.Textures.Frame;
  }
}
