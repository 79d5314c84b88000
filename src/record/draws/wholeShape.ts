import type { Shape } from './DrawOp.js';

/** A quad that covers a whole viewport and shows its whole texture. */
export function wholeShape([x = 0, y = 0, width = 0, height = 0]: readonly number[]): Shape {
  return {
    xy: Float64Array.of(x, y, x + width, y, x + width, y + height, x, y + height),
    uv: Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1),
    colors: new Uint32Array(4).fill(0xffffffff),
    unit: 0,
    effect: 0,
    light: null,
  };
}
