import { lightOf } from '../colourLight.js';
import { Blend, type Pen } from '../Pen.js';

/**
 * What a tint (0xRRGGBB) leaves of a texture's covering under the pen's blend. Covering is a matter of alpha, which a
 * tint does not touch; adding light is dimmed by a dark tint, since tint and texture multiply. What it adds to darkening
 * is in the alpha map, unless the tint takes the picture's place.
 */
export function tintStrength(pen: Pen, tint = 0xffffff, isFilled = pen.isTintFilled): number {
  if (pen.blend === Blend.LIGHTEN || pen.blend === Blend.ADD) return lightOf(tint);
  return isFilled && pen.blend === Blend.DARKEN ? 1 - lightOf(tint) : 1;
}

/**
 * Has the pen {@link Pen.guess} where the tints of vertices differ in a way that strengths of vertices cannot tell: what
 * picture and tint make dark together is in one map, and an alpha that differs too makes a curve of the slope.
 */
export function guessUneven(
  pen: Pen,
  tints: ArrayLike<number>,
  alphas: ArrayLike<number>,
  isFilled = pen.isTintFilled,
): void {
  if (pen.blend === Blend.COVER || isUniform(tints)) return;
  if ((pen.blend === Blend.DARKEN && !isFilled) || !isUniform(alphas)) pen.guess();
}

function isUniform(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}
