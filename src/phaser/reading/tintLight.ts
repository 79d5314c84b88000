import { lightOf } from './colourLight.js';
import type { DrawnObject, TexturedObject } from './internals.js';

/** Share of its own light a tint leaves an ad, 0–1: a sprite tinted black shows nothing of its picture. */
export function ownLight(object: DrawnObject & Partial<TexturedObject>): number {
  const { tintTopLeft, tintTopRight, tintBottomLeft, tintBottomRight } = object;
  if (tintTopLeft === undefined) return 1;
  if (object.tintFill === true) return 0;
  if (
    tintTopLeft === 0xffffff &&
    tintTopRight === 0xffffff &&
    tintBottomLeft === 0xffffff &&
    tintBottomRight === 0xffffff
  )
    return 1;
  return (lightOf(tintTopLeft) + lightOf(tintTopRight!) + lightOf(tintBottomLeft!) + lightOf(tintBottomRight!)) / 4;
}

/** Mean light of the tints of an object's corners, 0–1. */
export function tintOf({
  tintTopLeft,
  tintTopRight,
  tintBottomLeft,
  tintBottomRight,
}: Partial<TexturedObject>): number {
  const first = lightOf(tintTopLeft!);
  if (tintTopRight === undefined) return first;
  return (first + lightOf(tintTopRight) + lightOf(tintBottomLeft!) + lightOf(tintBottomRight!)) / 4;
}

const cornerTints = [0, 0, 0, 0];
const cornerAlphas = [0, 0, 0, 0];

/**
 * The tints of an object's corners: top left, top right, bottom left, bottom right; of some there is but the first. The same
 * array each time.
 */
export function cornerTintsOf({
  tintTopLeft = 0xffffff,
  tintTopRight = tintTopLeft,
  tintBottomLeft = tintTopLeft,
  tintBottomRight = tintTopLeft,
}: Partial<TexturedObject>): readonly number[] {
  cornerTints[0] = tintTopLeft;
  cornerTints[1] = tintTopRight;
  cornerTints[2] = tintBottomLeft;
  cornerTints[3] = tintBottomRight;
  return cornerTints;
}

/** The alphas of an object's corners, in the same order; of some there is but one. The same array each time. */
export function cornerAlphasOf({
  alpha = 1,
  alphaTopLeft = alpha,
  alphaTopRight = alpha,
  alphaBottomLeft = alpha,
  alphaBottomRight = alpha,
}: Partial<TexturedObject>): readonly number[] {
  cornerAlphas[0] = alphaTopLeft;
  cornerAlphas[1] = alphaTopRight;
  cornerAlphas[2] = alphaBottomLeft;
  cornerAlphas[3] = alphaBottomRight;
  return cornerAlphas;
}
