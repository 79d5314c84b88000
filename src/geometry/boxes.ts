/** Boxes on the canvas: minX, minY, maxX, maxY. */

/** The box of what has no known bounds: a shadow or filter may reach anywhere, and text is as large as its font says. */
export const EVERYWHERE = Float64Array.of(-Infinity, -Infinity, Infinity, Infinity);
export const NOWHERE: readonly number[] = [Infinity, Infinity, -Infinity, -Infinity];

/** Widens a box to hold a point and a distance around it. */
export function growBox(box: Float64Array, x: number, y: number, aroundX: number, aroundY: number): void {
  if (x - aroundX < box[0]!) box[0] = x - aroundX;
  if (y - aroundY < box[1]!) box[1] = y - aroundY;
  if (x + aroundX > box[2]!) box[2] = x + aroundX;
  if (y + aroundY > box[3]!) box[3] = y + aroundY;
}

/** Makes a box no larger than another. */
export function cutBox(box: Float64Array, by: ArrayLike<number>): void {
  if (by[0]! > box[0]!) box[0] = by[0]!;
  if (by[1]! > box[1]!) box[1] = by[1]!;
  if (by[2]! < box[2]!) box[2] = by[2]!;
  if (by[3]! < box[3]!) box[3] = by[3]!;
}
