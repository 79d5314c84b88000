import { type Box, eachPoint } from './Box.js';
import { painterOf, parentOf } from './flatTree.js';

/** How an element lies in the window. */
export interface Place {
  /** Of what it is mapped by, the part without the shift: x' = a·x + c·y, y' = b·x + d·y. Null where it lies in space. */
  readonly turn: Turn | null;
  /** Its sides are parallel to those of the window. */
  readonly isUpright: boolean;
  /** It is turned by a quarter, so that what is across in it is down in the window. */
  readonly isSwapped: boolean;
  /** Where a box lies in the window that is given in the element's own CSS pixels, from the corner of its border box. */
  toWindow(own: Box): Box;
  /** The inverse. */
  toOwn(box: Box): Box;
  /**
   * The corners of such a box in the window, x and y alternating, where it is turned or skewed there; else null, and also
   * where nobody can tell: in space, and of what the page enlarges by other means.
   */
  cornersOf(own: Box): number[] | null;
  /** Where points given in the element's own CSS pixels lie in the window; null where nobody can tell. */
  shapeToWindow(own: readonly number[]): number[] | null;
  /** Where a step in the element's own CSS pixels goes in the window; guessed in space. */
  vectorToWindow(x: number, y: number): readonly [number, number];
}

export interface Turn {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** That of what counts its lengths from the window's corner. */
export const THE_WINDOW: Place = {
  turn: { a: 1, b: 0, c: 0, d: 1 },
  isUpright: true,
  isSwapped: false,
  toWindow: (box) => box,
  toOwn: (box) => box,
  cornersOf: () => null,
  shapeToWindow: (points) => [...points],
  vectorToWindow: (x, y) => [x, y],
};

/** Less than this is rounding. */
const SKEW = 1e-6;

/** Lengths of elements are given in whole pixels. */
const OFF_PX = 2;

export function placeOf(element: Element): Place {
  const rect = element.getBoundingClientRect();
  const { offsetWidth = 0, offsetHeight = 0 } = element as Partial<HTMLElement>;
  const turn = turnOf(element);
  const isSwapped = turn !== null && Math.abs(turn.a) < SKEW && Math.abs(turn.d) < SKEW;
  const isUpright = isSwapped || (turn !== null && Math.abs(turn.b) < SKEW && Math.abs(turn.c) < SKEW);
  const across = isSwapped ? rect.height : rect.width;
  const down = isSwapped ? rect.width : rect.height;
  // Own pixels are window pixels of what has no layout box of its own, such as a drawing's parts.
  const width = offsetWidth > 0 ? offsetWidth : across;
  const height = offsetHeight > 0 ? offsetHeight : down;
  const turnX = isUpright ? (isSwapped ? turn.b : turn.a) : 1;
  const turnY = isUpright ? (isSwapped ? turn.c : turn.d) : 1;
  // What is positioned in a box without size is enlarged with it all the same.
  const scaleX = width > 0 ? (across / width) * (Math.sign(turnX) || 1) : turnX || 1;
  const scaleY = height > 0 ? (down / height) * (Math.sign(turnY) || 1) : turnY || 1;
  const fromX = scaleX < 0 ? width : 0;
  const fromY = scaleY < 0 ? height : 0;
  const x0 = isSwapped ? rect.top : rect.left;
  const y0 = isSwapped ? rect.left : rect.top;
  const toWindow = ({ left, top, right, bottom }: Box): Box =>
    boxOf(
      x0 + (left - fromX) * scaleX,
      y0 + (top - fromY) * scaleY,
      x0 + (right - fromX) * scaleX,
      y0 + (bottom - fromY) * scaleY,
      isSwapped,
    );
  const shapeToWindow = (own: readonly number[]): number[] | null => {
    if (isUpright) {
      return eachPoint(own, (x, y) => {
        const { left, top } = toWindow({ left: x, top: y, right: x, bottom: y });
        return [left, top];
      });
    }
    if (turn === null) return null;
    const { a, b, c, d } = turn;
    const isWide = Math.abs(Math.abs(a) * width + Math.abs(c) * height - rect.width) > OFF_PX;
    const isHigh = Math.abs(Math.abs(b) * width + Math.abs(d) * height - rect.height) > OFF_PX;
    if (isWide || isHigh) return null;
    // The middle of a box is that of the one around it, however it is turned.
    const middleX = rect.left + rect.width / 2;
    const middleY = rect.top + rect.height / 2;
    return eachPoint(own, (px, py) => {
      const x = px - width / 2;
      const y = py - height / 2;
      return [middleX + a * x + c * y, middleY + b * x + d * y];
    });
  };
  return {
    turn,
    isUpright,
    vectorToWindow: (x, y) => {
      if (isUpright) return isSwapped ? [y * scaleY, x * scaleX] : [x * scaleX, y * scaleY];
      return turn === null ? [x, y] : [turn.a * x + turn.c * y, turn.b * x + turn.d * y];
    },
    isSwapped,
    toWindow,
    toOwn: (box) => {
      const { left, top, right, bottom } = isSwapped ? swapped(box) : box;
      return boxOf(
        (left - x0) / scaleX + fromX,
        (top - y0) / scaleY + fromY,
        (right - x0) / scaleX + fromX,
        (bottom - y0) / scaleY + fromY,
        false,
      );
    },
    cornersOf: ({ left, top, right, bottom }) =>
      isUpright ? null : shapeToWindow([left, top, right, top, right, bottom, left, bottom]),
    shapeToWindow,
  };
}

function boxOf(x0: number, y0: number, x1: number, y1: number, isSwapped: boolean): Box {
  const box = { left: Math.min(x0, x1), top: Math.min(y0, y1), right: Math.max(x0, x1), bottom: Math.max(y0, y1) };
  return isSwapped ? swapped(box) : box;
}

function swapped({ left, top, right, bottom }: Box): Box {
  return { left: top, top: left, right: bottom, bottom: right };
}

/** The zoom of a browser that does not tell it, such as Safari: that of all an element is in. */
function zoomOf(element: Element): number {
  let zoom = 1;
  for (let e: Element | null = element; e !== null; e = parentOf(e))
    zoom *= Number(getComputedStyle(e).getPropertyValue('zoom')) || 1;
  return zoom;
}

/** Through all that an element is painted in. */
function turnOf(element: Element): Turn | null {
  const { currentCSSZoom: zoom = zoomOf(element) } = element as { currentCSSZoom?: number };
  let a = zoom;
  let b = 0;
  let c = 0;
  let d = zoom;
  for (let e: Element | null = element; e !== null; e = painterOf(e)) {
    const { transform, rotate, scale, offsetPath, offsetRotate } = getComputedStyle(e);
    // It is turned as its path is.
    if ((offsetPath || 'none') !== 'none' && offsetRotate !== '0deg') return null;
    const hasRotate = (rotate || 'none') !== 'none';
    const hasScale = (scale || 'none') !== 'none';
    if (transform === 'none' && !hasRotate && !hasScale) continue;
    // Only of rotations about the axis out of the screen is the computed value an angle alone.
    if (hasRotate && !/^-?[\d.e+-]+deg$/.test(rotate)) return null;
    const own = new DOMMatrix(transform === 'none' ? '' : transform);
    if (!own.is2D) return null;
    const [sx = 1, sy = sx] = hasScale ? scale.split(' ').map(Number) : [];
    const angle = hasRotate ? (parseFloat(rotate) * Math.PI) / 180 : 0;
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    const ea = cos * sx * own.a - sin * sy * own.b;
    const eb = sin * sx * own.a + cos * sy * own.b;
    const ec = cos * sx * own.c - sin * sy * own.d;
    const ed = sin * sx * own.c + cos * sy * own.d;
    [a, b, c, d] = [ea * a + ec * b, eb * a + ed * b, ea * c + ec * d, eb * c + ed * d];
  }
  return { a, b, c, d };
}
