import type * as Phaser from 'phaser';

import { clipConvex } from '../../geometry/clipConvex.js';
import { FrameSnapshot } from '../../viewability/FrameSnapshot.js';
import type { PageView } from '../page/PageView.js';
import type { AlphaLookup, AlphaMaps } from './AlphaMaps.js';
import { OpaqueMemo } from './OpaqueMemo.js';
import { AdBins } from './AdBins.js';
import { isQuad, NearQuads, type VertexOwner } from './NearQuads.js';
import { Blend } from './Pen.js';
import { pixelPointsOf } from './pixelPointsOf.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** Events every `WebGLPipeline` emits (`Phaser.Renderer.WebGL.Pipelines.Events`). */
const BEFORE_FLUSH = 'pipelinebeforeflush';
const REBIND = 'pipelinerebind';

/** Numbers per vertex of MultiPipeline: x, y, u, v, texture unit, tint effect, colour. */
const STRIDE = 7;
const UNIT = 4;
const EFFECT = 5;
const COLOR = 6;
/** Vertices of a batched quad that are its corners. */
const CORNERS = [0, 1, 2, 5] as const;

/** Pipelines with that layout whose fragments are texture × colour. */
const PLAIN_PIPELINES = new Set(['MultiPipeline', 'MobilePipeline']);

/** Objects that put exactly one quad into the batch. */
const ONE_QUAD_TYPES = new Set(['Image', 'Sprite', 'Text', 'PathFollower']);

/** What the tap knows of an ad after a frame. */
export const TapVerdict = {
  /** Not drawn by any camera. */
  ABSENT: 0,
  /** All that was drawn over it is in the snapshot. */
  PLAIN: 1,
  /** Something over it needs the walk: a mask, a blend mode, another pipeline, a framebuffer. */
  COMPLEX: 2,
} as const;
export type TapVerdict = (typeof TapVerdict)[keyof typeof TapVerdict];

interface TapPipeline extends VertexOwner {
  readonly name: string;
  readonly currentShader: { readonly vertexComponentCount: number };
  readonly batch: readonly { readonly start: number; readonly count: number; readonly texture: readonly object[] }[];
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: (...args: never[]) => void): void;
}

interface TapRenderer {
  readonly pipelines: {
    readonly current: TapPipeline | null;
    readonly pipelines: { readonly entries: Readonly<Record<string, TapPipeline>> };
  };
  readonly currentScissor: readonly [number, number, number, number] | null;
  readonly maskStack: readonly unknown[];
  readonly currentMask: { readonly mask: unknown };
  readonly currentCameraMask: { readonly mask: unknown };
  readonly currentBlendMode: number;
  readonly currentFramebuffer: unknown;
  readonly defaultFramebuffer?: unknown;
  readonly width: number;
  readonly height: number;
}

type RenderWebGL = (renderer: unknown, source: unknown, camera: Camera, parent: unknown, container: unknown) => void;

/** The ad's own `renderWebGL`, which tells the tap where in the batch the ad ends. */
interface Marker extends RenderWebGL {
  tap: VertexTap | null;
  index: number;
}

/**
 * Reads what is drawn over the ads from the vertices Phaser has just batched, before each batch goes to the GPU. Phaser
 * has already paid for every transform, so a linear scan of finished corners against the ads' boxes replaces a walk over
 * the game's objects, whatever their types.
 *
 * The tap answers only for the plain case: quads and triangles of texture × colour with normal blending, without masks,
 * in the main framebuffer. Anything else near an ad makes its verdict COMPLEX, and the walk decides.
 */
export class VertexTap {
  readonly snapshot = new FrameSnapshot();
  /** Per ad, in the order of {@link setAds}. */
  verdicts = new Uint8Array(16);

