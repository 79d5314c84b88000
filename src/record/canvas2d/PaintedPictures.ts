import { SequenceMemory } from '../../measure/SequenceMemory.js';
import { type AlphaLookup, lookupOfPixels, MAX_CELLS } from '../../textures/AlphaReader.js';
import { Blend } from '../../textures/Blend.js';
import type { CanvasDraws } from './CanvasDraws.js';
import type { DrawPainter, PictureView } from './DrawPainter.js';

/** The most pixels one picture has: larger parts of the canvas are painted smaller. */
const MOST_PIXELS = MAX_CELLS;

/** What the browser painted of some draws, and where it lies on the canvas. */
export interface Painted extends PictureView {
  readonly lookup: AlphaLookup;
}

interface Remembered {
  readonly memory: SequenceMemory;
  painted: Painted | null;
}

/**
 * Pictures of draws that are no polygons, painted by the browser. A picture that is asked for again as in the last
 * frame is not painted again: it is the same object.
 */
export class PaintedPictures {
  #draws!: CanvasDraws;
  readonly #remembered: Remembered[] = [];
  #asked = 0;

  constructor(private readonly painter: DrawPainter) {}

  begin(draws: CanvasDraws): void {
    this.#draws = draws;
    this.#asked = 0;
  }

  end(): void {
    this.#remembered.length = this.#asked;
  }

  /**
   * Paints the draws `from ≤ i < to` over each other, as far as they lie in a box. Null when the box is empty, or
   * nothing can be read.
   */
  paint(from: number, to: number, box: Float64Array, isClipped: boolean, blend: Blend): Painted | null {
    return this.#recall(
      box,
      blend,
      (memory) => {
        memory.number(isClipped ? 1 : 0);
        for (let i = from; i < to; i++) this.#noteDraw(memory, i);
      },
      (view) => this.painter.paint(this.#draws, from, to, view, isClipped),
    );
  }

  /** Paints all that a clip lets through in a box. */
  paintClip(clip: number, box: Float64Array): Painted | null {
    return this.#recall(
      box,
      Blend.COVER,
      (memory) => this.#noteClip(memory, clip),
      (view) => this.painter.paintClip(this.#draws, clip, view),
    );
  }

  #recall(
    box: Float64Array,
    blend: Blend,
    note: (memory: SequenceMemory) => void,
    paint: (view: PictureView) => Uint8ClampedArray | null,
  ): Painted | null {
    const view = viewOf(box);
    if (view === null) return null;
    const { x, y, width, height, scale } = view;
    const entry = (this.#remembered[this.#asked++] ??= { memory: new SequenceMemory(), painted: null });
    const { memory } = entry;
    memory.begin();
    for (const value of [x, y, width, height, scale, blend]) memory.number(value);
    note(memory);
    if (memory.end()) return entry.painted;
    const pixels = paint(view);
    entry.painted =
      pixels === null ? null : { ...view, lookup: lookupOfPixels(pixels, width, height, blend, scale === 1) };
    return entry.painted;
  }

  #noteDraw(memory: SequenceMemory, i: number): void {
    const draw = this.#draws.draws[i]!;
    memory.numbers(draw.numbers, 0, draw.numbers.length);
    memory.number(draw.kind);
    memory.reference(draw.style);
    memory.reference(draw.rule);
    this.#notePath(memory, draw.pathFrom, draw.pathTo);
    this.#noteClip(memory, draw.clip);
  }

  #noteClip(memory: SequenceMemory, index: number): void {
    if (index < 0) return;
    const clip = this.#draws.clips[index]!;
    memory.reference(clip.rule);
    this.#notePath(memory, clip.pathFrom, clip.pathTo);
    this.#noteClip(memory, clip.outer);
  }

  #notePath(memory: SequenceMemory, from: number, to: number): void {
    memory.number(to - from);
    memory.numbers(this.#draws.path, from, to);
  }
}

/** Whole pixels around a box. */
function viewOf(box: Float64Array): PictureView | null {
  const x = Math.floor(box[0]!);
  const y = Math.floor(box[1]!);
  const across = Math.ceil(box[2]!) - x;
  const down = Math.ceil(box[3]!) - y;
  if (!(across > 0 && down > 0) || across + down === Infinity) return null;
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (across * down)));
  return { x, y, width: Math.ceil(across * scale), height: Math.ceil(down * scale), scale };
}
