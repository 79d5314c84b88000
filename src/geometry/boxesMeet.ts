/** True when box i of `boxes` and box j of `others` share more than an edge. Four numbers each: minX, minY, maxX, maxY. */
export function boxesMeet(boxes: Float64Array, i: number, others: Float64Array, j: number): boolean {
  return (
    boxes[4 * i]! < others[4 * j + 2]! &&
    boxes[4 * i + 2]! > others[4 * j]! &&
    boxes[4 * i + 1]! < others[4 * j + 3]! &&
    boxes[4 * i + 3]! > others[4 * j + 1]!
  );
}