  private ads: readonly GameObject[] = [];
  private readonly pipelines: TapPipeline[] = [];
  private readonly sources = new WeakMap<object, TextureFrames | null>();
  /** Ads drawn so far in this frame. */
  private active = 0;
  /** First vertex of the current batch that was drawn after the first ad. */
  private from = 0;
  private minX = 0;
  private minY = 0;
  private maxX = 0;
  private maxY = 0;
  /** What is seen of the ads drawn so far, views without any left out: which ad, and its box. */
  private pieceCount = 0;
  private pieceAds = new Int32Array(16);
  private pieceBoxes = new Float64Array(4 * 16);
  private readonly bins = new AdBins();
  /** How many of the pieces are in the bins. */
  private binned = 0;
  private readonly points = new Float64Array(16);
  private readonly clipped = new Float64Array(64);
  private readonly clip = new Float64Array(8);
  private page: PageView | null = null;
  /** Whether {@link clip} and {@link unusual} are those of the batch being looked through. */
  private isStateRead = false;
  private unusual = false;
  private readonly opaque = new OpaqueMemo();

  constructor(
    private readonly game: Phaser.Game,
    private readonly maps: AlphaMaps,
    private readonly friendly: ReadonlyMap<unknown, unknown>,
  ) {}

  private get renderer(): TapRenderer {
    return this.game.renderer as unknown as TapRenderer;
  }

  /** Listens to every pipeline. */
  attach(): void {
    const entries = this.renderer.pipelines.pipelines.entries;
    for (const key of Object.keys(entries)) {
      const pipeline = entries[key]!;
      pipeline.on(BEFORE_FLUSH, this.onFlush);
      pipeline.on(REBIND, this.onRebind);
      this.pipelines.push(pipeline);
      if (PLAIN_PIPELINES.has(pipeline.name)) NearQuads.of(pipeline);
    }
    this.game.textures.on('addtexture', this.onTexture);
    this.game.textures.on('removetexture', this.onTexture);
  }

  /** Lets go of pipelines and ads. */
  detach(): void {
    for (const pipeline of this.pipelines) {
      pipeline.off(BEFORE_FLUSH, this.onFlush);
      pipeline.off(REBIND, this.onRebind);
    }
    this.pipelines.length = 0;
    this.game.textures.off('addtexture', this.onTexture);
    this.game.textures.off('removetexture', this.onTexture);
    this.opaque.clear();
    for (const ad of this.ads) this.unmark(ad);
    this.ads = [];
    this.snapshot.release();
  }

  /** Sets the ads to be watched from the next frame on. */
  setAds(ads: readonly GameObject[]): void {
    for (const ad of this.ads) if (!ads.includes(ad)) this.unmark(ad);
    this.ads = ads.slice();
    if (this.verdicts.length < ads.length) this.verdicts = new Uint8Array(ads.length * 2);
    for (let i = 0; i < ads.length; i++) this.mark(ads[i]!, i);
  }

  /** Starts a frame: before the first scene draws. */
  begin(page: PageView): void {
    this.page = page;
    const { width, height } = this.game.scale.baseSize;
    this.snapshot.reset(width, height);
    this.snapshot.pixelPoints = pixelPointsOf(this.game.renderer);
    this.verdicts.fill(TapVerdict.ABSENT);
    this.active = 0;
    this.from = 0;
    this.pieceCount = this.binned = 0;
    this.opaque.beginFrame(this.maps.changes);
    this.minX = this.minY = Infinity;
    this.maxX = this.maxY = -Infinity;
  }

  /** Ends a frame: adds what the page lays over the canvas. */
  end(): void {
    const { page, points } = this;
    if (page === null || this.active === 0) return;
    // Where nobody knows what lies over the canvas the walk says so. Vertices do not tell whose they are: what is to be
    // left out only the walk can leave out.
    if (page.unsure || this.friendly.size > 0) this.giveUp();
    for (const cover of page.covers) {
      points[0] = points[6] = cover.minX;
      points[1] = points[3] = cover.minY;
      points[2] = points[4] = cover.maxX;
      points[5] = points[7] = cover.maxY;
      const index = this.snapshot.addPolygon(points, 0, 4);
      this.snapshot.opacity[index] = cover.opacity;
    }
    this.active = 0;
  }

  // --- events ---

