import type * as Phaser from 'phaser';

/** Draws the picture a game object shows, as large as the canvas allows; nothing when it has none a canvas can draw. */
export function drawThumb(thumb: HTMLCanvasElement, frame: Phaser.Textures.Frame): void {
  const pen = thumb.getContext('2d');
  const image = pictureOf(frame);
  if (!pen || !image) return;
  const { cutX, cutY, cutWidth, cutHeight } = frame;
  const scale = Math.min(thumb.width / cutWidth, thumb.height / cutHeight);
  const width = cutWidth * scale;
  const height = cutHeight * scale;
  const left = (thumb.width - width) / 2;
  const top = (thumb.height - height) / 2;
  pen.clearRect(0, 0, thumb.width, thumb.height);
  pen.drawImage(image, cutX, cutY, cutWidth, cutHeight, left, top, width, height);
}

/** Creatives may be bitmaps, which Phaser's types omit. */
function pictureOf(frame: Phaser.Textures.Frame): CanvasImageSource | null {
  const image: unknown = frame.source?.image;
  const kinds = [HTMLImageElement, HTMLCanvasElement, HTMLVideoElement, ImageBitmap];
  return kinds.some((kind) => image instanceof kind) ? (image as CanvasImageSource) : null;
}
