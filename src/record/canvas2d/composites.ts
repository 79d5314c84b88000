/** Names of all composite operations a 2D context knows; it ignores any other. */
// prettier-ignore
const COMPOSITES = new Set([
  'source-over', 'source-in', 'source-out', 'source-atop', 'destination-over', 'destination-in', 'destination-out',
  'destination-atop', 'lighter', 'copy', 'xor', 'multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge',
  'color-burn', 'hard-light', 'soft-light', 'difference', 'exclusion', 'hue', 'saturation', 'color', 'luminosity',
]);

/** Operations that change what lies beside the picture, too. */
export const CLEARING: ReadonlySet<string> = new Set([
  'source-in',
  'source-out',
  'destination-in',
  'destination-atop',
  'copy',
]);

export function isComposite(name: unknown): name is string {
  return COMPOSITES.has(name as string);
}