  private readonly onFlush = (pipeline: TapPipeline): void => {
    if (this.active > 0) {
      // What is drawn elsewhere first comes to the screen changed: a shadow or a blur reaches beyond the quads seen here.
      if (pipeline.vertexCount > this.from && isElsewhere(this.renderer)) this.giveUp();
      else this.scan(pipeline, pipeline.vertexCount);
    }
    this.from = 0;
  };

  /** Something draws past the pipelines (Extern, Spine): it may paint anywhere. */
  private readonly onRebind = (): void => {
    if (this.active > 0) this.giveUp();
  };

  private readonly onTexture = (): void => {
    // Textures that were unknown may be known now; known ones stay.
    this.missing = new WeakSet();
    this.opaque.clear();
  };
  private missing = new WeakSet();

  private mark(ad: GameObject, index: number): void {
    const object = ad as unknown as { renderWebGL: Marker | RenderWebGL };
    const present = object.renderWebGL;
    if ('tap' in present) {
      present.tap = this;
      present.index = index;
      return;
    }
    const marker: Marker = Object.assign(
      function (
        this: unknown,
        renderer: unknown,
        source: unknown,
        camera: Camera,
        parent: unknown,
        container: unknown,
      ) {
        present.call(this, renderer, source, camera, parent, container);
        marker.tap?.adDrawn(marker.index, source as GameObject, camera);
      },
      { tap: this, index },
    );
    // An own property, set once and never deleted: deleting would turn the object into a dictionary and slow down every
    // loop over the display list.
    object.renderWebGL = marker;
  }

  private unmark(ad: GameObject): void {
    const object = ad as unknown as { renderWebGL?: Marker | RenderWebGL };
    if (object.renderWebGL !== undefined && 'tap' in object.renderWebGL) object.renderWebGL.tap = null;
  }

  /** The ad's quad is the last one of the current batch. */
  private adDrawn(index: number, ad: GameObject, camera: Camera): void {
    const { renderer, snapshot } = this;
    const pipeline = renderer.pipelines.current;
    if (
      pipeline === null ||
      !ONE_QUAD_TYPES.has(ad.type) ||
      !PLAIN_PIPELINES.has(pipeline.name) ||
      pipeline.vertexCount < 6 ||
      this.isUnusual(renderer)
    ) {
      if (pipeline !== null && this.active > 0) this.scan(pipeline, pipeline.vertexCount);
      this.from = pipeline?.vertexCount ?? 0;
      this.verdicts[index] = TapVerdict.COMPLEX;
      this.active++;
      return;
    }
    const end = pipeline.vertexCount;
    this.isStateRead = false;
    if (this.active > 0) {
      this.scan(pipeline, end - 6);
      // One more cover, also for its own earlier picture when another camera draws it again.
      const before = snapshot.count;
      this.take(pipeline, (end - 6) * STRIDE, 4);
      if (snapshot.count > before) snapshot.owner[before] = snapshot.addOwner(ad);
    }
    this.from = end;
    this.active++;
    if (this.verdicts[index] === TapVerdict.COMPLEX) return;
    const at = (end - 6) * STRIDE;
    const alphas = pipeline.vertexViewU32;
    const alpha = alphas[at + COLOR]! >>> 24;
    const oneAlpha =
      alphas[at + STRIDE + COLOR]! >>> 24 === alpha &&
      alphas[at + 2 * STRIDE + COLOR]! >>> 24 === alpha &&
      alphas[at + 5 * STRIDE + COLOR]! >>> 24 === alpha;
    // An ad whose own texels or tint matter is left to the walk.
    if (!oneAlpha || this.isTinted(pipeline, at) || !this.opaqueAt(pipeline, at, 4)) {
      this.verdicts[index] = TapVerdict.COMPLEX;
      return;
    }
    this.verdicts[index] = TapVerdict.PLAIN;
    this.takeQuad(pipeline.vertexViewF32, at);
    const view = snapshot.addView();
    view.ad = index;
    view.camera = camera;
    view.opacity = alpha >= 255 ? 1 : (alpha + 0.5) / 255;
    view.unmeasurable = false;
    view.shapeFrom = snapshot.count;
    snapshot.flags[snapshot.addPolygon(this.points, 0, 4)] = 0;
    view.shapeTo = view.pieceFrom = snapshot.count;
    if (!this.isStateRead) this.readState();
    const length = this.clipPoints(4);
    if (length > 0) {
      const piece = snapshot.addPolygon(this.clipped, 0, length);
      snapshot.owner[piece] = snapshot.addOwner(ad);
      // Other ads already have it from the scan.
      snapshot.flags[piece] = 0;
      this.addPiece(index, snapshot.box, 4 * piece);
    }
    view.pieceTo = snapshot.count;
  }

