import { ClipRegion } from '../../geometry/ClipRegion.js';
import { intersection } from '../../geometry/combineRegions.js';
import { solveAffine } from '../../geometry/solveAffine.js';
import { NONE } from '../../measure/FrameSnapshot.js';
import type { DrawOp, DrawState, Shape } from './DrawOp.js';
import type { StencilRegions } from './StencilRegions.js';

/** Places on the canvas that differ by less are the same: they come by way of several targets. */
const ROUNDING_PX = 0.01;

/** How what was drawn on a target gets to the canvas. */
export class PaintContext {
  /** The part of the canvas that may be painted on; null for all of it. */
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

  /** The context of a texture that a shape shows; null where the shape is no plain picture of it. */
  ofTexture(texture: object, { xy, uv }: Shape, { sizes, textures }: DrawOp): PaintContext | null {
    const unit = textures.indexOf(texture);
    const [width, height] = [sizes[2 * unit]!, sizes[2 * unit + 1]!];
    const from = uv.slice(0, 6).map((at, i) => at * (i % 2 === 0 ? width : height));
    const map = new Float64Array(6);
    solveAffine(from, xy.slice(0, 6), map);
    return map[0]! * map[3]! - map[1]! * map[2]! === 0 ? null : this.through(map);
  }

  /** The same target, where it is unknown what it looks like in the end. */
  distorted(reachPx: number): PaintContext {
    return this.#variant({ isDistorted: true, reachPx: Math.max(this.reachPx, reachPx) });
  }

  /**
   * The same target above an ad that was drawn on it: the opacity and the mask of the whole target do not matter between the
   * two.
   */
  aboveAd(): PaintContext {
    return this.#variant({ opacity: 1, mask: NONE, isApart: false });
  }

  /** The same target above an ad that was drawn on it, for an ad below it. */
  aboveOthers(): PaintContext {
    return this.#variant({ isApart: false });
  }

  #variant(other: Partial<PaintContext>): PaintContext {
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
    if (!(width > 0 && height > 0)) return new ClipRegion();
    const region = regionOf(this.place(Float64Array.of(x, y, x + width, y, x + width, y + height, x, y + height)));
    return this.clip === null ? region : intersection(region, this.clip);
  }

  /** The region that may be drawn on in a state. */
  drawable({ hasScissor, scissor, viewport }: DrawState): ClipRegion {
    if (!hasScissor) return this.region(...viewport);
    const [x, y, width, height] = scissor;
    const left = Math.max(x, viewport[0]);
    const bottom = Math.max(y, viewport[1]);
    const right = Math.min(x + width, viewport[0] + viewport[2]);
    const top = Math.min(y + height, viewport[1] + viewport[3]);
    return this.region(left, bottom, right - left, top - bottom);
  }

  /** True when a state lets a draw reach all of the target that is shown. */
  reachesAll(state: DrawState): boolean {
    const { clip } = this;
    if (clip === null) return false;
    const { isRectangle, minX, minY, maxX, maxY } = this.#variant({ clip: null }).drawable(state);
    return (
      isRectangle &&
      minX <= clip.minX + ROUNDING_PX &&
      minY <= clip.minY + ROUNDING_PX &&
      maxX >= clip.maxX - ROUNDING_PX &&
      maxY >= clip.maxY - ROUNDING_PX
    );
  }

  /**
   * The region where a shape is shown, together with effects that paint around it.
   * @param clip the region that may be drawn on
   */
  shownBy({ xy }: Shape, clip: ClipRegion): ClipRegion {
    const { reachPx } = this;
    const shown = regionOf(this.place(xy));
    if (!(reachPx > 0)) return intersection(shown, clip);
    const around = new ClipRegion();
    around.setRectangle(shown.minX - reachPx, shown.minY - reachPx, shown.maxX + reachPx, shown.maxY + reachPx);
    return this.clip === null ? around : intersection(around, this.clip);
  }
}

/** A convex polygon as a region, known to be a rectangle if it is one. */
function regionOf(points: Float64Array): ClipRegion {
  const region = new ClipRegion();
  region.addPiece(points, 0, points.length / 2);
  const { minX, minY, maxX, maxY } = region;
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i], points[i + 1]];
    if ((x !== minX && x !== maxX) || (y !== minY && y !== maxY)) return region;
  }
  // A triangle's corners may be corners of its box, too.
  if (points.length === 8) region.setRectangle(minX, minY, maxX, maxY);
  return region;
}
