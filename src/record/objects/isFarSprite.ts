import type * as Phaser from 'phaser';

import { hasForeignRender } from '../phaser3/foreignRender.js';
import type { TexturedObject } from '../phaser3/internals.js';
import { isRemoved } from './isRemoved.js';

/** `Phaser.BlendModes.ERASE`. */
const ERASE = 17;

/** How far rounded positions (`roundPixels`) may lie from the true ones, in world pixels. */
export const ROUNDING_PX = 2;

/**
 * With h half the side of a rectangle and r how far a sprite reaches, (h + r)² ≤ (1 + s)·h² + (1 + 1/s)·r² for any s >
 * 0. Both are equal when s is r/h: most sprites are this much smaller than what they are compared with.
 */
const SPREAD = 0.3;
const REACH_SHARE = 1 + 1 / SPREAD;

/** The limit {@link isFarSprite} takes for half a side of the rectangle, in world pixels. */
export function farLimit(half: number): number {
  return (1 + SPREAD) * (half + ROUNDING_PX) ** 2;
}

/**
 * True when an Image or Sprite surely lies outside of a rectangle, whatever its rotation. False for broken transforms,
 * for what Canvas may draw elsewhere ({@link mayPaintAfar}), and now and then for a sprite that does lie outside. This
 * is asked of every object in every frame, and costs hardly more than reading the fields: squares replace absolute
 * values and roots, and for most sprites one comparison with the circle around the rectangle is enough. Processors
 * predict badly on which side of an ad an object lies, and would wait for the memory each time.
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
  // The sum of the limits is the limit for the circle's radius: the squares of the sides add up to that of the
  // diagonal.
  if (squareX + squareY > limitX + limitY + reach) return !mayPaintAfar(sprite);
  return (squareX > limitX + reach || squareY > limitY + reach) && !mayPaintAfar(sprite);
}

/**
 * True when Canvas may change what lies far beside the picture. Some of the blend modes that only Canvas has, those
 * after ERASE, clear everything around it. A picture that is cropped and mirrored is mirrored twice: with an origin
 * other than its middle it is drawn up to three times as far away (`CanvasRenderer.batchSprite`). A render function of
 * the game's own may paint anywhere.
 */
export function mayPaintAfar(sprite: TexturedObject): boolean {
  if (sprite._blendMode > ERASE || (sprite.isCropped && (sprite.flipX || sprite.flipY))) return true;
  return hasForeignRender(sprite, false);
}

/**
 * The square of how far an Image or Sprite reaches from its position at most, in world pixels; never too little. Reads
 * stored fields, since their getters cost more.
 */
export function reachSquared(sprite: TexturedObject): number {
  const { frame, _scaleX: scaleX, _scaleY: scaleY, _displayOriginX: originX, _displayOriginY: originY } = sprite;
  // Games may give other objects the type of a sprite.
  if ((frame as Phaser.Textures.Frame | undefined) === undefined || isRemoved(frame)) return Infinity;
  // Not the sprite's own width and height: `setSize` changes them, but nothing of what is drawn.
  const { realWidth, realHeight } = frame;
  const otherX = realWidth - originX;
  const otherY = realHeight - originY;
  return (
    scaleX * scaleX * (originX * originX + otherX * otherX) + scaleY * scaleY * (originY * originY + otherY * otherY)
  );
}
