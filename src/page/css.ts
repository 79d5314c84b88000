import type { Sides } from './Box.js';

/** How opaque a computed colour of CSS is, 0–1. */
export function colorAlpha(color: string): number {
  if (color === 'transparent') return 0;
  // The newer notations with `/`, and the older one of four numbers.
  const value = /(?:\/|^rgba\([^)]*,)\s*([\d.e-]+%?)\s*\)$/.exec(color)?.[1];
  if (value === undefined) return 1;
  return parseFloat(value) / (value.endsWith('%') ? 100 : 1);
}

/** A length in pixels or a share of a whole; NaN for anything else. */
export function lengthOf(text: string | undefined, whole: number): number {
  const sum = /^calc\((-?[\d.e-]+)% ([+-]) ([\d.e-]+)px\)$/.exec(text ?? '');
  if (sum !== null) return (Number(sum[1]) / 100) * whole + (sum[2] === '-' ? -1 : 1) * Number(sum[3]);
  const [, count, unit = ''] = /^(-?[\d.]+(?:e-?\d+)?)(px|%)?$/.exec(text ?? '') ?? [];
  if (count === undefined || (unit === '' && Number(count) !== 0)) return NaN;
  return unit === '%' ? (Number(count) / 100) * whole : Number(count);
}

/** A computed length of some property, in pixels; 0 where it has none. */
export function px(style: CSSStyleDeclaration, name: string): number {
  return parseFloat(style.getPropertyValue(name)) || 0;
}

const NO_SIDES: Sides = [0, 0, 0, 0];

/** A length of each of the four sides of a box: `border-*-width`, `padding-*`. */
export function sidesOf(style: CSSStyleDeclaration, name: string): Sides {
  if (style.getPropertyValue(name.replace('-*', '')) === '0px') return NO_SIDES;
  const side = (one: string): number => px(style, name.replace('*', one));
  return [side('top'), side('right'), side('bottom'), side('left')];
}

/** True for a value that is not the property's `none`; also false where the browser does not know the property. */
export function has(style: CSSStyleDeclaration, name: string): boolean {
  return (style.getPropertyValue(name) || 'none') !== 'none';
}

/** Whether a value of `position` lets an element leave the boxes around it. */
export function isOutOfFlow(position: string): boolean {
  return position === 'absolute' || position === 'fixed';
}

/** Cuts text at a separator that lies outside of parentheses and quotes. */
export function splitAt(text: string, separator: ',' | ' '): string[] {
  const pieces: string[] = [];
  let piece = '';
  let depth = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (sign === separator && depth === 0 && !isQuoted) {
      pieces.push(piece);
      piece = '';
      continue;
    }
    piece += sign;
    if (sign === '\\') piece += text[++i] ?? '';
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted) depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
  }
  return [...pieces, piece].map((one) => one.trim()).filter((one) => one !== '');
}

/** All lengths in a computed value together, in pixels, whatever their sign. */
export function lengthsIn(text: string): number {
  return (text.match(/[\d.e+]+px/g) ?? []).reduce((sum, length) => sum + parseFloat(length), 0);
}

/** The shadows of a computed `box-shadow` or `text-shadow`. */
export function shadowsIn(value: string) {
  if (value === 'none') return [];
  return splitAt(value, ',').map((one) => {
    const color = /[a-z]+\([^)]*\)/.exec(one)?.[0] ?? '';
    const [x = 0, y = 0, blur = 0, spread = 0] = (one.replace(color, '').match(/-?[\d.e-]+px/g) ?? []).map(parseFloat);
    return { alpha: colorAlpha(color), x, y, blur, spread, isInset: one.includes('inset') };
  });
}
