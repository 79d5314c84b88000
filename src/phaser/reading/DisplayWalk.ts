import type * as Phaser from 'phaser';

import type { AlphaMap } from '../../viewability/AlphaMap.js';
import { type FrameSnapshot, NONE } from '../../viewability/FrameSnapshot.js';
import type { AlphaMaps } from './AlphaMaps.js';
import type {
  CameraInternals,
  DrawnContainer,
  DrawnLayer,
  DrawnMask,
  DrawnObject,
  EffectController,
  RexContainerLite,
  RexRendererLayer,
  TexturedObject,
} from './internals.js';
import { MaskStack } from './MaskStack.js';
import type { ObjectReader, ReadContext } from './ObjectReader.js';
import { Blend, Pen, PenMode } from './Pen.js';
import { kindredReader } from './readers/kindred.js';
import { readNothing } from './readers/nothing.js';
import { readUnknown } from './readers/unknown.js';

/** `Phaser.GameObjects.GameObject.RENDER_MASK`: visible, alpha, scale and texture bits all set. */
const WILL_RENDER = 15;

/** Game objects inherit nothing above them at the top of a scene's display list. */
const NO_FORCED_BLEND = -1;

/** How far rounded positions (`roundPixels`) may lie from the true ones, in world pixels. */
const ROUNDING_PX = 2;

/** Pipelines that draw an object where and as opaque as its fields say; any other may do anything. */
const FAITHFUL_PIPELINES = new Set([
  'MultiPipeline',
  'MobilePipeline',
  'SinglePipeline',
  'RopePipeline',
  'MeshPipeline',
  'Light2D',
  'PointLightPipeline',
  'UtilityPipeline',
]);

/**
 * Walks what one camera of one scene draws, in Phaser's own order (`WebGLRenderer.render`, `ContainerWebGLRenderer`,
 * `LayerWebGLRenderer` and their Canvas twins), and lets the reader of each object that can touch an ad tell the pen
 * what it paints.
 *
 * The common case, thousands of sprites that touch no ad, costs a few field reads each: position and a radius around it
 * against the neighbourhood of the ads, in world coordinates, without any matrix.
 */
export class DisplayWalk implements ReadContext {
  readonly pen: Pen;
  camera!: Phaser.Cameras.Scene2D.Camera;
  isWebGL = true;

  private readonly masks: MaskStack;
  private ads: readonly Phaser.GameObjects.GameObject[] = [];
  /** How far the effects of the containers and layers around the present object reach, in canvas pixels. */
  private halo = 0;

  /** How many of the lists the walk is in are friendly obstructions. */
  private friendlyLists = 0;

  /** Camera matrix, and the scroll it is combined with per object. */
  private ca = 1;
  private cb = 0;
  private cc = 0;
  private cd = 1;
  private ce = 0;
  private cf = 0;
  private scrollX = 0;
  private scrollY = 0;

  /** The neighbourhood of the ads before camera matrix, after scroll. */
  private nearMinX = 0;
  private nearMinY = 0;
  private nearMaxX = 0;
  private nearMaxY = 0;

  constructor(
    private readonly snapshot: FrameSnapshot,
    private readonly maps: AlphaMaps,
    private readonly readers: Map<string, ObjectReader>,
    /** Objects that are not counted as painting. */
    private readonly friendly: ReadonlyMap<unknown, unknown>,
  ) {
    this.pen = new Pen(snapshot);
    this.masks = new MaskStack(this.pen);
  }

  alphaMap(frame: Phaser.Textures.Frame): AlphaMap | null {
    const lookup = this.maps.lookup(frame, this.pen.blend);
    if (lookup.kind === 'map') return lookup.map;
    if (lookup.kind === 'unknown') this.pen.unmeasurable = true;
    return null;
  }

