import { type Box, boxAround, cornersOf } from './Box.js';
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
   * @param isKnown False where it is transformed in 3D or along a path: then lengths are those of the box around it, as if
   * that were upright.
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

  /** Where points of it lie in the window, x and y alternating. */
  pointsToWindow(points: readonly number[]): number[] {
    return mapped(this.matrix, points);
  }

  /** The inverse of {@link pointsToWindow}. */
  pointsToOwn(points: readonly number[]): number[] {
    return mapped(this.matrix.inverse(), points);
  }

  /** The box around a box of it, in the window. */
  toWindow(box: Box): Box {
    return boxAround(this.pointsToWindow(cornersOf(box)));
  }

  /** The inverse of {@link toWindow}, if it is upright. */
  toOwn(box: Box): Box {
    return boxAround(this.pointsToOwn(cornersOf(box)));
  }

  /** The place of a box in it; `matrix` maps that box first, about its own corner. */
  within({ left, top, right, bottom }: Box, matrix = new DOMMatrix()): Place {
    return new Place(right - left, bottom - top, this.matrix.translate(left, top).multiply(matrix), this.isKnown);
  }
}

/** The place of something whose lengths count from the window's corner. */
export const windowPlace = (): Place => new Place(0, 0);

function mapped({ a, b, c, d, e, f }: DOMMatrix, points: readonly number[]): number[] {
  return points.map((value, i) => {
    const [x, y] = i % 2 === 0 ? [value, points[i + 1]!] : [points[i - 1]!, value];
    return i % 2 === 0 ? a * x + c * y + e : b * x + d * y + f;
  });
}

export function placeOf(element: Element): Place {
  const rect = element.getBoundingClientRect();
  const { offsetWidth = 0, offsetHeight = 0 } = element as Partial<HTMLElement>;
  const turn = turnOf(element);
  const { a, b, c, d } = turn ?? new DOMMatrix();
  const at = (width: number, height: number, linear: readonly number[], isKnown: boolean): Place => {
    const [xx, xy, yx, yy] = linear as [number, number, number, number];
    const left = rect.left + (rect.width - xx * width - yx * height) / 2;
    const top = rect.top + (rect.height - xy * width - yy * height) / 2;
    return new Place(width, height, new DOMMatrix([xx, xy, yx, yy, left, top]), isKnown);
  };
  const isSwapped = Math.abs(a) < SKEW && Math.abs(d) < SKEW;
  if (isSwapped || (Math.abs(b) < SKEW && Math.abs(c) < SKEW)) {
    const [across, down] = isSwapped ? [rect.height, rect.width] : [rect.width, rect.height];
    const [width, scaleX] = lengthAlong(across, isSwapped ? b : a, turn === null ? 0 : offsetWidth);
    const [height, scaleY] = lengthAlong(down, isSwapped ? c : d, turn === null ? 0 : offsetHeight);
    return at(width, height, isSwapped ? [0, scaleX, scaleY, 0] : [scaleX, 0, 0, scaleY], turn !== null);
  }
  const isWide = Math.abs(Math.abs(a) * offsetWidth + Math.abs(c) * offsetHeight - rect.width) > OFF_PX;
  const isHigh = Math.abs(Math.abs(b) * offsetWidth + Math.abs(d) * offsetHeight - rect.height) > OFF_PX;
  if (isWide || isHigh) return at(rect.width, rect.height, [1, 0, 0, 1], false);
  return at(offsetWidth, offsetHeight, [a, b, c, d], true);
}

/** An own length from its length in the window, and its scale: that of CSS, unless something else enlarges it, too. */
function lengthAlong(inWindow: number, scale: number, offset: number): [length: number, scale: number] {
  const isElse = offset > 0 && Math.abs(Math.abs(scale) * offset - inWindow) > OFF_PX;
  if (isElse) return [offset, (inWindow / offset) * (Math.sign(scale) || 1)];
  return [Math.abs(scale) > SKEW ? inWindow / Math.abs(scale) : offset, scale];
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
  return matrix.is2D ? matrix : null;
}
