import type * as Phaser from 'phaser';

import { AdsError } from '../../errors.js';
import { ClipRegion } from '../../geometry/ClipRegion.js';
import { intersectRegions } from '../../geometry/combineRegions.js';
import type { AlphaMap } from '../../viewability/AlphaMap.js';
import { type FrameSnapshot, NONE, PolygonFlag } from '../../viewability/FrameSnapshot.js';
import type { AlphaMaps } from './AlphaMaps.js';
import {
  blendInWebGL,
  blendOnCanvas,
  canvasBlendModeOf,
  CLEARING,
  ERASE,
  INVERTING,
  LAST_BLEND_MODE,
  SKIP_CHECK,
} from './blendModes.js';
import { CameraView } from './CameraView.js';
import { lightOf } from './colourLight.js';
import {
  FX_PIPELINE,
  HALO_PX,
  haloOf,
  isDistorted,
  lastPostEffectOf,
  mayThicken,
  UNMASKING_EFFECTS,
} from './effects.js';
import { hasForeignRender } from './foreignRender.js';
import { holderOf } from './holderOf.js';
import { inDrawOrder } from './inDrawOrder.js';
import { Inherited, OWN_BLEND_MODE } from './Inherited.js';
import {
  type CameraInternals,
  type DrawnContainer,
  type DrawnLayer,
  type DrawnMask,
  type DrawnObject,
  type RexContainerLite,
  type RexRendererLayer,
  type TexturedObject,
  WILL_RENDER,
} from './internals.js';
import { isEmitter } from './isEmitter.js';
import { farLimit, isFarSprite, mayClear, reachOf, ROUNDING_PX } from './isFarSprite.js';
import { MaskStack, type Rectangle } from './MaskStack.js';
import { meanOpacity } from './meanOpacity.js';
import type { ObjectReader, ReadContext } from './ObjectReader.js';
import { Blend, Pen, PenMode } from './Pen.js';
import { paintsAnywhere } from './paintsAnywhere.js';
import { readBlitter } from './readers/blitter.js';
import { kindredReader } from './readers/kindred.js';
import { isContainer, isList, readList } from './readers/list.js';
import { readNothing } from './readers/nothing.js';
import { isOfItsType } from './readers/ofItsType.js';
import { readRexBlitter } from './readers/rex.js';
import { readTilemapLayer } from './readers/tilemapLayer.js';
import { guessUneven } from './readers/tint.js';
import { readUnknown } from './readers/unknown.js';
import { hasLightsOff, isLit, sceneLightOf } from './sceneLight.js';
import { isRemoved } from './isRemoved.js';
import { standardReaders } from './standardReaders.js';
import { cornerAlphasOf, cornerTintsOf, ownLight, tintOf } from './tintLight.js';
import { isMisplaced } from './wholeOf.js';

/**
 * Readers of what WebGL draws by its one `alpha` though it has four: lists hand theirs on as those of the four corners,
 * which are not looked at. Source: `ContainerWebGLRenderer`, `LayerWebGLRenderer`, `Components.Alpha.setAlpha`.
 */
