import type * as Phaser from 'phaser';

/** The picture a texture frame is cut from, if a canvas can draw it. Creatives may be bitmaps, which Phaser's types omit. */
export function textureImage(frame: Phaser.Textures.Frame): CanvasImageSource | null {
  const image: unknown = frame.source.image;
  const kinds = [HTMLImageElement, HTMLCanvasElement, HTMLVideoElement, ImageBitmap];
  return kinds.some((kind) => image instanceof kind) ? (image as CanvasImageSource) : null;
}
