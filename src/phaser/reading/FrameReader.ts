import type * as Phaser from 'phaser';

import { FrameSnapshot, NONE } from '../../viewability/FrameSnapshot.js';
import { CanvasFrame } from '../../record/CanvasFrame.js';
import type { PageView } from '../../page/PageView.js';
import type { AlphaMaps } from './AlphaMaps.js';
import { DisplayWalk } from './DisplayWalk.js';
import { type FirstBitmapMask, firstBitmapMask } from './firstBitmapMask.js';
import { inDrawOrder } from './inDrawOrder.js';
import type { CameraInternals, DrawnObject } from './internals.js';
import { isDrawn } from './isDrawn.js';
import { isElsewhere } from './isElsewhere.js';
import { isForeignPainter } from './isForeignPainter.js';
import { meanOpacity } from './meanOpacity.js';
import type { NearObjects } from './NearObjects.js';
import type { ObjectReader } from './ObjectReader.js';
import { Blend, PenMode } from './Pen.js';
import { pixelPointsOf } from './pixelPointsOf.js';
import { sceneDrawing } from './sceneDrawing.js';
import { readForeign } from './readForeign.js';
import { rendererRounding } from './shaderRounding.js';
import { StrayBatches } from './StrayBatches.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** The display list of a scene. */
export interface SceneList {
  readonly list: readonly DrawnObject[];
  readonly sortChildrenFlag: boolean;
}

interface SceneManagerInternals {
  /** Cameras that do not fill the canvas. */
  readonly customViewports: number;
}

const NOBODY: ReadonlyMap<unknown, unknown> = new Map();

interface Matrix {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

/**
 * Reads the frame Phaser drew last into a {@link FrameSnapshot}: every scene from the bottom one that holds an ad
 * upward, every camera in its order, background, objects, flash and fade. Camera matrices are those of the last draw,
 * so the right moment is the game's `postrender`.
 */
export class FrameReader {
  readonly snapshot = new FrameSnapshot();
  private readonly walk: DisplayWalk;
  /** Of the camera last aimed at: the map to the canvas without scroll, and the part of the canvas it may paint on. */
  readonly matrix: Matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  readonly clip = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  /** The part of the canvas the page shows. */
  private readonly shown = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  /**
   * Where WebGL left the viewports: the first bitmap mask of a frame turns the scissor test off until the next frame
   * (`RenderTarget.adjustViewport`, called for it by Phaser 3.90, not by 3.60).
   */
  private unclipped: FirstBitmapMask | null = null;
  /** The camera that draws it is behind us. */
  private isUnclipped = false;
  private ads: readonly GameObject[] = [];
  /** The ads of the present scene, as indices. Arrays that were emptied would get new memory in every frame. */
  private readonly sceneAds: number[] = [];
  private sceneAdCount = 0;
  /** Those of them some part of which lies inside the viewport, as far as geometry tells. */
  private readonly onCanvas: number[] = [];

  private canvas: CanvasFrame | null = null;

  /** @param friendly Objects that do not count as covering an ad; a live map. */
  constructor(
    private readonly maps: AlphaMaps,
    private readonly readers: Map<string, ObjectReader>,
    private readonly friendly: ReadonlyMap<unknown, unknown> = NOBODY,
  ) {
    this.walk = new DisplayWalk(this.snapshot, maps, readers, friendly);
  }

