import { grown } from '../geometry/grown.js';
import { takeBox } from '../geometry/takeBox.js';
import type { AlphaMap } from './AlphaMap.js';

/** Bits of {@link FrameSnapshot.flags}. */
export const PolygonFlag = {
  /** The polygon is painted. Without this bit it only describes an ad (its unclipped shape) and covers nothing. */
  PAINTED: 1,
  /** What is painted here cannot be known: it counts as opaque, and the ad it touches is `unmeasurable`. */
  UNMEASURABLE: 2,
  /** The alpha map repeats beyond its edges (tile sprite) instead of being clamped. */
  REPEAT: 4,
  /** What is painted adds its light to what lies below, and hides only what becomes brighter than white. */
  ADDS: 8,
  /**
   * The polygon was drawn on a texture first, where edges are not smoothed: it covers whole pixels, those whose centres lie
   * in it.
   */
  CENTRED: 16,
} as const;

/**
 * The bits of {@link FrameSnapshot.flags} from this one on: how dark the colour of a polygon is, from 0 (white or not known)
 * to {@link DARKEST} (black). The darker it is, the more light can be added above it.
 */
export const DARKNESS_SHIFT = 5;
export const DARKEST = 255;

/** Index that says "none" in {@link FrameSnapshot.owner}, {@link FrameSnapshot.alphaMap} and {@link FrameSnapshot.mask}. */
export const NONE = -1;

/** One ad as one camera draws it: which polygons of the snapshot are the ad. */
export class AdView {
  /** Place among the views of its snapshot. */
  index = 0;
  /** Index of the ad in the list the frame was read for. */
  ad = 0;
  /** The camera, an opaque handle. */
  camera: unknown = null;
  /** Polygons `shapeFrom ≤ i < shapeTo`: the whole ad, unclipped, in canvas pixels. Not painted. */
  shapeFrom = 0;
  shapeTo = 0;
  /**
   * Polygons `pieceFrom ≤ i < pieceTo`: what viewport, canvas and geometry masks leave of the ad; disjoint unless the ad's
   * own shapes overlap. Painted: they cover other ads. Everything from `pieceTo` on is drawn later.
   */
  pieceFrom = 0;
  pieceTo = 0;
  /** Effective alpha of the ad in this camera, 0–1 (own × containers × layers × camera), texels excluded. */
  opacity = 1;
  /** The part of that which is the opacity of a target that the ad was drawn on: light added there fades with the ad. */
  fade = 1;
  /** How much of what lies below it the ad hides, 0–1, where its picture is opaque. */
  alpha = 1;
  /** True when the picture of the ad itself cannot be trusted (shader, post-FX, unknown mask). */
  unmeasurable = false;
}

/**
 * What one frame painted near the ads: convex polygons in canvas pixels, in paint order, each with an opacity.
 * Flat, reused buffers: reading a frame allocates nothing once they have grown to the size the game needs.
 *
 * Opacity at a canvas point (x, y) inside polygon i is
 * `(opacity[i] + x·gradient[2i] + y·gradient[2i+1]) × alphaMap cell × mask`, each factor 0–1. For a polygon that ADDS it is
 * the light it adds.
 */
export class FrameSnapshot {
  /** Canvas size in canvas pixels (the game's own resolution). */
  canvasWidth = 0;
  canvasHeight = 0;
  /**
   * Number of points of a pixel that make its colour: 1, its centre, where edges are not smoothed; 4 with the smoothing of
   * WebGL; 8 for the finer smoothing of Canvas, which blends the edge of each shape by itself with what is below. For
   * {@link PolygonFlag.CENTRED} polygons the centre decides in any case.
   */
  pixelPoints: 1 | 4 | 8 = 4;
  /** How bright the canvas is where nothing is painted, 0–1; 1 where that is unknown. */
  ground = 1;

  /** Number of polygons. */
  count = 0;
  /** First vertex of polygon i is at `xy[2 * start[i]]`; it has `length[i]` vertices, convex, of either orientation. */
  start = new Int32Array(256);
  length = new Int32Array(256);
  /** Bounding boxes: minX, minY, maxX, maxY of polygon i at `box[4 * i]`. */
  box = new Float64Array(4 * 256);
  flags = new Uint16Array(256);
  opacity = new Float64Array(256);
  gradient = new Float64Array(2 * 256);
  /** Index into {@link owners}, or {@link NONE} for painters that are no game object (background, flash, fade). */
  owner = new Int32Array(256);
  /** Index into {@link alphaMaps}, or {@link NONE}. */
  alphaMap = new Int32Array(256);
  /**
   * Affine map from canvas pixels to alpha-map cells of polygon i, six numbers at `uv[6 * i]`:
   * column = uv0·x + uv2·y + uv4, row = uv1·x + uv3·y + uv5.
   */
  uv = new Float64Array(6 * 256);
  /** Index into {@link masks}, or {@link NONE}. */
  mask = new Int32Array(256);
  /** Which views of ads polygon i may cover: 0 for all, n for those from the n-th on, −n for those before the n-th. */
  reach = new Int32Array(256);

  /** Vertices, x and y alternating. */
  xy = new Float64Array(2 * 1024);
  vertexCount = 0;

  readonly owners: unknown[] = [];
  ownerCount = 0;
  readonly alphaMaps: AlphaMap[] = [];
  alphaMapCount = 0;
  readonly masks: PaintMask[] = [];
  maskCount = 0;

