import type { TexturedObject } from './internals.js';

/** How far rounded positions (`roundPixels`) may lie from the true ones, in world pixels. */
export const ROUNDING_PX = 2;

/**
 * With h half the side of a rectangle and r how far a sprite reaches, (h + r)² ≤ (1 + s)·h² + (1 + 1/s)·r² for any s > 0.
 * Equal when s is r/h: sprites are mostly this much smaller than what they are compared with.
 */
const SPREAD = 0.3;
const REACH_SHARE = 1 + 1 / SPREAD;

/**
 * What {@link isFarSprite} compares with, in world pixels: scrollX and scrollY of the camera, the middle of a rectangle, after
 * scroll, and half its width and height, which {@link settleFarView} makes limits of; then room for one number.
 */
export function farView(): Float64Array {
  return new Float64Array(7);
}

/** Makes limits of half a width and height that were written to the view. */
export function settleFarView(view: Float64Array): void {
  for (let k = 4; k < 6; k++) view[k] = (1 + SPREAD) * (view[k]! + ROUNDING_PX) ** 2;
}
const REACH = 6;

/**
 * True when an Image or Sprite surely lies outside of a rectangle, whatever its rotation; false now and then for one that does,
 * too, and for broken transforms. This is asked of every object in every frame, and costs hardly more than reading the fields:
 * squares stand in for amounts and roots, and both directions are always compared, since on which side of an ad an object lies
 * is foreseen badly, and the processor would wait for the memory each time. No number is handed in or out by itself: where the
 * engine does not inline this, each would cost an object.
 *
 * @param view {@link farView}, settled
 */
export function isFarSprite(sprite: TexturedObject, view: Float64Array): boolean {
  readReachSquared(sprite, view, REACH);
  const reach = REACH_SHARE * view[REACH]!;
  const x = sprite.x - view[0]! * sprite.scrollFactorX - view[2]!;
  const y = sprite.y - view[1]! * sprite.scrollFactorY - view[3]!;
  return (Number(x * x > view[4]! + reach) | Number(y * y > view[5]! + reach)) !== 0;
}

/**
 * Notes the square of how far from its position an Image or Sprite reaches at most, in world pixels; never too little. Stored
 * fields, since their getters cost more.
 */
export function readReachSquared(sprite: TexturedObject, to: Float64Array, at: number): void {
  const { frame, _scaleX: scaleX, _scaleY: scaleY, _displayOriginX: originX, _displayOriginY: originY } = sprite;
  // Not its own width and height: `setSize` changes those alone, and nothing of what is drawn.
  const { realWidth, realHeight } = frame;
  const otherX = realWidth - originX;
  const otherY = realHeight - originY;
  to[at] =
    scaleX * scaleX * (originX * originX + otherX * otherX) + scaleY * scaleY * (originY * originY + otherY * otherY);
}
