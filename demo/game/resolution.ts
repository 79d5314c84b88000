import type * as Phaser from 'phaser';
import { VIEW_WIDTH } from './world/layout.js';

/*
 * The layout is 960 × 540 units on every screen. On one that has many more pixels than that, the canvas has two for each unit,
 * and so has every painted texture: otherwise the picture would be blurred beside the page around it.
 */

/** Pixels of the canvas for each unit of the layout: 1 or 2. */
export const RESOLUTION = window.innerWidth * window.devicePixelRatio > 1.5 * VIEW_WIDTH ? 2 : 1;

/** Scale at which a painted texture has the size it was painted for. */
export const ART_SCALE = 1 / RESOLUTION;

/** Gives an object that shows a painted texture its size, `scale` times that of the painting. */
export function art<T extends Phaser.GameObjects.Components.Transform>(object: T, scale = 1): T {
  object.setScale(scale * ART_SCALE);
  return object;
}

/** Shows the layout through a camera that fills the canvas, zoomed about the middle of the picture. */
export function zoomTo(camera: Phaser.Cameras.Scene2D.Camera, zoom: number): void {
  // Phaser zooms about the camera's origin. This one, together with the canvas's own scale, keeps the middle where it is.
  const origin = RESOLUTION === 1 ? 0.5 : (0.5 * (1 - zoom)) / (1 - zoom * RESOLUTION);
  camera.setZoom(zoom * RESOLUTION).setOrigin(origin);
}

/** The zoom last given to {@link zoomTo}. */
export function zoomOf(camera: Phaser.Cameras.Scene2D.Camera): number {
  return camera.zoom / RESOLUTION;
}

/** Units of the layout per CSS pixel: 1 where the canvas is shown 960 CSS pixels wide, more where it is smaller. */
export function unitsPerCssPixel(scene: Phaser.Scene): number {
  return scene.scale.displayScale.x / RESOLUTION;
}
