import { boxAround, eachPoint } from './Box.js';
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
  if (outlines === null || !isWhereShown(part as SVGGraphicsElement, matrix)) return null;
  const inWindow = outlines.map(({ points, isClosed }) => ({
    points: eachPoint(points, (x, y) => mapped(matrix, x, y)),
    isClosed,
  }));
  const rings = inWindow.map(({ points }) => points);
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

/** What is mapped in this way lies where the browser says that the part lies. */
function isWhereShown(part: SVGGraphicsElement, matrix: DOMMatrix): boolean {
  const { x, y, width, height } = part.getBBox();
  const corners = [x, y, x + width, y, x + width, y + height, x, y + height];
  const { left, top, right, bottom } = boxAround(eachPoint(corners, (px, py) => mapped(matrix, px, py)));
  const shown = part.getBoundingClientRect();
  const offs = [left - shown.left, top - shown.top, right - shown.right, bottom - shown.bottom];
  return offs.every((off) => Math.abs(off) <= OFF_PX);
}

/** A point of a drawing in the window. */
export function mapped({ a, b, c, d, e, f }: DOMMatrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