  private isTinted(pipeline: TapPipeline, at: number): boolean {
    const colors = pipeline.vertexViewU32;
    for (const vertex of CORNERS) {
      if ((colors[at + vertex * STRIDE + COLOR]! & 0xffffff) !== 0xffffff) return true;
    }
    return pipeline.vertexViewF32[at + EFFECT] !== 0;
  }

  /** Looks through the vertices `from ≤ v < to` of the batch, two triangles at a time, for what touches the ads. */
  private scan(pipeline: TapPipeline, to: number): void {
    const { minX, minY, maxX, maxY, from } = this;
    if (to <= from || !(maxX > minX)) return;
    if (!PLAIN_PIPELINES.has(pipeline.name) || pipeline.currentShader.vertexComponentCount !== STRIDE) {
      this.giveUp();
      return;
    }
    // What a batch is drawn with cannot change without a flush.
    this.isStateRead = false;
    const manyAds = this.pieceCount > 1;
    if (manyAds && this.binned !== this.pieceCount) {
      this.bins.fill(this.pieceBoxes, this.pieceCount);
      this.binned = this.pieceCount;
    }
    const { vertexViewF32, vertexViewU32 } = pipeline;
    const near = NearQuads.of(pipeline);
    near.find(vertexViewF32, from, to, minX, minY, maxX, maxY);
    const { found, count } = near;
    for (let i = 0; i < count; i++) {
      const v = found[i]!;
      const at = v * STRIDE;
      if (v + 6 <= to && isQuad(vertexViewU32, v)) {
        if (!manyAds || this.isNearPiece(vertexViewF32, at)) this.take(pipeline, at, 4);
        continue;
      }
      this.take(pipeline, at, 3);
      if (v + 6 <= to) this.take(pipeline, at + 3 * STRIDE, 3);
    }
  }

