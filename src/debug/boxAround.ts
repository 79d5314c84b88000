/** Around polygons. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The box around polygons of x and y alternating, infinitely small when there are none. */
export function boxAround(polygons: readonly ArrayLike<number>[], scaleX = 1, scaleY = 1): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const polygon of polygons) {
    for (let i = 0; i < polygon.length; i += 2) {
      const x = polygon[i]! * scaleX;
      const y = polygon[i + 1]! * scaleY;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  }
  return box;
}