  /**
   * Reads the frame as far as it concerns `ads`, game objects of any scenes of the game. What the page cuts off the
   * canvas or lays over it is part of the picture.
   * @param near what comes near the ads, where that is known already
   */
  read(game: Phaser.Game, ads: readonly GameObject[], page: PageView, near: NearObjects | null = null): FrameSnapshot {
    const { snapshot, walk, sceneAds } = this;
    const { pen } = walk;
    const { width, height } = game.scale.baseSize;
    this.ads = ads;
    const renderer = game.renderer as Phaser.Renderer.WebGL.WebGLRenderer | null;
    const isWebGL = renderer !== null && 'gl' in renderer;
    snapshot.reset(width, height);
    snapshot.pixelPoints = pixelPointsOf(game.renderer);
    pen.interestMinX = pen.interestMinY = Infinity;
    pen.interestMaxX = pen.interestMaxY = -Infinity;
    // Under HEADLESS there are scenes and cameras, and nothing is drawn.
    if (renderer === null || (isWebGL && renderer.contextLost)) return snapshot;
    // What held for the last batch: most frames have few, alike in this.
    pen.roundsCorners = rendererRounding(renderer) === true;
    this.setShown(page);
    if (renderer !== null && !isWebGL) {
      if (!this.canvasFrame(game).read(ads, this.shown)) this.addUnknown(ads);
      // Nothing else lies between the game and the page.
      pen.interestMinX = pen.interestMinY = -Infinity;
      pen.interestMaxX = pen.interestMaxY = Infinity;
      this.paintCovers(page, page.unsure);
      return snapshot;
    }
    this.unclipped = null;
    this.isUnclipped = false;
    const { hasScissor } = pen;
    const isUnclipped = isWebGL && !renderer.gl.isEnabled(renderer.gl.SCISSOR_TEST);
    const isCut = hasScissor || (game.scene as unknown as SceneManagerInternals).customViewports > 0;
    if (isUnclipped && isCut) this.unclipped = firstBitmapMask(game);
    const scenes = game.scene.scenes;
    for (let s = 0; s < scenes.length; s++) {
      const scene = scenes[s]!;
      if (!isDrawn(scene)) continue;
      let count = 0;
      for (let i = 0; i < ads.length; i++) if (sceneDrawing(ads[i]!) === scene) sceneAds[count++] = i;
      this.sceneAdCount = count;
      const isPassedOver = count === 0 && !(pen.interestMaxX > pen.interestMinX);
      const cameras = scene.sys.cameras.cameras;
      for (let c = 0; c < cameras.length; c++) {
        const camera = cameras[c]!;
        if (!camera.visible || !(camera.alpha > 0)) continue;
        if (!isPassedOver) this.readCamera(game, scene, camera, isWebGL, near);
        if (camera === this.unclipped?.camera) this.isUnclipped = true;
      }
    }
    // Only now it is known that something would have been cut.
    if (isUnclipped && !isCut && pen.hasScissor) return this.read(game, ads, page, near);
    // Phaser may leave what it began, as effects of particles none of which is alive: nothing comes to the screen any more.
    this.paintCovers(page, page.unsure || (isWebGL && (isElsewhere(renderer) || StrayBatches.of(renderer).hasAny)));
    return snapshot;
  }

  /** The frame could not be read: of no ad it is known what the player sees. */
  private addUnknown(ads: readonly GameObject[]): void {
    const { snapshot } = this;
    snapshot.viewCount = snapshot.count = 0;
    for (let ad = 0; ad < ads.length; ad++) {
      const view = snapshot.addView();
      view.ad = ad;
      view.camera = sceneDrawing(ads[ad]!).sys.cameras.main;
      view.shapeFrom = view.shapeTo = view.pieceFrom = view.pieceTo = 0;
      view.opacity = 1;
      view.unmeasurable = true;
    }
  }

  private canvasFrame(game: Phaser.Game): CanvasFrame {
    const isForeign = (object: GameObject): boolean => isForeignPainter(object as unknown as DrawnObject);
    this.canvas ??= new CanvasFrame(
      game,
      this.snapshot,
      this.maps,
      this.friendly,
      isForeign,
      (object, camera, context) => readForeign(object, camera, context, this.maps, this.readers),
    );
    return this.canvas;
  }

  /** Sets {@link matrix} and {@link clip} to those of a camera. */
  aim(game: Phaser.Game, camera: Camera, page: PageView, isWebGL: boolean): void {
    this.setShown(page);
    this.readMatrix(camera);
    this.readViewport(game, camera, isWebGL);
  }

