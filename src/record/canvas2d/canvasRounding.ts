import type * as Phaser from 'phaser';

import type { CameraInternals } from '../phaser3/internals.js';
import { rendererRounding } from '../phaser3/shaderRounding.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/** How versions of Phaser put sprites and their kin on whole pixels where a camera has `roundPixels`. */
export const Rounding = {
  /** 3.60. Canvas floors positions, WebGL rounds each corner. */
  CORNERS: 0,
  /** 3.70 and 3.80. Canvas rounds size, and where a picture begins within its object; WebGL leaves all to its shader. */
  SHADER: 1,
  /** 3.85. Canvas as before; WebGL floors positions, and moves each quad to where its first corner is whole. */
  FIRST_CORNER: 2,
  /** From 3.86 on. Both floor positions; at whole zoom levels only they also round positions after the camera's matrix. */
  WHOLE_ZOOM: 3,
} as const;
export type Rounding = (typeof Rounding)[keyof typeof Rounding];

/** From 3.86 on Canvas draws rounded sprites larger by this much, in their own pixels. */
const SEAM_PX = 0.5;

const roundings = new WeakMap<Phaser.Game, Rounding>();

/** How the game of a camera rounds. Phaser's version decides; as a game does not tell it, features do. */
export function roundingOf(camera: Camera): Rounding {
  if ('renderRoundPixels' in camera) return Rounding.WHOLE_ZOOM;
  const { game, textures, renderer } = (camera as Camera).scene.sys;
  let rounding = roundings.get(game);
  if (rounding === undefined) {
    // That method came with 3.70.
    if (!('setScale9' in textures.get('__DEFAULT').get())) rounding = Rounding.CORNERS;
    else rounding = rendererRounding(renderer) === null ? Rounding.FIRST_CORNER : Rounding.SHADER;
    roundings.set(game, rounding);
  }
  return rounding;
}

/** True where Canvas places sprites at the floor of their position. */
export function floorsPosition(camera: Camera): boolean {
  if (!camera.roundPixels) return false;
  const rounding = roundingOf(camera);
  return rounding === Rounding.CORNERS || rounding === Rounding.WHOLE_ZOOM;
}

/**
 * True where Canvas rounds a sprite's position after the camera's matrix. Source of all three:
 * `CanvasRenderer.batchSprite`.
 */
export function roundsPlaceOnCanvas(camera: Camera): boolean {
  return camera.roundPixels && (camera as unknown as CameraInternals).renderRoundPixels !== false;
}

/** Where Canvas lets a picture begin, in pixels of its object. */
export function startOnCanvas(rounding: Rounding, start: number): number {
  return rounding === Rounding.CORNERS ? start : Math.floor(start + 0.5);
}

/** How long Canvas draws a side of a picture. */
export function lengthOnCanvas(rounding: Rounding, length: number): number {
  if (rounding === Rounding.CORNERS) return length;
  return rounding === Rounding.WHOLE_ZOOM ? length + SEAM_PX : Math.round(length);
}
