import { solveAffine } from '../geometry/solveAffine.js';
import type { DrawOp, Shape } from './DrawOp.js';
import type { PaintContext } from './PaintContext.js';

/**
 * The context of a texture that a shape shows: how its pixels get to the canvas. Null where the shape is no plain
 * picture of it.
 */
export function innerContext(
  context: PaintContext,
  { xy, uv }: Shape,
  { sizes, textures }: DrawOp,
  texture: object,
): PaintContext | null {
  const unit = textures.indexOf(texture);
  const width = sizes[2 * unit]!;
  const height = sizes[2 * unit + 1]!;
  const from = new Float64Array(6);
  for (let i = 0; i < 6; i += 2) {
    from[i] = uv[i]! * width;
    from[i + 1] = uv[i + 1]! * height;
  }
  const map = new Float64Array(6);
  solveAffine(from, xy.slice(0, 6), map);
  return map[0]! * map[3]! - map[1]! * map[2]! === 0 ? null : context.through(map);
}
