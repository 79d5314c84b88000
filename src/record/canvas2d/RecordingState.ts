import { cutBox, EVERYWHERE, growBox } from './boxes.js';
import type { CanvasDraws, Style } from './CanvasDraws.js';
import type { Colours } from './Colours.js';
import { isComposite } from './composites.js';
import { ContextState } from './ContextState.js';
import { PathCall } from './replayPath.js';

/** The state and the path of a 2D context, kept by the rules of the HTML standard. */
export class RecordingState {
  /** Called after each `clip`: by then the object of a mask has been drawn. */
  onClip: (() => void) | null = null;

  protected readonly states: ContextState[] = [new ContextState()];
  protected state = this.states[0]!;
  protected depth = 0;
  /**
   * The present path: its first number, whether a draw needs it, its box, and whether its last matrix is still the
   * present one.
   */
  protected pathFrom = 0;
  protected isPathKept = false;
  /** The path was begun in this recording: what an earlier frame left in the context is unknown. */
  protected isPathKnown = false;
  protected readonly pathBox = new Float64Array(4);
  protected hasTransform = false;
  protected readonly box = new Float64Array(4);

  constructor(
    readonly draws: CanvasDraws,
    protected readonly colours: Colours,
    protected readonly real: CanvasRenderingContext2D | null,
  ) {}

  /** Starts with a new context; nothing is drawn. */
  begin(): void {
    this.draws.reset();
    this.depth = 0;
    this.state = this.states[0]!;
    this.state.begin();
    this.beginPath();
    this.isPathKnown = false;
  }

  /** Number of saved states; {@link unwind} goes back to such a number. */
  get kept(): number {
    return this.depth;
  }

  unwind(depth: number): void {
    while (this.depth > depth) this.restore();
  }

  // --- state ---

  save(): void {
    const { states } = this;
    const next = (states[++this.depth] ??= new ContextState());
    next.copy(this.state);
    this.state = next;
  }

  restore(): void {
    if (this.depth === 0) return;
    this.state = this.states[--this.depth]!;
    this.hasTransform = false;
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
    this.hasTransform = false;
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
  get fillStyle(): Style {
    return this.state.fillStyle;
  }
  set fillStyle(style: Style) {
    if (this.isStyle(style)) this.state.fillStyle = style;
  }
  get strokeStyle(): Style {
    return this.state.strokeStyle;
  }
  set strokeStyle(style: Style) {
    if (this.isStyle(style)) this.state.strokeStyle = style;
  }

  protected isStyle(style: Style): boolean {
    return typeof style === 'object' ? style !== null : typeof style === 'string' && this.colours.read(style) !== null;
  }

  /** A setting that hardly any game changes. */
  extra(name: string): unknown {
    return this.state.extras[name] ?? (this.real as Record<string, unknown> | null)?.[name];
  }
  setExtra(name: string, value: unknown): void {
    const { state } = this;
    if (this.extra(name) !== value) state.extras = { ...state.extras, [name]: value };
  }
  setLineDash(segments: number[]): void {
    this.setExtra('lineDash', [...segments]);
  }
  getLineDash(): number[] {
    return (this.state.extras['lineDash'] as number[] | undefined) ?? [];
  }

  // --- paths ---

  beginPath(): void {
    const { draws, pathBox } = this;
    // A path that no draw needs is overwritten.
    if (!this.isPathKept) draws.pathLength = Math.min(draws.pathLength, this.pathFrom);
    this.pathFrom = draws.pathLength;
    this.isPathKept = this.hasTransform = false;
    this.isPathKnown = true;
    pathBox[0] = pathBox[1] = Infinity;
    pathBox[2] = pathBox[3] = -Infinity;
  }

  moveTo(x: number, y: number): void {
    if (this.call(PathCall.MOVE, 2, x, y)) this.reach(x, y, 0);
  }
  lineTo(x: number, y: number): void {
    if (this.call(PathCall.LINE, 2, x, y)) this.reach(x, y, 0);
  }
  closePath(): void {
    this.call(PathCall.CLOSE, 0);
  }
  rect(x: number, y: number, width: number, height: number): void {
    if (this.call(PathCall.RECT, 4, x, y, width, height)) this.reachRectangle(x, y, width, height);
  }
  arc(x: number, y: number, radius: number, from: number, to: number, isBackward = false): void {
    if (radius < 0) throw new RangeError('arc: negative radius');
    if (this.call(PathCall.ARC, 6, x, y, radius, from, to, isBackward ? 1 : 0)) this.reach(x, y, radius);
  }
  ellipse(
    x: number,
    y: number,
    rx: number,
    ry: number,
    turn: number,
    from: number,
    to: number,
    isBackward = false,
  ): void {
    if (rx < 0 || ry < 0) throw new RangeError('ellipse: negative radius');
    const isAdded = this.call(PathCall.ELLIPSE, 8, x, y, rx, ry, turn, from, to, isBackward ? 1 : 0);
    if (isAdded) this.reach(x, y, Math.max(rx, ry));
  }
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void {
    if (radius < 0) throw new RangeError('arcTo: negative radius');
    if (!this.call(PathCall.ARC_TO, 5, x1, y1, x2, y2, radius)) return;
    // The arc lies within the corner, or anywhere when the radius is too large for it.
    this.reach(x1, y1, 2 * radius);
    this.reach(x2, y2, 2 * radius);
  }
  quadraticCurveTo(x1: number, y1: number, x: number, y: number): void {
    if (!this.call(PathCall.QUADRATIC, 4, x1, y1, x, y)) return;
    this.reach(x1, y1, 0);
    this.reach(x, y, 0);
  }
  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    if (!this.call(PathCall.BEZIER, 6, x1, y1, x2, y2, x, y)) return;
    this.reach(x1, y1, 0);
    this.reach(x2, y2, 0);
    this.reach(x, y, 0);
  }
  roundRect(x: number, y: number, width: number, height: number, radii: unknown = 0): void {
    if (this.call(PathCall.ROUND_RECT, 5, x, y, width, height, this.draws.addObject(radii)))
      this.reachRectangle(x, y, width, height);
  }

