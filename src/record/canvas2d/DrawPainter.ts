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
 * Lets the browser paint recorded paths into a context of its own, and reads the pixels back: so joins and smooth edges
 * are those of the screen.
 */
export class DrawPainter {
  #context: PaintContext | null = null;
  #isBroken = false;
  readonly #view = new Float64Array(3);

  /** @param createContext Creates a context of the browser for this painter alone; null where there is none. */
  constructor(private readonly createContext: () => PaintContext | null) {}

  /** Paints some paths one after the other, each in its own clip unless told otherwise. Null when nothing can be read. */
  paint(draws: CanvasDraws, from: number, to: number, at: PictureView, isClipped: boolean): Uint8ClampedArray | null {
    return this.#paintWith(at, (context) => {
      for (let i = from; i < to; i++) {
        const draw = draws.draws[i]!;
        context.save();
        if (isClipped) this.#enterClip(draws, draw.clip, context);
        this.#paintPath(draws, draw, context);
        context.restore();
      }
    });
  }

  /** Paints all that a clip lets through. */
  paintClip(draws: CanvasDraws, clip: number, at: PictureView): Uint8ClampedArray | null {
    return this.#paintWith(at, (context) => {
      context.save();
      this.#enterClip(draws, clip, context);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillRect(0, 0, at.width, at.height);
      context.restore();
    });
  }

  #paintWith(at: PictureView, paint: (context: PaintContext) => void): Uint8ClampedArray | null {
    const context = this.#open(at.width, at.height);
    if (context === null) return null;
    this.#view[0] = at.scale;
    this.#view[1] = at.x;
    this.#view[2] = at.y;
    try {
      paint(context);
      return context.getImageData(0, 0, at.width, at.height).data;
    } catch {
      // Such as for want of memory: the next paint begins with a new context.
      this.#context = null;
      return null;
    }
  }

  #open(width: number, height: number): PaintContext | null {
    if (this.#isBroken) return null;
    if (this.#context === null) {
      this.#context = this.createContext();
      this.#isBroken = this.#context === null || !paints(this.#context);
      if (this.#isBroken) return null;
    }
    const context = this.#context!;
    const { canvas } = context;
    if (canvas.width < width || canvas.height < height) {
      canvas.width = Math.max(canvas.width, width);
      canvas.height = Math.max(canvas.height, height);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  }

  #enterClip(draws: CanvasDraws, index: number, context: PaintContext): void {
    if (index < 0) return;
    const { outer, pathFrom, pathTo, rule } = draws.clips[index]!;
    this.#enterClip(draws, outer, context);
    replayPath(draws, pathFrom, pathTo, context, this.#view);
    context.clip(rule);
  }

  #paintPath(draws: CanvasDraws, draw: CanvasDraw, context: PaintContext): void {
    const { kind, numbers, pathFrom, pathTo, rule } = draw;
    replayPath(draws, pathFrom, pathTo, context, this.#view);
    context.globalAlpha = numbers[At.ALPHA]!;
    context.fillStyle = context.strokeStyle = draw.style as string;
    if (kind === DrawKind.FILL) {
      context.fill(rule);
      return;
    }
    // The matrix of the stroke itself decides how wide the line is; only where the path lies has been settled.
    const scale = this.#view[0]!;
    const [a, b, c, d] = numbers as unknown as [number, number, number, number];
    context.setTransform(scale * a, scale * b, scale * c, scale * d, 0, 0);
    context.lineWidth = numbers[At.LINE_WIDTH]!;
    context.stroke();
  }
}

/** True for a context that paints and can be read back; stand-ins in tests may not. */
function paints(context: PaintContext): boolean {
  context.clearRect(0, 0, 1, 1);
  const before = context.getImageData(0, 0, 1, 1).data[3];
  context.fillRect(0, 0, 1, 1);
  return before === 0 && context.getImageData(0, 0, 1, 1).data[3] === 255;
}