  /** One quad (4) or triangle (3) whose box may touch an ad. */
  private take(pipeline: TapPipeline, at: number, corners: number): void {
    const { points, snapshot } = this;
    const f = pipeline.vertexViewF32;
    if (corners === 4) this.takeQuad(f, at);
    else {
      for (let i = 0; i < 3; i++) {
        points[2 * i] = f[at + i * STRIDE]!;
        points[2 * i + 1] = f[at + i * STRIDE + 1]!;
      }
    }
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    for (let i = 0; i < corners; i++) {
      const x = points[2 * i]!;
      const y = points[2 * i + 1]!;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    if (right <= this.minX || left >= this.maxX || bottom <= this.minY || top >= this.maxY) return;
    if (!this.touchesPiece(left, top, right, bottom)) return;
    if (corners === 4 && !isConvexQuad(points)) {
      // The corner of a stroke: two triangles that may lie over each other.
      this.take(pipeline, at, 3);
      this.take(pipeline, at + 3 * STRIDE, 3);
      return;
    }
    if (!this.isStateRead) this.readState();
    if (this.unusual) {
      this.markComplex(left, top, right, bottom);
      return;
    }
    const u = pipeline.vertexViewU32;
    const alpha = u[at + COLOR]! >>> 24;
    const last = corners === 4 ? 5 : 2;
    const oneAlpha =
      u[at + STRIDE + COLOR]! >>> 24 === alpha &&
      u[at + 2 * STRIDE + COLOR]! >>> 24 === alpha &&
      u[at + last * STRIDE + COLOR]! >>> 24 === alpha;
    if (oneAlpha && alpha === 0) return;
    if (!oneAlpha || !this.opaqueAt(pipeline, at, corners)) {
      this.markComplex(left, top, right, bottom);
      return;
    }
    const length = this.clipPoints(corners);
    if (length === 0) return;
    const index = snapshot.addPolygon(this.clipped, 0, length);
    snapshot.opacity[index] = alpha >= 255 ? 1 : (alpha + 0.5) / 255;
  }

  /** Corners of a batched quad in order around it: top left, bottom left, bottom right, top right. */
  private takeQuad(f: Float32Array, at: number): void {
    const { points } = this;
    points[0] = f[at]!;
    points[1] = f[at + 1]!;
    points[2] = f[at + STRIDE]!;
    points[3] = f[at + STRIDE + 1]!;
    points[4] = f[at + 2 * STRIDE]!;
    points[5] = f[at + 2 * STRIDE + 1]!;
    points[6] = f[at + 5 * STRIDE]!;
    points[7] = f[at + 5 * STRIDE + 1]!;
  }

  /** True when the texture under a quad (4 corners) or triangle (3) is opaque throughout the frame it shows. */
  private opaqueAt(pipeline: TapPipeline, at: number, corners: number): boolean {
    const vertex = at / STRIDE;
    const { batch, vertexViewF32: f } = pipeline;
    const unit = f[at + UNIT]!;
    let u = f[at + 2]!;
    let v = f[at + 3]!;
    if (corners === 4) {
      // Flipped quads begin at the far corner.
      u = Math.min(u, f[at + 2 * STRIDE + 2]!);
      v = Math.min(v, f[at + 2 * STRIDE + 3]!);
    } else {
      // A triangle does not tell which frame it shows: no frame begins here.
      u = v = -1;
    }
    // With few texture units a batch has an entry for nearly every quad, so the place is guessed before it is looked for.
    let i = Math.floor((batch.length * vertex) / pipeline.vertexCount);
    while (i > 0 && batch[i]!.start > vertex) i--;
    while (i + 1 < batch.length && batch[i + 1]!.start <= vertex) i++;
    const textures = batch[i]?.texture;
    const texture = textures?.[unit] ?? textures?.[0];
    if (texture === undefined) return false;
    this.opaque.u = u;
    this.opaque.v = v;
    const known = this.opaque.recall(texture);
    if (known !== undefined) return known;
    const kind = this.framesOf(texture)?.kindAt(u, v, this.maps) ?? 'unknown';
    if (kind !== 'unknown') this.opaque.remember(texture, kind === 'opaque');
    return kind === 'opaque';
  }

  private framesOf(glTexture: object): TextureFrames | null {
    const known = this.sources.get(glTexture);
    if (known !== undefined && known !== null && known.isCurrent(glTexture)) return known;
    if (this.missing.has(glTexture)) return null;
    const list = this.game.textures.list as Record<string, Phaser.Textures.Texture>;
    for (const key of Object.keys(list)) {
      const texture = list[key]!;
      for (let i = 0; i < texture.source.length; i++) {
        const source = texture.source[i]!;
        if ((source.glTexture as object | null) !== glTexture) continue;
        const frames = new TextureFrames(texture, source, i);
        this.sources.set(glTexture, frames);
        return frames;
      }
    }
    this.missing.add(glTexture);
    return null;
  }

  /** Reads {@link unusual}, and scissor and page as a rectangle into {@link clip}: minX, minY, maxX, maxY. */
  private readState(): void {
    const { clip, page, renderer } = this;
    this.isStateRead = true;
    this.unusual = this.isUnusual(renderer);
    clip[0] = page?.minX ?? 0;
    clip[1] = page?.minY ?? 0;
    clip[2] = page?.maxX ?? renderer.width;
    clip[3] = page?.maxY ?? renderer.height;
    const scissor = renderer.currentScissor;
    if (scissor === null || !(scissor[2] > 0 && scissor[3] > 0)) return;
    const height = Math.trunc(scissor[3]);
    const bottom = Math.trunc(renderer.height - scissor[1] - scissor[3]);
    const left = Math.trunc(scissor[0]);
    clip[0] = Math.max(clip[0], left);
    clip[1] = Math.max(clip[1], renderer.height - bottom - height);
    clip[2] = Math.min(clip[2], left + Math.trunc(scissor[2]));
    clip[3] = Math.min(clip[3], renderer.height - bottom);
  }

  /** Clips {@link points} to {@link clip} into {@link clipped}; returns the number of corners left. */
  private clipPoints(corners: number): number {
    const { points, clip, clipped } = this;
    let inside = true;
    for (let i = 0; i < 2 * corners; i += 2) {
      const x = points[i]!;
      const y = points[i + 1]!;
      clipped[i] = x;
      clipped[i + 1] = y;
      if (!(x >= clip[0]! && x <= clip[2]! && y >= clip[1]! && y <= clip[3]!)) inside = false;
    }
    if (inside) return corners;
    if (!(clip[2]! > clip[0]! && clip[3]! > clip[1]!)) return 0;
    const { rectangle } = this;
    rectangle[0] = rectangle[6] = clip[0]!;
    rectangle[1] = rectangle[3] = clip[1]!;
    rectangle[2] = rectangle[4] = clip[2]!;
    rectangle[5] = rectangle[7] = clip[3]!;
    return clipConvex(points, 0, corners, rectangle, 0, 4, clipped);
  }
  private readonly rectangle = new Float64Array(8);

  /** The state of the renderer goes beyond texture × colour onto the screen. */
  private isUnusual(renderer: TapRenderer): boolean {
    return (
      renderer.currentBlendMode !== 0 ||
      renderer.maskStack.length > 0 ||
      renderer.currentMask.mask !== null ||
      renderer.currentCameraMask.mask !== null ||
      isElsewhere(renderer)
    );
  }

  /** Notes the box of what is seen of an ad. */
  private addPiece(ad: number, box: Float64Array, b: number): void {
    const piece = this.pieceCount++;
    if (piece === this.pieceAds.length) {
      this.pieceAds = grown(this.pieceAds);
      this.pieceBoxes = grown(this.pieceBoxes);
    }
    const boxes = this.pieceBoxes;
    this.pieceAds[piece] = ad;
    for (let k = 0; k < 4; k++) boxes[4 * piece + k] = box[b + k]!;
    if (box[b]! < this.minX) this.minX = box[b]!;
    if (box[b + 1]! < this.minY) this.minY = box[b + 1]!;
    if (box[b + 2]! > this.maxX) this.maxX = box[b + 2]!;
    if (box[b + 3]! > this.maxY) this.maxY = box[b + 3]!;
  }

  /** False when a quad of the batch surely touches none of several ads. */
  private isNearPiece(f: Float32Array, at: number): boolean {
    const x0 = f[at]!;
    const x1 = f[at + STRIDE]!;
    const x2 = f[at + 2 * STRIDE]!;
    const x5 = f[at + 5 * STRIDE]!;
    const y0 = f[at + 1]!;
    const y1 = f[at + STRIDE + 1]!;
    const y2 = f[at + 2 * STRIDE + 1]!;
    const y5 = f[at + 5 * STRIDE + 1]!;
    return (
      this.bins.touching(
        Math.min(x0, x1, x2, x5),
        Math.min(y0, y1, y2, y5),
        Math.max(x0, x1, x2, x5),
        Math.max(y0, y1, y2, y5),
      ) !== 0
    );
  }

  private touchesPiece(left: number, top: number, right: number, bottom: number): boolean {
    const { pieceBoxes: box, pieceCount } = this;
    for (let b = 0; b < 4 * pieceCount; b += 4) {
      if (right > box[b]! && left < box[b + 2]! && bottom > box[b + 1]! && top < box[b + 3]!) return true;
    }
    return false;
  }

  private markComplex(left: number, top: number, right: number, bottom: number): void {
    const { pieceBoxes: box, pieceCount } = this;
    for (let p = 0, b = 0; p < pieceCount; p++, b += 4) {
      if (right > box[b]! && left < box[b + 2]! && bottom > box[b + 1]! && top < box[b + 3]!) {
        this.verdicts[this.pieceAds[p]!] = TapVerdict.COMPLEX;
      }
    }
  }

  /** Every ad drawn so far needs the walk. */
  private giveUp(): void {
    const { views, viewCount } = this.snapshot;
    for (let v = 0; v < viewCount; v++) this.verdicts[views[v]!.ad] = TapVerdict.COMPLEX;
  }
}

/** True when four corners in order go round a convex shape: then their two triangles share nothing but an edge. */
function isConvexQuad(p: Float64Array): boolean {
  const first = turn(p, 0, 2, 4);
  return first * turn(p, 2, 4, 6) >= 0 && first * turn(p, 4, 6, 0) >= 0 && first * turn(p, 6, 0, 2) >= 0;
}

/** Positive when the way from a over b to c turns clockwise on the canvas; indices of x in `p`. */
function turn(p: Float64Array, a: number, b: number, c: number): number {
  return (p[b]! - p[a]!) * (p[c + 1]! - p[b + 1]!) - (p[b + 1]! - p[a + 1]!) * (p[c]! - p[b]!);
}

/** What is drawn now goes to a framebuffer, not to the screen. */
function isElsewhere({ currentFramebuffer, defaultFramebuffer }: TapRenderer): boolean {
  return currentFramebuffer !== null && currentFramebuffer !== defaultFramebuffer;
}

/** Finds which frame of a texture a quad shows, by its texture coordinates. */
class TextureFrames {
  private byCorner: Map<number, Phaser.Textures.Frame> | null = null;
  private frameTotal = -1;

