import { Blend, type Pen } from '../Pen.js';

/**
 * What a tint (0xRRGGBB) leaves of a texture's covering under the pen's blend. Covering is a matter of alpha, which a
 * tint does not touch; adding light is dimmed by a dark tint, since tint and texture multiply.
 */
export function tintStrength(pen: Pen, tint: number): number {
  return pen.blend === Blend.LIGHTEN ? pen.strength(tint) : 1;
}