  /**
   * Prepares for one camera. The pen's clip becomes what the camera may paint on.
   * @param ads Objects to be recorded as ads when the walk meets them.
   */
  enterCamera(
    camera: Phaser.Cameras.Scene2D.Camera,
    isWebGL: boolean,
    ads: readonly Phaser.GameObjects.GameObject[],
    matrix: { a: number; b: number; c: number; d: number; e: number; f: number },
    clip: { minX: number; minY: number; maxX: number; maxY: number },
  ): void {
    this.camera = camera;
    this.isWebGL = isWebGL;
    this.ads = ads;
    this.ca = matrix.a;
    this.cb = matrix.b;
    this.cc = matrix.c;
    this.cd = matrix.d;
    this.ce = matrix.e;
    this.cf = matrix.f;
    this.scrollX = camera.scrollX;
    this.scrollY = camera.scrollY;
    const { pen } = this;
    pen.mode = PenMode.PAINT;
    pen.opacity = 1;
    pen.blend = Blend.COVER;
    pen.owner = null;
    pen.mask = NONE;
    const internals = camera as unknown as CameraInternals;
    pen.unmeasurable = isWebGL && (internals.postPipelines?.length ?? 0) > 0;
    this.masks.begin(clip.minX, clip.minY, clip.maxX, clip.maxY);
    const mask = internals.mask;
    if (mask === null || (!isWebGL && !mask.geometryMask)) return;
    if (isWebGL || isClipPath(mask)) this.enterMask(mask, internals._maskCamera);
    else pen.unmeasurable = true;
  }

  leaveCamera(): void {
    const mask = (this.camera as unknown as CameraInternals).mask;
    if (mask !== null && (this.isWebGL || isClipPath(mask))) this.masks.pop();
  }

  /** Walks the scene's display list; {@link Pen.interestMinX} and its kin must be set. */
  walk(list: readonly DrawnObject[]): void {
    this.setNeighbourhood();
    const { pen } = this;
    const cameraId = this.camera.id;
    const { scrollX, scrollY, nearMinX, nearMinY, nearMaxX, nearMaxY } = this;
    const cameraAlpha = this.camera.alpha;
    const unmeasurable = pen.unmeasurable;
    for (let i = 0; i < list.length; i++) {
      const object = list[i]!;
      if (object.renderFlags !== WILL_RENDER) continue;
      if (object.cameraFilter !== 0 && (object.cameraFilter & cameraId) !== 0) continue;
      const type = object.type;
      if (type === 'Sprite' || type === 'Image') {
        // A box about the position that holds every corner at any rotation: cheaper than the corners, never too small,
        // so an ad on the canvas always passes. Stored fields, since their getters would double the cost of the loop.
        const sprite = object as TexturedObject;
        const scaleX = sprite._scaleX;
        const scaleY = sprite._scaleY;
        const left = sprite._displayOriginX;
        const top = sprite._displayOriginY;
        const right = sprite.width - left;
        const bottom = sprite.height - top;
        const reach =
          (scaleX < 0 ? -scaleX : scaleX) * (left > right ? left : right) +
          (scaleY < 0 ? -scaleY : scaleY) * (top > bottom ? top : bottom) +
          ROUNDING_PX;
        const x = sprite.x - scrollX * sprite.scrollFactorX;
        if (x + reach < nearMinX || x - reach > nearMaxX) continue;
        const y = sprite.y - scrollY * sprite.scrollFactorY;
        if (y + reach < nearMinY || y - reach > nearMaxY) continue;
      }
      this.visit(object, 1, 0, 0, 1, 0, 0, 1, 1, cameraAlpha, NO_FORCED_BLEND, true, unmeasurable);
    }
  }

  /** True when the camera draws the object, its containers and layers asked too. */
  draws(object: DrawnObject): boolean {
    const cameraId = this.camera.id;
    let at: DrawnObject | null = object;
    while (at !== null) {
      if (at.renderFlags !== WILL_RENDER || (at.cameraFilter & cameraId) !== 0) return false;
      if (at.parentContainer) {
        at = at.parentContainer;
        continue;
      }
      const list = at.displayList as (DrawnObject & Partial<RexRendererLayer>) | null | undefined;
      if (!list) return false;
      at = list.type === 'Layer' ? list : list.parent?.rendererLayer === list ? list.parent : null;
    }
    return true;
  }

