/** Area of a convex polygon of either orientation. */
export function convexArea(points: ArrayLike<number>, offset: number, length: number): number {
  takeArea(points, offset, length);
  return measured.area;
}

/**
 * What {@link takeArea} finds; fields, since fractions that are passed or returned may be boxed by the engine. `isPositive`:
 * the vertices turn from +x towards +y.
 */
export const measured = { area: 0.5, isPositive: true };

/**
 * {@link convexArea} for code that runs in every frame. Computed relative to the first vertex, so that large coordinates
 * cost no digits.
 */
export function takeArea(points: ArrayLike<number>, offset: number, length: number): void {
  const ox = points[offset]!;
  const oy = points[offset + 1]!;
  let ux = points[offset + 2]! - ox;
  let uy = points[offset + 3]! - oy;
  let twice = 0;
  for (let i = offset + 4; i < offset + 2 * length; i += 2) {
    const vx = points[i]! - ox;
    const vy = points[i + 1]! - oy;
    twice += ux * vy - vx * uy;
    ux = vx;
    uy = vy;
  }
  measured.isPositive = twice >= 0;
  measured.area = (twice < 0 ? -twice : twice) / 2;
}
