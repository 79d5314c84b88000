import { ClipRegion } from '../../geometry/ClipRegion.js';
import { complementInside, intersectRegions, makeDisjoint } from '../../geometry/combineRegions.js';
import { NONE, type PaintMask } from '../../viewability/FrameSnapshot.js';
import type { Pen } from './Pen.js';

/** In canvas pixels. */
export interface Rectangle {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Levels keep their regions from frame to frame. */
class Level {
  readonly shape = new ClipRegion();
  readonly rest = new ClipRegion();
  /** What may be painted on while the mask holds: one of its own regions, or one of a level further out. */
  clip = this.shape;
  /** Intersection of all mask shapes so far: the part of the canvas whose stencil value equals the nesting level. */
  inside = this.shape;
  /** Bitmap mask in force, index into the snapshot. */
  mask = NONE;
  /** After a bitmap mask within, Phaser takes that one for the mask still in force. */
  forgetsNextPicture = false;
  /** Nobody knows what the mask lets through, nor what a geometry mask within it does. */
  isUnknown = false;
}

/**
 * The masks in force while a camera paints. Geometry masks follow the stencil buffer as `GeometryMask.applyStencil`
 * uses it: a nested mask counts only inside the shapes of the outer ones (whatever their inversion), and an inverted
 * mask paints wherever the stencil value differs, which includes everything outside of the outer mask.
 */
export class MaskStack {
  /** How many masks lie in each other. */
  depth = 0;
  private readonly base = new Level();
  /** The base, then a level for each mask; what lies behind the present depth is left from before. */
  private readonly levels: Level[] = [this.base];
  private readonly overlapping = new ClipRegion();
  private readonly disjoint = new ClipRegion();
  /** The stencil test is off: geometry masks cut nothing, until the outermost one ends. */
  private isOff = false;

  constructor(private readonly pen: Pen) {}

  /** The rectangle the camera may paint on. */
  begin(rectangle: Rectangle): void {
    this.depth = 0;
    this.isOff = false;
    this.widen(rectangle);
    this.pen.clip = this.base.clip;
    this.pen.mask = NONE;
  }

  /** From here on there is another rectangle to paint on; masks in force stay cut at the first. */
  widen({ minX, minY, maxX, maxY }: Rectangle): void {
    this.base.clip.setRectangle(minX, minY, maxX, maxY);
  }

  /** Gives the pen back what is in force, after a cut of its own. */
  restore(): void {
    this.pen.clip = this.isOff ? this.base.clip : this.top.clip;
  }

  /**
   * A bitmap mask now would be mixed up with those it lies in: bitmap masks share one framebuffer, and `drawBitmapMask` leaves
   * itself in the renderer's books where a geometry mask goes on. Only lists in lists set these right.
   */
  get forgetsNextPicture(): boolean {
    return this.top.forgetsNextPicture;
  }

  /**
   * The mask's shapes are the snapshot's polygons `from ≤ i < to`; their opacity does not matter.
   * @param isOutermost the camera's mask, or that of an object of the scene's own list
   */
  pushGeometry(from: number, to: number, invert: boolean, isOutermost: boolean): void {
    const { top, overlapping, disjoint } = this;
    if (top.isUnknown) {
      this.pushUnknownGeometry(isOutermost);
      return;
    }
    const { snapshot } = this.pen;
    overlapping.reset();
    for (let i = from; i < to; i++) overlapping.addPiece(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!);
    makeDisjoint(overlapping, disjoint);
    const level = this.push();
    level.inside = level.clip = level.shape;
    intersectRegions(top.inside, disjoint, level.shape);
    if (invert) {
      level.clip = level.rest;
      const { minX, minY, maxX, maxY } = this.base.clip;
      complementInside(level.shape, minX, minY, maxX, maxY, level.rest);
    }
    level.mask = top.mask;
    level.forgetsNextPicture = isOutermost;
    this.pen.clip = this.isOff ? this.base.clip : level.clip;
  }

  /** A geometry mask of which nobody knows what it lets through: it cuts nothing, so that nothing below seems free. */
  pushUnknownGeometry(isOutermost: boolean): void {
    const { top } = this;
    const level = this.push();
    level.clip = top.clip;
    level.inside = top.inside;
    level.mask = top.mask;
    level.forgetsNextPicture = isOutermost;
    level.isUnknown = true;
  }

  /** Returns the mask's index in the snapshot. */
  pushBitmap(from: number, to: number, invert: boolean): number {
    const paintMask: PaintMask = { from, to, invert };
    const index = this.pen.snapshot.addMask(paintMask);
    this.pushKnown(index);
    return index;
  }

  /** A bitmap mask that is in the snapshot already, laid over what comes together with what it was pushed for before. */
  pushKnown(index: number): void {
    const { top } = this;
    const level = this.push();
    level.clip = top.clip;
    level.inside = top.inside;
    level.mask = this.pen.mask = index;
    level.forgetsNextPicture = true;
  }

  pop(): void {
    this.depth--;
    if (this.depth === 0) this.isOff = false;
    this.pen.mask = this.top.mask;
    this.restore();
  }

  /** What is drawn turns the stencil test off for itself and all that follows, or on again. */
  turn(isOff: boolean): void {
    if (this.depth === 0) return;
    this.isOff = isOff;
    this.restore();
  }

  private get top(): Level {
    return this.levels[this.depth]!;
  }

  private push(): Level {
    const level = (this.levels[++this.depth] ??= new Level());
    level.isUnknown = this.levels[this.depth - 1]!.isUnknown;
    return level;
  }
}
