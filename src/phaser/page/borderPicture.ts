import { type Box, outside } from './Box.js';
import { SIDES } from './sides.js';
import { styleLength } from './styleLength.js';

/** What `border-image` fills. */
export function borderPicture(box: Box, style: CSSStyleDeclaration): Box[] {
  const borders = SIDES.map((side) => styleLength(style, `border-${side}-width`));
  // Numbers are multiples of the border's width.
  const lengths = (value: string): [number, number, number, number] => {
    const [top = '1', right = top, bottom = top, left = right] = value.split(' ');
    return [top, right, bottom, left].map((one, i) => {
      const count = parseFloat(one);
      if (one.endsWith('px')) return count;
      return (Number.isNaN(count) || one.endsWith('%') ? 1 : count) * borders[i]!;
    }) as [number, number, number, number];
  };
  const [top, right, bottom, left] = lengths(style.borderImageOutset);
  const outer = { left: box.left - left, top: box.top - top, right: box.right + right, bottom: box.bottom + bottom };
  if (style.borderImageSlice.includes('fill')) return [outer];
  const [fromTop, fromRight, fromBottom, fromLeft] = lengths(style.borderImageWidth);
  return outside(outer, {
    left: outer.left + fromLeft,
    top: outer.top + fromTop,
    right: outer.right - fromRight,
    bottom: outer.bottom - fromBottom,
  });
}
