import type * as Phaser from 'phaser';

import { BLUR_PX, type PaintProbe } from '../PaintedReach.js';
import { EVERYWHERE, growBox } from './boxes.js';
import { At, CanvasDraws } from './CanvasDraws.js';
import { Colours } from './Colours.js';
import { HARMLESS, PATH_CALLS } from './CanvasWatch.js';
import { RecordingContext } from './RecordingContext.js';

type Context = CanvasRenderingContext2D;
type Method = (...values: never[]) => unknown;

/** Letters are drawn a little beside where they were measured: they are fitted to the pixels. A share of their height. */
const HINTING = 0.125;

/** Of a line's width so much lies beside a letter at most: its corners are as sharp as contexts allow. */
const MITER = 5;

/** Tells where the Canvas renderer paints: each call that paints, and each of a path, is noted as it is made. */
export class CanvasProbe implements PaintProbe {
  readonly method = 'renderCanvas';
  private readonly draws = new CanvasDraws();
  private readonly noted: RecordingContext;
  private readonly context: Context;
  /** Of the methods that paint or add to the path; null before it is asked. */
  private names: readonly string[] | null = null;
  /** By name of the method: the context's own, and the one that notes the call. */
  private readonly own: Record<string, Method> = {};
  private readonly noting: Record<string, Method> = {};

  constructor({ canvas, renderer }: Phaser.Game) {
    this.noted = new RecordingContext(canvas, this.draws, new Colours(null), null);
    this.context = (renderer as Phaser.Renderer.Canvas.CanvasRenderer).gameContext;
    this.draws.near.set(EVERYWHERE);
  }

  watch(draw: () => void, box: Float64Array): void {
    const { context, draws, noted } = this;
    this.takeMethods();
    noted.begin();
    Object.assign(context, this.noting);
    try {
      draw();
    } finally {
      // Assigned and not deleted: that would make a slow object of it.
      Object.assign(context, this.own);
    }
    for (let i = 0; i < draws.count; i++) {
      const { numbers } = draws.draws[i]!;
      growBox(box, numbers[At.BOX]!, numbers[At.BOX + 1]!, BLUR_PX, BLUR_PX);
      growBox(box, numbers[At.BOX + 2]!, numbers[At.BOX + 3]!, BLUR_PX, BLUR_PX);
    }
    // Numbers that are none are no box.
    if (draws.count > 0 && !(box[2]! - box[0]! < Infinity && box[3]! - box[1]! < Infinity)) box.set(EVERYWHERE);
    draws.release();
  }

  /** Anew each time: another tool may have put its own there. */
  private takeMethods(): void {
    const { context, noting, own } = this;
    const methods = context as unknown as Record<string, Method>;
    for (const name of (this.names ??= namesOf(context))) {
      own[name] = methods[name]!;
      noting[name] ??= (...values) => {
        this.note(name, values);
        return own[name]!.apply(context, values);
      };
    }
  }

  private note(name: string, values: never[]): void {
    const { context, noted } = this;
    const { shadowBlur, shadowOffsetX, shadowOffsetY, filter, lineWidth } = context;
    noted.setTransform(context.getTransform());
    noted.globalAlpha = context.globalAlpha;
    noted.globalCompositeOperation = context.globalCompositeOperation;
    noted.lineWidth = lineWidth;
    if (PATH_CALLS.has(name)) {
      call(noted, name, values);
      return;
    }
    const isPlain = (filter ?? 'none') === 'none' && shadowBlur === 0 && shadowOffsetX === 0 && shadowOffsetY === 0;
    if (!isPlain || !(name in noted)) noted.unknown();
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

function namesOf(context: object): string[] {
  const methods = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(context)) as Record<
    string,
    PropertyDescriptor
  >;
  return Object.keys(methods).filter(
    (name) =>
      typeof methods[name]!.value === 'function' &&
      name !== 'constructor' &&
      (PATH_CALLS.has(name) || !HARMLESS.has(name)),
  );
}

function call(context: RecordingContext, name: string, values: never[]): void {
  // What the browser refuses it refuses by itself.
  try {
    (context as unknown as Record<string, Method>)[name]!(...values);
  } catch {
    context.unknown();
  }
}
