import { type AdView, type FrameSnapshot, NONE, PolygonFlag } from './FrameSnapshot.js';

/** Starts at this many numbers and grows; a handful of quads needs about a hundred. */
const INITIAL_NUMBERS = 256;

/**
 * Remembers everything a view's measurement depends on, so that a frame in which none of it changed need not be
 * measured again. Comparing and storing happen in one pass and cost less than a hash would.
 */
export class ViewMemory {
  private numbers = new Float64Array(INITIAL_NUMBERS);
  private count = 0;
  private readonly references: unknown[] = [];
  private referenceCount = 0;

  private at = 0;
  private referenceAt = 0;
  private same = false;

  /**
   * True when the view looks just as it did at the last call; in any case it is remembered from now on. The maps'
   * content is not compared: a texture whose alpha changes needs a new map object.
   */
  isSame(snapshot: FrameSnapshot, view: AdView): boolean {
    this.at = 0;
    this.referenceAt = 0;
    this.same = true;
    this.number(view.opacity);
    this.number(view.unmeasurable ? 1 : 0);
    this.number(view.pieceTo - view.pieceFrom);
    for (let i = view.shapeFrom; i < view.shapeTo; i++) this.polygon(snapshot, i);
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    const { box, flags } = snapshot;
    for (let i = view.pieceFrom; i < view.pieceTo; i++) {
      this.polygon(snapshot, i);
      if (box[4 * i]! < minX) minX = box[4 * i]!;
      if (box[4 * i + 1]! < minY) minY = box[4 * i + 1]!;
      if (box[4 * i + 2]! > maxX) maxX = box[4 * i + 2]!;
      if (box[4 * i + 3]! > maxY) maxY = box[4 * i + 3]!;
    }
    const end = snapshot.count;
    for (let i = view.pieceTo; i < end; i++) {
      const b = 4 * i;
      if (!(box[b]! < maxX && box[b + 2]! > minX && box[b + 1]! < maxY && box[b + 3]! > minY)) continue;
      if ((flags[i]! & PolygonFlag.PAINTED) !== 0) this.polygon(snapshot, i);
    }
    if (this.count !== this.at || this.referenceCount !== this.referenceAt) this.same = false;
    this.count = this.at;
    this.referenceCount = this.referenceAt;
    return this.same;
  }

  /** Forgets the last frame and lets go of its objects. */
  forget(): void {
    this.count = 0;
    this.references.length = 0;
    this.referenceCount = 0;
  }

  private polygon(snapshot: FrameSnapshot, i: number): void {
    const { xy, owner, alphaMap, mask, gradient, uv } = snapshot;
    const from = 2 * snapshot.start[i]!;
    const length = 2 * snapshot.length[i]!;
    while (this.at + length + 16 > this.numbers.length) this.grow();
    const numbers = this.numbers;
    let at = this.at;
    let same = this.same;
    for (let k = from; k < from + length; k++, at++) {
      const value = xy[k]!;
      if (numbers[at] === value) continue;
      numbers[at] = value;
      same = false;
    }
    this.at = at;
    this.same = same;
    this.number(256 * length + snapshot.flags[i]!);
    this.number(snapshot.opacity[i]!);
    const gradientX = gradient[2 * i]!;
    const gradientY = gradient[2 * i + 1]!;
    if (gradientX !== 0 || gradientY !== 0) {
      this.number(gradientX);
      this.number(gradientY);
    }
    const by = owner[i]!;
    this.reference(by === NONE ? null : snapshot.owners[by]);
    const map = alphaMap[i]!;
    if (map !== NONE) {
      this.reference(snapshot.alphaMaps[map]);
      for (let k = 6 * i; k < 6 * i + 6; k++) this.number(uv[k]!);
    }
    if (mask[i] !== NONE) this.mask(snapshot, mask[i]!);
  }

  private mask(snapshot: FrameSnapshot, index: number): void {
    const mask = snapshot.masks[index]!;
    this.number(mask.invert ? 1 : 0);
    this.number(mask.to - mask.from);
    for (let i = mask.from; i < mask.to; i++) this.polygon(snapshot, i);
  }

  private number(value: number): void {
    if (this.at === this.numbers.length) this.grow();
    if (this.numbers[this.at] !== value) {
      this.numbers[this.at] = value;
      this.same = false;
    }
    this.at++;
  }

  private reference(value: unknown): void {
    if (this.references[this.referenceAt] !== value) {
      this.references[this.referenceAt] = value;
      this.same = false;
    }
    this.referenceAt++;
  }

  private grow(): void {
    const larger = new Float64Array(2 * this.numbers.length);
    larger.set(this.numbers);
    this.numbers = larger;
  }
}