  /**
   * Reads one object where its parents put it, without recording it as an ad: for its box before the walk.
   * The pen must be in {@link PenMode.SHAPE}.
   */
  readAlone(object: DrawnObject, throughContainers: boolean): void {
    const chain: DrawnContainer[] = [];
    if (throughContainers) {
      for (let parent = object.parentContainer; parent !== null; parent = parent.parentContainer) chain.unshift(parent);
    }
    let a = 1;
    let b = 0;
    let c = 0;
    let d = 1;
    let e = 0;
    let f = 0;
    let factorX = 1;
    let factorY = 1;
    for (const parent of chain) {
      const cos = Math.cos(parent.rotation);
      const sin = Math.sin(parent.rotation);
      e += a * parent.x + c * parent.y;
      f += b * parent.x + d * parent.y;
      const na = (a * cos + c * sin) * parent.scaleX;
      const nb = (b * cos + d * sin) * parent.scaleX;
      c = (c * cos - a * sin) * parent.scaleY;
      d = (d * cos - b * sin) * parent.scaleY;
      a = na;
      b = nb;
      factorX *= parent.scrollFactorX;
      factorY *= parent.scrollFactorY;
    }
    this.ads = [];
    this.visit(object, a, b, c, d, e, f, factorX, factorY, 1, NO_FORCED_BLEND, true, false);
  }

  /** One object that will be drawn, with everything it inherits: container matrix, scroll factor, alpha, blend. */
  private visit(
    object: DrawnObject,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    factorX: number,
    factorY: number,
    opacity: number,
    forcedBlend: number,
    masksApply: boolean,
    unmeasurable: boolean,
  ): void {
    if (this.friendly.size > 0 && this.pen.mode === PenMode.PAINT && !this.ads.includes(object as never)) {
      const isFriendly = this.friendlyLists > 0 || this.friendly.has(object);
      if (isFriendly && object.type !== 'Container' && object.type !== 'Layer') return;
      // A list may hold an ad: it is gone through, and only what else is in it is left out.
      if (this.friendly.has(object)) {
        this.friendlyLists++;
        this.visitCounted(object, a, b, c, d, e, f, factorX, factorY, opacity, forcedBlend, masksApply, unmeasurable);
        this.friendlyLists--;
        return;
      }
    }
    this.visitCounted(object, a, b, c, d, e, f, factorX, factorY, opacity, forcedBlend, masksApply, unmeasurable);
  }

  private visitCounted(
    object: DrawnObject,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    factorX: number,
    factorY: number,
    opacity: number,
    forcedBlend: number,
    masksApply: boolean,
    unmeasurable: boolean,
  ): void {
    const { pen } = this;
    const adIndex = pen.mode === PenMode.PAINT ? this.ads.indexOf(object as never) : -1;
    const mask = object.mask;
    let masked =
      mask !== null && mask !== undefined && pen.mode !== PenMode.MASK && this.maskWorks(mask, object, masksApply);
    let distorted = unmeasurable || (this.isWebGL && isDistorted(object, adIndex >= 0));
    if (masked && !this.isWebGL) {
      const source = mask!.geometryMask!;
      if (!isClipPath(mask!)) {
        masked = false;
        distorted = true;
        // Other shapes than Graphics do not only clip, they also draw themselves.
        if (source.alpha > 0 && !('commandBuffer' in source)) this.spoil();
      } else if (isBatchedSprite(object)) {
        // The mask is drawn last of all before the sprite's picture, which so gets the mask's alpha and blend mode.
        // An ad of little alpha stays hidden even so: nobody meant to show it.
        const given = (this.camera.alpha * source.alpha) / object.alpha;
        opacity = adIndex < 0 ? given : Math.min(opacity, given);
        forcedBlend = source.blendMode;
      }
    }
    // A bitmap mask draws into a framebuffer without stencil: a geometry mask inside spoils the picture unpredictably.
    if (masked && mask!.geometryMask && this.isWebGL && pen.mask !== NONE) {
      this.spoil();
      if (adIndex < 0) return;
    }
    if (adIndex < 0) {
      if (masked) this.enterMask(mask!, this.camera);
      this.draw(object, a, b, c, d, e, f, factorX, factorY, opacity, forcedBlend, distorted);
      if (masked) this.masks.pop();
      return;
    }
    const { snapshot } = this;
    const view = snapshot.addView();
    view.ad = adIndex;
    view.camera = this.camera;
    pen.mode = PenMode.SHAPE;
    pen.owner = object;
    view.shapeFrom = snapshot.count;
    this.draw(object, a, b, c, d, e, f, factorX, factorY, opacity, forcedBlend, distorted);
    view.shapeTo = snapshot.count;
    pen.mode = PenMode.PIECE;
    if (masked) this.enterMask(mask!, this.camera);
    view.pieceFrom = snapshot.count;
    this.draw(object, a, b, c, d, e, f, factorX, factorY, opacity, forcedBlend, distorted);
    view.pieceTo = snapshot.count;
    if (masked) this.masks.pop();
    pen.mode = PenMode.PAINT;
    view.unmeasurable = distorted;
    view.opacity = this.meanOpacity(view.shapeFrom, view.shapeTo) * (this.isWebGL ? ownLight(object) : 1);
  }

