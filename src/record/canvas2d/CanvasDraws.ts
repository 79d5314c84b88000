import { DrawRole } from '../draws/DrawRole.js';

/** What one call of a 2D context painted. */
export const DrawKind = {
  /** A part of a picture, in a rectangle (`drawImage`). */
  PICTURE: 0,
  /** A rectangle of one colour (`fillRect`). */
  RECTANGLE: 1,
  /** The inside of a path. */
  FILL: 2,
  /** The line along a path. */
  STROKE: 3,
  /** Unknown: a call or a path that the recorder does not keep, or a render function that is not run. */
  UNKNOWN: 4,
  /** No draw: here an ad's shape or its piece begins, or the piece ends. See {@link DrawRole}. */
  MARK: 5,
} as const;
export type DrawKind = (typeof DrawKind)[keyof typeof DrawKind];

/** Indices into {@link CanvasDraw.numbers}. */
export const At = { MATRIX: 0, TO: 6, FROM: 10, BOX: 14, ALPHA: 18, LINE_WIDTH: 19 } as const;
const NUMBERS = 20;

/** One draw. Reused from frame to frame. */
export class CanvasDraw {
  kind: DrawKind = DrawKind.MARK;
  role: DrawRole = DrawRole.COVER;
  /** The game object that drew it; null for the camera itself. */
  owner: unknown = null;
  /** Index of the ad; -1 for covers. */
  ad = -1;
  camera: unknown = null;
  /**
   * Matrix (a, b, c, d, e, f), target rectangle (x, y, width, height), source rectangle, box on the canvas, alpha, line
   * width.
   */
  readonly numbers = new Float64Array(NUMBERS);
  composite = 'source-over';
  /** Of a picture: whether it is smoothed. */
  isSmooth = true;
  picture: unknown = null;
  /** A colour's text, or what the game set in its place. */
  style: unknown = '';
  /** Of an ad's piece: false when another draw stands for what it covers of other ads. */
  covers = true;
  /** Of the mark before an ad: false when the ad shows something other than a part of its picture. */
  isKnown = true;
  /** The clip in force, an index into {@link CanvasDraws.clips}; -1 for none. */
  clip = -1;
  /** The path, as numbers of {@link CanvasDraws.path}. */
  pathFrom = 0;
  pathTo = 0;
  rule: CanvasFillRule = 'nonzero';
}

/** A clip: a path, within another clip. */
export class CanvasClip {
  outer = -1;
  pathFrom = 0;
  pathTo = 0;
  rule: CanvasFillRule = 'nonzero';
  /** False when the path is unknown. */
  isKnown = true;
  /** The part of the canvas that it can let through. */
  readonly box = new Float64Array(4);
}

/** What was drawn, in order. Buffers are kept from frame to frame. */
export class CanvasDraws {
  readonly draws: CanvasDraw[] = [];
  count = 0;
  readonly clips: CanvasClip[] = [];
  clipCount = 0;
  /** Paths: see `replayPath`. */
  path = new Float64Array(1024);
  pathLength = 0;

  /** Draws that lie outside of this part of the canvas are left out: minX, minY, maxX, maxY. */
  readonly near = new Float64Array(4);

  reset(): void {
    this.count = this.clipCount = this.pathLength = 0;
  }

  /** Lets go of every object. */
  release(): void {
    this.reset();
    this.draws.length = this.clips.length = 0;
  }

  add(): CanvasDraw {
    const draw = (this.draws[this.count++] ??= new CanvasDraw());
    draw.covers = true;
    return draw;
  }

  addClip(): number {
    this.clips[this.clipCount] ??= new CanvasClip();
    return this.clipCount++;
  }

  /** Makes room for this many more numbers of paths. */
  reserve(numbers: number): void {
    if (this.pathLength + numbers <= this.path.length) return;
    const larger = new Float64Array(2 * (this.pathLength + numbers));
    larger.set(this.path);
    this.path = larger;
  }
}
