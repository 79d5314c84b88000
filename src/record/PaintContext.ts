import { ClipRegion } from '../geometry/ClipRegion.js';
import { intersectRegions } from '../geometry/combineRegions.js';
import type { Ramp } from './DrawOp.js';
import type { StencilRegions } from './StencilRegions.js';
import { NONE } from '../measure/FrameSnapshot.js';

/** How what was drawn on a target gets to the canvas. */
export class PaintContext {
  /** The region that may be painted on, in canvas pixels; null for everywhere. */
  clip: ClipRegion | null = null;
  /** The content of the target's stencil; null for nothing. */
  stencil: StencilRegions | null = null;
  /** Mask of the snapshot that applies, or {@link NONE}. */
  mask = NONE;
  /** The target is the picture of a mask: nothing is painted. */
  isMask = false;
  /** The object that shows the target as its picture: it is the cover, and not the objects drawn on the target. */
  owner: object | null = null;
  /** It was drawn on a target that was empty before, and that is then shown. */
  isApart = false;
  /** It was drawn on a texture, where edges are not smoothed. */
  isCentred = false;
  /** What it looks like in the end is unknown. */
  isDistorted = false;
  /** How far around it something may be painted, in canvas pixels. */
  reachPx = 0;
  isRecoloured = false;
  /** Faint pixels may hide more than their alpha says. */
  isThickened = false;
  opacity = 1;
  /**
   * A threshold is applied after this target was drawn. {@link opacity} is then the opacity before the threshold,
   * {@link rampedOpacity} that after it.
   */
  ramp: Ramp | null = null;
  rampedOpacity = 1;

  /** @param map from pixels of the target to the canvas: x' = a·x + c·y + e, y' = b·x + d·y + f */
  constructor(readonly map: ArrayLike<number>) {}

  /** The context of a target that is shown on this one; `inner` maps its pixels to those of this one. */
  through(inner: ArrayLike<number>): PaintContext {
    const [a, b, c, d, e, f] = this.map as unknown as [number, number, number, number, number, number];
    const [ia, ib, ic, id, ie, fi] = inner as unknown as [number, number, number, number, number, number];
    const map = Float64Array.of(
      a * ia + c * ib,
      b * ia + d * ib,
      a * ic + c * id,
      b * ic + d * id,
      a * ie + c * fi + e,
      b * ie + d * fi + f,
    );
    return Object.assign(new PaintContext(map), this, { map, isApart: true, isCentred: true, stencil: null });
  }

  /** A program may make what is drawn here hide more. With a `ramp` it does so as a threshold. */
  thicken(ramp: Ramp | undefined): void {
    if (ramp === undefined || this.isThickened || this.ramp !== null) this.blurRamp();
    else {
      this.ramp = ramp;
      this.rampedOpacity = this.opacity;
      this.opacity = 1;
    }
  }

  /** Gives up the threshold: what comes before it is not known well enough to tell what it leaves. */
  blurRamp(): void {
    this.isThickened = true;
    this.ramp = null;
    this.opacity *= this.rampedOpacity;
    this.rampedOpacity = 1;
  }

  /** The same target, where it is unknown what it looks like in the end. */
  distorted(reachPx: number): PaintContext {
    return this.variant({ isDistorted: true, reachPx: Math.max(this.reachPx, reachPx) });
  }

  /** The same target at full opacity. */
  unfaded(): PaintContext {
    return this.variant({ opacity: 1 });
  }

  private variant(other: Partial<PaintContext>): PaintContext {
    return Object.assign(new PaintContext(this.map), this, other);
  }

  /** How many canvas pixels a pixel of the target is long, in its longer direction. */
  get scale(): number {
    const [a, b, c, d] = this.map as unknown as [number, number, number, number];
    return Math.max(Math.hypot(a, b), Math.hypot(c, d));
  }

  /** Takes points of the target to the canvas. */
  place(xy: Float64Array): Float64Array {
    const { map } = this;
    const points = new Float64Array(xy.length);
    for (let i = 0; i < xy.length; i += 2) {
      points[i] = map[0]! * xy[i]! + map[2]! * xy[i + 1]! + map[4]!;
      points[i + 1] = map[1]! * xy[i]! + map[3]! * xy[i + 1]! + map[5]!;
    }
    return points;
  }

  /** A rectangle of the target as a region of the canvas, within {@link clip}. */
  region(x: number, y: number, width: number, height: number): ClipRegion {
    const region = new ClipRegion();
    if (!(width > 0 && height > 0)) return region;
    const points = this.place(Float64Array.of(x, y, x + width, y, x + width, y + height, x, y + height));
    const isUpright = points[1] === points[3] && points[0] === points[6];
    if (isUpright) {
      region.setRectangle(
        Math.min(points[0]!, points[2]!),
        Math.min(points[1]!, points[7]!),
        Math.max(points[0]!, points[2]!),
        Math.max(points[1]!, points[7]!),
      );
    } else region.addPiece(points, 0, 4);
    return this.clip === null ? region : intersection(region, this.clip);
  }
}

/** What two regions have in common; a rectangle if both are. */
export function intersection(a: ClipRegion, b: ClipRegion): ClipRegion {
  const both = new ClipRegion();
  intersectRegions(a, b, both);
  return both;
}