  /** Dispatches to the lists or the object's reader. */
  private draw(
    object: DrawnObject,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    factorX: number,
    factorY: number,
    opacity: number,
    forcedBlend: number,
    unmeasurable: boolean,
  ): void {
    const type = object.type;
    if (type === 'Container' || type === 'Layer') {
      const { halo, snapshot } = this;
      if (unmeasurable)
        this.halo = Math.max(halo, haloOf(object, Math.max(snapshot.canvasWidth, snapshot.canvasHeight)));
      if (type === 'Layer') this.walkLayer(object as DrawnLayer, opacity, unmeasurable);
      else this.walkContainer(object as DrawnContainer, a, b, c, d, e, f, factorX, factorY, opacity, unmeasurable);
      this.halo = halo;
      return;
    }
    const { pen, ca, cb, cc, cd } = this;
    const x = e - this.scrollX * factorX * object.scrollFactorX;
    const y = f - this.scrollY * factorY * object.scrollFactorY;
    pen.pa = ca * a + cc * b;
    pen.pb = cb * a + cd * b;
    pen.pc = ca * c + cc * d;
    pen.pd = cb * c + cd * d;
    pen.pe = ca * x + cc * y + this.ce;
    pen.pf = cb * x + cd * y + this.cf;
    pen.transform(object.x, object.y, object.rotation, object.scaleX, object.scaleY);
    pen.opacity = opacity;
    pen.blend = blendOf(forcedBlend === NO_FORCED_BLEND ? object.blendMode : forcedBlend);
    pen.unmeasurable = unmeasurable;
    if (pen.mode === PenMode.PAINT) pen.owner = object;
    let reader = this.readers.get(type);
    if (reader === undefined) {
      reader = kindredReader(object) ?? (readUnknown as unknown as ObjectReader);
      this.readers.set(type, reader);
    }
    if (reader === readNothing) {
      const layer = (object as Partial<RexContainerLite>).rendererLayer;
      if (layer) this.walkRexLayer(object, layer, unmeasurable);
      return;
    }
    reader(object as never, this);
    if (pen.mode === PenMode.PAINT && this.isWebGL && (unmeasurable || this.halo > 0)) this.drawHalo(object);
    pen.unmeasurable = false;
  }

  /** From here on nobody knows what the viewport shows. */
  private spoil(): void {
    const { pen } = this;
    if (pen.mode !== PenMode.PAINT) return;
    pen.owner = null;
    pen.inCanvasPixels();
    pen.unknown(0, 0, this.snapshot.canvasWidth, this.snapshot.canvasHeight);
  }

  /** Where a glow, shadow or blur of the object, or of what it is in, may have painted around it. */
  private drawHalo(object: DrawnObject & Partial<TexturedObject>): void {
    const { pen, snapshot } = this;
    const halo = Math.max(this.halo, haloOf(object, Math.max(snapshot.canvasWidth, snapshot.canvasHeight)));
    if (halo === 0) return;
    pen.whole();
    const { width = 0, height = 0, displayOriginX = 0, displayOriginY = 0 } = object;
    const x = width / 2 - displayOriginX;
    const y = height / 2 - displayOriginY;
    const reachX = halo + (Math.abs(pen.a) * width + Math.abs(pen.c) * height) / 2;
    const reachY = halo + (Math.abs(pen.b) * width + Math.abs(pen.d) * height) / 2;
    const centreX = pen.canvasX(x, y);
    const centreY = pen.canvasY(x, y);
    pen.inCanvasPixels();
    pen.unknown(centreX - reachX, centreY - reachY, 2 * reachX, 2 * reachY);
  }

