import { type Box, boxAround, overlap } from './Box.js';
import { colorAlpha } from './colorAlpha.js';
import { opacityChain } from './flatTree.js';
import type { Paint } from './Paint.js';

/** Drawings of more parts count as a whole. */
const MOST_PARTS = 32;

/** Parts of a drawing that paint, and what holds parts that do not. */
const PARTS = 'rect, circle, ellipse, line, polyline, polygon, path, text, image, use';
const UNPAINTED = 'defs, clipPath, mask, symbol, pattern, marker';

/** What the parts of an `<svg>` paint: the box around each. */
export function drawingPaints(drawing: Element, style: CSSStyleDeclaration, box: Box): Paint[] {
  const parts = drawing.querySelectorAll(PARTS);
  const paints: Paint[] = [];
  for (const part of parts) {
    if (part.closest(UNPAINTED) !== null) continue;
    const own = getComputedStyle(part);
    if (own.visibility !== 'visible') continue;
    const opacity = /^(?:image|use)$/.test(part.tagName) ? 1 : Math.max(inkOf(own, 'fill'), inkOf(own, 'stroke'));
    const rect = strokedBox(part, own);
    const seen = style.overflowX === 'visible' ? rect : overlap(box, rect);
    if (opacity > 0 && seen !== null && seen.right > seen.left && seen.bottom > seen.top)
      paints.push({ box: seen, opacity: opacity * opacityChain(part, drawing), isCertain: true, hitBox: box });
  }
  if (paints.length <= MOST_PARTS) return paints;
  const around = boxAround(paints.flatMap(({ box: { left, top, right, bottom } }) => [left, top, right, bottom]));
  return [{ box: around, opacity: Math.max(...paints.map(({ opacity }) => opacity)), isCertain: true, hitBox: box }];
}

/** The box around a part of a drawing, with the half of its stroke that lies outside of its line. */
function strokedBox(part: Element, own: CSSStyleDeclaration): Box {
  const rect = part.getBoundingClientRect();
  const matrix = (part as Partial<SVGGraphicsElement>).getScreenCTM?.();
  if (!matrix || inkOf(own, 'stroke') === 0) return rect;
  const half = parseFloat(own.strokeWidth) / 2;
  const across = half * (own.vectorEffect === 'non-scaling-stroke' ? 1 : Math.hypot(matrix.a, matrix.c));
  const down = half * (own.vectorEffect === 'non-scaling-stroke' ? 1 : Math.hypot(matrix.b, matrix.d));
  const { left, top, right, bottom } = rect;
  // A straight line ends with its last point.
  const isFlat = part.tagName === 'line' && own.strokeLinecap === 'butt';
  const wide = isFlat && bottom - top < 1e-3 ? 0 : across;
  const high = isFlat && right - left < 1e-3 ? 0 : down;
  return { left: left - wide, top: top - high, right: right + wide, bottom: bottom + high };
}

function inkOf(style: CSSStyleDeclaration, kind: 'fill' | 'stroke'): number {
  const color = style[kind];
  if (color === 'none' || (kind === 'stroke' && parseFloat(style.strokeWidth) === 0)) return 0;
  return colorAlpha(color) * Number(style[`${kind}Opacity`]);
}
