/**
 * The affine map that takes three points to three given ones: column = m0·x + m2·y + m4, row = m1·x + m3·y + m5. Where the
 * points lie on a line, all but its offset is zero.
 *
 * @param points x0, y0, x1, y1, x2, y2
 * @param values where they go, in the same order
 * @param out takes the six numbers
 */
export function solveAffine(points: Float64Array, values: Float64Array, out: Float64Array): void {
  const x = points[0]!;
  const y = points[1]!;
  const ax = points[2]! - x;
  const ay = points[3]! - y;
  const bx = points[4]! - x;
  const by = points[5]! - y;
  const det = ax * by - ay * bx;
  const inverse = det === 0 ? 0 : 1 / det;
  for (let k = 0; k < 2; k++) {
    const value = values[k]!;
    const a = values[2 + k]! - value;
    const b = values[4 + k]! - value;
    out[k] = (a * by - b * ay) * inverse;
    out[2 + k] = (b * ax - a * bx) * inverse;
    out[4 + k] = value - out[k]! * x - out[2 + k]! * y;
  }
}
