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
  ARC_TO: 6,
} as const;
export type PathCall = (typeof PathCall)[keyof typeof PathCall];

/** How many numbers follow each call. */
export const ARGUMENTS = [6, 2, 2, 0, 4, 6, 5] as const;

/** Methods of a context, by {@link PathCall}; the matrix is set separately. */
const METHODS = [null, 'moveTo', 'lineTo', 'closePath', 'rect', 'arc', 'arcTo'] as const;

/**
 * Makes a recorded path the present one of a context.
 * @param view where the context lies on the canvas: its scale, and the canvas point of its origin (x, y)
 */
export function replayPath(
  { path }: CanvasDraws,
  from: number,
  to: number,
  context: CanvasRenderingContext2D,
  view: ArrayLike<number>,
): void {
  const scale = view[0]!;
  const x = view[1]!;
  const y = view[2]!;
  context.beginPath();
  for (let i = from; i < to;) {
    const call = path[i++]! as PathCall;
    const numbers = path.subarray(i, i + ARGUMENTS[call]);
    const method = METHODS[call];
    if (method !== null) (context[method] as (...numbers: number[]) => void)(...numbers);
    else {
      const [a, b, c, d, e, f] = numbers as unknown as [number, number, number, number, number, number];
      context.setTransform(scale * a, scale * b, scale * c, scale * d, scale * (e - x), scale * (f - y));
    }
    i += numbers.length;
  }
}