  /** Prepares for {@link probe}: the camera last aimed at, on Canvas, and a rectangle of canvas pixels. */
  startProbing(
    scene: Phaser.Scene,
    camera: Camera,
    { minX, minY, maxX, maxY }: { minX: number; minY: number; maxX: number; maxY: number },
  ): void {
    const { snapshot, walk } = this;
    const { pen } = walk;
    const { width, height } = scene.sys.scale.baseSize;
    snapshot.reset(width, height);
    pen.interestMinX = minX;
    pen.interestMinY = minY;
    pen.interestMaxX = maxX;
    pen.interestMaxY = maxY;
    walk.enterCamera(scene, camera, false, this.matrix, this.clip);
    walk.setNeighbourhood();
  }

  /** Adds to the snapshot what one object of the scene's own list paints within that rectangle. */
  probe(object: DrawnObject): void {
    this.walk.paintAlone(object);
  }

  /** HTML lies above everything the game draws. */
  private paintCovers(page: PageView, unsure: boolean): void {
    const { pen } = this.walk;
    pen.clip = null;
    pen.mask = NONE;
    pen.blend = Blend.COVER;
    pen.opacity = 1;
    pen.unmeasurable = false;
    pen.roundsCorners = false;
    pen.mode = PenMode.PAINT;
    pen.inCanvasPixels();
    if (unsure) {
      pen.owner = null;
      pen.unknown(0, 0, this.snapshot.canvasWidth, this.snapshot.canvasHeight);
    }
    for (const cover of page.covers) {
      if (cover.owner !== null && this.friendly.has(cover.owner)) continue;
      pen.owner = cover.owner;
      const { minX, minY, maxX, maxY, shape, opacity, isCertain } = cover;
      if (isCertain && shape !== null) pen.convex(shape, 0, shape.length / 2, opacity);
      else if (isCertain) pen.quad(minX, minY, maxX - minX, maxY - minY, opacity);
      else pen.unknown(minX, minY, maxX - minX, maxY - minY);
    }
  }

  private setShown({ minX, minY, maxX, maxY }: PageView): void {
    const { shown } = this;
    shown.minX = minX;
    shown.minY = minY;
    shown.maxX = maxX;
    shown.maxY = maxY;
  }

  private readCamera(
    game: Phaser.Game,
    scene: Phaser.Scene,
    camera: Camera,
    isWebGL: boolean,
    near: NearObjects | null,
  ): void {
    const { walk, ads, sceneAds, onCanvas } = this;
    const { pen } = walk;
    this.readMatrix(camera);
    this.readViewport(game, camera, isWebGL);
    walk.enterCamera(scene, camera, isWebGL, this.matrix, this.clip);
    let count = 0;
    for (let i = 0; i < this.sceneAdCount; i++) {
      const index = sceneAds[i]!;
      const ad = ads[index]!;
      // What is in a container may be drawn by the scene's own list too.
      if (!ad.parentContainer && !walk.draws(ad as unknown as DrawnObject)) continue;
      if (this.widenInterest(ad as unknown as DrawnObject)) {
        onCanvas[count++] = index;
      } else if (walk.draws(ad as unknown as DrawnObject)) {
        this.addUndrawn(ad, camera, index);
      }
    }
    if (pen.interestMaxX > pen.interestMinX) {
      walk.startPainting(ads, onCanvas, count);
      if (this.isUnclipped) walk.unclip(this.shown);
      this.paintBackground(camera, isWebGL);
      const number = near === null ? -1 : near.numberOf(camera);
      if (camera === this.unclipped?.camera) this.walkUnclipping(scene, this.unclipped.index);
      else if (number >= 0) walk.walk(near!.objects, near!.startOf(number), near!.endOf(number));
      else walk.walk(inDrawOrder(scene.sys.displayList as unknown as SceneList));
      this.paintEffects(camera, isWebGL);
      walk.leaveCamera();
    }
  }

