import { ClipRegion } from '../../geometry/ClipRegion.js';
import { complementInside, intersection, makeDisjoint } from '../../geometry/combineRegions.js';
import { convexArea } from '../../geometry/convexArea.js';
import type { CanvasBox } from '../../rehearsal/RehearsedEngine.js';
import type { DrawState } from './DrawOp.js';

/** WebGL constants. */
const EQUAL = 0x202;
const NOTEQUAL = 0x205;
export const ALWAYS = 0x207;
const KEEP = 0x1e00;
const REPLACE = 0x1e01;
const INCR = 0x1e02;
const DECR = 0x1e03;
const INCR_WRAP = 0x8507;
const DECR_WRAP = 0x8508;

/** A stencil is set to small numbers, and counted little below nothing. */
const MOST_SET = 8;

/** Overlaps of less than this, in px², are rounding. */
const OVERLAP_PX = 1e-3;

/** True for a test of which {@link StencilRegions.passing} can tell what it lets through. */
export function isKnownFunc(stencilFunc: number): boolean {
  return stencilFunc === EQUAL || stencilFunc === NOTEQUAL || stencilFunc === ALWAYS;
}

/** True for a test that lets everything through while nothing was drawn on the stencil. */
export function passesEmpty({ hasStencilTest, stencilFunc, stencilRef }: DrawState): boolean {
  return !hasStencilTest || stencilFunc === ALWAYS || (stencilFunc === EQUAL && stencilRef === 0);
}

/** The content of the stencil buffer, as regions of the canvas. */
export class StencilRegions {
  /** Something was drawn on the stencil, and what it left there is unknown. */
  isUnknown = false;
  /** Where it is above {@link #least}, where it is above that by at least two, and so on. */
  #levels: ClipRegion[] = [];
  /** 0, or less where it was counted down below nothing: that wraps to 255, which counts as −1 here. */
  #least = 0;

  /** @param bounds outside of which nothing matters */
  constructor(private readonly bounds: Readonly<CanvasBox>) {}

  /**
   * @param region null for everywhere
   * @param value NaN for an unknown one
   */
  clear(region: ClipRegion | null = null, value = 0): void {
    if (region === null) {
      this.#levels = [];
      this.#least = 0;
      this.isUnknown = false;
    }
    if (region !== null || value !== 0) this.#set(region ?? this.#outside(new ClipRegion()), value);
  }

  /** Draws a shape, given as disjoint or overlapping pieces within what is drawn on. */
  draw(pieces: ClipRegion, state: DrawState): void {
    const { hasStencilTest, stencilFunc, stencilRef, stencilFail, stencilPass } = state;
    if (!hasStencilTest || pieces.pieceCount === 0) return;
    if (stencilFunc === ALWAYS) this.#change(pieces, stencilPass, stencilRef);
    else if (stencilFunc === EQUAL && stencilFail === KEEP) this.#changeEqual(pieces, stencilPass, stencilRef);
    else this.isUnknown = true;
    // What has wrapped to the highest value everywhere is back.
    const { minX, minY, maxX, maxY } = this.bounds;
    while (this.#least < 0 && areaOf(this.#levels[0]!) > (maxX - minX) * (maxY - minY) - OVERLAP_PX) {
      this.#levels.shift();
      this.#least++;
    }
  }

  /** Counts up or down where the stencil is `value`. */
  #changeEqual(pieces: ClipRegion, operation: number, value: number): void {
    const isUp = operation === INCR || operation === INCR_WRAP;
    const level = this.#levelOf(value);
    const shape = new ClipRegion();
    makeDisjoint(pieces, shape);
    const exact = this.#exactly(value);
    if (this.#endsBelow(operation) || (!isUp && operation !== DECR && (operation !== DECR_WRAP || level <= 0)))
      this.isUnknown = true;
    else if (exact !== null) {
      const drawn = intersection(exact, shape);
      if (isUp) this.#add(level, drawn);
      else this.#take(level - 1, drawn);
    }
  }

  /** Draws pieces that each count by themselves, whatever the stencil holds there. */
  #change(pieces: ClipRegion, operation: number, ref: number): void {
    if (this.#endsBelow(operation)) this.isUnknown = true;
    for (const part of partsOf(pieces)) {
      if (operation === INCR || operation === INCR_WRAP) this.#raise(part);
      else if (operation === DECR || operation === DECR_WRAP) this.#lower(part, operation === DECR_WRAP);
      else if (operation === REPLACE) this.#set(part, ref);
      else this.isUnknown = true;
    }
  }

