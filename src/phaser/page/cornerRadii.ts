/** How far each corner of a box is rounded, across and down: upper left, upper right, lower right, lower left. */
export type Radii = readonly [Radius, Radius, Radius, Radius];
export type Radius = readonly [across: number, down: number];

export const CORNERS = [
  ['border-top-left-radius', 'left', 'top'],
  ['border-top-right-radius', 'right', 'top'],
  ['border-bottom-right-radius', 'right', 'bottom'],
  ['border-bottom-left-radius', 'left', 'bottom'],
] as const;

/** Of a border box of this size; null where no corner is rounded. */
export function cornerRadii(style: CSSStyleDeclaration, width: number, height: number): Radii | null {
  const values = CORNERS.map(([name]) => style.getPropertyValue(name));
  if (values.every((value) => value === '' || value.startsWith('0px'))) return null;
  return fitted(
    values.map((value) => {
      const [across = '0', down = across] = value.split(' ');
      return [px(across, width), px(down, height)] as const;
    }) as unknown as Radii,
    width,
    height,
  );
}

/** Radii that are too large together all shrink by the same share. */
export function fitted(radii: Radii, width: number, height: number): Radii {
  const [a, b, c, d] = radii;
  const fit = Math.min(1, width / (a[0] + b[0]), width / (c[0] + d[0]), height / (a[1] + d[1]), height / (b[1] + c[1]));
  return fit < 1 ? (radii.map(([across, down]) => [across * fit, down * fit]) as unknown as Radii) : radii;
}

function px(length: string, whole: number): number {
  return parseFloat(length) * (length.endsWith('%') ? whole / 100 : 1) || 0;
}
