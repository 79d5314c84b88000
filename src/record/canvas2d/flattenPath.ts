import type { CanvasDraws } from './CanvasDraws.js';
import { ARGUMENTS, PathCall } from './replayPath.js';

/** Steps of a circle: a chord this short lies nearer to it than a screen can show. */
const STEPS = 48;

/**
 * Writes the corners of a path that goes round one shape, in canvas pixels: straight lines, a rectangle, arcs of a circle.
 * @param out takes x, y of each corner
 * @returns how many there are; 0 for any other path, and for one of too many corners
 */
export function flattenPath(draws: CanvasDraws, from: number, to: number, out: Float64Array): number {
  const { path } = draws;
  const most = out.length / 2;
  let m = 0;
  let count = 0;
  let isClosed = false;
  const put = (x: number, y: number): void => {
    const px = path[m]! * x + path[m + 2]! * y + path[m + 4]!;
    const py = path[m + 1]! * x + path[m + 3]! * y + path[m + 5]!;
    if (count > 0 && count <= most && out[2 * count - 2] === px && out[2 * count - 1] === py) return;
    if (count < most) {
      out[2 * count] = px;
      out[2 * count + 1] = py;
    }
    count++;
  };
  for (let i = from; i < to;) {
    const call = path[i++]! as PathCall;
    const next = i + ARGUMENTS[call];
    const n = (k: number): number => path[i + k]!;
    if (call === PathCall.TRANSFORM) m = i;
    else if (call === PathCall.CLOSE) isClosed = true;
    // A second shape, or a curve of another kind.
    else if (isClosed && count > 0) return 0;
    else if (call === PathCall.MOVE) {
      // A point alone paints nothing.
      if (count > 1) return 0;
      count = 0;
      put(n(0), n(1));
    } else if (call === PathCall.LINE) put(n(0), n(1));
    else if (call === PathCall.RECT) {
      if (count > 1) return 0;
      count = 0;
      put(n(0), n(1));
      put(n(0) + n(2), n(1));
      put(n(0) + n(2), n(1) + n(3));
      put(n(0), n(1) + n(3));
      isClosed = true;
    } else if (call === PathCall.ARC) {
      const sweep = sweepOf(n(3), n(4), n(5) === 1);
      const steps = Math.max(2, Math.ceil((Math.abs(sweep) / (2 * Math.PI)) * STEPS));
      for (let step = 0; step <= steps; step++) {
        const angle = n(3) + (sweep * step) / steps;
        put(n(0) + n(2) * Math.cos(angle), n(1) + n(2) * Math.sin(angle));
      }
    } else return 0;
    i = next;
  }
  if (count > 1 && out[0] === out[2 * count - 2] && out[1] === out[2 * count - 1]) count--;
  return count > most ? 0 : count;
}

/** How far an arc goes, as the standard says: all round for a full turn or more, otherwise as far as the end lies ahead. */
function sweepOf(from: number, to: number, isBackward: boolean): number {
  const turn = 2 * Math.PI;
  const ahead = isBackward ? from - to : to - from;
  if (ahead >= turn) return isBackward ? -turn : turn;
  const sweep = ((ahead % turn) + turn) % turn;
  return isBackward ? -sweep : sweep;
}