  constructor(
    private readonly texture: Phaser.Textures.Texture,
    private readonly source: Phaser.Textures.TextureSource,
    private readonly sourceIndex: number,
  ) {}

  /** False once the texture was replaced or removed. */
  isCurrent(glTexture: object): boolean {
    return (this.source.glTexture as object | null) === glTexture;
  }

  /** What is known of the frame that begins at these texture coordinates; a part of a frame is left to its texels. */
  kindAt(u: number, v: number, maps: AlphaMaps): AlphaLookup['kind'] {
    const base = this.texture.frames as Record<string, Phaser.Textures.Frame>;
    const whole = base['__BASE'];
    if (whole !== undefined && this.texture.frameTotal <= 1) return maps.lookup(whole, Blend.COVER).kind;
    if (this.byCorner === null || this.frameTotal !== this.texture.frameTotal) this.index(base);
    const frame = this.byCorner!.get(cornerKey(u, v, this.source));
    return frame === undefined ? 'map' : maps.lookup(frame, Blend.COVER).kind;
  }

  private index(frames: Readonly<Record<string, Phaser.Textures.Frame>>): void {
    const byCorner = new Map<number, Phaser.Textures.Frame>();
    for (const name of Object.keys(frames)) {
      const frame = frames[name]!;
      if (frame.sourceIndex !== this.sourceIndex) continue;
      const key = cornerKey(frame.u0, frame.v0, this.source);
      // Two frames that begin at the same texel cannot be told apart: the smaller answer is the walk's.
      if (byCorner.has(key)) byCorner.set(key, AMBIGUOUS);
      else byCorner.set(key, frame);
    }
    for (const [key, frame] of byCorner) if (frame === AMBIGUOUS) byCorner.delete(key);
    this.byCorner = byCorner;
    this.frameTotal = this.texture.frameTotal;
  }
}
const AMBIGUOUS = {} as Phaser.Textures.Frame;

function grown<T extends Int32Array | Float64Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}

function cornerKey(u: number, v: number, source: Phaser.Textures.TextureSource): number {
  return Math.round(u * source.width) * 65536 + Math.round(v * source.height);
}
