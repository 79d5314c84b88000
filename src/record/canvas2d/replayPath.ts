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
  /** Of an index into the objects: the radii. */
  ROUND_RECT: 10,
  /** All of a `Path2D`, an index into the objects. */
  PATH: 11,
} as const;
export type PathCall = (typeof PathCall)[keyof typeof PathCall];

/** How many numbers follow each call. */
export const ARGUMENTS = [6, 2, 2, 0, 4, 6, 8, 5, 4, 6, 5, 1] as const;

/** A context of the browser, or what stands in for one. */
type PathContext = Pick<
  CanvasRenderingContext2D,
  | 'setTransform'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'closePath'
  | 'rect'
  | 'arc'
  | 'ellipse'
  | 'arcTo'
  | 'quadraticCurveTo'
  | 'bezierCurveTo'
  | 'roundRect'
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
    switch (call) {
      case PathCall.TRANSFORM:
        context.setTransform(
          scale * n(0),
          scale * n(1),
          scale * n(2),
          scale * n(3),
          scale * (n(4) - x),
          scale * (n(5) - y),
        );
        break;
      case PathCall.MOVE:
        context.moveTo(n(0), n(1));
        break;
      case PathCall.LINE:
        context.lineTo(n(0), n(1));
        break;
      case PathCall.CLOSE:
        context.closePath();
        break;
      case PathCall.RECT:
        context.rect(n(0), n(1), n(2), n(3));
        break;
      case PathCall.ARC:
        context.arc(n(0), n(1), n(2), n(3), n(4), n(5) === 1);
        break;
      case PathCall.ELLIPSE:
        context.ellipse(n(0), n(1), n(2), n(3), n(4), n(5), n(6), n(7) === 1);
        break;
      case PathCall.ARC_TO:
        context.arcTo(n(0), n(1), n(2), n(3), n(4));
        break;
      case PathCall.QUADRATIC:
        context.quadraticCurveTo(n(0), n(1), n(2), n(3));
        break;
      case PathCall.BEZIER:
        context.bezierCurveTo(n(0), n(1), n(2), n(3), n(4), n(5));
        break;
      case PathCall.ROUND_RECT:
        context.roundRect(n(0), n(1), n(2), n(3), objects[n(4)] as number);
        break;
      case PathCall.PATH:
        whole = objects[n(0)] as Path2D;
        break;
    }
    i += ARGUMENTS[call];
  }
  return whole;
}
