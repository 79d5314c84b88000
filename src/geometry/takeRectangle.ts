/** Writes the corners of a rectangle, in order around, to `out`. */
export function takeRectangle(minX: number, minY: number, maxX: number, maxY: number, out: Float64Array): void {
  out[0] = out[6] = minX;
  out[1] = out[3] = minY;
  out[2] = out[4] = maxX;
  out[5] = out[7] = maxY;
}
