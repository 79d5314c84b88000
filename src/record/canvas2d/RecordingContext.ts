import { cutBox, EVERYWHERE, growBox } from '../../geometry/boxes.js';
import { sizeOf } from '../../textures/AlphaReader.js';
import { DrawRole } from '../draws/DrawRole.js';
import { At, type CanvasDraw, type CanvasDraws, DrawKind } from './CanvasDraws.js';
import { HARMLESS } from './CanvasWatch.js';
import { Effect, effectOf } from './composites.js';
import { RecordingState } from './RecordingState.js';

/** The sharpest join of a line reaches so many half widths beyond it: `miterLimit` as it is unless a game sets it. */
const MITER = 10;

/**
 * A 2D context that paints nothing: it keeps the state a context has, by the rules of the HTML standard, and notes each
 * draw with the state it was made in. It keeps what Phaser uses of a context, and notes all else as unknown.
 *
 * Whoever draws sets whose draws follow: {@link owner}, {@link role}, {@link ad}, {@link camera}.
 */
export class RecordingContext extends RecordingState {
  owner: unknown = null;
  role: DrawRole = DrawRole.COVER;
  ad = -1;
  camera: unknown = null;
  /** Draws that may cover an ad are left out. */
  isMuted = false;

  /**
   * @param canvas What game objects find as the context's canvas.
   * @param draws Takes what is drawn.
   * @param real A context of the browser that nobody else draws with: it answers calls such as `measureText`.
   */
  constructor(
    readonly canvas: unknown,
    draws: CanvasDraws,
    private readonly real: CanvasRenderingContext2D | null,
  ) {
    super(draws);
    if (real !== null) learn(RecordingContext.prototype, real);
  }

  override begin(): void {
    super.begin();
    this.owner = null;
    this.role = DrawRole.COVER;
    this.ad = -1;
    this.isMuted = false;
  }

  // --- draws ---

  fill(pathOrRule?: Path2D | CanvasFillRule): void {
    this.#addPath(DrawKind.FILL, this.takePath(pathOrRule), this.state.fillStyle);
  }

  stroke(path?: Path2D): void {
    const isKnown = this.takePath(path);
    this.#widen();
    this.#addPath(DrawKind.STROKE, isKnown, this.state.strokeStyle);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    if (!Number.isFinite(x + y + width + height) || width === 0 || height === 0) return;
    const draw = this.#addIn(DrawKind.RECTANGLE, x, y, width, height);
    if (draw !== null) draw.style = this.state.fillStyle;
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.#boxIn(x, y, width, height);
    this.#widen();
    this.#add(DrawKind.UNKNOWN);
  }

  clearRect(x: number, y: number, width: number, height: number): void {
    this.unknownIn(x, y, width, height);
  }

