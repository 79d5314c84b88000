import type { Outline } from './Outline.js';

/** How many numbers follow a command of a path. */
const NUMBERS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/** Flags of an arc need nothing between them and what follows. */
const FLAG = /[\s,]*([01])/y;
const NUMBER = /[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/iy;
const COMMAND = /[\s,]*([a-z])/iy;

const MOST_PIECES = 64;

/**
 * The parts of a path's data, curves in straight pieces. Null where it is more than can be told, or broken: of that a
 * browser paints what comes before.
 * @param tolerance How far a piece may be off its curve.
 */
export function pathOutlines(data: string, tolerance: number): Outline[] | null {
  const outlines: Outline[] = [];
  let points: number[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  /** The control point that a smooth curve mirrors, and of which kind of curve it is. */
  let [mirrorX, mirrorY, mirrored] = [0, 0, ''];
  let at = 0;
  const next = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(data);
    if (found !== null) at = pattern.lastIndex;
    return found === null ? null : found[1]!;
  };
  const end = (isClosed: boolean): void => {
    if (points.length > 2 || isClosed) outlines.push({ points, isClosed });
    points = [];
  };
  const curve = (x1: number, y1: number, x2: number, y2: number, toX: number, toY: number): void => {
    const bend = Math.max(Math.hypot(x - 2 * x1 + x2, y - 2 * y1 + y2), Math.hypot(x1 - 2 * x2 + toX, y1 - 2 * y2 + toY)); // prettier-ignore
    const count = Math.min(MOST_PIECES, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / tolerance))));
    for (let i = 1; i <= count; i++) {
      const t = i / count;
      const s = 1 - t;
      const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
      points.push(a * x + b * x1 + c * x2 + d * toX, a * y + b * y1 + c * y2 + d * toY);
    }
  };
  let command = '';
  for (;;) {
    const letter = next(COMMAND);
    if (letter !== null) command = letter;
    else if (data.slice(at).trim() === '') break;
    const kind = command.toUpperCase();
    const count = NUMBERS[kind];
    if (count === undefined || (letter === null && kind === 'Z')) return null;
    const values: number[] = [];
    while (values.length < count) {
      const isFlag = kind === 'A' && (values.length === 3 || values.length === 4);
      const text = next(isFlag ? FLAG : NUMBER);
      if (text === null) return null;
      values.push(Number(text));
    }
    if (kind === 'Z') {
      if (points.length === 0) points.push(startX, startY);
      end(true);
      [x, y, mirrored] = [startX, startY, ''];
      continue;
    }
    const isRelative = command !== kind;
    const [baseX, baseY] = isRelative ? [x, y] : [0, 0];
    const isPoint = (i: number): boolean => kind !== 'A' || i >= 5;
    const v = values.map((value, i) =>
      isPoint(i) ? value + ((kind === 'A' ? i + 1 : i) % 2 === 0 ? baseX : baseY) : value,
    );
    let [toX, toY] = [v.at(-2) ?? x, v.at(-1)!];
    if (kind === 'H') [toX, toY] = [values[0]! + baseX, y];
    if (kind === 'V') [toX, toY] = [x, values[0]! + baseY];
    if (kind === 'M') {
      end(false);
      [startX, startY] = [toX, toY];
      points.push(toX, toY);
      command = isRelative ? 'l' : 'L';
    } else {
      if (points.length === 0) points.push(x, y);
      let turned = '';
      if (kind === 'C' || kind === 'S') {
        turned = 'C';
        const [x1, y1] = kind === 'C' ? [v[0]!, v[1]!] : mirrored === 'C' ? [2 * x - mirrorX, 2 * y - mirrorY] : [x, y];
        const [x2, y2] = [v.at(-4)!, v.at(-3)!];
        curve(x1, y1, x2, y2, toX, toY);
        [mirrorX, mirrorY] = [x2, y2];
      } else if (kind === 'Q' || kind === 'T') {
        turned = 'Q';
        const [qx, qy] = kind === 'Q' ? [v[0]!, v[1]!] : mirrored === 'Q' ? [2 * x - mirrorX, 2 * y - mirrorY] : [x, y];
        curve(x + (2 * (qx - x)) / 3, y + (2 * (qy - y)) / 3, toX + (2 * (qx - toX)) / 3, toY + (2 * (qy - toY)) / 3, toX, toY); // prettier-ignore
        [mirrorX, mirrorY] = [qx, qy];
      } else if (kind === 'A') {
        arc(points, x, y, v, toX, toY, tolerance);
      } else {
        points.push(toX, toY);
      }
      mirrored = turned;
    }
    [x, y] = [toX, toY];
  }
  end(false);
  return outlines;
}

/** Appends the pieces of an elliptic arc, given by its ends as in SVG. */
function arc(
  points: number[],
  x: number,
  y: number,
  [rx = 0, ry = 0, turn = 0, isLarge = 0, isClockwise = 0]: readonly number[],
  toX: number,
  toY: number,
  tolerance: number,
): void {
  let [across, down] = [Math.abs(rx), Math.abs(ry)];
  if (across === 0 || down === 0 || (x === toX && y === toY)) {
    points.push(toX, toY);
    return;
  }
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  const [halfX, halfY] = [(x - toX) / 2, (y - toY) / 2];
  // In the ellipse's own axes, as fractions of its radii: a circle of one.
  let [u, v] = [(cos * halfX + sin * halfY) / across, (cos * halfY - sin * halfX) / down];
  const far = Math.hypot(u, v);
  if (far > 1) [across, down, u, v] = [across * far, down * far, u / far, v / far];
  const off = Math.sqrt(Math.max(0, 1 / (u * u + v * v) - 1)) * (isLarge === isClockwise ? -1 : 1);
  const [middleU, middleV] = [off * v, -off * u];
  const from = Math.atan2(v - middleV, u - middleU);
  let angle = Math.atan2(-v - middleV, -u - middleU) - from;
  if (isClockwise === 1 && angle < 0) angle += 2 * Math.PI;
  if (isClockwise === 0 && angle > 0) angle -= 2 * Math.PI;
  const step = 2 * Math.acos(Math.max(0, 1 - tolerance / Math.max(across, down)));
  const count = Math.min(MOST_PIECES, Math.max(1, Math.ceil(Math.abs(angle) / step)));
  const [middleX, middleY] = [(x + toX) / 2, (y + toY) / 2];
  for (let i = 1; i <= count; i++) {
    const at = from + (angle * i) / count;
    const [px, py] = [across * (middleU + Math.cos(at)), down * (middleV + Math.sin(at))];
    points.push(middleX + cos * px - sin * py, middleY + sin * px + cos * py);
  }
}
