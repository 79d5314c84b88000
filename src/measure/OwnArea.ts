import { FragmentSet } from '../geometry/FragmentSet.js';
import type { AdView, FrameSnapshot } from './FrameSnapshot.js';
import { OPAQUE, SampleGrid } from './SampleGrid.js';

/** Where the ad's texels and masks leave it less opaque than this, there is no ad. */
const OWN_OPACITY = 0.5;

/** The geometry of one view: the ad's pieces, and whether its own texels matter. Reused. */
export class OwnArea {
  /** Area of the unclipped shape, texels not regarded. */
  shapeArea = 0;
  /** Area of the pieces on screen, texels and masks not regarded. */
  pieceArea = 0;
  /** Texels, a gradient or a bitmap mask of the ad itself decide point by point where the ad is. */
  varies = false;
  /** Its pixels are those whose centres lie in it. */
  #isCentred = false;
  /** A bitmap mask is among them. */
  isMasked = false;

  /** What is on screen, as disjoint convex polygons. */
  readonly pieces = new FragmentSet();

  /** The ad is one rectangle along the axes: the box of its pieces tells which points are ad. */
  get isBox(): boolean {
    const { count, length, xy } = this.pieces;
    return !this.varies && !this.#isCentred && count === 1 && length[0] === 4 && isAlongAxes(xy);
  }

  take(snapshot: FrameSnapshot, view: AdView): void {
    const { shapeFrom, shapeTo, pieceFrom, pieceTo } = view;
    const { pieces } = this;
    this.varies = this.isMasked = false;
    this.#isCentred = snapshot.isCentred(pieceFrom);
    for (let i = shapeFrom; i < shapeTo; i++) if (SampleGrid.varies(snapshot, i)) this.varies = true;
    for (let i = pieceFrom; i < pieceTo; i++) {
      if (SampleGrid.varies(snapshot, i)) this.varies = true;
      if (snapshot.mask[i]! >= 0) this.isMasked = true;
    }
    // The pieces of one shape are disjoint.
    const mayOverlap = shapeTo - shapeFrom > 1;
    this.#join(snapshot, shapeFrom, shapeTo, mayOverlap);
    this.shapeArea = pieces.area;
    this.#join(snapshot, pieceFrom, pieceTo, mayOverlap);
    this.pieceArea = pieces.area;
  }

  #join(snapshot: FrameSnapshot, from: number, to: number, mayOverlap: boolean): void {
    const { pieces } = this;
    const { xy, start, length } = snapshot;
    pieces.reset();
    for (let i = from; i < to; i++) {
      if (mayOverlap) pieces.addUncovered(xy, 2 * start[i]!, length[i]!);
      else pieces.add(xy, 2 * start[i]!, length[i]!);
    }
    pieces.sumUp();
  }
}

/** True when every side of a quadrilateral runs along an axis. */
function isAlongAxes(points: Float64Array): boolean {
  for (let i = 0, j = 6; i < 8; j = i, i += 2) {
    if (points[i] !== points[j] && points[i + 1] !== points[j + 1]) return false;
  }
  return true;
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