const KEEPS_OWN_ALPHA = new Set<unknown>([readBlitter, readRexBlitter, readTilemapLayer]);

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
  private scene!: Phaser.Scene;
  camera!: Phaser.Cameras.Scene2D.Camera;
  isWebGL = true;

  private readonly masks: MaskStack;
  /** Objects to be recorded as ads: those of the list whose indices come first in the other one. */
  private ads: readonly Phaser.GameObjects.GameObject[] = [];
  private chosenAds: readonly number[] = [];
  private chosenAdCount = 0;
  /** How far the effects of the containers and layers around the present object reach, in canvas pixels. */
  private halo = 0;

  /** Effects of the lists around the present object change its colours. */
  private isRecoloured = false;

  /** They may make what is faint in it hide more. */
  private isThickened = false;

  /** Tint or lights may make the object being read brighter than its picture is. */
  private isShadedAnew = false;

  /** Mean light of the tint of the object being read, 0–1. */
  private tintLight = 1;

  /**
   * How many views of ads there were when the object of the nearest bitmap mask began, in WebGL; -1 outside of any. What is
   * drawn since then is drawn apart from what lies below.
   */
  private apartSince = -1;
  /** How many polygons there were then, and before the first of the objects that mask is in force for. */
  private apartFrom = 0;
  private joinedFrom = 0;
  /** The object drawn before in the scene's own list left its bitmap mask in force for the one drawn now. */
  private isJoining = false;
  /** How many views of ads there were when the first of the objects began that such a mask is in force for. */
  private joinedSince = 0;
  /** That mask in the snapshot, and whether it is known what it lets through. */
  private joinedMask = NONE;
  private isJoinedMaskKnown = true;

  /** The blend mode WebGL is left in by what was drawn last; a list with a mode of its own sets none for its children. */
  private blendMode = 0;

  /** Masks lie in each other in a way in which WebGL draws once more what it masked before, over whatever comes then. */
  private isMixedUp = false;

  /** The camera's. */
  private readonly viewport = new ClipRegion();
  /** The viewport holds for ads only. */
  isUnclipped = false;

  /** Readers of classes whose types nobody registered, by what their objects inherit from. */
  private readonly kindred = new WeakMap<object, ObjectReader>();

  /** Types of game objects that could not be read. */
  private readonly failedTypes = new Set<string>();

  /** How many of the lists the walk is in are friendly obstructions. */
  private friendlyLists = 0;

  /** The view in force: the camera's own, or another camera's while the object of a mask is drawn. */
  private view = new CameraView();
  private otherView = new CameraView();
  /** Post-processing of the camera makes everything it draws unknowable. */
  private cameraDistorts = false;

  /** What is inherited at each depth of nesting, the first of {@link depth} of them in use. */
  private readonly levels: Inherited[] = [];
  private depth = 0;

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

  alphaMap(frame: Phaser.Textures.Frame, tint?: number, isTintFilled = this.pen.isTintFilled): AlphaMap | null {
    const { blend } = this.pen;
    this.maps.isOfAd = this.pen.mode === PenMode.SHAPE;
    const lookup = isTintFilled
      ? this.maps.lookup(frame, Blend.COVER)
      : blend === Blend.DARKEN
        ? this.maps.lookupTinted(frame, tint === undefined ? this.tintLight : lightOf(tint))
        : this.maps.lookup(frame, blend);
    if (blend === Blend.COVER) {
      const isAsBright = !isTintFilled && !this.isShadedAnew && lookup.kind !== 'unknown';
      this.pen.brightness = isAsBright ? lookup.brightest : 1;
    }
    if (lookup.kind === 'map') return lookup.map;
    if (lookup.kind === 'unknown') this.pen.unmeasurable = true;
    return null;
  }

  /** Prepares for one camera. The pen's clip becomes what the camera may paint on. */
  enterCamera(
    scene: Phaser.Scene,
    camera: Phaser.Cameras.Scene2D.Camera,
    isWebGL: boolean,
    matrix: { a: number; b: number; c: number; d: number; e: number; f: number },
    clip: Rectangle,
  ): void {
    this.scene = scene;
    this.camera = camera;
    this.isWebGL = isWebGL;
    this.depth = 0;
    this.view.take(matrix, camera.scrollX, camera.scrollY);
    const internals = camera as unknown as CameraInternals;
    this.cameraDistorts = isWebGL && (internals.postPipelines?.some(({ active }) => active) ?? false);
    this.pen.mask = NONE;
    this.pen.brokenOpacity = isWebGL ? 0 : camera.alpha;
    this.pen.keepsLastBits = isWebGL;
    this.startPainting(NO_ADS, NO_ADS, 0);
    this.masks.begin(clip);
    this.viewport.setRectangle(clip.minX, clip.minY, clip.maxX, clip.maxY);
    this.isUnclipped = false;
    const mask = internals.mask;
    this.isMixedUp = false;
    if (mask === null || (!isWebGL && !mask.geometryMask)) return;
    const isKnown = (isWebGL || isClipPath(mask)) && this.enterMask(mask, internals._maskCamera, true);
    if (!isKnown) this.cameraDistorts = this.pen.unmeasurable = true;
  }

  /**
   * From here on the camera paints beyond its viewport, on all of a rectangle. An ad ends at the viewport meant for it even
   * so: rather too little of it than too much.
   */
  unclip(rectangle: Rectangle): void {
    this.masks.widen(rectangle);
    this.isUnclipped = true;
  }

  /**
   * What is drawn from now on is painted by the camera itself.
   * @param ads Objects to be recorded as ads when the walk meets them,
   * @param chosen as far as their index is among the first `count` of these.
   */
  startPainting(ads: readonly Phaser.GameObjects.GameObject[], chosen: readonly number[], count: number): void {
    const { pen } = this;
    this.ads = ads;
    this.chosenAds = chosen;
    this.chosenAdCount = count;
    pen.mode = PenMode.PAINT;
    pen.opacity = 1;
    pen.blend = Blend.COVER;
    pen.brightness = 1;
    pen.owner = null;
    pen.unmeasurable = this.cameraDistorts;
    pen.isRecoloured = pen.isThickened = false;
  }

  /**
   * Paints one object of the scene's own list, where no camera, container or layer changes it; {@link Pen.interestMinX} and
   * its kin must be set, and the camera entered.
   */
  paintAlone(object: DrawnObject): void {
    const inherited = this.next().none(this.camera.alpha);
    this.visit(object, inherited);
    this.depth--;
  }

  /** Paints one object where its containers put it, wherever that is, while they draw it: it has their alpha and scroll factor. */
  paintWithin(object: DrawnObject): void {
    const { depth, pen } = this;
    pen.interestMinX = pen.interestMinY = -Infinity;
    pen.interestMaxX = pen.interestMaxY = Infinity;
    const inherited = this.inheritedIn(object.parentContainer);
    inherited.opacity = this.camera.alpha;
    inherited.scrollFactorX = inherited.scrollFactorY = 1;
    this.visit(object, inherited);
    this.depth = depth;
  }

  leaveCamera(): void {
    const { camera, isWebGL, pen } = this;
    const { mask } = camera as unknown as CameraInternals;
    if (mask !== null && (isWebGL || isClipPath(mask))) this.masks.pop();
    if (!this.isMixedUp && !(isWebGL && paintsAnywhere(camera))) return;
    // Unclipped: by then Phaser has left the viewport.
    pen.clip = null;
    this.spoil();
  }

  /** Walks the scene's display list, or a part of it; {@link Pen.interestMinX} and its kin must be set. */
  walk(list: readonly DrawnObject[], from = 0, to = list.length): void {
    this.setNeighbourhood();
    this.blendMode = 0;
    const { nearMinX, nearMinY, nearMaxX, nearMaxY } = this;
    const { scrollX, scrollY } = this.view;
    const middleX = (nearMinX + nearMaxX) / 2;
    const middleY = (nearMinY + nearMaxY) / 2;
    const limitX = farLimit(nearMaxX - middleX);
    const limitY = farLimit(nearMaxY - middleY);
    const cameraId = this.camera.id;
    const inherited = this.next().none(this.camera.alpha);
    inherited.unmeasurable = this.cameraDistorts;
    let last = from - 1;
    for (let i = from; i < to; i++) {
      const object = list[i]!;
      const type = object.type;
      if (type === 'Sprite' || type === 'Image') {
        if (isFarSprite(object as TexturedObject, scrollX, scrollY, middleX, middleY, limitX, limitY)) continue;
      }
      if (object.renderFlags !== WILL_RENDER || (object.cameraFilter & cameraId) !== 0) continue;
      if (!object.willRender(this.camera)) continue;
      if (object.mask) {
        this.isJoining = last >= from && this.joins(list, last, i);
        if (!this.isJoining) this.joinedMask = NONE;
      }
      this.visit(object, inherited);
      last = i;
    }
    this.isJoining = false;
    this.depth--;
  }

  /**
   * True when two objects of the scene's own list are drawn behind one mask together, since nothing without it is drawn
   * between them; particles end their mask themselves. Source: `WebGLRenderer.render`.
   */
  private joins(list: readonly DrawnObject[], first: number, second: number): boolean {
    const { mask } = list[second]!;
    for (let i = first; i < second; i++) {
      const object = list[i]!;
      if (object.mask === mask && !isEmitter(object)) continue;
      if (object.renderFlags !== WILL_RENDER || (object.cameraFilter & this.camera.id) !== 0) continue;
      if (object.willRender(this.camera)) return false;
    }
    return true;
  }

  /** True when the camera draws the object, its containers and layers asked too. */
  draws(object: DrawnObject): boolean {
    const cameraId = this.camera.id;
    let at: DrawnObject | null = object;
    while (at !== null) {
      if (at.renderFlags !== WILL_RENDER || (at.cameraFilter & cameraId) !== 0) return false;
      if (!at.willRender(this.camera)) return false;
      const holder = holderOf(at);
      if (holder === null && !at.displayList) return false;
      at = holder;
    }
    return true;
  }

  /**
   * Reads one object where its parents put it, without recording it as an ad: for its box before the walk.
   * The pen must be in {@link PenMode.SHAPE}.
   */
  readAlone(object: DrawnObject, throughContainers: boolean): void {
    const { depth } = this;
    const inherited = this.inheritedIn(throughContainers ? object.parentContainer : null);
    inherited.opacity = 1;
    this.visit(object, inherited);
    this.depth = depth;
  }

  /** What the children of a container inherit, its containers asked too; of none, what the scene's own list gives. */
  private inheritedIn(container: DrawnContainer | null): Inherited {
    if (!container) return this.next().none(1);
    const outer = this.inheritedIn(container.parentContainer);
    return this.next().none(1).through(outer, container);
  }

  /** Another level of nesting; who takes it sets {@link depth} back. */
  private next(): Inherited {
    return (this.levels[this.depth++] ??= new Inherited());
  }

  /**
   * One object that will be drawn. If reading it fails, as it may with a game's own classes and readers, that stays with the
   * object: it is judged by its size as unmeasurable.
   */
  private visit(object: DrawnObject, inherited: Inherited): void {
    const { depth, halo, isRecoloured, isThickened, apartSince, apartFrom, friendlyLists, masks } = this;
    const maskDepth = masks.depth;
    try {
      this.visitUnlessFriendly(object, inherited);
    } catch (error) {
      if (this.pen.mode === PenMode.SHAPE || this.pen.mode === PenMode.PIECE) throw error;
      while (masks.depth > maskDepth) masks.pop();
      this.depth = depth;
      this.halo = halo;
      this.isRecoloured = isRecoloured;
      this.isThickened = isThickened;
      this.apartSince = apartSince;
      this.apartFrom = apartFrom;
      this.friendlyLists = friendlyLists;
      this.judgeBySize(object, inherited);
      this.tell(object, error);
    }
  }

  private judgeBySize(object: DrawnObject, inherited: Inherited): void {
    const { pen } = this;
    this.tintLight = 1;
    pen.isTintFilled = false;
    pen.blend = Blend.COVER;
    pen.opacity = pen.brightness = 1;
    if (pen.mode === PenMode.PAINT) pen.owner = object;
    this.place(object, inherited);
    readUnknown(object, this);
  }

  /** Once for each type: the next frame will fail, too. */
  private tell({ type }: DrawnObject, cause: unknown): void {
    if (this.failedTypes.has(type)) return;
    this.failedTypes.add(type);
    const message = `Reading a game object of type "${type}" failed: it is judged by its size, as unmeasurable`;
    console.error(new AdsError('internal/unexpected', message, { cause }));
  }

  private visitUnlessFriendly(object: DrawnObject, inherited: Inherited): void {
    if (this.friendly.size > 0 && this.pen.mode === PenMode.PAINT && this.indexOfAd(object) < 0) {
      const isFriendly = this.friendlyLists > 0 || this.friendly.has(object);
      if (isFriendly && !isList(object)) return;
      // A list may hold an ad: it is gone through, and only what else is in it is left out.
      if (this.friendly.has(object)) {
        this.friendlyLists++;
        this.visitCounted(object, inherited);
        this.friendlyLists--;
        return;
      }
    }
    this.visitCounted(object, inherited);
  }

  private indexOfAd(object: DrawnObject): number {
    const { ads, chosenAds } = this;
    for (let i = 0; i < this.chosenAdCount; i++) {
      const index = chosenAds[i]!;
      if (ads[index] === (object as unknown)) return index;
    }
    return -1;
  }

  private visitCounted(object: DrawnObject, outer: Inherited): void {
    const { depth } = this;
    let inherited = outer;
    const { pen } = this;
    const adIndex = pen.mode === PenMode.PAINT ? this.indexOfAd(object) : -1;
    const mask = object.mask;
    let masked =
      mask !== null &&
      mask !== undefined &&
      pen.mode !== PenMode.MASK &&
      this.maskWorks(mask, object, outer.masksApply);
    let distorted = outer.unmeasurable || (this.isWebGL && isDistorted(object, adIndex >= 0));
    if (!distorted && this.isWebGL && object.pipeline?.name === FX_PIPELINE)
      distorted = !this.isCopiedWhole(object, outer);
    if (adIndex >= 0 && (this.isRecoloured || this.showsOtherTexels(object))) distorted = true;
    let light = 1;
    if (adIndex >= 0 && this.isWebGL) {
      light = ownLight(object) * (isLit(object) ? sceneLightOf(this.scene) : 1);
      if (Number.isNaN(light)) {
        light = 1;
        distorted = true;
      }
    }
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
        inherited = this.next().copy(outer);
        inherited.opacity = adIndex < 0 ? given : Math.min(outer.opacity, given);
        inherited.blendMode = source.blendMode;
      }
    }
    // A bitmap mask draws into a framebuffer without stencil: a geometry mask inside spoils the picture unpredictably.
    if (masked && mask!.geometryMask && this.isWebGL && pen.mask !== NONE) {
      this.spoil();
      if (adIndex < 0) return;
    }
    if (masked && depth === 1 && !this.isJoining) {
      this.joinedSince = this.snapshot.viewCount;
      this.joinedFrom = this.snapshot.count;
    }
    if (adIndex < 0) {
      const { apartSince, apartFrom } = this;
      if (masked && !this.enterMask(mask!, this.camera, depth === 1)) distorted = true;
      const isApart = masked && !mask!.geometryMask;
      if (isApart) {
        this.apartSince = depth === 1 ? this.joinedSince : this.snapshot.viewCount;
        this.apartFrom = depth === 1 ? this.joinedFrom : this.snapshot.count;
      }
      this.draw(object, inherited, distorted);
      // Containers and layers apply the mask, and `ParticleEmitterWebGLRenderer` too: each time the picture is drawn.
      if (isApart && depth > 1 && isEmitter(object)) this.draw(object, inherited, distorted);
      this.apartSince = apartSince;
      this.apartFrom = apartFrom;
      if (isApart) this.blendMode = 0;
      if (masked) this.masks.pop();
      this.depth = depth;
      return;
    }
    const { snapshot } = this;
    const view = snapshot.addView();
    view.ad = adIndex;
    view.camera = this.camera;
    pen.mode = PenMode.SHAPE;
    pen.owner = object;
    view.shapeFrom = snapshot.count;
    pen.isAnywhere = false;
    this.draw(object, inherited, distorted);
    // Where the ad itself is nobody knows.
    if (pen.isAnywhere) distorted = true;
    view.shapeTo = snapshot.count;
    pen.mode = PenMode.PIECE;
    if (masked && !this.enterMask(mask!, this.camera, depth === 1)) distorted = true;
    view.pieceFrom = snapshot.count;
    if (this.isUnclipped && pen.clip !== null) {
      const cut = new ClipRegion();
      intersectRegions(pen.clip, this.viewport, cut);
      pen.clip = cut;
    }
    this.draw(object, inherited, distorted);
    view.pieceTo = snapshot.count;
    if (masked) this.masks.pop();
    else this.masks.restore();
    pen.mode = PenMode.PAINT;
    this.depth = depth;
    view.unmeasurable = distorted;
    view.opacity = meanOpacity(snapshot, view.shapeFrom, view.shapeTo) * light;
  }

  /**
   * True when `PreFXPipeline`, which draws an object onto a picture of its own and copies that, loses nothing of it: the
   * picture is no larger than the canvas, lies upside down under the camera's viewport, and is mixed with nothing.
   */
  private isCopiedWhole(object: DrawnObject & Partial<TexturedObject>, inherited: Inherited): boolean {
    const { camera, pen, snapshot } = this;
    const { canvasWidth, canvasHeight } = snapshot;
    if (camera.x !== 0 || camera.y !== 0 || camera.width !== canvasWidth || camera.height !== canvasHeight)
      return false;
    if ((inherited.blendMode === OWN_BLEND_MODE ? object.blendMode : this.blendMode) !== 0) return false;
    this.place(object, inherited);
    const width = Math.max(object.width ?? 0, object.frame?.realWidth ?? 0);
    const height = Math.max(object.height ?? 0, object.frame?.realHeight ?? 0);
    return (
      Math.abs(pen.a) * width + Math.abs(pen.c) * height <= canvasWidth &&
      Math.abs(pen.b) * width + Math.abs(pen.d) * height <= canvasHeight
    );
  }

  /** An ad shows something else than a part of its picture. */
  private showsOtherTexels({ frame }: Partial<TexturedObject>): boolean {
    return frame !== undefined && frame !== null && !isRemoved(frame) && isMisplaced(frame, this.isWebGL);
  }

  /** Dispatches to the lists or the object's reader. */
  private draw(object: DrawnObject, inherited: Inherited, unmeasurable: boolean): void {
    const { type } = object;
    const { pen } = this;
    const reader = this.readerOf(object);
    // `ParticleEmitterWebGLRenderer` sets its own in any list.
    const setsMode = inherited.blendMode === OWN_BLEND_MODE || isEmitter(object);
    if (setsMode && object.blendMode !== SKIP_CHECK) this.blendMode = object.blendMode;
    const lastEffect = this.isWebGL && pen.mode !== PenMode.MASK ? lastPostEffectOf(object) : null;
    if (lastEffect !== null) this.masks.turn(UNMASKING_EFFECTS.has(lastEffect));
    // What an ad is drawn by is the game's choice.
    const isForeign = pen.mode === PenMode.PAINT && hasForeignRender(object, this.isWebGL) && !this.hasOwnReader(type);
    if (reader === readList) {
      if (object.blendMode === SKIP_CHECK) this.blendMode = 0;
      const { halo, isRecoloured, isThickened, snapshot } = this;
      if (lastEffect !== null) this.isRecoloured = true;
      if (this.isWebGL && mayThicken(object)) this.isThickened = true;
      if (unmeasurable)
        this.halo = Math.max(halo, haloOf(object, Math.max(snapshot.canvasWidth, snapshot.canvasHeight)));
      if (isContainer(object)) this.walkContainer(object, inherited, unmeasurable || isForeign);
      else this.walkLayer(object as DrawnLayer, inherited, unmeasurable || isForeign);
      this.halo = halo;
      this.isRecoloured = isRecoloured;
      this.isThickened = isThickened;
      if (isForeign) this.judgeBySize(object, inherited);
      return;
    }
    if (isForeign) {
      this.judgeBySize(object, inherited);
      return;
    }
    if (this.isWebGL && isLit(object) && pen.mode !== PenMode.SHAPE && hasLightsOff(this.scene)) {
      if (isBatchedSprite(object) || reader === (readTilemapLayer as unknown)) return;
    }
    this.place(object, inherited);
    pen.brightness = 1;
    this.isShadedAnew = this.isWebGL && ((object as Partial<TexturedObject>).tintFill === true || isLit(object));
    pen.opacity = inherited.opacity;
    const blendMode = this.isWebGL ? this.blendMode : canvasBlendModeOf(object, inherited);
    pen.unmeasurable = unmeasurable;
    // How an ad is mixed with what lies below does not change where it is.
    let blend = pen.mode === PenMode.PAINT ? this.blendOf(blendMode) : Blend.COVER;
    let erases = false;
    const from = this.snapshot.count;
    if (pen.mode === PenMode.PAINT && this.apartSince === this.snapshot.viewCount) {
      // `BitmapMaskPipeline` has it drawn onto nothing, where nothing is multiplied or erased, and the result as NORMAL.
      if (blend === Blend.DARKEN) return;
      erases = blendMode === ERASE;
      blend = Blend.COVER;
    }
    // An effect, too, is drawn onto nothing at first.
    if (lastEffect !== null && (blend === Blend.DARKEN || blendMode === ERASE)) return;
    if (blend === null) return;
    pen.isRecoloured = this.isRecoloured || lastEffect !== null;
    pen.isThickened = this.isThickened || (this.isWebGL && mayThicken(object));
    if (pen.isRecoloured && blend !== Blend.COVER) {
      // It hides by its colour, which is another one now.
      blend = Blend.COVER;
      pen.unmeasurable = true;
    }
    pen.blend = blend;
    if (pen.mode === PenMode.PAINT) pen.owner = object;
    if (reader === readNothing) {
      const layer = (object as Partial<RexContainerLite>).rendererLayer;
      if (layer) this.walkRexLayer(object, layer, unmeasurable);
      return;
    }
    if (this.isWebGL && pen.mode !== PenMode.MASK && KEEPS_OWN_ALPHA.has(reader)) pen.opacity = this.camera.alpha;
    if (pen.blend === Blend.COVER || !this.isWebGL) reader(object as never, this);
    else this.readTinted(object, reader);
    if (pen.mode === PenMode.PAINT && !this.isWebGL && INVERTING.has(blendMode)) {
      // Whatever inverts takes light twice: what it adds to a black ad, it takes from a white one.
      this.place(object, inherited);
      reader(object as never, this);
    }
    if (pen.mode === PenMode.PAINT && this.isWebGL && (unmeasurable || this.halo > 0)) this.drawHalo(object);
    if (erases) this.erase(from);
    pen.unmeasurable = pen.isRecoloured = pen.isThickened = false;
  }

  /**
   * The polygons from the given one on paint nothing: they erase from what was drawn apart before them, of which nobody
   * knows then what is left.
   */
  private erase(from: number): void {
    const { flags, box, count } = this.snapshot;
    for (let e = from; e < count; e++) {
      flags[e] = 0;
      for (let i = this.apartFrom; i < from; i++) {
        const isTouched =
          box[4 * i]! < box[4 * e + 2]! &&
          box[4 * i + 2]! > box[4 * e]! &&
          box[4 * i + 1]! < box[4 * e + 3]! &&
          box[4 * i + 3]! > box[4 * e + 1]!;
        if (isTouched && (flags[i]! & PolygonFlag.PAINTED) !== 0) flags[i]! |= PolygonFlag.UNMEASURABLE;
      }
    }
  }

  /** The reader of what an object is. Its type tells, unless a game has given it that name. */
  private readerOf(object: DrawnObject): ObjectReader {
    const { type } = object;
    const reader = type === 'Container' || type === 'Layer' ? readList : this.readers.get(type);
    if (reader !== undefined && (isOfItsType(object) || this.hasOwnReader(type))) return reader;
    // Not by its type: classes of a game that extend different ones of Phaser's may share a name.
    const kind = Object.getPrototypeOf(object) as object;
    let kindred = this.kindred.get(kind);
    if (kindred === undefined) {
      kindred = kindredReader(object) ?? (readUnknown as unknown as ObjectReader);
      this.kindred.set(kind, kindred);
    }
    return kindred;
  }

  /** True when the game registered a reader for a type of Phaser's. */
  private hasOwnReader(type: string): boolean {
    return this.readers.get(type) !== STANDARD_READERS.get(type);
  }

  /** Sets the pen's matrices to those of an object. */
  private place(object: DrawnObject, inherited: Inherited): void {
    const { pen, view } = this;
    const { a, b, c, d } = inherited;
    const x = inherited.e - view.scrollX * inherited.scrollFactorX * object.scrollFactorX;
    const y = inherited.f - view.scrollY * inherited.scrollFactorY * object.scrollFactorY;
    pen.pa = view.a * a + view.c * b;
    pen.pb = view.b * a + view.d * b;
    pen.pc = view.a * c + view.c * d;
    pen.pd = view.b * c + view.d * d;
    pen.pe = view.a * x + view.c * y + view.e;
    pen.pf = view.b * x + view.d * y + view.f;
    pen.transformBy(object);
    // A canvas ignores what is no number, and keeps the transform Phaser set before: none.
    if (!this.isWebGL && !Number.isFinite(pen.a + pen.b + pen.c + pen.d + pen.e + pen.f)) pen.inCanvasPixels();
  }

  /**
   * An object that lightens or darkens hides as far as its picture is bright or dark, and a tint changes that: light is what
   * picture and tint let through one after the other; a filled tint takes the picture's place.
   */
  private readTinted(object: DrawnObject & Partial<TexturedObject>, reader: ObjectReader): void {
    const { pen } = this;
    // Lamps make a picture darker or brighter, each where it shines.
    if (isLit(object)) pen.guess();
    pen.isTintFilled = object.tintFill === true;
    // Particles, tiles, bobs and vertices have tints of their own, which their readers look at.
    if (object.tintTopLeft !== undefined) {
      this.tintLight = tintOf(object);
      guessUneven(pen, cornerTintsOf(object), cornerAlphasOf(object));
    }
    reader(object as never, this);
    pen.isTintFilled = false;
    this.tintLight = 1;
  }

  /** What a Phaser blend mode does to the light below, in this renderer; null when it leaves it or goes beneath. */
  private blendOf(mode: number): Blend | null {
    if (this.isWebGL) {
      if (mode > LAST_BLEND_MODE) this.pen.unmeasurable = true;
      return blendInWebGL(mode);
    }
    if (CLEARING.has(mode)) this.spoil();
    return blendOnCanvas(mode);
  }

  /** From here on nobody knows what the viewport shows. */
  private spoil(): void {
    const { pen } = this;
    if (pen.mode !== PenMode.PAINT) return;
    pen.owner = null;
    pen.anywhere();
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

  private walkContainer(container: DrawnContainer, outer: Inherited, unmeasurable: boolean): void {
    const inherited = this.next().through(outer, container);
    this.walkChildren(container.list, inherited, container.blendMode, unmeasurable);
  }

  private walkLayer(layer: DrawnLayer, outer: Inherited, unmeasurable: boolean): void {
    const inherited = this.next().none(outer.opacity * layer.alpha);
    this.walkChildren(inDrawOrder(layer), inherited, layer.blendMode, unmeasurable);
  }

  /**
   * phaser3-rex-plugins' containers (all of rexUI) draw nothing, unless their renderer layer is enabled: then they draw
   * their children as the scene would, with neither matrix nor alpha of their own. Source: `containerlite/renderer`.
   */
  private walkRexLayer(container: DrawnObject, layer: RexRendererLayer, unmeasurable: boolean): void {
    const inherited = this.next().none(this.camera.alpha);
    if (container.blendMode === SKIP_CHECK) this.blendMode = 0;
    this.walkChildren(inDrawOrder(layer), inherited, container.blendMode, unmeasurable);
  }

  /**
   * A list's own blend mode holds for its direct children, on Canvas not even for those; nested containers start from
   * NORMAL again. The level of nesting ends with the list.
   */
  private walkChildren(
    list: readonly DrawnObject[],
    inherited: Inherited,
    blendMode: number,
    unmeasurable: boolean,
  ): void {
    inherited.blendMode = this.isWebGL ? blendMode : OWN_BLEND_MODE;
    inherited.masksApply = this.isWebGL;
    inherited.unmeasurable = unmeasurable;
    const cameraId = this.camera.id;
    // Canvas draws no effects: what is drawn there lies within its object, or all around it.
    const skipsFar = !this.isWebGL && this.pen.mode === PenMode.PAINT;
    for (let i = 0; i < list.length; i++) {
      const child = list[i]!;
      if (child.renderFlags !== WILL_RENDER || (child.cameraFilter & cameraId) !== 0) continue;
      if (skipsFar && this.isFar(child, inherited)) continue;
      if (child.willRender(this.camera)) this.visit(child, inherited);
    }
    this.depth--;
  }

  /** True when a sprite in a list surely reaches no ad. */
  private isFar(object: DrawnObject, inherited: Inherited): boolean {
    if ((object.type !== 'Sprite' && object.type !== 'Image') || object.mask) return false;
    const sprite = object as TexturedObject;
    if (mayClear(sprite)) return false;
    const { a, b, c, d } = inherited;
    const { scrollX, scrollY } = this.view;
    const reach = reachOf(sprite);
    const reachX = reach * (Math.abs(a) + Math.abs(c)) + ROUNDING_PX;
    const x = a * sprite.x + c * sprite.y + inherited.e - scrollX * inherited.scrollFactorX * sprite.scrollFactorX;
    if (x + reachX < this.nearMinX || x - reachX > this.nearMaxX) return true;
    const reachY = reach * (Math.abs(b) + Math.abs(d)) + ROUNDING_PX;
    const y = b * sprite.x + d * sprite.y + inherited.f - scrollY * inherited.scrollFactorY * sprite.scrollFactorY;
    return y + reachY < this.nearMinY || y - reachY > this.nearMaxY;
  }

  /**
   * Canvas knows only geometry masks, and applies those of container and layer children only to what it draws with
   * `batchSprite` and to containers and layers themselves.
   */
  private maskWorks(mask: DrawnMask, object: DrawnObject, masksApply: boolean): boolean {
    if (this.isWebGL) return true;
    if (!mask.geometryMask) return false;
    return masksApply || isList(object) || isBatchedSprite(object);
  }

  /**
   * The mask's own object is drawn by the given camera without any parent; its visibility and alpha do not matter. False
   * when nobody knows what the mask lets through: its picture has not been read yet, or its object cannot be.
   * @param isOutermost the camera's mask, or that of an object of the scene's own list
   */
  private enterMask(mask: DrawnMask, camera: Phaser.Cameras.Scene2D.Camera, isOutermost: boolean): boolean {
    if (isOutermost && this.isJoining && this.joinedMask !== NONE) {
      this.masks.pushKnown(this.joinedMask);
      return this.isJoinedMaskKnown;
    }
    const source = mask.geometryMask ?? mask.bitmapMask;
    const { pen, snapshot } = this;
    const mode = pen.mode;
    const owner = pen.owner;
    const from = snapshot.count;
    const { camera: ownCamera, view: ownView, otherView } = this;
    if (camera !== ownCamera) {
      otherView.take((camera as unknown as CameraInternals).matrix, camera.scrollX, camera.scrollY);
      this.view = otherView;
      this.camera = camera;
    }
    pen.mode = PenMode.MASK;
    pen.isUnknown = false;
    const { blend, opacity, unmeasurable } = pen;
    if (source) {
      const inherited = this.next().none(mask.geometryMask ? 1 : camera.alpha);
      inherited.blendMode = 0;
      inherited.masksApply = false;
      this.visit(source, inherited);
      this.depth--;
    }
    pen.mode = mode;
    pen.owner = owner;
    pen.blend = blend;
    pen.opacity = opacity;
    pen.unmeasurable = unmeasurable;
    this.camera = ownCamera;
    this.view = ownView;
    if (mask.geometryMask) {
      // What opacity it is drawn with does not matter.
      if (pen.isUnknown) this.masks.pushUnknownGeometry(isOutermost);
      else this.masks.pushGeometry(from, snapshot.count, this.isWebGL && mask.invertAlpha, isOutermost);
      return !pen.isUnknown;
    }
    if (this.masks.forgetsNextPicture) this.isMixedUp = true;
    const index = this.masks.pushBitmap(from, snapshot.count, mask.invertAlpha);
    let isKnown = true;
    for (let i = from; i < snapshot.count; i++) {
      if ((snapshot.flags[i]! & PolygonFlag.UNMEASURABLE) !== 0) isKnown = false;
    }
    if (isOutermost) {
      this.joinedMask = index;
      this.isJoinedMaskKnown = isKnown;
    }
    return isKnown;
  }

  /** The interest rectangle through the inverse camera matrix. {@link walk} does it itself. */
  setNeighbourhood(): void {
    const { pen, view } = this;
    const det = view.a * view.d - view.b * view.c;
    this.nearMinX = this.nearMinY = Infinity;
    this.nearMaxX = this.nearMaxY = -Infinity;
    if (det === 0) return;
    // Effects, which only WebGL has, may reach the ad from beside it.
    const margin = this.isWebGL ? HALO_PX : 0;
    for (let corner = 0; corner < 4; corner++) {
      const dx = (corner & 1 ? pen.interestMaxX + margin : pen.interestMinX - margin) - view.e;
      const dy = (corner & 2 ? pen.interestMaxY + margin : pen.interestMinY - margin) - view.f;
      const x = (view.d * dx - view.c * dy) / det;
      const y = (view.a * dy - view.b * dx) / det;
      if (x < this.nearMinX) this.nearMinX = x;
      if (x > this.nearMaxX) this.nearMaxX = x;
      if (y < this.nearMinY) this.nearMinY = y;
      if (y > this.nearMaxY) this.nearMaxY = y;
    }
  }
}

const NO_ADS: readonly never[] = [];

const STANDARD_READERS = standardReaders();

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