  /** The ads, one entry per camera that draws them. Entries beyond {@link viewCount} are spare. */
  readonly views: AdView[] = [];
  viewCount = 0;

  /** Starts a new frame. Keeps all buffers. */
  reset(canvasWidth: number, canvasHeight: number): void {
    this.canvasWidth = canvasWidth;
    this.canvasHeight = canvasHeight;
    this.count = 0;
    this.vertexCount = 0;
    this.ownerCount = 0;
    this.alphaMapCount = 0;
    this.maskCount = 0;
    this.viewCount = 0;
  }

  /** Lets go of every game object, camera and texture of the last frame. */
  release(): void {
    this.reset(0, 0);
    this.owners.length = 0;
    this.alphaMaps.length = 0;
    this.masks.length = 0;
    this.views.length = 0;
  }

  /**
   * Appends one convex polygon of `length` vertices read from `points` at `offset` (x, y alternating) and returns its
   * index. It is painted, opaque, without owner, texture or mask until the caller says otherwise.
   */
  addPolygon(points: ArrayLike<number>, offset: number, length: number): number {
    const index = this.count;
    if (index === this.start.length) this.#growPolygons();
    while (2 * (this.vertexCount + length) > this.xy.length) this.xy = grown(this.xy);
    const xy = this.xy;
    const to = 2 * this.vertexCount;
    for (let i = 0; i < 2 * length; i++) xy[to + i] = points[offset + i]!;
    takeBox(xy, to, length, this.box, 4 * index);
    this.start[index] = this.vertexCount;
    this.length[index] = length;
    this.flags[index] = PolygonFlag.PAINTED;
    this.opacity[index] = 1;
    this.gradient[2 * index] = 0;
    this.gradient[2 * index + 1] = 0;
    this.owner[index] = NONE;
    this.alphaMap[index] = NONE;
    this.mask[index] = NONE;
    this.reach[index] = 0;
    this.vertexCount += length;
    this.count = index + 1;
    return index;
  }

  /** Writes minX, minY, maxX, maxY around the polygons `from ≤ i < to` to `out`. */
  takeBox(from: number, to: number, out: Float64Array): void {
    const { box } = this;
    out[0] = out[1] = Infinity;
    out[2] = out[3] = -Infinity;
    for (let b = 4 * from; b < 4 * to; b += 4) {
      if (box[b]! < out[0]) out[0] = box[b]!;
      if (box[b + 1]! < out[1]) out[1] = box[b + 1]!;
      if (box[b + 2]! > out[2]) out[2] = box[b + 2]!;
      if (box[b + 3]! > out[3]) out[3] = box[b + 3]!;
    }
  }

  /** Index of `owner`; the same object twice in a row shares one index. */
  addOwner(owner: unknown): number {
    const last = this.ownerCount - 1;
    if (last >= 0 && this.owners[last] === owner) return last;
    this.owners[this.ownerCount] = owner;
    return this.ownerCount++;
  }

  /** Index of `map`; the same map twice in a row shares one index. */
  addAlphaMap(map: AlphaMap): number {
    const last = this.alphaMapCount - 1;
    if (last >= 0 && this.alphaMaps[last] === map) return last;
    this.alphaMaps[this.alphaMapCount] = map;
    return this.alphaMapCount++;
  }

  addMask(mask: PaintMask): number {
    const last = this.maskCount - 1;
    if (last >= 0 && this.masks[last] === mask) return last;
    this.masks[this.maskCount] = mask;
    return this.maskCount++;
  }

  /**
   * Appends a view without polygons, to be filled in; its shape begins with the next polygon. Entries are reused from frame
   * to frame.
   */
  addView(ad = 0, camera: unknown = null): AdView {
    const view = (this.views[this.viewCount] ??= new AdView());
    view.index = this.viewCount++;
    view.ad = ad;
    view.camera = camera;
    view.shapeFrom = view.shapeTo = view.pieceFrom = view.pieceTo = this.count;
    view.opacity = view.fade = view.alpha = 1;
    view.unmeasurable = false;
    return view;
  }

  /** Whether polygon i may cover a view: it is painted, after that view, and not for other views only. */
  mayCover(i: number, view: AdView): boolean {
    if ((this.flags[i]! & PolygonFlag.PAINTED) === 0) return false;
    const reach = this.reach[i]!;
    return reach < 0 ? view.index < -reach : view.index >= reach;
  }

  /** Whether polygon i covers the pixels whose centres lie in it: {@link PolygonFlag.CENTRED}. */
  isCentred(i: number): boolean {
    return (this.flags[i]! & PolygonFlag.CENTRED) !== 0;
  }

  #growPolygons(): void {
    this.start = grown(this.start);
    this.length = grown(this.length);
    this.box = grown(this.box);
    this.flags = grown(this.flags);
    this.opacity = grown(this.opacity);
    this.gradient = grown(this.gradient);
    this.owner = grown(this.owner);
    this.alphaMap = grown(this.alphaMap);
    this.uv = grown(this.uv);
    this.mask = grown(this.mask);
    this.reach = grown(this.reach);
  }
}

/**
 * A bitmap mask: whatever it masks is multiplied by the mask's own alpha, point by point. The mask's picture is itself
 * a list of polygons (indices into the same snapshot, not PAINTED); where several overlap, the highest opacity counts.
 */
export interface PaintMask {
  from: number;
  to: number;
  /** True when the mask hides where it is opaque. */
  invert: boolean;
  /** The mask that is laid over what this one leaves, or {@link NONE}. */
  outer: number;
}
