import { type AlphaLookup, UNKNOWN_LOOKUP } from './AlphaReader.js';

/** How opaque what a shape shows of its texture is. Renewed in place. */
export class ShownAlpha {
  lookup: AlphaLookup = UNKNOWN_LOOKUP;
  /** What a map is of, in coordinates of the texture: where it begins, and how much of it there is. */
  u = 0.5;
  v = 0.5;
  du = 0.5;
  dv = 0.5;
  /** It goes on beyond its edges from the other side. */
  isRepeated = false;

  /** All of the texture, once or again and again. */
  setWhole(lookup: AlphaLookup, isRepeated: boolean): void {
    this.lookup = lookup;
    this.u = this.v = 0;
    this.du = this.dv = 1;
    this.isRepeated = isRepeated;
  }

  copy(from: ShownAlpha): void {
    this.lookup = from.lookup;
    this.u = from.u;
    this.v = from.v;
    this.du = from.du;
    this.dv = from.dv;
    this.isRepeated = from.isRepeated;
  }
}