  private walkContainer(
    container: DrawnContainer,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
    factorX: number,
    factorY: number,
    opacity: number,
    unmeasurable: boolean,
  ): void {
    const { x, y, rotation, scaleX, scaleY } = container;
    const cos = Math.cos(rotation);
    const sin = Math.sin(rotation);
    const na = (a * cos + c * sin) * scaleX;
    const nb = (b * cos + d * sin) * scaleX;
    const nc = (c * cos - a * sin) * scaleY;
    const nd = (d * cos - b * sin) * scaleY;
    const ne = a * x + c * y + e;
    const nf = b * x + d * y + f;
    const nFactorX = factorX * container.scrollFactorX;
    const nFactorY = factorY * container.scrollFactorY;
    const nOpacity = opacity * container.alpha;
    // A container's own blend mode holds for its direct children; nested containers start from NORMAL again.
    const forced = this.isWebGL ? container.blendMode : NO_FORCED_BLEND;
    const cameraId = this.camera.id;
    const list = container.list;
    for (let i = 0; i < list.length; i++) {
      const child = list[i]!;
      if (child.renderFlags !== WILL_RENDER || (child.cameraFilter & cameraId) !== 0) continue;
      this.visit(child, na, nb, nc, nd, ne, nf, nFactorX, nFactorY, nOpacity, forced, this.isWebGL, unmeasurable);
    }
  }

  private walkLayer(layer: DrawnLayer, opacity: number, unmeasurable: boolean): void {
    const forced = this.isWebGL ? layer.blendMode : NO_FORCED_BLEND;
    const nOpacity = opacity * layer.alpha;
    const cameraId = this.camera.id;
    const list = inDrawOrder(layer);
    for (let i = 0; i < list.length; i++) {
      const child = list[i]!;
      if (child.renderFlags !== WILL_RENDER || (child.cameraFilter & cameraId) !== 0) continue;
      this.visit(child, 1, 0, 0, 1, 0, 0, 1, 1, nOpacity, forced, this.isWebGL, unmeasurable);
    }
  }

  /**
   * phaser3-rex-plugins' containers (all of rexUI) draw nothing, unless their renderer layer is enabled: then they draw
   * their children as the scene would, with neither matrix nor alpha of their own. Source: `containerlite/renderer`.
   */
  private walkRexLayer(container: DrawnObject, layer: RexRendererLayer, unmeasurable: boolean): void {
    const forced = this.isWebGL ? container.blendMode : NO_FORCED_BLEND;
    const cameraId = this.camera.id;
    const opacity = this.camera.alpha;
    for (const child of inDrawOrder(layer)) {
      if (child.renderFlags !== WILL_RENDER || (child.cameraFilter & cameraId) !== 0) continue;
      this.visit(child, 1, 0, 0, 1, 0, 0, 1, 1, opacity, forced, this.isWebGL, unmeasurable);
    }
  }

  /**
   * Canvas knows only geometry masks, and applies those of container and layer children only to what it draws with
   * `batchSprite` and to containers and layers themselves.
   */
  private maskWorks(mask: DrawnMask, object: DrawnObject, masksApply: boolean): boolean {
    if (this.isWebGL) return true;
    if (!mask.geometryMask) return false;
    return masksApply || object.type === 'Container' || object.type === 'Layer' || isBatchedSprite(object);
  }

  /** The mask's own object is drawn by the given camera without any parent; its visibility and alpha do not matter. */
  private enterMask(mask: DrawnMask, camera: Phaser.Cameras.Scene2D.Camera): void {
    const source = mask.geometryMask ?? mask.bitmapMask;
    const { pen, snapshot } = this;
    const mode = pen.mode;
    const owner = pen.owner;
    const from = snapshot.count;
    const ownCamera = this.camera;
    const saved: [number, number, number, number, number, number, number, number] = [
      this.ca,
      this.cb,
      this.cc,
      this.cd,
      this.ce,
      this.cf,
      this.scrollX,
      this.scrollY,
    ];
    if (camera !== ownCamera) {
      const { matrix } = camera as unknown as CameraInternals;
      this.ca = matrix.a;
      this.cb = matrix.b;
      this.cc = matrix.c;
      this.cd = matrix.d;
      this.ce = matrix.e;
      this.cf = matrix.f;
      this.scrollX = camera.scrollX;
      this.scrollY = camera.scrollY;
      this.camera = camera;
    }
    pen.mode = PenMode.MASK;
    const blend = pen.blend;
    const opacity = pen.opacity;
    const unmeasurable = pen.unmeasurable;
    if (source) this.visit(source, 1, 0, 0, 1, 0, 0, 1, 1, mask.geometryMask ? 1 : camera.alpha, 0, false, false);
    pen.mode = mode;
    pen.owner = owner;
    pen.blend = blend;
    pen.opacity = opacity;
    pen.unmeasurable = unmeasurable;
    this.camera = ownCamera;
    [this.ca, this.cb, this.cc, this.cd, this.ce, this.cf, this.scrollX, this.scrollY] = saved;
    if (mask.geometryMask) this.masks.pushGeometry(from, snapshot.count, this.isWebGL && mask.invertAlpha);
    else this.masks.pushBitmap(from, snapshot.count, mask.invertAlpha);
  }

