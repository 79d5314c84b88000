import { convexArea } from '../../geometry/convexArea.js';
import { solveAffine } from '../../geometry/solveAffine.js';
import type { Shape } from './DrawOp.js';

/** Part of a texture, in its coordinates. */
export interface FrameArea {
  readonly u0: number;
  readonly v0: number;
  readonly u1: number;
  readonly v1: number;
}

/** A quad that shows some of a picture, grown so that it shows all of it. */
export function widened(shape: Shape, { u0, v0, u1, v1 }: FrameArea): Shape {
  const { xy, uv } = shape;
  if (xy.length !== 8) return shape;
  const map = new Float64Array(6);
  solveAffine(uv.slice(0, 6), xy.slice(0, 6), map);
  const [a, b, c, d, e, f] = map as unknown as [number, number, number, number, number, number];
  const whole = Float64Array.of(u0, v0, u0, v1, u1, v1, u1, v0);
  const corners = new Float64Array(8);
  for (let i = 0; i < 8; i += 2) {
    corners[i] = a * whole[i]! + c * whole[i + 1]! + e;
    corners[i + 1] = b * whole[i]! + d * whole[i + 1]! + f;
  }
  return { ...shape, xy: corners, uv: whole };
}

/** True of a quad with one texel all over it: Phaser draws a crop so that lies beside a trimmed picture. */
export function isOneTexel({ xy, uv }: Shape): boolean {
  return uv[0] === uv[4] && uv[1] === uv[5] && convexArea(xy, 0, xy.length / 2) !== 0;
}
