import type { CanvasDraws } from './CanvasDraws.js';

/** The calls a path is made of, each followed by its arguments among the numbers of a path. */
export const PathCall = {
  /** The matrix for what follows: six numbers. */
  TRANSFORM: 0,
  MOVE: 1,
  LINE: 2,
  CLOSE: 3,
  RECT: 4,
  ARC: 5,
  ELLIPSE: 6,
  ARC_TO: 7,
  QUADRATIC: 8,
  BEZIER: 9,
  /** The radii are an index into the objects. */
  ROUND_RECT: 10,
  /** All of a `Path2D`, an index into the objects. */
  PATH: 11,
} as const;
export type PathCall = (typeof PathCall)[keyof typeof PathCall];

/** How many numbers follow each call. */
export const ARGUMENTS = [6, 2, 2, 0, 4, 6, 8, 5, 4, 6, 5, 1] as const;

/** Methods of a context for the calls whose arguments are all numbers, by {@link PathCall}; the matrix is set separately. */
// prettier-ignore
const METHODS = [
  null, 'moveTo', 'lineTo', 'closePath', 'rect', 'arc', 'ellipse', 'arcTo', 'quadraticCurveTo', 'bezierCurveTo',
] as const;

/** A context of the browser, or what stands in for one. */
type PathContext = Pick<
  CanvasRenderingContext2D,
  'setTransform' | 'beginPath' | 'roundRect' | NonNullable<(typeof METHODS)[number]>
>;

/**
 * Makes a recorded path the present one of a context.
 * @param view where the context lies on the canvas: its scale, and the canvas point of its origin (x, y)
 * @returns the `Path2D` to be painted instead, where the game painted one
 */
export function replayPath(
  draws: CanvasDraws,
  from: number,
  to: number,
  context: PathContext,
  view: ArrayLike<number>,
): Path2D | null {
  const { path, objects } = draws;
  const scale = view[0]!;
  const x = view[1]!;
  const y = view[2]!;
  let whole: Path2D | null = null;
  context.beginPath();
  for (let i = from; i < to;) {
    const call = path[i++]! as PathCall;
    const n = (k: number): number => path[i + k]!;
    const method = METHODS[call as number];
    if (call === PathCall.TRANSFORM) {
      const [left, top] = [n(4) - x, n(5) - y];
      context.setTransform(scale * n(0), scale * n(1), scale * n(2), scale * n(3), scale * left, scale * top);
    } else if (call === PathCall.ROUND_RECT) context.roundRect(n(0), n(1), n(2), n(3), objects[n(4)] as number);
    else if (call === PathCall.PATH) whole = objects[n(0)] as Path2D;
    else if (method) (context[method] as (...numbers: number[]) => void)(...path.subarray(i, i + ARGUMENTS[call]));
    i += ARGUMENTS[call];
  }
  return whole;
}