  /** True of counting that ends at the highest value or at nothing, where there is something below nothing. */
  #endsBelow(operation: number): boolean {
    return this.#least < 0 && (operation === INCR || operation === DECR);
  }

  #set(region: ClipRegion, value: number): void {
    if (!(value <= MOST_SET)) {
      this.isUnknown = true;
      return;
    }
    const levels = this.#levels;
    const least = this.#least;
    for (let level = 0; level < Math.max(levels.length, value - least); level++) {
      const before = levels[level];
      if (before !== undefined) levels[level] = this.#without(before, region);
      // A copy: what is added takes in what was there.
      if (least + level < value) this.#add(level, intersection(region, region));
    }
  }

  #raise(piece: ClipRegion): void {
    for (let level = this.#levels.length; level >= 0; level--) {
      const raised = level === 0 ? piece : intersection(this.#levels[level - 1]!, piece);
      const before = this.#levels[level];
      this.#add(level, before === undefined || before.pieceCount === 0 ? raised : this.#without(raised, before));
    }
  }

  #lower(piece: ClipRegion, wraps: boolean): void {
    const levels = this.#levels;
    if (wraps && (levels[0] === undefined || this.#without(piece, levels[0]).pieceCount > 0)) {
      levels.unshift(this.#outside(new ClipRegion()));
      if (--this.#least < -MOST_SET) this.isUnknown = true;
    }
    for (let level = 0; level < levels.length; level++) {
      const rest = this.#without(levels[level]!, piece);
      const above = levels[level + 1];
      levels[level] = rest;
      if (above !== undefined) this.#add(level, intersection(above, piece));
    }
  }

  /** The region that a test lets through. Null for everywhere, and where it is unknown. */
  passing({ hasStencilTest, stencilFunc, stencilRef }: DrawState): ClipRegion | null {
    if (!hasStencilTest || stencilFunc === ALWAYS || this.isUnknown || !isKnownFunc(stencilFunc)) return null;
    const exact = this.#exactly(stencilRef) ?? new ClipRegion();
    if (stencilFunc === EQUAL) return exact;
    return this.#outside(exact);
  }

  /** The region where the stencil is exactly `value`; null for nowhere. */
  #exactly(value: number): ClipRegion | null {
    const level = this.#levelOf(value);
    const least = level === 0 ? this.#outside(new ClipRegion()) : this.#levels[level - 1];
    if (least === undefined) return null;
    const more = this.#levels[level];
    return more === undefined || more.pieceCount === 0 ? least : this.#without(least, more);
  }

  /** The place in {@link #levels} of where it is more than `value`. */
  #levelOf(value: number): number {
    return (value > 127 ? value - 256 : value) - this.#least;
  }

  #add(level: number, drawn: ClipRegion): void {
    const before = this.#levels[level];
    if (before === undefined || before.pieceCount === 0) {
      this.#levels[level] = drawn;
      return;
    }
    const { xy, start, pieceCount } = before;
    for (let i = 0; i < pieceCount; i++) drawn.addPiece(xy, start[i]!, (start[i + 1]! - start[i]!) / 2);
    this.#levels[level] = drawn;
  }

  #take(level: number, drawn: ClipRegion): void {
    const before = this.#levels[level];
    if (before !== undefined) this.#levels[level] = this.#without(before, drawn);
  }

  #without(region: ClipRegion, taken: ClipRegion): ClipRegion {
    return intersection(region, this.#outside(taken));
  }

  #outside(region: ClipRegion): ClipRegion {
    const { minX, minY, maxX, maxY } = this.bounds;
    const rest = new ClipRegion();
    complementInside(region, minX, minY, maxX, maxY, rest);
    return rest;
  }
}

/** Pieces as regions that each count once: one of all, which is done much sooner, where none lies over another. */
function partsOf(pieces: ClipRegion): ClipRegion[] {
  const whole = new ClipRegion();
  makeDisjoint(pieces, whole);
  if (whole.pieceCount === 0) return [];
  if (areaOf(pieces) - areaOf(whole) < OVERLAP_PX) return [whole];
  return Array.from({ length: pieces.pieceCount }, (_, i) => {
    const piece = new ClipRegion();
    piece.addPiece(pieces.xy, pieces.start[i]!, cornersOf(pieces, i));
    return piece;
  });
}

function areaOf(region: ClipRegion): number {
  let area = 0;
  for (let i = 0; i < region.pieceCount; i++) area += convexArea(region.xy, region.start[i]!, cornersOf(region, i));
  return area;
}

function cornersOf({ start }: ClipRegion, i: number): number {
  return (start[i + 1]! - start[i]!) / 2;
}
