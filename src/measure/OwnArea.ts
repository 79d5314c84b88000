import { FragmentSet } from '../geometry/FragmentSet.js';
import { measured, takeArea } from '../geometry/convexArea.js';
import type { AdView, FrameSnapshot } from './FrameSnapshot.js';
import { OPAQUE, SampleGrid } from './SampleGrid.js';

/** Where the ad's texels and masks leave it less opaque than this, there is no ad. */
const OWN_OPACITY = 0.5;

/** The geometry of one view: the ad's pieces as disjoint convex polygons, and whether its own texels matter. Reused. */
export class OwnArea {
  /** Area of the unclipped shape, texels not regarded. */
  shapeArea = 0;
  /** Area of the pieces on screen, texels and masks not regarded. */
  pieceArea = 0;
  /** Texels, a gradient or a bitmap mask of the ad itself decide point by point where the ad is. */
  varies = false;
  /** Its pixels are those whose centres lie in it. */
  private isCentred = false;
  /** A bitmap mask is among them. */
  isMasked = false;

  /** Disjoint pieces: piece p has `length[p]` vertices from number `start[p]` of `xy`. */
  pieceCount = 0;
  xy = new Float64Array(0);
  start = new Int32Array(16);
  length = new Int32Array(16);

  /** The ad is one rectangle along the axes: the box of its pieces tells which points are ad. */
  get isBox(): boolean {
    return (
      !this.varies &&
      !this.isCentred &&
      this.pieceCount === 1 &&
      this.length[0] === 4 &&
      isAlongAxes(this.xy, this.start[0]!)
    );
  }

  private readonly region = new FragmentSet();
  private readonly scratch = new FragmentSet();

  take(snapshot: FrameSnapshot, view: AdView): void {
    const { shapeFrom, shapeTo, pieceFrom, pieceTo } = view;
    this.varies = this.isMasked = false;
    this.isCentred = pieceTo > pieceFrom && snapshot.isCentred(pieceFrom);
    for (let i = shapeFrom; i < shapeTo; i++) if (SampleGrid.varies(snapshot, i)) this.varies = true;
    for (let i = pieceFrom; i < pieceTo; i++) {
      if (SampleGrid.varies(snapshot, i)) this.varies = true;
      if (snapshot.mask[i]! >= 0) this.isMasked = true;
    }
    const { xy, start, length } = snapshot;
    if (shapeTo - shapeFrom === 1) {
      takeArea(xy, 2 * start[shapeFrom]!, length[shapeFrom]!);
      this.shapeArea = finite(measured.area);
    } else {
      this.joinRegion(snapshot, shapeFrom, shapeTo);
      this.region.sumUp();
      this.shapeArea = this.region.area;
    }
    // One shape cut by disjoint clip pieces, or one piece, cannot overlap itself.
    if (shapeTo - shapeFrom === 1 || pieceTo - pieceFrom === 1) {
      this.pieceCount = pieceTo - pieceFrom;
      if (this.start.length < this.pieceCount) {
        this.start = new Int32Array(2 * this.pieceCount);
        this.length = new Int32Array(2 * this.pieceCount);
      }
      this.xy = xy;
      this.pieceArea = 0;
      for (let p = 0; p < this.pieceCount; p++) {
        this.start[p] = 2 * start[pieceFrom + p]!;
        this.length[p] = length[pieceFrom + p]!;
        takeArea(xy, this.start[p]!, this.length[p]!);
        this.pieceArea += finite(measured.area);
      }
      return;
    }
    this.joinRegion(snapshot, pieceFrom, pieceTo);
    const region = this.region;
    this.pieceCount = region.count;
    region.sumUp();
    this.pieceArea = region.area;
    this.xy = region.xy;
    if (this.start.length < region.count) {
      this.start = new Int32Array(2 * region.count);
      this.length = new Int32Array(2 * region.count);
    }
    for (let p = 0; p < region.count; p++) {
      this.start[p] = region.start[p]!;
      this.length[p] = region.length[p]!;
    }
  }

  /** Writes the pieces to `out`. */
  takeFragments(out: FragmentSet): void {
    out.reset();
    for (let p = 0; p < this.pieceCount; p++) out.add(this.xy, this.start[p]!, this.length[p]!);
  }

  private joinRegion(snapshot: FrameSnapshot, from: number, to: number): void {
    this.region.reset();
    for (let i = from; i < to; i++) {
      this.region.addUncovered(snapshot.xy, 2 * snapshot.start[i]!, snapshot.length[i]!, this.scratch);
    }
  }
}

/** True when every side of the quadrilateral from `offset` on runs along an axis. */
function isAlongAxes(points: Float64Array, offset: number): boolean {
  for (let i = offset, j = offset + 6; i < offset + 8; j = i, i += 2) {
    if (points[i] !== points[j] && points[i + 1] !== points[j + 1]) return false;
  }
  return true;
}

/** Polygons of broken transforms get no area, so that no figure is infinite or not-a-number. */
function finite(area: number): number {
  return area < Infinity ? area : 0;
}

/**
 * Fills a buffer with how much the ad's own polygons leave clear, sample by sample: 1 where there is no ad, 0 where it
 * is opaque. See {@link isOwn}.
 */
export function sampleOwn(
  snapshot: FrameSnapshot,
  from: number,
  to: number,
  varies: boolean,
  withMask: boolean,
  grid: SampleGrid,
  buffer: Float32Array,
): void {
  buffer.fill(1, 0, grid.size);
  for (let i = from; i < to; i++) {
    if (varies) grid.coverTexels(snapshot, i, OPAQUE, 0, buffer, withMask);
    else grid.coverFlat(snapshot, i, OPAQUE, 0, buffer);
  }
}

/** True when a sample filled by {@link sampleOwn} is ad area. */
export function isOwn(clear: number): boolean {
  return clear <= 1 - OWN_OPACITY;
}
