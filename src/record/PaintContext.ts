import { ClipRegion } from '../geometry/ClipRegion.js';
import { intersectRegions } from '../geometry/combineRegions.js';
import type { Ramp } from './DrawOp.js';
import { NONE } from '../measure/FrameSnapshot.js';

/** How what was drawn on a target comes to the canvas. */
export class PaintContext {
  /** From pixels of the target to the canvas: x' = a·x + c·y + e, y' = b·x + d·y + f. */
  readonly map: Float64Array;
  /** What may be painted on, in canvas pixels; null for everywhere. */
  clip: ClipRegion | null = null;
  /** Mask of the snapshot that applies, or {@link NONE}. */
  mask = NONE;
  /** It is the picture of a mask: nothing is painted. */
  isMask = false;
  /** The object that shows a picture of what was drawn: it covers, and not what is in the picture. */
  owner: object | null = null;
  /** It came through a target, where it was drawn onto nothing. */
  isApart = false;
  /** Nobody knows what it looks like in the end. */
  isDistorted = false;
  /** How far around it something may be painted, in canvas pixels. */
  reachPx = 0;
  isRecoloured = false;
  /** What is faint may hide more than it tells. */
  isThickened = false;
  opacity = 1;
  /** A threshold comes after what is drawn here: of its opacity, {@link rampedOpacity} is what comes after that. */
  ramp: Ramp | null = null;
  rampedOpacity = 1;

  constructor(map: ArrayLike<number>) {
    this.map = Float64Array.from(map);
  }

  /** The same for what a target shows that is drawn on this one: `inner` takes its pixels to this one's. */
  through(inner: ArrayLike<number>): PaintContext {
    const [a, b, c, d, e, f] = this.map as unknown as [number, number, number, number, number, number];
    const [ia, ib, ic, id, ie, fi] = inner as unknown as [number, number, number, number, number, number];
    const context = new PaintContext([
      a * ia + c * ib,
      b * ia + d * ib,
      a * ic + c * id,
      b * ic + d * id,
      a * ie + c * fi + e,
      b * ie + d * fi + f,
    ]);
    context.clip = this.clip;
    context.mask = this.mask;
    context.isMask = this.isMask;
    context.owner = this.owner;
    context.isApart = true;
    context.isDistorted = this.isDistorted;
    context.reachPx = this.reachPx;
    context.isRecoloured = this.isRecoloured;
    context.isThickened = this.isThickened;
    context.opacity = this.opacity;
    context.ramp = this.ramp;
    context.rampedOpacity = this.rampedOpacity;
    return context;
  }

  /** Of what is drawn here, a program may make more that hides: as a threshold does, if it is one. */
  thicken(ramp: Ramp | undefined): void {
    if (ramp === undefined || this.isThickened || this.ramp !== null) this.blurRamp();
    else {
      this.ramp = ramp;
      this.rampedOpacity = this.opacity;
      this.opacity = 1;
    }
  }

  /** What comes before a threshold is not known so well that it could be told what is left of it. */
  blurRamp(): void {
    this.isThickened = true;
    this.ramp = null;
    this.opacity *= this.rampedOpacity;
    this.rampedOpacity = 1;
  }

  /** The same target, of which nobody knows what it looks like in the end. */
  distorted(reachPx: number): PaintContext {
    const distorted = this.variant();
    distorted.isDistorted = true;
    distorted.reachPx = Math.max(this.reachPx, reachPx);
    return distorted;
  }

  /** The same target, as if it were shown whole. */
  unfaded(): PaintContext {
    const whole = this.variant();
    whole.opacity = 1;
    return whole;
  }

  private variant(): PaintContext {
    const variant = this.through([1, 0, 0, 1, 0, 0]);
    variant.isApart = this.isApart;
    return variant;
  }

  /** How many pixels of the canvas one of the target is long at most. */
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
  if (a.isRectangle && b.isRectangle) {
    both.setRectangle(
      Math.max(a.minX, b.minX),
      Math.max(a.minY, b.minY),
      Math.min(a.maxX, b.maxX),
      Math.min(a.maxY, b.maxY),
    );
  } else intersectRegions(a, b, both);
  return both;
}
