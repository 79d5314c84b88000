import type * as Phaser from 'phaser';

import { hasForeignRender } from './phaser3/foreignRender.js';
import type { TexturedObject } from './phaser3/internals.js';
import { isRemoved } from './isRemoved.js';

/** `Phaser.BlendModes.ERASE`. */
const ERASE = 17;

/** How far rounded positions (`roundPixels`) may lie from the true ones, in world pixels. */
export const ROUNDING_PX = 2;

/**
 * With h half the side of a rectangle and r how far a sprite reaches, (h + r)² ≤ (1 + s)·h² + (1 + 1/s)·r² for any s > 0.
 * Equal when s is r/h: sprites are mostly this much smaller than what they are compared with.
 */
const SPREAD = 0.3;
const REACH_SHARE = 1 + 1 / SPREAD;

/** The limit {@link isFarSprite} takes for half a side of the rectangle, in world pixels. */
export function farLimit(half: number): number {
  return (1 + SPREAD) * (half + ROUNDING_PX) ** 2;
}

/**
 * True when an Image or Sprite surely lies outside of a rectangle, whatever its rotation; false now and then for one that does,
 * too, for broken transforms, and for what Canvas may draw elsewhere ({@link mayPaintAfar}). This is asked of every
 * object in every frame, and costs hardly more than reading the fields: squares stand in for amounts and roots, and one
 * comparison with the circle around the rectangle tells for most. On which side of an ad an object lies is foreseen badly, and
 * the processor would wait for the memory each time.
 *
 * @param scrollX, scrollY Scroll of the camera.
 * @param middleX, middleY Middle of the rectangle, after scroll, in world pixels.
 * @param limitX, limitY {@link farLimit} of half its width and height.
 */
export function isFarSprite(
  sprite: TexturedObject,
  scrollX: number,
  scrollY: number,
  middleX: number,
  middleY: number,
  limitX: number,
  limitY: number,
): boolean {
  const reach = REACH_SHARE * reachSquared(sprite);
  const x = sprite.x - scrollX * sprite.scrollFactorX - middleX;
  const y = sprite.y - scrollY * sprite.scrollFactorY - middleY;
  const squareX = x * x;
  const squareY = y * y;
  // The limits' sum is that of the circle's radius: squares of the sides add up to that of the diagonal.
  if (squareX + squareY > limitX + limitY + reach) return !mayPaintAfar(sprite);
  return (squareX > limitX + reach || squareY > limitY + reach) && !mayPaintAfar(sprite);
}

/**
 * True when Canvas may change what lies far beside the picture. Some of the modes that only Canvas knows, those behind ERASE,
 * clear all around it. What is cropped and mirrored is mirrored twice: with an origin that is not its middle it is drawn up to
 * three times as far away (`CanvasRenderer.batchSprite`). A function of the game's own may paint anywhere.
 */
export function mayPaintAfar(sprite: TexturedObject): boolean {
  if (sprite._blendMode > ERASE || (sprite.isCropped && (sprite.flipX || sprite.flipY))) return true;
  return hasForeignRender(sprite, false);
}

/** Games may call something else a sprite. */
function hasNoPicture(frame: Phaser.Textures.Frame | undefined): boolean {
  return frame === undefined || isRemoved(frame);
}

/**
 * The square of how far from its position an Image or Sprite reaches at most, in world pixels; never too little. Stored fields,
 * since their getters cost more.
 */
export function reachSquared(sprite: TexturedObject): number {
  const { frame, _scaleX: scaleX, _scaleY: scaleY, _displayOriginX: originX, _displayOriginY: originY } = sprite;
  if (hasNoPicture(frame)) return Infinity;
  // Not its own width and height: `setSize` changes those alone, and nothing of what is drawn.
  const { realWidth, realHeight } = frame;
  const otherX = realWidth - originX;
  const otherY = realHeight - originY;
  return (
    scaleX * scaleX * (originX * originX + otherX * otherX) + scaleY * scaleY * (originY * originY + otherY * otherY)
  );
}