  /** Notes a call of the path; false when the browser ignores it, as with infinite numbers and NaN. */
  protected call(
    call: PathCall,
    count: number,
    n0 = 0,
    n1 = 0,
    n2 = 0,
    n3 = 0,
    n4 = 0,
    n5 = 0,
    n6 = 0,
    n7 = 0,
  ): boolean {
    if (!Number.isFinite(n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7)) return false;
    const { draws } = this;
    draws.reserve(16);
    if (!this.hasTransform) this.noteTransform();
    const { path } = draws;
    let at = draws.pathLength;
    path[at++] = call;
    path[at] = n0;
    path[at + 1] = n1;
    path[at + 2] = n2;
    path[at + 3] = n3;
    path[at + 4] = n4;
    path[at + 5] = n5;
    path[at + 6] = n6;
    path[at + 7] = n7;
    draws.pathLength = at + count;
    return true;
  }

  protected noteTransform(): void {
    const { draws, state } = this;
    draws.reserve(24);
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
    this.hasTransform = true;
  }

  /** Widens the path's box to hold a point and a distance around it. */
  protected reach(x: number, y: number, around: number): void {
    const { a, b, c, d, e, f } = this.state;
    growBox(this.pathBox, a * x + c * y + e, b * x + d * y + f, around * Math.hypot(a, c), around * Math.hypot(b, d));
  }

  private reachRectangle(x: number, y: number, width: number, height: number): void {
    this.reach(x, y, 0);
    this.reach(x + width, y, 0);
    this.reach(x, y + height, 0);
    this.reach(x + width, y + height, 0);
  }

  clip(pathOrRule?: Path2D | CanvasFillRule, rule?: CanvasFillRule): void {
    const { draws, state } = this;
    const at = draws.addClip();
    const clip = draws.clips[at]!;
    clip.outer = state.clip;
    this.takePath(pathOrRule, rule);
    clip.rule = this.rule;
    clip.isKnown = this.isPathKnown || this.from !== this.pathFrom;
    clip.pathFrom = this.from;
    clip.pathTo = this.to;
    clip.box.set(this.box);
    if (state.clip >= 0) cutBox(clip.box, draws.clips[state.clip]!.box);
    state.clip = at;
    this.onClip?.();
  }

  /** Set by the last {@link takePath}: where the path begins and ends, and its fill rule. */
  protected from = 0;
  protected to = 0;
  protected rule = 'nonzero';

  /** The path to be painted: the present one, or a `Path2D`; its box goes to {@link box}. */
  protected takePath(pathOrRule: Path2D | string | undefined, rule: string | undefined): void {
    const { draws, box } = this;
    if (typeof pathOrRule === 'object') {
      this.rule = rule ?? 'nonzero';
      this.aside(() => this.call(PathCall.PATH, 1, draws.addObject(pathOrRule)));
      box.set(EVERYWHERE);
      return;
    }
    this.rule = pathOrRule ?? 'nonzero';
    this.from = this.pathFrom;
    this.to = draws.pathLength;
    this.isPathKept = true;
    box.set(this.isPathKnown ? this.pathBox : EVERYWHERE);
  }

  /** Notes a separate path, and copies the present path behind it. */
  protected aside(note: () => void): void {
    const { draws, pathFrom, pathBox } = this;
    const end = draws.pathLength;
    const kept = pathBox.slice();
    pathBox.set([Infinity, Infinity, -Infinity, -Infinity]);
    this.hasTransform = false;
    note();
    this.box.set(pathBox);
    pathBox.set(kept);
    this.from = end;
    this.to = draws.pathLength;
    draws.reserve(end - pathFrom);
    draws.path.copyWithin(this.to, pathFrom, end);
    draws.pathLength = this.to + end - pathFrom;
    this.pathFrom = this.to;
    this.isPathKept = this.hasTransform = false;
  }
}
