import { ClipRegion } from '../geometry/ClipRegion.js';
import { complementInside, intersectRegions, makeDisjoint } from '../geometry/combineRegions.js';
import type { DrawState } from './DrawOp.js';

/** Numbers of the context. */
const EQUAL = 0x202;
const NOTEQUAL = 0x205;
const ALWAYS = 0x207;
const KEEP = 0x1e00;
const INCR = 0x1e02;
const DECR = 0x1e03;

/** A rectangle of the canvas. */
interface Bounds {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** What stands in the stencil buffer, as regions of the canvas: where it is one at least, two at least, and so on. */
export class StencilRegions {
  /** Something was drawn on it of which nobody knows what it leaves. */
  isUnknown = false;
  private levels: ClipRegion[] = [];

  /** @param bounds outside of which nothing matters */
  constructor(private readonly bounds: Bounds) {}

  clear(): void {
    this.levels = [];
    this.isUnknown = false;
  }

  /** Draws a shape, given as disjoint or overlapping pieces within what is drawn on. */
  draw(pieces: ClipRegion, { hasStencilTest, stencilFunc, stencilRef, stencilFail, stencilPass }: DrawState): void {
    if (!hasStencilTest || pieces.pieceCount === 0) return;
    if (stencilFunc !== EQUAL || stencilFail !== KEEP || (stencilPass !== INCR && stencilPass !== DECR)) {
      this.isUnknown = true;
      return;
    }
    const shape = new ClipRegion();
    makeDisjoint(pieces, shape);
    const exact = this.exactly(stencilRef);
    if (exact === null) return;
    const drawn = new ClipRegion();
    intersectRegions(exact, shape, drawn);
    if (stencilPass === INCR) this.add(stencilRef, drawn);
    else if (stencilRef > 0) this.take(stencilRef - 1, drawn);
  }

  /**
   * What a test lets through of a region. Null for all of it, as where nobody knows.
   */
  passing({ hasStencilTest, stencilFunc, stencilRef }: DrawState): ClipRegion | null {
    if (!hasStencilTest || stencilFunc === ALWAYS || this.isUnknown) return null;
    if (stencilFunc !== EQUAL && stencilFunc !== NOTEQUAL) return null;
    const exact = this.exactly(stencilRef) ?? new ClipRegion();
    if (stencilFunc === EQUAL) return exact;
    const { minX, minY, maxX, maxY } = this.bounds;
    const rest = new ClipRegion();
    complementInside(exact, minX, minY, maxX, maxY, rest);
    return rest;
  }

  /** Where it is just so much; null for nowhere. */
  private exactly(value: number): ClipRegion | null {
    const { minX, minY, maxX, maxY } = this.bounds;
    let least: ClipRegion;
    if (value === 0) {
      least = new ClipRegion();
      least.setRectangle(minX, minY, maxX, maxY);
    } else {
      const level = this.levels[value - 1];
      if (level === undefined) return null;
      least = level;
    }
    const more = this.levels[value];
    if (more === undefined || more.pieceCount === 0) return least;
    return this.without(least, more);
  }

  private add(level: number, drawn: ClipRegion): void {
    const before = this.levels[level];
    if (before === undefined || before.pieceCount === 0) {
      this.levels[level] = drawn;
      return;
    }
    const { xy, start, pieceCount } = before;
    for (let i = 0; i < pieceCount; i++) drawn.addPiece(xy, start[i]!, (start[i + 1]! - start[i]!) / 2);
    this.levels[level] = drawn;
  }

  private take(level: number, drawn: ClipRegion): void {
    const before = this.levels[level];
    if (before !== undefined) this.levels[level] = this.without(before, drawn);
  }

  private without(region: ClipRegion, taken: ClipRegion): ClipRegion {
    const { minX, minY, maxX, maxY } = this.bounds;
    const rest = new ClipRegion();
    complementInside(taken, minX, minY, maxX, maxY, rest);
    const left = new ClipRegion();
    intersectRegions(region, rest, left);
    return left;
  }
}
