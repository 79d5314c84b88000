import { At, type CanvasDraw, type CanvasDraws, DrawKind } from './CanvasDraws.js';
import { replayPath } from './replayPath.js';

export type PaintContext = CanvasRenderingContext2D;

/** Where a painted picture lies on the canvas: from x, y on, with `scale` pixels of the picture to a canvas pixel. */
export interface PictureView {
  readonly x: number;
  readonly y: number;
  /** Size of the picture in its own pixels. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

/**
 * Lets the browser paint what was recorded into a context of its own, and reads the pixels back: so joins, dashes,
 * letters, gradients and smooth edges are those of the screen.
 */
export class DrawPainter {
  private context: PaintContext | null = null;
  private isBroken = false;
  private readonly view = new Float64Array(3);

  /** @param createContext Creates a context of the browser for this painter alone; null where there is none. */
  constructor(private readonly createContext: () => PaintContext | null) {}

  /** Paints some draws one after the other, each in its own clip unless told otherwise. Null when nothing can be read. */
  paint(draws: CanvasDraws, from: number, to: number, at: PictureView, isClipped: boolean): Uint8ClampedArray | null {
    return this.paintWith(at, (context) => {
      for (let i = from; i < to; i++) {
        const draw = draws.draws[i]!;
        context.save();
        if (isClipped) this.enterClip(draws, draw.clip, context);
        this.paintDraw(draws, draw, context);
        context.restore();
      }
    });
  }

  /** Paints all that a clip lets through. */
  paintClip(draws: CanvasDraws, clip: number, at: PictureView): Uint8ClampedArray | null {
    return this.paintWith(at, (context) => {
      context.save();
      this.enterClip(draws, clip, context);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillRect(0, 0, at.width, at.height);
      context.restore();
    });
  }

  private paintWith(at: PictureView, paint: (context: PaintContext) => void): Uint8ClampedArray | null {
    const context = this.open(at.width, at.height);
    if (context === null) return null;
    this.view[0] = at.scale;
    this.view[1] = at.x;
    this.view[2] = at.y;
    try {
      paint(context);
      return context.getImageData(0, 0, at.width, at.height).data;
    } catch {
      // A picture of another origin, or a call that the browser does not know: the next paint begins with a new context.
      this.context = null;
      return null;
    }
  }

  private open(width: number, height: number): PaintContext | null {
    if (this.isBroken) return null;
    this.context ??= this.createContext();
    const { context } = this;
    if (context === null || !paints(context)) {
      this.isBroken = true;
      return null;
    }
    const { canvas } = context;
    if (canvas.width < width || canvas.height < height) {
      canvas.width = Math.max(canvas.width, width);
      canvas.height = Math.max(canvas.height, height);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  }

  private enterClip(draws: CanvasDraws, index: number, context: PaintContext): void {
    if (index < 0) return;
    const { outer, pathFrom, pathTo, rule } = draws.clips[index]!;
    this.enterClip(draws, outer, context);
    const path = replayPath(draws, pathFrom, pathTo, context, this.view);
    if (path === null) context.clip(rule as CanvasFillRule);
    else context.clip(path, rule as CanvasFillRule);
  }

  private paintDraw(draws: CanvasDraws, draw: CanvasDraw, context: PaintContext): void {
    const { kind, numbers, style, text } = draw;
    context.globalAlpha = numbers[At.ALPHA]!;
    context.imageSmoothingEnabled = draw.isSmooth;
    context.lineWidth = numbers[At.LINE_WIDTH]!;
    const { lineDash, ...extras } = draw.extras as { lineDash?: number[] };
    if (lineDash !== undefined) context.setLineDash(lineDash);
    Object.assign(context, extras);
    if (kind === DrawKind.STROKE || kind === DrawKind.STROKE_TEXT) context.strokeStyle = style as string;
    else if (style !== '') context.fillStyle = style as string;
    const path = replayPath(draws, draw.pathFrom, draw.pathTo, context, this.view);
    const [scale, left, top] = this.view as unknown as [number, number, number];
    context.setTransform(
      scale * numbers[0]!,
      scale * numbers[1]!,
      scale * numbers[2]!,
      scale * numbers[3]!,
      scale * (numbers[4]! - left),
      scale * (numbers[5]! - top),
    );
    const n = (k: number): number => numbers[k]!;
    const x = n(At.TO);
    const y = n(At.TO + 1);
    const width = n(At.TO + 2);
    switch (kind) {
      case DrawKind.PICTURE: {
        const picture = draw.picture as CanvasImageSource;
        const from = At.FROM;
        context.drawImage(picture, n(from), n(from + 1), n(from + 2), n(from + 3), x, y, width, n(At.TO + 3));
        break;
      }
      case DrawKind.RECTANGLE:
        context.fillRect(x, y, width, n(At.TO + 3));
        break;
      case DrawKind.FILL:
        if (path === null) context.fill(text as CanvasFillRule);
        else context.fill(path, text as CanvasFillRule);
        break;
      case DrawKind.STROKE:
        if (path === null) context.stroke();
        else context.stroke(path);
        break;
      case DrawKind.FILL_TEXT:
        context.fillText(text, x, y, width === Infinity ? undefined : width);
        break;
      case DrawKind.STROKE_TEXT:
        context.strokeText(text, x, y, width === Infinity ? undefined : width);
        break;
      default:
        break;
    }
  }
}

const asked = new WeakMap<object, boolean>();

/** True for a context that paints and can be read back; stand-ins in tests may not. */
function paints(context: PaintContext): boolean {
  let answer = asked.get(context);
  if (answer === undefined) {
    context.clearRect(0, 0, 1, 1);
    const before = context.getImageData(0, 0, 1, 1).data[3];
    context.fillRect(0, 0, 1, 1);
    answer = before === 0 && context.getImageData(0, 0, 1, 1).data[3] === 255;
    asked.set(context, answer);
  }
  return answer;
}
