/** True when box i of some meets box j of others by more than an edge: four numbers each, minX, minY, maxX, maxY. */
export function boxesMeet(boxes: Float64Array, i: number, others: Float64Array, j: number): boolean {
  return (
    boxes[4 * i]! < others[4 * j + 2]! &&
    boxes[4 * i + 2]! > others[4 * j]! &&
    boxes[4 * i + 1]! < others[4 * j + 3]! &&
    boxes[4 * i + 3]! > others[4 * j + 1]!
  );
}