  /** The interest rectangle through the inverse camera matrix. */
  private setNeighbourhood(): void {
    const { pen, ca, cb, cc, cd } = this;
    const det = ca * cd - cb * cc;
    this.nearMinX = this.nearMinY = Infinity;
    this.nearMaxX = this.nearMaxY = -Infinity;
    if (det === 0) return;
    // Effects, which only WebGL has, may reach the ad from beside it.
    const margin = this.isWebGL ? HALO_PX : 0;
    for (let corner = 0; corner < 4; corner++) {
      const dx = (corner & 1 ? pen.interestMaxX + margin : pen.interestMinX - margin) - this.ce;
      const dy = (corner & 2 ? pen.interestMaxY + margin : pen.interestMinY - margin) - this.cf;
      const x = (cd * dx - cc * dy) / det;
      const y = (ca * dy - cb * dx) / det;
      if (x < this.nearMinX) this.nearMinX = x;
      if (x > this.nearMaxX) this.nearMaxX = x;
      if (y < this.nearMinY) this.nearMinY = y;
      if (y > this.nearMaxY) this.nearMaxY = y;
    }
  }

  /** Effective opacity of an ad: of its shapes at the middle of their boxes, the largest shape deciding. */
  meanOpacity(from: number, to: number): number {
    const { box, opacity, gradient } = this.snapshot;
    let largest = -1;
    let result = 0;
    let sum = 0;
    let count = 0;
    for (let i = from; i < to; i++) {
      const width = box[4 * i + 2]! - box[4 * i]!;
      const height = box[4 * i + 3]! - box[4 * i + 1]!;
      const x = box[4 * i]! + width / 2;
      const y = box[4 * i + 1]! + height / 2;
      const here = opacity[i]! + x * gradient[2 * i]! + y * gradient[2 * i + 1]!;
      const size = width * height;
      if (size > largest * 1.0001) {
        largest = size;
        sum = 0;
        count = 0;
      }
      if (size >= largest * 0.9999) {
        sum += here;
        count++;
        result = sum / count;
      }
    }
    return result;
  }
}

/** `Phaser.FX`: effects that recolour an object within its own shape. */
const RECOLOURING_EFFECTS = new Set([7 /* VIGNETTE */, 8 /* SHINE */, 12 /* GRADIENT */, 14 /* COLOR_MATRIX */]);

/** `Phaser.FX`: effects that paint within the object's own quad. Any other, and any pipeline of a game's own, may not. */
const CONTAINED_EFFECTS = new Set([...RECOLOURING_EFFECTS, 15 /* CIRCLE */, 18 /* WIPE */]);

const SHADOW = 5;
const BLUR = 9;
const BLOOM = 13;

/** How far an effect of unknown reach is taken to paint, in canvas pixels. */
const HALO_PX = 32;

/** The farthest sample of one blur pass, in offsets (`FXBlurHigh.frag`; the other qualities reach less far). */
const BLUR_REACH = 5.2;

/** Most samples of a shadow (`FXShadow.frag`). */
const SHADOW_SAMPLES = 12;

/**
 * True when pipelines or effects may move, hide or replace the object's pixels. Recolouring leaves a cover what it is;
 * an ad that is recoloured is not the advertiser's picture any more, and a container may hold one.
 */
function isDistorted(object: DrawnObject, isAd: boolean): boolean {
  const { preFX, postPipelines, pipeline, type } = object;
  if (pipeline?.name !== undefined && !FAITHFUL_PIPELINES.has(pipeline.name)) return true;
  const effects = preFX?.list.length ?? 0;
  const posts = postPipelines?.length ?? 0;
  if (effects === 0 && posts === 0) return false;
  if (isAd || type === 'Container' || type === 'Layer') return true;
  for (let i = 0; i < effects; i++) if (!RECOLOURING_EFFECTS.has(preFX!.list[i]!.type)) return true;
  for (let i = 0; i < posts; i++) if (!RECOLOURING_EFFECTS.has(postPipelines![i]!.controller?.type ?? -1)) return true;
  return false;
}

