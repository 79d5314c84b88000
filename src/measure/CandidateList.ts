import { boxesMeet } from '../geometry/boxesMeet.js';
import { grown } from '../geometry/grown.js';
import { measured, takeArea } from '../geometry/convexArea.js';
import { type AdView, type FrameSnapshot, NONE, PolygonFlag } from './FrameSnapshot.js';
import type { MeasureOptions } from './ViewMeasurement.js';

/** How a candidate takes light from the ad. */
export const CandidateKind = {
  /** Of one opacity that blocks by itself. */
  BLOCKING: 0,
  /** Of one opacity that does not block by itself. */
  TRANSLUCENT: 1,
  /** Decided point by point: by texels, a gradient, a mask, or the light it adds. */
  TEXELS: 2,
} as const;
export type CandidateKind = (typeof CandidateKind)[keyof typeof CandidateKind];

/** Opacities below this change no 8-bit colour by more than one step. */
const FAINT = 1 / 255;

/** Covers that let light through and are narrower than this, in canvas pixels, are thin. */
const THIN_PX = 6;

/** More covers than this that let light through or have texels make patterns of narrow pieces. */
const MANY = 8;

/** More covers with texels than this are a crowd. */
const MOST_TEXTURED = 16;

/** More lookups of texels than this, counting each point of each pixel, cost too much, and edges are few among so many pixels. */
const MOST_LOOKUPS = 8192;

/** More covers than this cost too much to be marked one by one. */
const MOST_MARKED = 1000;

/** More covers of one opacity than this, such as the segments of a stroke, cost too much to be clipped exactly. */
const MOST_CLIPPED = 96;

/** Rows of samples, summed over all candidates, beyond which fewer are taken. */
const MOST_ROWS = 16384;

/** What may cover one view of an ad: painted later, and near it; also the ad itself, drawn again by another camera. Reused. */
export class CandidateList {
  count = 0;
  /** Indices of the polygons, in draw order. */
  polygon = new Int32Array(64);
  kind = new Uint8Array(64);
  /** Opacity of the candidates that have one, 0–1. */
  opacity = new Float64Array(64);
  hasTranslucent = false;
  /** Number of candidates of one opacity that let light through. */
  translucentCount = 0;
  hasTexels = false;
  /**
   * Some candidates that let light through are so thin, or candidates are so many, that it matters how pixels show their edges.
   */
  isIntricate = false;
  hasUnmeasurable = false;
  /** Candidates are so many that their errors at edges even out. */
  isCrowd = false;
  /** Rows of samples lie at least this many pixels apart: each row of each candidate costs. */
  rowStep = 1;
  /** Too many candidates have one opacity each to be clipped exactly: their areas are sampled, too. */
  isOvercrowded = false;
  /** How many candidates with texels lie over a point of the ad's box, in the mean, by their own boxes. */
  texelDepth = 0;
  /** Some candidate adds light: then their order matters. */
  addsLight = false;
  /** Some are drawn together behind one bitmap mask: then it matters which lie over each other there. */
  sharesMask = false;
  /**
   * Points of a pixel that make its colour, see {@link FrameSnapshot.pixelPoints}; 1 when the ad and all candidates are
   * `CENTRED`.
   */
  pixelPoints: 1 | 4 | 8 = 4;

  /** Bounding box of the view's pieces: minX, minY, maxX, maxY. */
  readonly box = new Float64Array(4);
  /** Bounding box of the candidates. */
  readonly around = new Float64Array(4);

