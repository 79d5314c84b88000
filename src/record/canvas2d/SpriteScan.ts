import type * as Phaser from 'phaser';

import { FrameSnapshot } from '../../measure/FrameSnapshot.js';
import { isCovered, type PageView } from '../../page/PageView.js';
import { paintCovers } from '../../page/paintCovers.js';
import type { AlphaMaps } from '../../textures/AlphaMaps.js';
import { pixelPointsOf } from '../../textures/pixelPointsOf.js';
import { isWhereCut, wholeOf } from '../../textures/wholeOf.js';
import { AdBins } from '../frame/AdBins.js';
import { DrawRecord, Marker } from '../frame/DrawRecord.js';
import { FlatAd } from '../frame/FlatAd.js';
import { NearQuads } from '../frame/NearQuads.js';
import { RecordReader, TapVerdict } from '../frame/RecordReader.js';
import { type DrawnList, inDrawOrder } from '../objects/inDrawOrder.js';
import { isDrawn } from '../objects/isDrawn.js';
import { mayPaintAfar, reachSquared, ROUNDING_PX } from '../objects/isFarSprite.js';
import { isRemoved } from '../objects/isRemoved.js';
import type { BoundsByType } from '../objects/registerBounds.js';
import { sceneDrawing } from '../objects/sceneDrawing.js';
import { hasForeignRender } from '../phaser3/foreignRender.js';
import { type CameraInternals, type DrawnObject, type TexturedObject, WILL_RENDER } from '../phaser3/internals.js';
import { findNear } from './findNear.js';
import { PaintReach } from './PaintReach.js';
import { SpritePictures } from './SpritePictures.js';
import { QUAD, SpriteQuads } from './SpriteQuads.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** Frames with friendly objects are left to a rehearsal. */
const NOBODY: ReadonlyMap<unknown, unknown> = new Map();

/** Frames that are skipped after a frame too unusual for the scan: looking in vain costs time, too. */
const REST_FRAMES = 15;

/** Quads that are looked at together; a power of two. */
const BATCH = 64;

/** Of a scene manager: how many cameras do not fill the canvas. */
interface SceneManagerInternals {
  readonly customViewports: number;
}

/**
 * The counterpart of {@link FrameTap} for the Canvas renderer, which has no vertices: the short way for ads under
 * nothing but plain sprites. It walks the display lists, computes the corners of the sprites near the ads, and compares
 * them with those of the last frame. An ad under opaque sprites only is not measured again while nothing near it changes;
 * when something changes, these corners alone are enough. For other ads the record is read into a snapshot.
 */
export class SpriteScan {
  readonly snapshot = new FrameSnapshot();
  /**
   * Per ad, for the frame last looked at: its verdict, and 1 if its figures may have changed. For an ad that was not
   * drawn, a rehearsal finds out its size.
   */
  verdicts = new Uint8Array(0);
  changed = new Uint8Array(0);

  #ads: readonly GameObject[] = [];
  readonly #near: NearQuads;
  readonly #record: DrawRecord;
  readonly #flat = new FlatAd();
  readonly #reach: PaintReach;
  readonly #pictures: SpritePictures;
  readonly #reader: RecordReader;
  #page!: PageView;
  #isRead = false;

  /** Quads that wait to be looked at, and the sprite of each. */
  readonly #quads = new SpriteQuads(BATCH);
  readonly #batched: (object | null)[] = new Array<object | null>(BATCH).fill(null);
  readonly #isSolid = new Uint8Array(BATCH);
  #batchedCount = 0;
  /** Objects of a part of a display list that are not far from the ads. */
  readonly #found: DrawnObject[] = [];
  /** The `view` of {@link findNear}. */
  readonly #view = new Float64Array(6);
  /** Number of pieces in the bins. */
  #binned = 0;
  /** Index of the present camera's state in the record. */
  #state = -1;
  /** minX, minY, maxX, maxY: of an ad's quad, then of its visible part; also of a circle around a sprite. */
  readonly #box: Float64Array;

  /** Per ad: its index in its display list, its marker in the record, and 1 if it is shown whole under opaque sprites only. */
  #places = new Int32Array(0);
  #markers = new Int32Array(0);
  #isFlat = new Uint8Array(0);
  /** The present scene's ads in the order they are drawn. */
  #order = new Int32Array(0);
  #orderCount = 0;

