import { type Box, boxAround, eachPoint, overlap } from './Box.js';
import { colorAlpha } from './colorAlpha.js';
import { drawnShapes, fillBox, mapped } from './drawnShapes.js';
import { isMixed, opacityChain } from './flatTree.js';
import type { Paint } from './Paint.js';

/** Drawings that leave more shapes than this count as a whole. */
const MOST_PAINTS = 512;

/** Parts of a drawing that paint, and what holds parts that do not. */
const PARTS = 'rect, circle, ellipse, line, polyline, polygon, path, text, image, use';
const UNPAINTED = 'defs, clipPath, mask, symbol, pattern, marker';

/** What the parts of an `<svg>` paint: the shapes they fill and the lines they draw, or else the box around each. */
export function drawingPaints(drawing: Element, style: CSSStyleDeclaration, box: Box): Paint[] {
  const paints: Paint[] = [];
  for (const part of drawing.querySelectorAll(PARTS)) {
    if (part.closest(UNPAINTED) !== null) continue;
    const own = getComputedStyle(part);
    if (own.visibility !== 'visible' || !part.checkVisibility()) continue;
    const isOther = /^(?:image|use)$/.test(part.tagName);
    const fill = isOther ? 1 : inkOf(own, 'fill');
    const stroke = isOther ? 0 : inkOf(own, 'stroke');
    const opacity = Math.max(fill, stroke) > 0 ? opacityChain(part, drawing) : 0;
    if (opacity === 0) continue;
    const within = viewportOf(part, drawing, style.overflowX === 'visible' ? null : box);
    const isCertain = !isMixed(part, drawing);
    const add = (where: Box, ink: number, corners?: readonly number[]): void => {
      const seen = within === null ? where : overlap(within, where);
      if (seen === null || seen.right <= seen.left || seen.bottom <= seen.top) return;
      paints.push({ box: seen, opacity: ink * opacity, isCertain, hitBox: box, ...(corners && { corners }) });
    };
    const addShape = (shape: readonly number[], ink: number): void => {
      const points = withoutDoubles(shape);
      if (points.length >= 6) add(boxAround(points), ink, isRectangle(points) ? undefined : points);
    };
    const shapes = isCertain ? drawnShapes(part, own, fill > 0, stroke > 0) : null;
    if (shapes === null) add(strokedBox(part, own), Math.max(fill, stroke));
    else {
      for (const piece of shapes.filled) addShape(piece, fill);
      for (const piece of shapes.stroked) addShape(piece, stroke);
    }
  }
  if (paints.length <= MOST_PAINTS) return paints;
  const around = boxAround(paints.flatMap(({ box: { left, top, right, bottom } }) => [left, top, right, bottom]));
  return [{ box: around, opacity: Math.max(...paints.map(({ opacity }) => opacity)), isCertain: true, hitBox: box }];
}

/** What drawings within the drawing leave of a part, and a box that does so too; null where nothing is cut off. */
function viewportOf(part: Element, drawing: Element, outer: Box | null): Box | null {
  let within = outer;
  for (let e = part.parentElement; e !== null && e !== drawing; e = e.parentElement) {
    if (e.tagName !== 'svg' || getComputedStyle(e).overflowX === 'visible') continue;
    const { x, y, width, height } = e as unknown as SVGSVGElement;
    const matrix = (e.parentElement as Partial<SVGGraphicsElement> | null)?.getScreenCTM?.();
    if (!matrix) continue;
    const [left, top, wide, high] = [x, y, width, height].map(({ baseVal }) => baseVal.value) as [number, number, number, number]; // prettier-ignore
    const corners = [left, top, left + wide, top, left + wide, top + high, left, top + high];
    const own = boxAround(eachPoint(corners, (px, py) => mapped(matrix, px, py)));
    within = within === null ? own : (overlap(within, own) ?? NOTHING);
  }
  return within;
}

const NOTHING: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** Nobody knows on which side of a line without length anything lies. */
function withoutDoubles(points: readonly number[]): number[] {
  const kept: number[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const next = (i + 2) % points.length;
    if (Math.hypot(points[i]! - points[next]!, points[i + 1]! - points[next + 1]!) > SAME_PX)
      kept.push(points[i]!, points[i + 1]!);
  }
  return kept;
}

const SAME_PX = 1e-4;

/** It is the box around it. */
function isRectangle(points: readonly number[]): boolean {
  if (points.length !== 8) return false;
  const { left, top, right, bottom } = boxAround(points);
  for (let i = 0; i < 8; i += 2) {
    const [x, y] = [points[i]!, points[i + 1]!];
    if (Math.min(x - left, right - x) > 1e-3 || Math.min(y - top, bottom - y) > 1e-3) return false;
    // Of two points beside each other, one coordinate is the same.
    const [nextX, nextY] = [points[(i + 2) % 8]!, points[(i + 3) % 8]!];
    if (Math.abs(x - nextX) > 1e-3 && Math.abs(y - nextY) > 1e-3) return false;
  }
  return true;
}

/** The box around a part of a drawing, with the half of its stroke that lies outside of its line. */
function strokedBox(part: Element, own: CSSStyleDeclaration): Box {
  const rect = part.getBoundingClientRect();
  const matrix = (part as Partial<SVGGraphicsElement>).getScreenCTM?.();
  if (!matrix || inkOf(own, 'stroke') === 0) return rect;
  const half = parseFloat(own.strokeWidth) / 2;
  const across = half * (own.vectorEffect === 'non-scaling-stroke' ? 1 : Math.hypot(matrix.a, matrix.c));
  const down = half * (own.vectorEffect === 'non-scaling-stroke' ? 1 : Math.hypot(matrix.b, matrix.d));
  const { left, top, right, bottom } = fillBox(part, own, matrix) ?? rect;
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
