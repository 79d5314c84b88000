/** How opaque a computed colour of CSS is, 0–1. */
export function colorAlpha(color: string): number {
  if (color === 'transparent') return 0;
  // The newer notations, and the older one of four numbers.
  const match = /(?:\/|^rgba\([^)]*,)\s*([\d.e-]+%?)\s*\)$/.exec(color);
  if (match === null) return 1;
  const value = match[1]!;
  return value.endsWith('%') ? parseFloat(value) / 100 : parseFloat(value);
}
