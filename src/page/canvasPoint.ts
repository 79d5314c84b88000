import type * as Phaser from 'phaser';

import { placeOf } from './placeOf.js';
import { pictureOf } from './readPage.js';

/**
 * The point of the canvas, in canvas pixels, that lies at a point of the window now. Phaser uses the position that the canvas
 * had when Phaser last looked, and it does not look when the page scrolls or moves the canvas.
 */
export function canvasPoint(game: Phaser.Game, clientX: number, clientY: number): { x: number; y: number } {
  const { canvas } = game;
  const { width, height } = game.scale.baseSize;
  const place = placeOf(canvas);
  const { picture } = pictureOf(canvas, place);
  const { left, top } = place.toOwn({ left: clientX, top: clientY, right: clientX, bottom: clientY });
  return {
    x: ((left - picture.left) * width) / (picture.right - picture.left),
    y: ((top - picture.top) * height) / (picture.bottom - picture.top),
  };
}
