import { ClipRegion } from '../../geometry/ClipRegion.js';
import { complementInside, intersectRegions, makeDisjoint } from '../../geometry/combineRegions.js';
import { NONE, type PaintMask } from '../../viewability/FrameSnapshot.js';
import type { Pen } from './Pen.js';

interface Level {
  /** What may be painted on while the mask holds. */
  clip: ClipRegion;
  /** Intersection of all mask shapes so far: the part of the canvas whose stencil value equals the nesting level. */
  inside: ClipRegion;
  /** Bitmap mask in force, index into the snapshot. */
  mask: number;
  /** After a bitmap mask within, Phaser takes that one for the mask still in force. */
  forgetsNextPicture: boolean;
}

/**
 * The masks in force while a camera paints. Geometry masks follow the stencil buffer as `GeometryMask.applyStencil`
 * uses it: a nested mask counts only inside the shapes of the outer ones (whatever their inversion), and an inverted
 * mask paints wherever the stencil value differs, which includes everything outside of the outer mask.
 */
export class MaskStack {
  private readonly base: Level = {
    clip: new ClipRegion(),
    inside: new ClipRegion(),
    mask: NONE,
    forgetsNextPicture: false,
  };
  private readonly levels: Level[] = [];
  /** The stencil test is off: geometry masks cut nothing, until the outermost one ends. */
  private isOff = false;

  constructor(private readonly pen: Pen) {}

  /** The rectangle the camera may paint on. */
  begin(minX: number, minY: number, maxX: number, maxY: number): void {
    this.levels.length = 0;
    this.isOff = false;
    this.base.clip.setRectangle(minX, minY, maxX, maxY);
    this.base.inside = this.base.clip;
    this.pen.clip = this.base.clip;
    this.pen.mask = NONE;
  }

  /** From here on there is another rectangle to paint on; masks in force stay cut at the first. */
  widen(minX: number, minY: number, maxX: number, maxY: number): void {
    this.base.clip.setRectangle(minX, minY, maxX, maxY);
  }

  /** Gives the pen back what is in force, after a cut of its own. */
  restore(): void {
    this.pen.clip = this.isOff ? this.base.clip : this.top().clip;
  }

  /** How many masks lie in each other. */
  get depth(): number {
    return this.levels.length;
  }

  /**
   * A bitmap mask now would be mixed up with those it lies in: bitmap masks share one framebuffer, and `drawBitmapMask` leaves
   * itself in the renderer's books where a geometry mask goes on. Only lists in lists set these right.
   */
  get forgetsNextPicture(): boolean {
    return this.top().forgetsNextPicture;
  }

  /**
   * The mask's shapes are the snapshot's polygons `from ≤ i < to`; their opacity does not matter.
   * @param isOutermost the camera's mask, or that of an object of the scene's own list
   */
  pushGeometry(from: number, to: number, invert: boolean, isOutermost: boolean): void {
    const top = this.top();
    const inside = new ClipRegion();
    intersectRegions(top.inside, this.shapeOf(from, to), inside);
    let clip = inside;
    if (invert) {
      const { minX, minY, maxX, maxY } = this.base.clip;
      clip = new ClipRegion();
      complementInside(inside, minX, minY, maxX, maxY, clip);
    }
    this.levels.push({ clip, inside, mask: top.mask, forgetsNextPicture: isOutermost });
    this.pen.clip = this.isOff ? this.base.clip : clip;
  }

  pushBitmap(from: number, to: number, invert: boolean): void {
    const top = this.top();
    const paintMask: PaintMask = { from, to, invert };
    const mask = this.pen.snapshot.addMask(paintMask);
    this.levels.push({ clip: top.clip, inside: top.inside, mask, forgetsNextPicture: true });
    this.pen.mask = mask;
  }

  pop(): void {
    this.levels.pop();
    if (this.levels.length === 0) this.isOff = false;
    this.pen.mask = this.top().mask;
    this.restore();
  }

  /** What is drawn turns the stencil test off for itself and all that follows, or on again. */
  turn(isOff: boolean): void {
    if (this.levels.length === 0) return;
    this.isOff = isOff;
    this.restore();
  }

  private shapeOf(from: number, to: number): ClipRegion {
    const { snapshot } = this.pen;
    const overlapping = new ClipRegion();
    for (let i = from; i < to; i++) overlapping.addPiece(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!);
    const shape = new ClipRegion();
    makeDisjoint(overlapping, shape);
    return shape;
  }

  private top(): Level {
    return this.levels[this.levels.length - 1] ?? this.base;
  }
}
