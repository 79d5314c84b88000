import type * as Phaser from 'phaser';

import { EVERYWHERE, growBox } from '../../geometry/boxes.js';
import { BLUR_PX, type PaintProbe } from '../objects/PaintedReach.js';
import { At, CanvasDraws } from './CanvasDraws.js';
import { paintingMethods, PATH_CALLS } from './CanvasWatch.js';
import { RecordingContext } from './RecordingContext.js';

type Context = CanvasRenderingContext2D;
type Method = (...values: never[]) => unknown;

/**
 * Letters are fitted to the pixels, so they are drawn a little beside where they were measured: a share of the font's
 * height.
 */
const HINTING = 0.125;

/** A stroke reaches at most this many line widths beyond a letter: its corners are as sharp as the miter limit allows. */
const MITER = 5;

/** Tells where the Canvas renderer paints: notes each call that paints or adds to the path as it is made. */
export class CanvasProbe implements PaintProbe {
  readonly method = 'renderCanvas';
  readonly #draws = new CanvasDraws();
  readonly #noted: RecordingContext;
  readonly #context: Context;
  /** Names of the methods that paint or add to the path. */
  readonly #names: readonly string[];
  /** By method name: the context's own function, and the one that notes the call. */
  readonly #own: Record<string, Method> = {};
  readonly #noting: Record<string, Method> = {};

  constructor({ canvas, renderer }: Phaser.Game) {
    this.#noted = new RecordingContext(canvas, this.#draws, null);
    this.#context = (renderer as Phaser.Renderer.Canvas.CanvasRenderer).gameContext;
    this.#names = [...paintingMethods(this.#context), ...[...PATH_CALLS].filter((call) => call in this.#context)];
    this.#draws.near.set(EVERYWHERE);
  }

  watch(draw: () => void, box: Float64Array): void {
    const context = this.#context;
    const draws = this.#draws;
    this.#takeMethods();
    this.#noted.begin();
    Object.assign(context, this.#noting);
    try {
      draw();
    } finally {
      // Assigned and not deleted: deleting would make the context a slow object.
      Object.assign(context, this.#own);
    }
    for (let i = 0; i < draws.count; i++) {
      const { numbers } = draws.draws[i]!;
      growBox(box, numbers[At.BOX]!, numbers[At.BOX + 1]!, BLUR_PX, BLUR_PX);
      growBox(box, numbers[At.BOX + 2]!, numbers[At.BOX + 3]!, BLUR_PX, BLUR_PX);
    }
    // NaN and infinite numbers make no box.
    if (draws.count > 0 && !(box[2]! - box[0]! < Infinity && box[3]! - box[1]! < Infinity)) box.set(EVERYWHERE);
    draws.release();
  }

  /** Reads the methods anew each time: another tool may have replaced them. */
  #takeMethods(): void {
    const context = this.#context;
    const noting = this.#noting;
    const own = this.#own;
    const methods = context as unknown as Record<string, Method>;
    for (const name of this.#names) {
      own[name] = methods[name]!;
      noting[name] ??= (...values) => {
        this.#note(name, values);
        return own[name]!.apply(context, values);
      };
    }
  }

  #note(name: string, values: never[]): void {
    const context = this.#context;
    const noted = this.#noted;
    const { shadowBlur, shadowOffsetX, shadowOffsetY, filter, lineWidth } = context;
    noted.setTransform(context.getTransform());
    noted.globalAlpha = context.globalAlpha;
    noted.globalCompositeOperation = context.globalCompositeOperation;
    noted.lineWidth = lineWidth;
    const isPlain = (filter ?? 'none') === 'none' && shadowBlur === 0 && shadowOffsetX === 0 && shadowOffsetY === 0;
    if (!isPlain && !PATH_CALLS.has(name)) noted.unknown();
    else if (name === 'fillText' || name === 'strokeText') {
      const [text, x, y] = values as unknown as [string, number, number];
      const letters = context.measureText(text);
      const hinting = HINTING * (letters.fontBoundingBoxAscent + letters.fontBoundingBoxDescent);
      const around = hinting + (name === 'strokeText' ? MITER * lineWidth : 0);
      const left = letters.actualBoundingBoxLeft + around;
      const top = letters.actualBoundingBoxAscent + around;
      const right = letters.actualBoundingBoxRight + around;
      const down = letters.actualBoundingBoxDescent + around;
      // Firefox before 116 does not tell how high the font is.
      if (Number.isNaN(hinting)) noted.unknown();
      else noted.unknownIn(x - left, y - top, left + right, top + down);
    } else call(noted, name, values);
  }
}

function call(context: RecordingContext, name: string, values: never[]): void {
  // A call that the recorder does not know, or one that the browser refuses, too.
  try {
    (context as unknown as Record<string, Method>)[name]!(...values);
  } catch {
    context.unknown();
  }
}