  #camera!: Camera;
  /** The present camera's map to the canvas, without scroll. */
  readonly #matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  /** The part of the canvas that the camera may paint on and that the page shows. */
  readonly #clip = { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  /**
   * Bit sets of ads: those touched by anything but plain sprites; those that let light through, or are touched by
   * something that does.
   */
  #complex = 0;
  #faint = 0;
  #rest = 0;

  /** @param friendly Objects that do not count as covering an ad; a live map. */
  constructor(
    private readonly game: Phaser.Game,
    maps: AlphaMaps,
    private readonly bounds: BoundsByType,
    private readonly friendly: ReadonlyMap<unknown, unknown>,
  ) {
    this.#box = this.#quads.box;
    this.#near = NearQuads.of(this.#quads.batch);
    this.#record = new DrawRecord(this.#near);
    this.#reach = new PaintReach(this.#record, this.#near.bins, bounds);
    this.#pictures = new SpritePictures(maps);
    this.#reader = new RecordReader(this.#record, this.#pictures, this.snapshot);
  }

  /** Size of the canvas, in canvas pixels. */
  get canvasWidth(): number {
    return this.game.scale.baseSize.width;
  }
  get canvasHeight(): number {
    return this.game.scale.baseSize.height;
  }

  /** Sets the ads from the next frame on. */
  setAds(ads: readonly GameObject[]): void {
    this.#ads = ads;
    const { length } = ads;
    this.verdicts = new Uint8Array(length);
    this.changed = new Uint8Array(length);
    this.#isFlat = new Uint8Array(length);
    this.#places = new Int32Array(length);
    this.#markers = new Int32Array(length);
    this.#order = new Int32Array(length);
    this.#record.forget();
    this.#rest = 0;
  }

  /** True when an ad needs a rehearsal, like {@link FrameTap.isComplex}. */
  isComplex(ad: number): boolean {
    return this.verdicts[ad] === TapVerdict.COMPLEX;
  }

  /** Lets go of every Phaser object. */
  release(): void {
    this.#ads = [];
    this.#record.release();
    this.#found.length = 0;
    this.#batched.fill(null);
    this.#pictures.forget();
    this.snapshot.release();
    this.#flat.camera = null;
  }

  /** Looks at the frame just drawn. */
  look(page: PageView): void {
    const { verdicts, changed } = this;
    const record = this.#record;
    const markers = this.#markers;
    const isFlat = this.#isFlat;
    const count = this.#ads.length;
    this.#page = page;
    this.#isRead = true;
    verdicts.fill(TapVerdict.COMPLEX);
    changed.fill(1);
    if (this.#rest > 0) {
      this.#rest--;
      return;
    }
    this.#binned = this.#batchedCount = this.#complex = this.#faint = 0;
    markers.fill(-1);
    this.#pictures.begin();
    record.begin();
    const isUsual = this.#scanScenes(page);
    record.end(false);
    if (!isUsual) {
      this.#rest = REST_FRAMES;
      // The next frame is not to be compared with one before the rest.
      record.forget();
      isFlat.fill(0);
      return;
    }
    for (let i = 0; i < count; i++) {
      const marker = markers[i]!;
      const isPlain = marker >= 0 && this.#isPlainMarker(marker);
      const wasFlat = isFlat[i] === 1;
      isFlat[i] = isPlain && this.#isFlatMarker(marker) ? 1 : 0;
      if (!isPlain) continue;
      verdicts[i] = TapVerdict.PLAIN;
      this.#isRead = false;
      if (wasFlat && isFlat[i] === 1 && record.isSame(marker)) changed[i] = 0;
    }
  }

  #isPlainMarker(marker: number): boolean {
    const record = this.#record;
    return record.markers[marker] === Marker.AD && (this.#complex & AdBins.bitOf(record.markerPieces[marker]!)) === 0;
  }

  #isFlatMarker(marker: number): boolean {
    const { pieceBoxes, markerPieces } = this.#record;
    const piece = markerPieces[marker]!;
    return (this.#faint & AdBins.bitOf(piece)) === 0 && !isCovered(this.#page.covers, pieceBoxes, 4 * piece);
  }

  /** Figures of an ad under opaque sprites only; the same object each time. Null when only the snapshot can tell. */
  flatOf(ad: number): FlatAd | null {
    const flat = this.#flat;
    return this.#isFlat[ad] === 1 && flat.read(this.#record, this.#markers[ad]!) ? flat : null;
  }

