import { type Box, boxAround, eachPoint } from './Box.js';
import { drawnOutlines } from './drawnOutlines.js';
import { filledPieces } from './filledPieces.js';
import { strokedPieces } from './strokedPieces.js';

/** Of parts that leave more shapes than this nobody looks at each. */
const MOST_PIECES = 192;

/** Farther apart are the box a browser gives for a part and the one computed only where it lies in another way than known. */
const OFF_PX = 2;

/** What a part of a drawing paints, as convex shapes in the window. */
export interface DrawnShapes {
  readonly filled: readonly (readonly number[])[];
  readonly stroked: readonly (readonly number[])[];
}

/** The shapes that a part of a drawing fills and those of its lines; null where nobody can tell, or they are too many. */
export function drawnShapes(
  part: Element,
  own: CSSStyleDeclaration,
  isFilled: boolean,
  isStroked: boolean,
): DrawnShapes | null {
  const matrix = (part as Partial<SVGGraphicsElement>).getScreenCTM?.();
  if (!matrix) return null;
  const scale = Math.max(Math.hypot(matrix.a, matrix.b), Math.hypot(matrix.c, matrix.d));
  const outlines = scale > 0 ? drawnOutlines(part, own, scale) : null;
  if (outlines === null) return null;
  const inWindow = outlines.map(({ points, isClosed }) => ({
    points: eachPoint(points, (x, y) => mapped(matrix, x, y)),
    isClosed,
  }));
  const rings = inWindow.map(({ points }) => points);
  if (fillBox(part, own, matrix) === null && !isWhereShown(boxAround(rings.flat()), part, own, matrix)) return null;
  const filled = isFilled && part.tagName !== 'line' ? filledPieces(rings, own.fillRule === 'evenodd') : [];
  const isScaled = own.vectorEffect !== 'non-scaling-stroke';
  const lengths = own.strokeDasharray === 'none' ? [] : own.strokeDasharray.split(/[\s,]+/).map(parseFloat);
  const isUnknown = own.strokeDasharray.includes('%') || (lengths.length > 0 && part.hasAttribute('pathLength'));
  const stroke = {
    width: parseFloat(own.strokeWidth),
    dashes: lengths,
    dashOffset: parseFloat(own.strokeDashoffset) || 0,
    cap: own.strokeLinecap,
    join: own.strokeLinejoin,
    miterLimit: Number(own.strokeMiterlimit),
  };
  const drawn = !isStroked ? [] : isUnknown ? null : strokedPieces(isScaled ? outlines : inWindow, stroke);
  if (filled === null || drawn === null || filled.length + drawn.length > MOST_PIECES) return null;
  return {
    filled,
    stroked: isScaled ? drawn.map((points) => eachPoint(points, (x, y) => mapped(matrix, x, y))) : drawn,
  };
}

/** The box around what a part of a drawing fills, or would; null where it lies in another way than known. */
export function fillBox(part: Element, own: CSSStyleDeclaration, matrix: DOMMatrix): Box | null {
  const { x, y, width, height } = (part as SVGGraphicsElement).getBBox();
  const corners = [x, y, x + width, y, x + width, y + height, x, y + height];
  const box = boxAround(eachPoint(corners, (px, py) => mapped(matrix, px, py)));
  return isWhereShown(box, part, own, matrix) ? box : null;
}

/**
 * What was mapped into a box lies where the browser says that the part lies. Of a part with lines Chromium gives the box around
 * what it fills, Firefox one that is larger on all sides: by the lines, or by the most that these may reach.
 */
function isWhereShown(box: Box, part: Element, own: CSSStyleDeclaration, { a, b, c, d }: DOMMatrix): boolean {
  const shown = part.getBoundingClientRect();
  const isScaled = own.vectorEffect !== 'non-scaling-stroke';
  const reach =
    own.stroke === 'none' ? 0 : (parseFloat(own.strokeWidth) / 2) * Math.max(2, Number(own.strokeMiterlimit));
  const across = reach * (isScaled ? Math.hypot(a, c) : 1);
  const down = reach * (isScaled ? Math.hypot(b, d) : 1);
  return (
    isAround(shown.left, shown.right, box.left, box.right, across) &&
    isAround(shown.top, shown.bottom, box.top, box.bottom, down)
  );
}

/** One stretch has the same middle as another, and is as long or longer, by no more than a reach at each end. */
function isAround(from: number, to: number, innerFrom: number, innerTo: number, reach: number): boolean {
  const before = innerFrom - from;
  const behind = to - innerTo;
  return Math.abs(before - behind) <= 2 * OFF_PX && Math.min(before, behind) >= -OFF_PX && before <= reach + OFF_PX;
}

/** A point of a drawing in the window. */
export function mapped({ a, b, c, d, e, f }: DOMMatrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
