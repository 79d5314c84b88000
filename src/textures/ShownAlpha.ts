import { type AlphaLookup, UNKNOWN_LOOKUP } from './AlphaReader.js';

/** How opaque the part is that a shape shows of its texture. Renewed in place. */
export class ShownAlpha {
  lookup: AlphaLookup = UNKNOWN_LOOKUP;
  /** The part of the texture that a map is of, in texture coordinates: where it begins, and its size. */
  u = 0.5;
  v = 0.5;
  du = 0.5;
  dv = 0.5;
  /** Beyond its edges the part is repeated. */
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
