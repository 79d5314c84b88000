/**
 * Further input and output of {@link takePositive}: fields, since fractions that are passed or returned may be boxed by the
 * engine. Vertices nearer to each other than `merge` count as one; `length` is the number of vertices written, `area` the
 * area of their polygon.
 */
export const copying = { merge: 0.5, length: 0, area: 0.5 };

/**
 * Copies a convex polygon so that it turns from +x towards +y, without vertices nearer to each other than `copying.merge`: the
 * direction of an edge as short as rounding errors means nothing. Its area goes to {@link copying}.
 */
export function takePositive(
  from: ArrayLike<number>,
  at: number,
  length: number,
  to: Float64Array,
  toAt: number,
): void {
  const { merge } = copying;
  copying.length = copying.area = 0;
  let previousX = from[at + 2 * length - 2]!;
  let previousY = from[at + 2 * length - 1]!;
  let end = toAt;
  for (let i = at; i < at + 2 * length; i += 2) {
    const x = from[i]!;
    const y = from[i + 1]!;
    const dx = x - previousX;
    const dy = y - previousY;
    if (dx <= merge && dx >= -merge && dy <= merge && dy >= -merge) continue;
    to[end++] = x;
    to[end++] = y;
    previousX = x;
    previousY = y;
  }
  const kept = (end - toAt) >> 1;
  if (kept < 3) return;
  const ox = to[toAt]!;
  const oy = to[toAt + 1]!;
  let ux = to[toAt + 2]! - ox;
  let uy = to[toAt + 3]! - oy;
  let twice = 0;
  for (let i = toAt + 4; i < end; i += 2) {
    const vx = to[i]! - ox;
    const vy = to[i + 1]! - oy;
    twice += ux * vy - vx * uy;
    ux = vx;
    uy = vy;
  }
  copying.length = kept;
  copying.area = (twice < 0 ? -twice : twice) / 2;
  if (twice >= 0) return;
  for (let i = toAt, j = end - 2; i < j; i += 2, j -= 2) {
    const x = to[i]!;
    const y = to[i + 1]!;
    to[i] = to[j]!;
    to[i + 1] = to[j + 1]!;
    to[j] = x;
    to[j + 1] = y;
  }
}
