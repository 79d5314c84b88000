import { colorAlpha } from './colorAlpha.js';

interface Shadow {
  readonly color: number;
  readonly x: number;
  readonly y: number;
  /** How far it goes beyond the box: where it has half of its strength, when it is blurred. */
  readonly reach: number;
  readonly isInset: boolean;
}

/** Of the computed `box-shadow`: colour, x, y, blur, spread, `inset`. */
export function shadowsOf(value: string): Shadow[] {
  if (value === 'none' || value === '') return [];
  return value.split(/,(?![^(]*\))/).map((one) => {
    const color = /[a-z]+\([^)]*\)/.exec(one)?.[0] ?? '';
    const [x = 0, y = 0, , spread = 0] =
      one
        .replace(color, '')
        .match(/-?[\d.]+px/g)
        ?.map(parseFloat) ?? [];
    return { color: colorAlpha(color), x, y, reach: spread, isInset: one.includes('inset') };
  });
}
