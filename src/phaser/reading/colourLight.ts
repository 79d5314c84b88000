/** Mean of the three channels of a colour (0xRRGGBB), 0–1. */
export function lightOf(color: number): number {
  return (((color >> 16) & 255) + ((color >> 8) & 255) + (color & 255)) / 765;
}

/** How far three channels, 0–255, are from half light in the mean, 0–1. */
export function contrastOf(red: number, green: number, blue: number): number {
  return (Math.abs(2 * red - 255) + Math.abs(2 * green - 255) + Math.abs(2 * blue - 255)) / 765;
}

/** The mean of four colours from `at` on. */
export function meanColor(colors: ArrayLike<number>, at: number): number {
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let k = at; k < at + 4; k++) {
    const color = colors[k]!;
    red += (color >> 16) & 255;
    green += (color >> 8) & 255;
    blue += color & 255;
  }
  return (Math.round(red / 4) << 16) | (Math.round(green / 4) << 8) | Math.round(blue / 4);
}

/** Whether four colours from `at` on are one. */
export function isOneColor(colors: ArrayLike<number>, at: number): boolean {
  const color = colors[at];
  return color === colors[at + 1] && color === colors[at + 2] && color === colors[at + 3];
}