  /** Reads the frame into {@link snapshot} and {@link verdicts}, for all ads that are plain. */
  read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const { snapshot } = this;
    const reader = this.#reader;
    snapshot.reset(this.canvasWidth, this.canvasHeight);
    snapshot.pixelPoints = pixelPointsOf(this.game.renderer);
    reader.begin();
    reader.read(this.#ads, this.verdicts);
    paintCovers(snapshot, this.#page, NOBODY);
  }

  // --- the frame; false as soon as something is too unusual for this way ---

  #scanScenes(page: PageView): boolean {
    const { bounds } = this;
    const ads = this.#ads;
    const record = this.#record;
    // Friendly objects must be left out, and only a rehearsal can do that.
    if (page.unsure || this.friendly.size > 0) return false;
    if (bounds.has('Sprite') || bounds.has('Image')) return false;
    const { scenes } = this.game.scene;
    for (let s = 0; s < scenes.length; s++) {
      const scene = scenes[s]!;
      if (!isDrawn(scene)) continue;
      let hasAds = false;
      for (let i = 0; i < ads.length; i++) if (sceneDrawing(ads[i]!) === scene) hasAds = true;
      if (!hasAds && record.pieceCount === 0) continue;
      const { cameras } = scene.sys.cameras;
      for (let c = 0; c < cameras.length; c++) {
        const camera = cameras[c]!;
        if (camera.visible && camera.alpha > 0 && !this.#scanCamera(scene, camera, hasAds, page)) return false;
      }
    }
    return true;
  }

  #scanCamera(scene: Phaser.Scene, camera: Camera, hasAds: boolean, page: PageView): boolean {
    const record = this.#record;
    const order = this.#order;
    const matrix = this.#matrix;
    this.#aim(camera, page);
    const { minX, minY, maxX, maxY } = this.#clip;
    if (record.pieceCount > 0) {
      // A camera that shows nothing where the ads are.
      const isBeside = minX >= record.maxX || maxX <= record.minX || minY >= record.maxY || maxY <= record.minY;
      if (isBeside && !hasAds) return true;
      const isAround = minX <= record.minX && minY <= record.minY && maxX >= record.maxX && maxY >= record.maxY;
      if (!isAround || (!camera.transparent && camera.backgroundColor.alphaGL > 0)) return false;
    }
    if (!isPlainCamera(camera)) return false;
    this.#camera = camera;
    this.#reach.aim(camera, matrix);
    this.#quads.aim(camera, matrix);
    const clipAt = 4 * record.stateCount;
    record.clips[clipAt] = minX;
    record.clips[clipAt + 1] = minY;
    record.clips[clipAt + 2] = maxX;
    record.clips[clipAt + 3] = maxY;
    this.#state = record.addState(false);
    const list = inDrawOrder(scene.sys.displayList as unknown as DrawnList);
    this.#orderCount = 0;
    if (hasAds && !this.#orderAds(scene, list)) return false;
    let from = 0;
    for (let k = 0; k < this.#orderCount; k++) {
      const ad = order[k]!;
      const place = this.#places[ad]!;
      if (!this.#scanList(list, from, place) || !this.#meetAd(ad)) return false;
      from = place + 1;
    }
    return this.#scanList(list, from, list.length);
  }

  /** Sets {@link #matrix} and {@link #clip} to those of a camera that was drawn. */
  #aim(camera: Camera, page: PageView): void {
    const matrix = this.#matrix;
    const clip = this.#clip;
    const { matrix: drawn } = camera as unknown as CameraInternals;
    matrix.a = drawn.a;
    matrix.b = drawn.b;
    matrix.c = drawn.c;
    matrix.d = drawn.d;
    matrix.e = drawn.e;
    matrix.f = drawn.f;
    const isCut = (this.game.scene as unknown as SceneManagerInternals).customViewports > 0;
    const { x, y, width, height } = camera;
    clip.minX = isCut ? Math.max(page.minX, x) : page.minX;
    clip.minY = isCut ? Math.max(page.minY, y) : page.minY;
    clip.maxX = isCut ? Math.min(page.maxX, x + width) : page.maxX;
    clip.maxY = isCut ? Math.min(page.maxY, y + height) : page.maxY;
  }

  /** Finds the scene's ads in its display list and sorts them by their place; false when one is not in it. */
  #orderAds(scene: Phaser.Scene, list: readonly DrawnObject[]): boolean {
    const ads = this.#ads;
    const places = this.#places;
    const order = this.#order;
    for (let ad = 0; ad < ads.length; ad++) {
      const object = ads[ad]!;
      if (sceneDrawing(object) !== scene) continue;
      let place = places[ad]!;
      if (list[place] !== (object as unknown)) place = places[ad] = list.indexOf(object as unknown as DrawnObject);
      if (place < 0) {
        places[ad] = 0;
        return false;
      }
      let at = this.#orderCount++;
      while (at > 0 && places[order[at - 1]!]! > place) {
        order[at] = order[at - 1]!;
        at--;
      }
      order[at] = ad;
    }
    return true;
  }