  drawImage(
    picture: unknown,
    n1: number,
    n2: number,
    n3?: number,
    n4?: number,
    n5?: number,
    n6?: number,
    n7?: number,
    n8?: number,
  ): void {
    const size = sizeOfPicture(picture);
    if (!(size.width > 0 && size.height > 0)) return;
    // No arrays: they would be made for each draw of each frame.
    const isPart = n5 !== undefined;
    let sx = isPart ? n1 : 0;
    let sy = isPart ? n2 : 0;
    let sw = isPart ? n3! : size.width;
    let sh = isPart ? n4! : size.height;
    let x = isPart ? n5 : n1;
    let y = isPart ? n6! : n2;
    let w = isPart ? n7! : (n3 ?? size.width);
    let h = isPart ? n8! : (n4 ?? size.height);
    if (!Number.isFinite(sx + sy + sw + sh + x + y + w + h) || sw === 0 || sh === 0) return;
    if (sw < 0) {
      sx += sw;
      sw = -sw;
      x += w;
      w = -w;
    }
    if (sh < 0) {
      sy += sh;
      sh = -sh;
      y += h;
      h = -h;
    }
    // Nothing is drawn from beyond the picture's edges; the target is cut by the same share.
    const left = Math.max(0, -sx);
    const top = Math.max(0, -sy);
    const right = Math.max(0, sx + sw - size.width);
    const bottom = Math.max(0, sy + sh - size.height);
    if (left + right >= sw || top + bottom >= sh) return;
    const acrossX = w / sw;
    const acrossY = h / sh;
    const draw = this.#addIn(
      DrawKind.PICTURE,
      x + left * acrossX,
      y + top * acrossY,
      w - (left + right) * acrossX,
      h - (top + bottom) * acrossY,
    );
    if (draw === null) return;
    draw.picture = picture;
    const { numbers } = draw;
    numbers[At.FROM] = sx + left;
    numbers[At.FROM + 1] = sy + top;
    numbers[At.FROM + 2] = sw - left - right;
    numbers[At.FROM + 3] = sh - top - bottom;
  }

  /** Notes that something may have been painted in a box of the canvas; without a box, anywhere. */
  unknown(box: Float64Array = EVERYWHERE): void {
    this.box.set(box);
    this.#add(DrawKind.UNKNOWN);
  }

  /** Notes that something may have been painted in a rectangle. */
  unknownIn(x: number, y: number, width: number, height: number): void {
    this.#addIn(DrawKind.UNKNOWN, x, y, width, height);
  }

  /** Notes that draws of another role follow: see {@link DrawKind.MARK}. */
  mark(ad: number, role: DrawRole, isKnown = true): void {
    this.ad = ad;
    this.role = role;
    this.box.set(EVERYWHERE);
    this.#add(DrawKind.MARK)!.isKnown = isKnown;
  }

  #addPath(kind: DrawKind, isKnown: boolean, style: unknown): void {
    const draw = this.#add(isKnown ? kind : DrawKind.UNKNOWN);
    if (draw === null) return;
    draw.style = style;
    draw.pathFrom = this.pathFrom;
    draw.pathTo = this.draws.pathLength;
    draw.rule = this.rule;
  }

  /** Adds a draw with the present state, within {@link box}; null when it changes nothing near an ad. */
  #add(kind: DrawKind): CanvasDraw | null {
    const { state, draws, box } = this;
    if (this.isMuted && this.role === DrawRole.COVER && kind !== DrawKind.MARK) return null;
    if (kind !== DrawKind.MARK) {
      if (effectOf(state.composite) === Effect.CLEARS) box.set(EVERYWHERE);
      else if (state.alpha === 0 && kind !== DrawKind.UNKNOWN) return null;
      if (this.role !== DrawRole.SHAPE) {
        if (state.clip >= 0) cutBox(box, draws.clips[state.clip]!.box);
        if (this.role === DrawRole.COVER) cutBox(box, draws.near);
        if (!(box[2]! > box[0]! && box[3]! > box[1]!)) return null;
      }
    }
    const draw = draws.add();
    draw.kind = kind;
    draw.role = this.role;
    draw.owner = this.owner;
    draw.ad = this.ad;
    draw.camera = this.camera;
    draw.composite = state.composite;
    draw.isSmooth = state.isSmooth;
    draw.clip = state.clip;
    draw.picture = null;
    draw.style = '';
    draw.pathFrom = draw.pathTo = 0;
    const { numbers } = draw;
    numbers.fill(0, At.TO, At.BOX);
    numbers[0] = state.a;
    numbers[1] = state.b;
    numbers[2] = state.c;
    numbers[3] = state.d;
    numbers[4] = state.e;
    numbers[5] = state.f;
    numbers.set(box, At.BOX);
    numbers[At.ALPHA] = state.alpha;
    numbers[At.LINE_WIDTH] = state.lineWidth;
    return draw;
  }

  /** Adds a draw of a rectangle; null when it changes nothing near an ad. */
  #addIn(kind: DrawKind, x: number, y: number, width: number, height: number): CanvasDraw | null {
    this.#boxIn(x, y, width, height);
    const draw = this.#add(kind);
    if (draw === null) return null;
    const { numbers } = draw;
    numbers[At.TO] = x;
    numbers[At.TO + 1] = y;
    numbers[At.TO + 2] = width;
    numbers[At.TO + 3] = height;
    return draw;
  }

  /** Sets {@link box} to where a rectangle lies on the canvas. */
  #boxIn(x: number, y: number, width: number, height: number): void {
    const { a, b, c, d, e, f } = this.state;
    const { box } = this;
    const midX = x + width / 2;
    const midY = y + height / 2;
    box[0] = box[1] = Infinity;
    box[2] = box[3] = -Infinity;
    const reachX = (Math.abs(a * width) + Math.abs(c * height)) / 2;
    const reachY = (Math.abs(b * width) + Math.abs(d * height)) / 2;
    growBox(box, a * midX + c * midY + e, b * midX + d * midY + f, reachX, reachY);
  }

  /** Widens {@link box} by the line along the path. */
  #widen(): void {
    const { state, box } = this;
    const around = (state.lineWidth / 2) * MITER;
    const x = around * Math.hypot(state.a, state.c);
    const y = around * Math.hypot(state.b, state.d);
    box[0]! -= x;
    box[1]! -= y;
    box[2]! += x;
    box[3]! += y;
  }
}

const NO_SIZE = { width: 0, height: 0 };

/** The size of a picture in its own pixels, whatever size the page gives it; 0 × 0 for one that is not there yet. */
function sizeOfPicture(picture: unknown): { readonly width: number; readonly height: number } {
  if (typeof picture !== 'object' || picture === null) return NO_SIZE;
  const { complete, videoWidth } = picture as Partial<HTMLImageElement & HTMLVideoElement>;
  return complete === false || videoWidth === 0 ? NO_SIZE : sizeOf(picture);
}

/** Adds all other members of this browser's contexts to the recorder: what is painted after a setting, or by a call, is unknown. */
function learn(prototype: object, real: object): void {
  for (const [name, { set, value }] of Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(real)))) {
    if (name in prototype || name === 'canvas') continue;
    if (set !== undefined) {
      Object.defineProperty(prototype, name, {
        configurable: true,
        get(this: RecordingContext) {
          return (this['real'] as unknown as Record<string, unknown>)[name];
        },
        set(this: RecordingContext, setting: unknown) {
          if (setting !== (this as unknown as Record<string, unknown>)[name]) this.unknown();
        },
      });
    } else if (typeof value === 'function') {
      const method = value as (...values: unknown[]) => unknown;
      const call = function (this: RecordingContext, ...values: unknown[]): unknown {
        if (!HARMLESS.has(name)) this.unknown();
        return method.apply(this['real'], values);
      };
      Object.defineProperty(prototype, name, { configurable: true, writable: true, value: call });
    }
  }
}
