import { lightOf } from '../colourLight.js';
import { Blend, type Pen } from '../Pen.js';

/**
 * What a tint (0xRRGGBB) leaves of a texture's covering under the pen's blend. Covering is a matter of alpha, which a
 * tint does not touch; adding light is dimmed by a dark tint, since tint and texture multiply. What it adds to darkening
 * is in the alpha map, unless the tint takes the picture's place.
 */
export function tintStrength(pen: Pen, tint: number, isFilled = false): number {
  if (pen.isTintFilled) return 1;
  if (pen.blend === Blend.LIGHTEN || pen.blend === Blend.ADD) return lightOf(tint);
  return isFilled && pen.blend === Blend.DARKEN ? 1 - lightOf(tint) : 1;
}
