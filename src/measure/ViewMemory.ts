import { boxesMeet } from '../geometry/boxesMeet.js';
import { type AdView, type FrameSnapshot, NONE } from './FrameSnapshot.js';
import { SequenceMemory } from './SequenceMemory.js';

/** Remembers everything a view's measurement depends on, so that a frame in which none of it changed need not be measured again. */
export class ViewMemory {
  readonly #memory = new SequenceMemory();
  /** The mask of the last polygon that has one. */
  #lastMask = NONE;
  /** The box around the view's pieces. */
  readonly #around = new Float64Array(4);

  /**
   * True when the view looks just as it did at the last call; in any case it is remembered from now on. The maps'
   * content is not compared: a texture whose alpha changes needs a new map object.
   */
  isSame(snapshot: FrameSnapshot, view: AdView): boolean {
    const memory = this.#memory;
    memory.begin();
    this.#lastMask = NONE;
    memory.number(view.opacity);
    memory.number(view.fade);
    memory.number(view.alpha);
    memory.number(snapshot.ground);
    memory.number(view.unmeasurable ? 1 : 0);
    memory.number(view.pieceTo - view.pieceFrom);
    for (let i = view.shapeFrom; i < view.shapeTo; i++) this.#polygon(snapshot, i);
    for (let i = view.pieceFrom; i < view.pieceTo; i++) this.#polygon(snapshot, i);
    const around = this.#around;
    snapshot.takeBox(view.pieceFrom, view.pieceTo, around);
    const { box } = snapshot;
    const end = snapshot.count;
    // What an ad that lets light through is seen on matters, too.
    for (let i = view.alpha < 1 ? 0 : view.pieceTo; i < end; i++) {
      if (!boxesMeet(box, i, around, 0)) continue;
      if (i < view.shapeFrom || snapshot.mayCover(i, view)) this.#polygon(snapshot, i);
    }
    return memory.end();
  }

  /** Forgets the last frame and lets go of its objects. */
  forget(): void {
    this.#memory.forget();
  }

  #polygon(snapshot: FrameSnapshot, i: number): void {
    const memory = this.#memory;
    const { owner, alphaMap, mask, gradient } = snapshot;
    const from = 2 * snapshot.start[i]!;
    const length = 2 * snapshot.length[i]!;
    memory.numbers(snapshot.xy, from, from + length);
    memory.number(length);
    memory.number(snapshot.flags[i]!);
    memory.numbers(snapshot.opacity, i, i + 1);
    if (gradient[2 * i] !== 0 || gradient[2 * i + 1] !== 0) memory.numbers(gradient, 2 * i, 2 * i + 2);
    const by = owner[i]!;
    memory.reference(by === NONE ? null : snapshot.owners[by]);
    const map = alphaMap[i]!;
    if (map !== NONE) {
      memory.reference(snapshot.alphaMaps[map]);
      memory.numbers(snapshot.uv, 6 * i, 6 * i + 6);
    }
    if (mask[i] !== NONE) this.#mask(snapshot, mask[i]!);
  }

  #mask(snapshot: FrameSnapshot, index: number): void {
    const mask = snapshot.masks[index]!;
    // Polygons behind one mask hide each other before the mask is laid over them.
    this.#memory.number((mask.invert ? 1 : 0) + (index === this.#lastMask ? 2 : 0));
    this.#memory.number(mask.to - mask.from);
    for (let i = mask.from; i < mask.to; i++) this.#polygon(snapshot, i);
    if (mask.outer !== NONE) this.#mask(snapshot, mask.outer);
    this.#lastMask = index;
  }
}
