/** A rectangle of the window, in CSS pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What two boxes have in common; null without any area. */
export function overlap(a: Box, b: Box): Box | null {
  const left = Math.max(a.left, b.left);
  const top = Math.max(a.top, b.top);
  const right = Math.min(a.right, b.right);
  const bottom = Math.min(a.bottom, b.bottom);
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

/** A box whose sides lie farther out, or with a negative length farther in. */
export function grown({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** The box around points, x and y alternating. */
export function boxAround(points: ArrayLike<number>): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i + 1 < points.length; i += 2) {
    box.left = Math.min(box.left, points[i]!);
    box.top = Math.min(box.top, points[i + 1]!);
    box.right = Math.max(box.right, points[i]!);
    box.bottom = Math.max(box.bottom, points[i + 1]!);
  }
  return box;
}

/** What of a box lies outside of another: up to four boxes. */
export function outside(outer: Box, hole: Box): Box[] {
  const inner = overlap(outer, hole);
  if (inner === null) return [outer];
  const { left, top, right, bottom } = outer;
  return [
    { left, top, right, bottom: inner.top },
    { left, top: inner.bottom, right, bottom },
    { left, top: inner.top, right: inner.left, bottom: inner.bottom },
    { left: inner.right, top: inner.top, right, bottom: inner.bottom },
  ].filter((box) => box.right > box.left && box.bottom > box.top);
}

/** Points, x and y alternating, each put elsewhere. */
export function eachPoint(
  points: readonly number[],
  move: (x: number, y: number) => readonly [number, number],
): number[] {
  const moved: number[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) moved.push(...move(points[i]!, points[i + 1]!));
  return moved;
}
