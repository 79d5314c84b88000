import { cutBox, EVERYWHERE, growBox } from '../../geometry/boxes.js';
import type { CanvasDraws } from './CanvasDraws.js';
import { isComposite } from './composites.js';
import { PathCall } from './replayPath.js';

/** What `save` keeps and `restore` brings back. */
class ContextState {
  a = 1;
  b = 0;
  c = 0;
  d = 1;
  e = 0;
  f = 0;
  alpha = 1;
  composite = 'source-over';
  isSmooth = true;
  fillStyle: unknown = '#000000';
  strokeStyle: unknown = '#000000';
  lineWidth = 1;
  clip = -1;

  copy(from: ContextState): void {
    this.a = from.a;
    this.b = from.b;
    this.c = from.c;
    this.d = from.d;
    this.e = from.e;
    this.f = from.f;
    this.alpha = from.alpha;
    this.composite = from.composite;
    this.isSmooth = from.isSmooth;
    this.fillStyle = from.fillStyle;
    this.strokeStyle = from.strokeStyle;
    this.lineWidth = from.lineWidth;
    this.clip = from.clip;
  }
}

/** The state and the path of a 2D context, kept by the rules of the HTML standard. */
export class RecordingState {
  /** Called after each `clip`: by then the object of a mask has been drawn. */
  onClip: (() => void) | null = null;

  readonly #states: ContextState[] = [new ContextState()];
  protected state = this.#states[0]!;
  #depth = 0;
  /** The present path: its first number, its fill rule, and whether a draw needs it. */
  protected pathFrom = 0;
  protected rule: CanvasFillRule = 'nonzero';
  #isPathKept = false;
  /** False for a path with a curve that is not kept, or one begun in an earlier frame: then no more than its box is known. */
  protected isPathKnown = false;
  readonly #pathBox = new Float64Array(4);
  /** The path's last matrix is still the present one. */
  #hasTransform = false;
  protected readonly box = new Float64Array(4);

  constructor(readonly draws: CanvasDraws) {}

  /** Starts with a new context; nothing is drawn. */
  begin(): void {
    this.draws.reset();
    this.#depth = 0;
    this.state = this.#states[0]!;
    this.state.copy(NEW_STATE);
    this.beginPath();
    this.isPathKnown = false;
    this.#pathBox.set(EVERYWHERE);
  }

  /** Number of saved states; {@link unwind} goes back to such a number. */
  get kept(): number {
    return this.#depth;
  }