  /** The list in which the first bitmap mask is. */
  private walkUnclipping(scene: Phaser.Scene, from: number): void {
    const { walk } = this;
    const list = inDrawOrder(scene.sys.displayList as unknown as SceneList);
    walk.walk(list, 0, from);
    walk.unclip(this.shown);
    walk.walk(list, from);
  }

  /**
   * Adds a view of an ad that the camera did not draw, with its shape but no pieces: the area it would have.
   * Call after {@link read}.
   */
  readUndrawn(game: Phaser.Game, ad: GameObject, camera: Camera): void {
    this.readMatrix(camera);
    const renderer = game.renderer as object | null;
    const isWebGL = renderer !== null && 'gl' in renderer;
    if (renderer !== null && !isWebGL) {
      this.canvasFrame(game).readUndrawn(ad, camera, this.shown);
      return;
    }
    this.walk.enterCamera(sceneDrawing(ad), camera, isWebGL, this.matrix, this.clip);
    this.addUndrawn(ad, camera, 0);
    this.snapshot.views[this.snapshot.viewCount - 1]!.opacity = 0;
  }

  /** A view with the ad's shape and nothing of it on the canvas. The walk must have entered the camera. */
  private addUndrawn(ad: GameObject, camera: Camera, index: number): void {
    const { snapshot, walk } = this;
    const { pen } = walk;
    const view = snapshot.addView();
    view.ad = index;
    view.camera = camera;
    pen.mode = PenMode.SHAPE;
    pen.owner = ad;
    view.shapeFrom = snapshot.count;
    walk.readAlone(ad as unknown as DrawnObject, true);
    view.shapeTo = view.pieceFrom = view.pieceTo = snapshot.count;
    pen.mode = PenMode.PAINT;
    view.opacity = meanOpacity(snapshot, view.shapeFrom, view.shapeTo);
    view.unmeasurable = false;
  }

  /** Grows the neighbourhood by the box of an ad as this camera sees it; false when no part lies in the viewport. */
  private widenInterest(ad: DrawnObject): boolean {
    const { snapshot, walk } = this;
    const { pen } = walk;
    const { count, vertexCount, ownerCount, alphaMapCount, maskCount } = snapshot;
    const throughContainers = ad.parentContainer !== null && ad.parentContainer !== undefined;
    pen.mode = PenMode.SHAPE;
    walk.readAlone(ad, throughContainers);
    // An object of a non-exclusive container is drawn twice: inside, and by the scene's own list.
    if (throughContainers && ad.displayList) walk.readAlone(ad, false);
    pen.mode = PenMode.PAINT;
    const { minX, minY, maxX, maxY } = this.clip;
    let isInside = false;
    for (let i = count; i < snapshot.count; i++) {
      const box = snapshot.box;
      const left = Math.max(minX, box[4 * i]!);
      const top = Math.max(minY, box[4 * i + 1]!);
      const right = Math.min(maxX, box[4 * i + 2]!);
      const bottom = Math.min(maxY, box[4 * i + 3]!);
      if (!(right > left && bottom > top)) continue;
      isInside = true;
      if (left < pen.interestMinX) pen.interestMinX = left;
      if (top < pen.interestMinY) pen.interestMinY = top;
      if (right > pen.interestMaxX) pen.interestMaxX = right;
      if (bottom > pen.interestMaxY) pen.interestMaxY = bottom;
    }
    snapshot.count = count;
    snapshot.vertexCount = vertexCount;
    snapshot.ownerCount = ownerCount;
    snapshot.alphaMapCount = alphaMapCount;
    snapshot.maskCount = maskCount;
    return isInside;
  }

