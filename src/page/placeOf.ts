import { type Box, boxAround, cornersOf } from './Box.js';
import { has, lengthOf, splitAt } from './css.js';
import { lineOf, painterOf, parentOf } from './flatTree.js';

/** How a box lies in the window. Its own lengths are CSS pixels from the corner of its border box. */
export interface Place {
  readonly width: number;
  readonly height: number;
  /** Its sides are parallel to those of the window. */
  readonly isUpright: boolean;
  /** It is turned by a quarter, so that what is across in it is down in the window. */
  readonly isSwapped: boolean;
  /** False where it lies in space or along a path: then lengths are those of the box around it, as if that were upright. */
  readonly isKnown: boolean;
  /** Where points of it lie in the window, x and y alternating. */
  pointsToWindow(points: readonly number[]): number[];
  /** The inverse. */
  pointsToOwn(points: readonly number[]): number[];
  /** The box around where a box of it lies. */
  toWindow(box: Box): Box;
  /** The inverse, where it is upright. */
  toOwn(box: Box): Box;
  /** Where a step goes in the window. */
  vectorToWindow(x: number, y: number): [x: number, y: number];
}

/** The part of a mapping without its shift: x' = a·x + c·y, y' = b·x + d·y. */
interface Turn {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

const STRAIGHT: Turn = { a: 1, b: 0, c: 0, d: 1 };
/** A turn by so little moves no edge by a pixel. */
const SKEW = 1e-6;
/** `offsetWidth` and `offsetHeight` are whole pixels. */
const OFF_PX = 2;

export function placeOf(element: Element): Place {
  const rect = element.getBoundingClientRect();
  const { offsetWidth = 0, offsetHeight = 0 } = element as Partial<HTMLElement>;
  const turn = turnOf(element);
  const { a, b, c, d } = turn ?? STRAIGHT;
  const isSwapped = Math.abs(a) < SKEW && Math.abs(d) < SKEW;
  const isUpright = isSwapped || (Math.abs(b) < SKEW && Math.abs(c) < SKEW);
  const middle = [rect.left + rect.width / 2, rect.top + rect.height / 2] as const;
  if (isUpright) {
    const [across, down] = isSwapped ? [rect.height, rect.width] : [rect.width, rect.height];
    const [width, scaleX] = lengthAlong(across, isSwapped ? b : a, turn === null ? 0 : offsetWidth);
    const [height, scaleY] = lengthAlong(down, isSwapped ? c : d, turn === null ? 0 : offsetHeight);
    const exact = isSwapped ? { a: 0, b: scaleX, c: scaleY, d: 0 } : { a: scaleX, b: 0, c: 0, d: scaleY };
    return place(exact, width, height, middle, turn !== null);
  }
  const isWide = Math.abs(Math.abs(a) * offsetWidth + Math.abs(c) * offsetHeight - rect.width) > OFF_PX;
  const isHigh = Math.abs(Math.abs(b) * offsetWidth + Math.abs(d) * offsetHeight - rect.height) > OFF_PX;
  if (isWide || isHigh) return place(STRAIGHT, rect.width, rect.height, middle, false);
  return place({ a, b, c, d }, offsetWidth, offsetHeight, middle, true);
}

/** That of what counts its lengths from the window's corner. */
export const THE_WINDOW: Place = place(STRAIGHT, 0, 0, [0, 0], true);

/** The place of a box in another one that is mapped by a matrix about its own corner first. */
export function within(outer: Place, matrix: DOMMatrix, { left, top, right, bottom }: Box): Place {
  const pointsToWindow = (points: readonly number[]): number[] =>
    outer.pointsToWindow(
      eachPoint(points, (px, py) => {
        const { x, y } = matrix.transformPoint({ x: px, y: py });
        return [x + left, y + top];
      }),
    );
  const toWindow = (box: Box): Box => boxAround(pointsToWindow(cornersOf(box)));
  return { ...outer, width: right - left, height: bottom - top, pointsToWindow, toWindow };
}

function place(
  { a, b, c, d }: Turn,
  width: number,
  height: number,
  [mx, my]: readonly [number, number],
  isKnown: boolean,
): Place {
  const vectorToWindow = (x: number, y: number): [number, number] => [a * x + c * y, b * x + d * y];
  const pointsToWindow = (points: readonly number[]): number[] =>
    eachPoint(points, (px, py) => {
      const [x, y] = vectorToWindow(px - width / 2, py - height / 2);
      return [mx + x, my + y];
    });
  const determinant = a * d - b * c;
  const pointsToOwn = (points: readonly number[]): number[] =>
    eachPoint(points, (x, y) => [
      (d * (x - mx) - c * (y - my)) / determinant + width / 2,
      (a * (y - my) - b * (x - mx)) / determinant + height / 2,
    ]);
  const isSwapped = Math.abs(a) < SKEW && Math.abs(d) < SKEW;
  return {
    width,
    height,
    isKnown,
    isSwapped,
    isUpright: isKnown && (isSwapped || (Math.abs(b) < SKEW && Math.abs(c) < SKEW)),
    vectorToWindow,
    pointsToWindow,
    pointsToOwn,
    toWindow: (box) => boxAround(pointsToWindow(cornersOf(box))),
    toOwn: (box) => boxAround(pointsToOwn(cornersOf(box))),
  };
}

/** A length of which the window's is known, with its scale: what CSS says, unless something else enlarges it, too. */
function lengthAlong(inWindow: number, scale: number, offset: number): [length: number, scale: number] {
  const isElse = offset > 0 && Math.abs(Math.abs(scale) * offset - inWindow) > OFF_PX;
  if (isElse) return [offset, (inWindow / offset) * (Math.sign(scale) || 1)];
  return [Math.abs(scale) > SKEW ? inWindow / Math.abs(scale) : offset, scale];
}

function eachPoint(points: readonly number[], map: (x: number, y: number) => [number, number]): number[] {
  const result: number[] = [];
  for (let i = 0; i + 1 < points.length; i += 2) result.push(...map(points[i]!, points[i + 1]!));
  return result;
}

/** Through all that an element is painted in; null where that lies in space. */
function turnOf(element: Element): Turn | null {
  const zoom = (element as { currentCSSZoom?: number }).currentCSSZoom ?? zoomOf(element);
  let turn = new DOMMatrix([zoom, 0, 0, zoom, 0, 0]);
  for (let e: Element | null = element; e !== null; e = painterOf(e)) {
    const style = getComputedStyle(e);
    if (!isTransformed(style)) continue;
    const own = transformOf(style, 0, 0);
    if (own === null) return null;
    turn = own.multiply(turn);
  }
  return turn;
}

/** The zoom of a browser that does not tell it, such as Safari: that of all an element is in. */
function zoomOf(element: Element): number {
  let zoom = 1;
  for (const e of lineOf(element, parentOf)) zoom *= Number(getComputedStyle(e).getPropertyValue('zoom')) || 1;
  return zoom;
}

const TRANSFORMS = ['transform', 'rotate', 'scale', 'translate', 'offset-path'];

export function isTransformed(style: CSSStyleDeclaration): boolean {
  return TRANSFORMS.some((name) => has(style, name));
}

/** What the transforms of a style do to a box of a size, about its upper left corner; null out of the plane or along a path. */
export function transformOf(style: CSSStyleDeclaration, width: number, height: number): DOMMatrix | null {
  const { transform, translate, rotate, scale, transformOrigin } = style;
  // Of rotations about another axis than that out of the screen the computed value is more than an angle.
  const isFlat = !has(style, 'rotate') || /^-?[\d.e+-]+deg$/.test(rotate);
  if (!isFlat || has(style, 'offset-path')) return null;
  const [x = 0, y = 0] = splitAt(transformOrigin, ' ').map(parseFloat);
  const matrix = new DOMMatrix([1, 0, 0, 1, x, y]);
  if (has(style, 'translate')) {
    const [across, down = '0'] = splitAt(translate, ' ');
    matrix.translateSelf(lengthOf(across, width), lengthOf(down, height));
  }
  if (has(style, 'rotate')) matrix.rotateSelf(parseFloat(rotate));
  if (has(style, 'scale')) {
    const [across = 1, down = across] = scale.split(' ').map(Number);
    matrix.scaleSelf(across, down);
  }
  if (transform !== 'none') matrix.multiplySelf(new DOMMatrix(transform));
  matrix.translateSelf(-x, -y);
  return matrix.is2D ? matrix : null;
}
