import { type Box, boxAround, cornersOf, grown } from './Box.js';
import { has, lengthOf, splitAt } from './css.js';
import { lineOf, painterOf, parentOf } from './flatTree.js';

/** A rotation smaller than this moves no edge by a pixel. */
const SKEW = 1e-6;
/** Tolerance, since `offsetWidth` and `offsetHeight` are whole pixels. */
const OFF_PX = 2;

/** How a box lies in the window. Its own lengths are CSS pixels from the corner of its border box. */
export class Place {
  /**
   * @param matrix Maps its own points to those of the window.
   * @param isKnown False where it is broken, or transformed in 3D or along a path: then lengths are those of the box around
   * it, as if that were upright.
   */
  constructor(
    readonly width: number,
    readonly height: number,
    private readonly matrix = new DOMMatrix(),
    readonly isKnown = true,
  ) {}

  /** It is rotated by 90°, so that its width runs down in the window. */
  get isSwapped(): boolean {
    return Math.abs(this.matrix.a) < SKEW && Math.abs(this.matrix.d) < SKEW;
  }

  /** Its sides are parallel to those of the window. */
  get isUpright(): boolean {
    const { b, c } = this.matrix;
    return this.isKnown && (this.isSwapped || (Math.abs(b) < SKEW && Math.abs(c) < SKEW));
  }

  /** The larger of its scale factors across and down. */
  get scale(): number {
    const { a, b, c, d } = this.matrix;
    return Math.max(Math.hypot(a, b), Math.hypot(c, d));
  }

  /** All of it, in its own lengths. */
  get box(): Box {
    return { left: 0, top: 0, right: this.width, bottom: this.height };
  }

  /** The same where what is in it may lie anywhere in it. */
  get asUnknown(): Place {
    return new Place(this.width, this.height, this.matrix, false);
  }

  /**
   * Where points of it lie in the window, x and y alternating; if that is unknown, the corners of a box around where they
   * may.
   */
  pointsToWindow(points: readonly number[]): number[] {
    return mapped(this.matrix, this.isKnown ? points : cornersOf(this.#around(boxAround(points))));
  }

  /** The inverse of {@link pointsToWindow}. */
  pointsToOwn(points: readonly number[]): number[] {
    return mapped(this.matrix.inverse(), points);
  }

  /** A vector of it, as a vector in the window. */
  vectorToWindow(x: number, y: number): [x: number, y: number] {
    const { a, b, c, d } = this.matrix;
    return [a * x + c * y, b * x + d * y];
  }

  /** The box around a box of it, in the window. */
  toWindow(box: Box): Box {
    return boxAround(this.pointsToWindow(cornersOf(box)));
  }

  /** Where a box of it may lie: what is turned in space may do so at any side, and larger where it is nearer. */
  #around(box: Box): Box {
    if (this.isKnown) return box;
    const out = Math.max(0, -box.left, -box.top, box.right - this.width, box.bottom - this.height);
    return grown(this.box, 2 * out);
  }

  /** The inverse of {@link toWindow}, if it is upright. */
  toOwn(box: Box): Box {
    return boxAround(this.pointsToOwn(cornersOf(box)));
  }

  /** The place of a box in it; `matrix` maps that box first, about its own corner. */
  within(box: Box, matrix = new DOMMatrix()): Place {
    const { left, top, right, bottom } = this.#around(box);
    return new Place(right - left, bottom - top, this.matrix.translate(left, top).multiply(matrix), this.isKnown);
  }
}

/** The place of something whose lengths count from the window's corner: larger than any window. */
export const windowPlace = (): Place => new Place(1e5, 1e5);

function mapped({ a, b, c, d, e, f }: DOMMatrix, points: readonly number[]): number[] {
  return points.map((value, i) => {
    const [x, y] = i % 2 === 0 ? [value, points[i + 1]!] : [points[i - 1]!, value];
    return i % 2 === 0 ? a * x + c * y + e : b * x + d * y + f;
  });
}

export function placeOf(element: Element): Place {
  const rect = element.getBoundingClientRect();
  // Drawings have no such lengths.
  const { offsetWidth: width = null, offsetHeight: height = null } = element as Partial<HTMLElement>;
  const turn = turnOf(element);
  const { a, b, c, d } = turn ?? new DOMMatrix();
  const at = (own: number, ownHeight: number): Place => {
    const left = rect.left + (rect.width - a * own - c * ownHeight) / 2;
    const top = rect.top + (rect.height - b * own - d * ownHeight) / 2;
    return new Place(own, ownHeight, new DOMMatrix([a, b, c, d, left, top]));
  };
  const unknown = new Place(rect.width, rect.height, new DOMMatrix([1, 0, 0, 1, rect.left, rect.top]), false);
  if (turn === null) return unknown;
  if (width !== null && height !== null) {
    const slack = OFF_PX * Math.max(1, Math.abs(a) + Math.abs(c), Math.abs(b) + Math.abs(d));
    const isWide = Math.abs(Math.abs(a) * width + Math.abs(c) * height - rect.width) > slack;
    const isHigh = Math.abs(Math.abs(b) * width + Math.abs(d) * height - rect.height) > slack;
    if (isWide || isHigh) return unknown;
  }
  // Where its sides are parallel to those of the window, its size is known better than to whole pixels.
  if (Math.abs(b) < SKEW && Math.abs(c) < SKEW) return at(rect.width / Math.abs(a), rect.height / Math.abs(d));
  if (Math.abs(a) < SKEW && Math.abs(d) < SKEW) return at(rect.height / Math.abs(b), rect.width / Math.abs(c));
  return width === null || height === null ? unknown : at(width, height);
}

/** The rotation and scale of an element by all it is painted in; null where they leave the plane or are unknown. */
function turnOf(element: Element): DOMMatrix | null {
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
/** The zoom of an element in browsers that do not tell it, such as Safari: the product of its own and its ancestors'. */
function zoomOf(element: Element): number {
  let zoom = 1;
  for (const e of lineOf(element, parentOf)) zoom *= Number(getComputedStyle(e).getPropertyValue('zoom')) || 1;
  return zoom;
}

const TRANSFORMS = ['transform', 'rotate', 'scale', 'translate', 'offset-path'];

export function isTransformed(style: CSSStyleDeclaration): boolean {
  return TRANSFORMS.some((name) => has(style, name));
}

/** The transforms of a style for a box of a size, about its upper left corner; null in 3D or along a path. */
export function transformOf(style: CSSStyleDeclaration, width: number, height: number): DOMMatrix | null {
  const { transform, translate, rotate, scale, transformOrigin } = style;
  // For a rotation about another axis than z, the computed value is more than an angle.
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
  // What stays in its plane is flat, however deep it is made.
  const { a, b, c, d, e, f, m13, m14, m23, m24, m33, m43, m44 } = matrix;
  return m33 <= 0 || [m13, m14, m23, m24, m43, m44 - 1].some(Boolean) ? null : new DOMMatrix([a, b, c, d, e, f]);
}