  collect(snapshot: FrameSnapshot, view: AdView, options: MeasureOptions): void {
    const { blockingOpacity } = options;
    this.count = this.translucentCount = 0;
    this.hasTranslucent =
      this.hasTexels =
      this.hasUnmeasurable =
      this.addsLight =
      this.sharesMask =
      this.isIntricate =
        false;
    snapshot.takeBox(view.pieceFrom, view.pieceTo, this.box);
    const minX = this.box[0]!;
    const minY = this.box[1]!;
    const maxX = this.box[2]!;
    const maxY = this.box[3]!;
    const { box, flags, alphaMap, gradient } = snapshot;
    const end = snapshot.count;
    let texelCount = 0;
    let heights = 0;
    let texelArea = 0;
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    let isCentred = snapshot.isCentred(view.pieceFrom);
    for (let i = view.pieceTo; i < end; i++) {
      const b = 4 * i;
      // Not-a-number is no candidate.
      if (!boxesMeet(box, i, this.box, 0)) continue;
      if (!snapshot.mayCover(i, view)) continue;
      const flag = flags[i]!;
      const isFlat = gradient[2 * i] === 0 && gradient[2 * i + 1] === 0;
      let opacity = snapshot.opacity[i]!;
      if (isFlat && !(opacity >= FAINT)) continue;
      let kind: CandidateKind;
      if ((flag & PolygonFlag.UNMEASURABLE) !== 0) {
        kind = CandidateKind.BLOCKING;
        opacity = 1;
        this.hasUnmeasurable = true;
      } else if ((flag & PolygonFlag.ADDS) !== 0) {
        kind = CandidateKind.TEXELS;
        this.hasTexels = this.addsLight = true;
      } else if (!isFlat || alphaMap[i] !== NONE || snapshot.mask[i] !== NONE) {
        kind = CandidateKind.TEXELS;
        this.hasTexels = true;
      } else if (opacity >= blockingOpacity) {
        kind = CandidateKind.BLOCKING;
      } else {
        kind = CandidateKind.TRANSLUCENT;
        this.hasTranslucent = true;
      }
      if (isCentred) isCentred = snapshot.isCentred(i);
      const height = Math.min(maxY, box[b + 3]!) - Math.max(minY, box[b + 1]!);
      heights += height;
      if (kind === CandidateKind.TEXELS) {
        texelCount++;
        texelArea += height * (Math.min(maxX, box[b + 2]!) - Math.max(minX, box[b]!));
      } else if (opacity < 1) {
        this.translucentCount++;
        if (!this.isIntricate) this.isIntricate = this.translucentCount > MANY || isThin(snapshot, i);
      }
      if (box[b]! < left) left = box[b]!;
      if (box[b + 1]! < top) top = box[b + 1]!;
      if (box[b + 2]! > right) right = box[b + 2]!;
      if (box[b + 3]! > bottom) bottom = box[b + 3]!;
      if (this.count === this.polygon.length) this.#grow();
      this.polygon[this.count] = i;
      this.kind[this.count] = kind;
      this.opacity[this.count] = opacity > 1 ? 1 : opacity;
      if (this.joins(snapshot, this.count - 1, this.count)) this.sharesMask = true;
      this.count++;
    }
    this.pixelPoints = isCentred ? 1 : snapshot.pixelPoints;
    const isAffordable = texelCount <= MOST_TEXTURED && texelArea * this.pixelPoints <= MOST_LOOKUPS;
    if (texelCount > MANY && isAffordable) this.isIntricate = true;
    this.around[0] = left;
    this.around[1] = top;
    this.around[2] = right;
    this.around[3] = bottom;
    this.texelDepth = texelArea / ((maxX - minX) * (maxY - minY));
    this.isOvercrowded = this.count - texelCount > MOST_CLIPPED;
    this.rowStep = Math.max(1, Math.ceil(heights / MOST_ROWS));
    this.isCrowd = texelCount > MOST_TEXTURED || this.count > MOST_MARKED;
  }

  /** True when candidate c is drawn behind the same bitmap mask as an earlier one, and the mask is laid over both at once. */
  joins(snapshot: FrameSnapshot, earlier: number, c: number): boolean {
    if (earlier < 0 || this.kind[c] !== CandidateKind.TEXELS || this.kind[earlier] !== CandidateKind.TEXELS)
      return false;
    const i = this.polygon[c]!;
    const before = this.polygon[earlier]!;
    const mask = snapshot.mask[i]!;
    if (mask !== snapshot.mask[before] || mask === NONE) return false;
    return ((snapshot.flags[i]! | snapshot.flags[before]!) & PolygonFlag.ADDS) === 0;
  }

  #grow(): void {
    this.polygon = grown(this.polygon);
    this.kind = grown(this.kind);
    this.opacity = grown(this.opacity);
  }
}

function isThin(snapshot: FrameSnapshot, i: number): boolean {
  const { box, xy, start, length } = snapshot;
  const longest = Math.max(box[4 * i + 2]! - box[4 * i]!, box[4 * i + 3]! - box[4 * i + 1]!);
  takeArea(xy, 2 * start[i]!, length[i]!);
  return measured.area < THIN_PX * longest;
}
