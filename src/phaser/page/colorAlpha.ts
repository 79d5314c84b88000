/** How opaque a computed colour of CSS is, 0–1. */
export function colorAlpha(color: string): number {
  if (color === 'transparent') return 0;
  const match = /rgba?\([^)]*[,/]\s*([\d.]+%?)\s*\)$/.exec(color);
  if (match === null || !/rgba|\//.test(color)) return 1;
  const value = match[1]!;
  return value.endsWith('%') ? parseFloat(value) / 100 : parseFloat(value);
}
