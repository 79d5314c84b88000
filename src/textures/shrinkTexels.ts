/**
 * The same RGBA texels in fewer cells: each is the mean of what lies in it, a texel cut by the edge of a cell counting by
 * the part inside. Colours must be multiplied by alpha. `toWidth` and `toHeight` are whole, from 1 to `width` and `height`.
 */
export function shrinkTexels(
  texels: Uint8ClampedArray,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
): Uint8ClampedArray {
  if (toWidth === width && toHeight === height) return texels;
  const cells = new Uint8ClampedArray(4 * toWidth * toHeight);
  const row = new Float32Array(4 * width);
  const share = (toWidth * toHeight) / (width * height);
  for (let cell = 0; cell < toHeight; cell++) {
    const top = (cell * height) / toHeight;
    const bottom = ((cell + 1) * height) / toHeight;
    row.fill(0);
    for (let y = Math.floor(top); y < bottom && y < height; y++) {
      const part = Math.min(bottom, y + 1) - Math.max(top, y);
      for (let i = 0, at = 4 * y * width; i < row.length; i++, at++) row[i]! += part * texels[at]!;
    }
    shrinkRow(row, width, toWidth, share, cells, 4 * cell * toWidth);
  }
  return cells;
}

function shrinkRow(
  row: Float32Array,
  width: number,
  toWidth: number,
  share: number,
  cells: Uint8ClampedArray,
  start: number,
): void {
  for (let cell = 0, at = start; cell < toWidth; cell++, at += 4) {
    const left = (cell * width) / toWidth;
    const right = ((cell + 1) * width) / toWidth;
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    for (let x = Math.floor(left); x < right && x < width; x++) {
      const part = Math.min(right, x + 1) - Math.max(left, x);
      red += part * row[4 * x]!;
      green += part * row[4 * x + 1]!;
      blue += part * row[4 * x + 2]!;
      alpha += part * row[4 * x + 3]!;
    }
    cells[at] = share * red;
    cells[at + 1] = share * green;
    cells[at + 2] = share * blue;
    cells[at + 3] = share * alpha;
  }
}