  private paintBackground(camera: Camera, isWebGL: boolean): void {
    const color = camera.backgroundColor;
    const alpha = color.alphaGL;
    if (!(alpha > 0) || (!isWebGL && camera.transparent)) return;
    const { mask } = camera as unknown as CameraInternals;
    // Canvas draws the mask just before, and fills with the alpha that leaves behind.
    const given = isWebGL || !mask?.geometryMask ? 1 : camera.alpha * mask.geometryMask.alpha;
    this.paintViewport(camera, alpha * given, isWebGL);
  }

  private paintEffects(camera: Camera, isWebGL: boolean): void {
    const { flashEffect, fadeEffect } = camera as unknown as CameraInternals;
    if (flashEffect.isRunning && flashEffect.alpha > 0) this.paintViewport(camera, flashEffect.alpha, isWebGL);
    if ((fadeEffect.isRunning || fadeEffect.isComplete) && fadeEffect.alpha > 0) {
      this.paintViewport(camera, fadeEffect.alpha, isWebGL);
    }
  }

  private paintViewport(camera: Camera, alpha: number, isWebGL: boolean): void {
    const { pen } = this.walk;
    let { x, y, width, height } = camera;
    if (isWebGL) {
      // WebGLPipeline.drawFillRect works in whole pixels.
      x = Math.floor(x);
      y = Math.floor(y);
      width = Math.floor(x + width) - x;
      height = Math.floor(y + height) - y;
    }
    pen.owner = null;
    pen.opacity = pen.brightness = 1;
    pen.inCanvasPixels();
    pen.quad(x, y, width, height, Math.min(1, alpha));
  }

  /**
   * The camera's matrix as last drawn. A camera that was never drawn (HEADLESS, or before its first frame) still holds
   * the identity; it is then computed as `Camera.preRender` would, which must not be called: it moves following cameras.
   */
  private readMatrix(camera: Camera): void {
    const { matrix } = this;
    const { matrix: drawn, rotation } = camera as unknown as CameraInternals;
    matrix.a = drawn.a;
    matrix.b = drawn.b;
    matrix.c = drawn.c;
    matrix.d = drawn.d;
    matrix.e = drawn.e;
    matrix.f = drawn.f;
    // Zoomed, turned or moved since, or never drawn: as the next frame will.
    if (!camera.dirty) return;
    const { zoomX, zoomY } = camera;
    const originX = camera.width * camera.originX;
    const originY = camera.height * camera.originY;
    const cos = Math.cos(rotation);
    const sin = Math.sin(rotation);
    matrix.a = cos * zoomX;
    matrix.b = sin * zoomX;
    matrix.c = -sin * zoomY;
    matrix.d = cos * zoomY;
    matrix.e = Math.floor(camera.x + originX + 0.5) - matrix.a * originX - matrix.c * originY;
    matrix.f = Math.floor(camera.y + originY + 0.5) - matrix.b * originX - matrix.d * originY;
  }

  /** The part of the canvas the camera may paint on. */
  private readViewport(game: Phaser.Game, camera: Camera, isWebGL: boolean): void {
    const { clip } = this;
    const { height } = game.scale.baseSize;
    const { shown } = this;
    clip.minX = shown.minX;
    clip.minY = shown.minY;
    clip.maxX = shown.maxX;
    clip.maxY = shown.maxY;
    let { x, y, width: w, height: h } = camera;
    if (isWebGL) {
      // gl.scissor takes whole numbers, counted from the bottom; Phaser leaves it alone for an empty viewport.
      if (!(w > 0 && h > 0)) return;
      const fromBottom = Math.trunc(height - y - h);
      x = Math.trunc(x);
      w = Math.trunc(w);
      h = Math.trunc(h);
      y = height - fromBottom - h;
    } else if (!(game.scene as unknown as SceneManagerInternals).customViewports) {
      return;
    }
    clip.minX = Math.max(clip.minX, x);
    clip.minY = Math.max(clip.minY, y);
    clip.maxX = Math.min(clip.maxX, x + w);
    clip.maxY = Math.min(clip.maxY, y + h);
  }
}
