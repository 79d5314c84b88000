import type * as Phaser from 'phaser';

/** The picture a texture frame is cut from, if a canvas can draw it. Creatives may be bitmaps, which Phaser's types omit. */
export function textureImage(frame: Phaser.Textures.Frame): CanvasImageSource | null {
  const image: unknown = frame.source.image;
  if (image instanceof HTMLImageElement || image instanceof HTMLCanvasElement || image instanceof ImageBitmap)
    return image;
  return null;
}