  /** Takes in an ad as the present camera draws it. */
  #meetAd(ad: number): boolean {
    const record = this.#record;
    const near = this.#near;
    const clip = this.#clip;
    const camera = this.#camera;
    const object = this.#ads[ad] as unknown as TexturedObject;
    const { type } = object;
    if (object.renderFlags !== WILL_RENDER || (object.cameraFilter & camera.id) !== 0) return true;
    if (!object.willRender(camera)) return true;
    if (this.#markers[ad]! >= 0 || (type !== 'Image' && type !== 'Sprite') || near.isFull) return false;
    const box = this.#box;
    this.#fillBins();
    // As a cover of other ads it grows there, which its own quad below does not.
    if (this.#quads.roundsPicture && record.pieceCount > 0 && this.#quads.put(object, 0, false))
      this.#complex |= near.bins.touching(box, 0);
    if (object.mask || object.isCropped || object.blendMode !== 0 || !this.#quads.put(object, 0, true)) return false;
    const minX = box[0]!;
    const minY = box[1]!;
    const maxX = box[2]!;
    const maxY = box[3]!;
    if (minX >= clip.maxX || maxX <= clip.minX || minY >= clip.maxY || maxY <= clip.minY) return true;
    const touched = record.pieceCount > 0 ? near.bins.touching(box, 0) : 0;
    const isWhole = minX >= clip.minX && minY >= clip.minY && maxX <= clip.maxX && maxY <= clip.maxY;
    const isKnown = isPlain(object) && wholeOf(object.frame) === object.frame;
    this.#markers[ad] = record.markerCount;
    if (isKnown) record.setQuad(near.keep(this.#quads.batch, 0, touched), object, this.#state);
    else this.#complex |= touched;
    box[0] = Math.max(minX, clip.minX);
    box[1] = Math.max(minY, clip.minY);
    box[2] = Math.min(maxX, clip.maxX);
    box[3] = Math.min(maxY, clip.maxY);
    const piece = record.addPiece(ad, box);
    record.addMarker(isKnown ? Marker.AD : Marker.OTHER_AD, ad, piece, camera);
    if (!this.#pictures.isSolid(object, true) || !isWhole) this.#faint |= touched | AdBins.bitOf(piece);
    return true;
  }

  /** Takes in what the present camera draws over the ads met so far, from a part of its display list. */
  #scanList(list: readonly DrawnObject[], from: number, to: number): boolean {
    const record = this.#record;
    const camera = this.#camera;
    if (record.pieceCount === 0 || from === to) return true;
    this.#fillBins();
    const { a, b, c, d, e, f } = this.#matrix;
    const { scrollX, scrollY, id } = camera;
    // The middle of the ads through the inverse camera matrix, and how far they reach around it.
    const det = a * d - b * c;
    const x = (record.minX + record.maxX) / 2 - e;
    const y = (record.minY + record.maxY) / 2 - f;
    const halfWidth = (record.maxX - record.minX) / 2;
    const halfHeight = (record.maxY - record.minY) / 2;
    const middleX = (d * x - c * y) / det;
    const middleY = (a * y - b * x) / det;
    // How far the camera stretches a length at most.
    const sum = a * a + b * b + c * c + d * d;
    const stretch = Math.sqrt((sum + Math.sqrt(Math.max(0, sum * sum - 4 * det * det))) / 2);
    const found = this.#found;
    const view = this.#view;
    view[0] = scrollX;
    view[1] = scrollY;
    view[2] = middleX;
    view[3] = middleY;
    view[4] = (Math.abs(d) * halfWidth + Math.abs(c) * halfHeight) / Math.abs(det);
    view[5] = (Math.abs(b) * halfWidth + Math.abs(a) * halfHeight) / Math.abs(det);
    const count = findNear(list, from, to, view, found);
    for (let i = 0; i < count; i++) {
      const object = found[i]!;
      const type = object.type;
      // Games may use these type names for other objects.
      const isSprite = (type === 'Sprite' || type === 'Image') && 'frame' in object;
      // The rectangle around several ads is mostly empty.
      if (isSprite && record.pieceCount > 1 && !this.#comesNear(object as TexturedObject, stretch)) continue;
      if (object.renderFlags !== WILL_RENDER || (object.cameraFilter & id) !== 0) continue;
      if (!object.willRender(camera)) continue;
      if (isSprite && this.#takeSprite(object as TexturedObject)) continue;
      // Anything but a plain sprite leaves the ads that it may touch to a rehearsal.
      this.#complex |= this.#reach.touching(object);
    }
    this.#lookAtBatch();
    return !this.#near.isFull;
  }

  /** False when the sprite cannot touch an ad, however it is rotated. */
  #comesNear(sprite: TexturedObject, stretch: number): boolean {
    if (mayPaintAfar(sprite)) return true;
    const { a, b, c, d, e, f } = this.#matrix;
    const { scrollX, scrollY } = this.#camera;
    const x = sprite.x - scrollX * sprite.scrollFactorX;
    const y = sprite.y - scrollY * sprite.scrollFactorY;
    const reach = stretch * (Math.sqrt(reachSquared(sprite)) + ROUNDING_PX);
    const canvasX = a * x + c * y + e;
    const canvasY = b * x + d * y + f;
    const box = this.#box;
    box[0] = canvasX - reach;
    box[1] = canvasY - reach;
    box[2] = canvasX + reach;
    box[3] = canvasY + reach;
    return this.#near.bins.touching(box, 0) !== 0;
  }

  /** Puts a sprite near an ad into the batch; false when it is not plain. */
  #takeSprite(sprite: TexturedObject): boolean {
    if (this.#batchedCount === BATCH) this.#lookAtBatch();
    if (hasForeignRender(sprite, false)) return false;
    if (!isPlain(sprite) || !this.#quads.put(sprite, this.#batchedCount, false)) return false;
    this.#isSolid[this.#batchedCount] = this.#pictures.isSolid(sprite, false) ? 1 : 0;
    this.#batched[this.#batchedCount++] = sprite;
    return true;
  }

  /** Keeps the quads of the batch that may touch an ad, as long as there is room. */
  #lookAtBatch(): void {
    const near = this.#near;
    const record = this.#record;
    const batched = this.#batched;
    const isSolid = this.#isSolid;
    const state = this.#state;
    const end = QUAD * this.#batchedCount;
    this.#batchedCount = 0;
    if (end === 0) return;
    const before = near.count;
    near.find(this.#quads.batch, 0, end);
    for (let t = before; t < near.count; t++) {
      const quad = near.vertexOf(t) / QUAD;
      record.setQuad(t, batched[quad]!, state);
      if (isSolid[quad] === 0) this.#faint |= near.adsOf(t);
    }
  }

  /** Brings the pieces of the ads met so far into the bins. */
  #fillBins(): void {
    const record = this.#record;
    if (this.#binned === record.pieceCount) return;
    this.#near.bins.fill(record.pieceBoxes, record.pieceCount);
    this.#binned = record.pieceCount;
  }
}

/** True when a sprite is drawn in no unusual way. With an alpha outside 0–1 the context keeps the alpha it had. */
function isPlain({ mask, blendMode, isCropped, alpha, frame }: TexturedObject): boolean {
  if (mask || blendMode !== 0 || isCropped || !(alpha >= 0 && alpha <= 1)) return false;
  return !isRemoved(frame) && isWhereCut(frame);
}

/** True when only its matrix and viewport change what the camera draws. */
function isPlainCamera(camera: Camera): boolean {
  const { mask, flashEffect, fadeEffect } = camera as unknown as CameraInternals;
  return (
    mask === null &&
    camera.alpha === 1 &&
    !(flashEffect.isRunning && flashEffect.alpha > 0) &&
    !((fadeEffect.isRunning || fadeEffect.isComplete) && fadeEffect.alpha > 0)
  );
}