/** How far around itself an object with effects may paint, in canvas pixels. */
function haloOf(object: DrawnObject & Partial<TexturedObject>, canvasSize: number): number {
  const { preFX, postPipelines } = object;
  let halo = 0;
  if (preFX) for (const effect of preFX.list) halo = Math.max(halo, reachOf(effect, canvasSize));
  if (postPipelines) for (const { controller } of postPipelines) halo = Math.max(halo, reachOf(controller, canvasSize));
  return halo;
}

function reachOf(effect: EffectController | null | undefined, canvasSize: number): number {
  if (!effect) return HALO_PX;
  const { type, x = 0, y = 0, steps = 1, strength = 1, decay = 1, intensity = 1, samples = SHADOW_SAMPLES } = effect;
  if (CONTAINED_EFFECTS.has(type)) return 0;
  const { blurStrength = 1, offsetX = 1, offsetY = 1 } = effect;
  let reach = HALO_PX;
  // Shadows are cast from a point given in shares of the canvas.
  if (type === SHADOW)
    reach = ((decay * intensity * samples) / SHADOW_SAMPLES) * (1 + Math.max(Math.abs(x), Math.abs(y))) * canvasSize;
  else if (type === BLUR) reach = steps * BLUR_REACH * strength * Math.max(x, y);
  else if (type === BLOOM) reach = steps * BLUR_REACH * blurStrength * Math.max(offsetX, offsetY);
  return reach > 0 ? Math.min(reach, canvasSize) : HALO_PX;
}

/**
 * True when a geometry mask clips on Canvas: only a Graphics leaves its path behind, and only if it draws anything.
 * Otherwise the clip is whatever path was drawn last, which nobody knows. Source: `GeometryMask.preRenderCanvas`.
 */
function isClipPath(mask: DrawnMask): boolean {
  const source = mask.geometryMask as
    (DrawnObject & { readonly commandBuffer?: ArrayLike<unknown> }) | null | undefined;
  return !!source && source.alpha > 0 && (source.commandBuffer?.length ?? 0) > 0;
}

/** True for what the Canvas renderer draws with `batchSprite`: images, text, tile sprites, videos, render textures. */
function isBatchedSprite(object: DrawnObject): boolean {
  return '_crop' in object;
}

/** Share of its own light a tint leaves an ad, 0–1: a sprite tinted black shows nothing of its picture. */
function ownLight(object: DrawnObject & Partial<TexturedObject>): number {
  const { tintTopLeft, tintTopRight, tintBottomLeft, tintBottomRight } = object;
  if (tintTopLeft === undefined) return 1;
  if (object.tintFill === true) return 0;
  if (
    tintTopLeft === 0xffffff &&
    tintTopRight === 0xffffff &&
    tintBottomLeft === 0xffffff &&
    tintBottomRight === 0xffffff
  )
    return 1;
  return (light(tintTopLeft) + light(tintTopRight!) + light(tintBottomLeft!) + light(tintBottomRight!)) / 4;
}

/** Mean of the three channels of a colour, 0–1. */
function light(color: number): number {
  return (((color >> 16) & 255) + ((color >> 8) & 255) + (color & 255)) / 765;
}

/** A list in the order it is drawn: Phaser sorts by depth just before drawing, and only when something changed. */
export function inDrawOrder(list: {
  readonly list: readonly DrawnObject[];
  readonly sortChildrenFlag: boolean;
}): readonly DrawnObject[] {
  if (!list.sortChildrenFlag) return list.list;
  return list.list
    .slice()
    .sort((a, b) => (a as unknown as { _depth: number })._depth - (b as unknown as { _depth: number })._depth);
}

/** Phaser 3 blend mode → what it does to the light below. */
function blendOf(mode: number): Blend {
  switch (mode) {
    case 1: // ADD
    case 3: // SCREEN
    case 6: // LIGHTEN
    case 25: // LIGHTER
      return Blend.LIGHTEN;
    case 2: // MULTIPLY
    case 5: // DARKEN
      return Blend.DARKEN;
    default:
      return Blend.COVER;
  }
}