  unwind(depth: number): void {
    while (this.#depth > depth) this.restore();
  }

  // --- state ---

  save(): void {
    const next = (this.#states[++this.#depth] ??= new ContextState());
    next.copy(this.state);
    this.state = next;
  }

  restore(): void {
    if (this.#depth === 0) return;
    this.state = this.#states[--this.#depth]!;
    this.#hasTransform = false;
  }

  setTransform(a: number | DOMMatrix2DInit = 1, b = 0, c = 0, d = 1, e = 0, f = 0): void {
    if (typeof a !== 'number') {
      const m = a as DOMMatrix;
      this.setTransform(m.a, m.b, m.c, m.d, m.e, m.f);
      return;
    }
    // Infinite and not-a-number: ignored, as by the browser.
    if (!Number.isFinite(a + b + c + d + e + f)) return;
    const { state } = this;
    state.a = a;
    state.b = b;
    state.c = c;
    state.d = d;
    state.e = e;
    state.f = f;
    this.#hasTransform = false;
  }

  resetTransform(): void {
    this.setTransform(1, 0, 0, 1, 0, 0);
  }

  transform(a: number, b: number, c: number, d: number, e: number, f: number): void {
    const { state } = this;
    this.setTransform(
      state.a * a + state.c * b,
      state.b * a + state.d * b,
      state.a * c + state.c * d,
      state.b * c + state.d * d,
      state.a * e + state.c * f + state.e,
      state.b * e + state.d * f + state.f,
    );
  }

  translate(x: number, y: number): void {
    this.transform(1, 0, 0, 1, x, y);
  }
  scale(x: number, y: number): void {
    this.transform(x, 0, 0, y, 0, 0);
  }
  rotate(angle: number): void {
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    this.transform(cos, sin, -sin, cos, 0, 0);
  }
  getTransform(): DOMMatrix {
    const { a, b, c, d, e, f } = this.state;
    return new DOMMatrix([a, b, c, d, e, f]);
  }

  get globalAlpha(): number {
    return this.state.alpha;
  }
  set globalAlpha(alpha: number) {
    if (alpha >= 0 && alpha <= 1) this.state.alpha = alpha;
  }
  get globalCompositeOperation(): string {
    return this.state.composite;
  }
  set globalCompositeOperation(name: string) {
    if (isComposite(name)) this.state.composite = name;
  }
  get imageSmoothingEnabled(): boolean {
    return this.state.isSmooth;
  }
  set imageSmoothingEnabled(isSmooth: boolean) {
    this.state.isSmooth = isSmooth;
  }
  get lineWidth(): number {
    return this.state.lineWidth;
  }
  set lineWidth(width: number) {
    if (width > 0 && width < Infinity) this.state.lineWidth = width;
  }
  get fillStyle(): unknown {
    return this.state.fillStyle;
  }
  set fillStyle(style: unknown) {
    this.state.fillStyle = style;
  }
  get strokeStyle(): unknown {
    return this.state.strokeStyle;
  }
  set strokeStyle(style: unknown) {
    this.state.strokeStyle = style;
  }

  // --- paths ---

  beginPath(): void {
    const { draws } = this;
    const pathBox = this.#pathBox;
    // A path that no draw needs is overwritten.
    if (!this.#isPathKept) draws.pathLength = Math.min(draws.pathLength, this.pathFrom);
    this.pathFrom = draws.pathLength;
    this.#isPathKept = this.#hasTransform = false;
    this.isPathKnown = true;
    pathBox[0] = pathBox[1] = Infinity;
    pathBox[2] = pathBox[3] = -Infinity;
  }

  moveTo(x: number, y: number): void {
    if (this.#call(PathCall.MOVE, 2, x, y)) this.#reach(x, y, 0);
  }
  lineTo(x: number, y: number): void {
    if (this.#call(PathCall.LINE, 2, x, y)) this.#reach(x, y, 0);
  }
  closePath(): void {
    this.#call(PathCall.CLOSE, 0);
  }
  rect(x: number, y: number, width: number, height: number): void {
    if (this.#call(PathCall.RECT, 4, x, y, width, height)) this.#reachRectangle(x, y, width, height);
  }
  arc(x: number, y: number, radius: number, from: number, to: number, isBackward = false): void {
    if (radius < 0) throw new RangeError('arc: negative radius');
    if (this.#call(PathCall.ARC, 6, x, y, radius, from, to, isBackward ? 1 : 0)) this.#reach(x, y, radius);
  }
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void {
    if (radius < 0) throw new RangeError('arcTo: negative radius');
    if (!this.#call(PathCall.ARC_TO, 5, x1, y1, x2, y2, radius)) return;
    // The arc lies within the corner, or anywhere when the radius is too large for it.
    this.#reach(x1, y1, 2 * radius);
    this.#reach(x2, y2, 2 * radius);
  }

  // Phaser draws no other curves. Of a path with one, no more is known than its box.

  ellipse(x: number, y: number, radiusX: number, radiusY: number): void {
    this.isPathKnown = false;
    this.#reach(x, y, Math.max(radiusX, radiusY));
  }
  quadraticCurveTo(x1: number, y1: number, x: number, y: number): void {
    this.isPathKnown = false;
    this.#reach(x1, y1, 0);
    this.#reach(x, y, 0);
  }
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.quadraticCurveTo(x1, y1, x2, y2);
    this.#reach(x, y, 0);
  }
  roundRect(x: number, y: number, width: number, height: number): void {
    this.isPathKnown = false;
    this.#reachRectangle(x, y, width, height);
  }

  /** Notes a call of the path; false when the browser ignores it, as with infinite numbers and NaN. */
  #call(call: PathCall, count: number, n0 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0): boolean {
    if (!Number.isFinite(n0 + n1 + n2 + n3 + n4 + n5)) return false;
    const { draws } = this;
    draws.reserve(16);
    if (!this.#hasTransform) this.#noteTransform();
    const { path } = draws;
    let at = draws.pathLength;
    path[at++] = call;
    path[at] = n0;
    path[at + 1] = n1;
    path[at + 2] = n2;
    path[at + 3] = n3;
    path[at + 4] = n4;
    path[at + 5] = n5;
    draws.pathLength = at + count;
    return true;
  }

  #noteTransform(): void {
    const { draws, state } = this;
    const { path } = draws;
    let at = draws.pathLength;
    path[at++] = PathCall.TRANSFORM;
    path[at++] = state.a;
    path[at++] = state.b;
    path[at++] = state.c;
    path[at++] = state.d;
    path[at++] = state.e;
    path[at++] = state.f;
    draws.pathLength = at;
    this.#hasTransform = true;
  }

  /** Widens the path's box to hold a point and a distance around it. */
  #reach(x: number, y: number, around: number): void {
    const { a, b, c, d, e, f } = this.state;
    growBox(this.#pathBox, a * x + c * y + e, b * x + d * y + f, around * Math.hypot(a, c), around * Math.hypot(b, d));
  }

  #reachRectangle(x: number, y: number, width: number, height: number): void {
    this.#reach(x, y, 0);
    this.#reach(x + width, y, 0);
    this.#reach(x, y + height, 0);
    this.#reach(x + width, y + height, 0);
  }

  clip(pathOrRule?: Path2D | CanvasFillRule): void {
    const { draws, state } = this;
    const at = draws.addClip();
    const clip = draws.clips[at]!;
    clip.outer = state.clip;
    clip.isKnown = this.takePath(pathOrRule);
    clip.rule = this.rule;
    clip.pathFrom = this.pathFrom;
    clip.pathTo = draws.pathLength;
    clip.box.set(this.box);
    if (state.clip >= 0) cutBox(clip.box, draws.clips[state.clip]!.box);
    state.clip = at;
    this.onClip?.();
  }

  /**
   * Takes the path that is to be painted: its {@link rule}, and its box into {@link box}. A `Path2D` may be anywhere.
   * @returns false when no more than the box is known
   */
  protected takePath(pathOrRule: Path2D | CanvasFillRule = 'nonzero'): boolean {
    const isPresent = typeof pathOrRule === 'string';
    this.box.set(isPresent ? this.#pathBox : EVERYWHERE);
    if (isPresent) this.rule = pathOrRule;
    this.#isPathKept = true;
    return isPresent && this.isPathKnown;
  }
}

const NEW_STATE = new ContextState();
