/** Mean of the three channels of a colour (0xRRGGBB), 0–1. */
export function lightOf(color: number): number {
  return (((color >> 16) & 255) + ((color >> 8) & 255) + (color & 255)) / 765;
}

/** How far three channels, 0–255, are from half light in the mean, 0–1. */
export function contrastOf(red: number, green: number, blue: number): number {
  return (Math.abs(2 * red - 255) + Math.abs(2 * green - 255) + Math.abs(2 * blue - 255)) / 765;
}
