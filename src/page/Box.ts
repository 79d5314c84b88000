/** A rectangle, in CSS pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The box of something that no other box clips. */
export const EVERYWHERE: Box = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };

export function isEmpty({ left, top, right, bottom }: Box): boolean {
  return !(right > left && bottom > top);
}

/** The intersection of two boxes; turned inside out if they do not overlap. */
export function common(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

/** A box whose sides lie farther out, or with a negative length farther in. */
export function grown({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

export function moved({ left, top, right, bottom }: Box, x: number, y: number): Box {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}

/** Moves each side in by its own length: top, right, bottom, left, as CSS orders them. */
export function shrunk({ left, top, right, bottom }: Box, [t, r, b, l]: Sides): Box {
  return { left: left + l, top: top + t, right: right - r, bottom: bottom - b };
}

/** Lengths at the four sides of a box: top, right, bottom, left. */
export type Sides = readonly [top: number, right: number, bottom: number, left: number];

/** The box around points, x and y alternating. */
export function boxAround(points: ArrayLike<number>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < points.length; i += 2) {
    left = Math.min(left, points[i]!);
    top = Math.min(top, points[i + 1]!);
    right = Math.max(right, points[i]!);
    bottom = Math.max(bottom, points[i + 1]!);
  }
  return { left, top, right, bottom };
}

/** The corners of a box, x and y alternating. */
export function cornersOf({ left, top, right, bottom }: Box): number[] {
  return [left, top, right, top, right, bottom, left, bottom];
}

export function contains({ left, top, right, bottom }: Box, x: number, y: number): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}
