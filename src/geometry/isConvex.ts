/** True when so many vertices (x, y alternating) go round a convex shape once, either way; false for not-a-number. */
export function isConvex(points: ArrayLike<number>, length: number): boolean {
  let turnsLeft = false;
  let turnsRight = false;
  let heading = 0;
  let reversals = 0;
  const end = 2 * length;
  for (let a = 0; a < end; a += 2) {
    const b = (a + 2) % end;
    const c = (a + 4) % end;
    const across = points[b]! - points[a]!;
    const turn =
      across * (points[c + 1]! - points[b + 1]!) - (points[b + 1]! - points[a + 1]!) * (points[c]! - points[b]!);
    // Not-a-number is both.
    if (!(turn >= 0)) turnsLeft = true;
    if (!(turn <= 0)) turnsRight = true;
    // A pentagram turns one way only, too, but goes round twice.
    if (across * heading < 0) reversals++;
    if (across !== 0) heading = across;
  }
  return !(turnsLeft && turnsRight) && reversals < 3;
}
