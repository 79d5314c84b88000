/** True when so many vertices (x, y alternating) go round a convex shape once, either way; false for not-a-number. */
export function isConvex(points: ArrayLike<number>, length: number): boolean {
  let turnsLeft = false;
  let turnsRight = false;
  const end = 2 * length;
  for (let a = 0; a < end; a += 2) {
    const b = (a + 2) % end;
    const c = (a + 4) % end;
    const turn =
      (points[b]! - points[a]!) * (points[c + 1]! - points[b + 1]!) -
      (points[b + 1]! - points[a + 1]!) * (points[c]! - points[b]!);
    // Not-a-number is both.
    if (!(turn >= 0)) turnsLeft = true;
    if (!(turn <= 0)) turnsRight = true;
  }
  return !(turnsLeft && turnsRight);
}
