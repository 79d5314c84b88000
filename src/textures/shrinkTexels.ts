/**
 * The same RGBA texels in fewer cells, each the mean of the texels whose middle lies in it. Colours must be multiplied by
 * alpha. `toWidth` and `toHeight` are whole, from 1 to `width` and `height`.
 *
 * @param singles gets the alpha of one texel of each cell
 */
export function shrinkTexels(
  texels: Uint8ClampedArray,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
  singles?: Uint8Array,
): Uint8ClampedArray {
  if (toWidth === width && toHeight === height) return texels;
  const cells = new Uint8ClampedArray(4 * toWidth * toHeight);
  const sums = new Uint32Array(cells.length);
  const counts = new Uint32Array(toWidth * toHeight);
  const columnOf = Uint32Array.from({ length: width }, (_, x) => ((x + 0.5) * toWidth) / width);
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * toHeight) / height) * toWidth;
    for (let x = 0; x < width; x++, at += 4) {
      const cell = row + columnOf[x]!;
      counts[cell]!++;
      sums[4 * cell]! += texels[at]!;
      sums[4 * cell + 1]! += texels[at + 1]!;
      sums[4 * cell + 2]! += texels[at + 2]!;
      sums[4 * cell + 3]! += texels[at + 3]!;
      if (singles) singles[cell] = texels[at + 3]!;
    }
  }
  for (let i = 0; i < cells.length; i++) cells[i] = sums[i]! / counts[i >> 2]!;
  return cells;
}
