import type * as Phaser from 'phaser';

import { EVERYWHERE } from '../geometry/boxes.js';
import type { ClipRegion } from '../geometry/ClipRegion.js';
import { takeRectangle } from '../geometry/takeRectangle.js';
import { type FrameSnapshot, NONE } from '../measure/FrameSnapshot.js';
import { isLitOnGround } from '../measure/isLitOnGround.js';
import type { PageView } from '../page/PageView.js';
import type { ForeignOp, RecordedOp } from '../record/draws/DrawOp.js';
import { DrawRole } from '../record/draws/DrawRole.js';
import type { RecordedEngine } from '../record/draws/FrameRecorder.js';
import type { ObjectFacts } from '../record/draws/ObjectFacts.js';
import { QuadAlpha } from '../record/draws/QuadAlpha.js';
import { SnapshotWriter } from '../record/draws/SnapshotWriter.js';
import type { FrameArea } from '../record/draws/widened.js';
import { ANYWHERE, AS_PAINTED, foreignBoxOf, sizeOf } from '../record/objects/foreignBoxOf.js';
import { holderOf } from '../record/objects/holderOf.js';
import { isDrawn } from '../record/objects/isDrawn.js';
import { isForeignPainter } from '../record/objects/isForeignPainter.js';
import { isWithin } from '../record/objects/isWithin.js';
import { kindOf, ObjectKind } from '../record/objects/objectKind.js';
import { cornersOf } from '../record/objects/placeOf.js';
import type { BoundsByType } from '../record/objects/registerBounds.js';
import { sceneDrawing } from '../record/objects/sceneDrawing.js';
import type { DrawnObject, TexturedObject } from '../record/phaser3/internals.js';
import { sceneLightOf } from '../record/phaser3/sceneLight.js';
import { StrayBatches } from '../record/phaser3/StrayBatches.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { isCut, wholeOf } from '../textures/wholeOf.js';
import type { DrawnFrame } from './FrameReader.js';
import { Rehearsal } from './Rehearsal.js';
import type { CanvasBox } from './RehearsedEngine.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** Effects may reach an ad from this far beside it, in canvas pixels. */
const MARGIN_PX = 32;

/** Rounding may move an ad that is drawn onto a texture first by this much. */
const SAME_PLACE_PX = 0.5;

/** No part of the canvas. */
const NOWHERE: CanvasBox = { minX: -1e9, minY: -1e9, maxX: -1e9, maxY: -1e9 };

/** The frame as WebGL would draw it now, read by letting Phaser draw it without painting. */
export class RehearsedFrame implements ObjectFacts, DrawnFrame {
  readonly #rehearsal: Rehearsal;
  readonly #writer: SnapshotWriter;
  #ads: readonly GameObject[] = [];
  #adIndices = new Map<object, number>();
  #distorted: ReadonlySet<object> = new Set();
  /** In the last frame light was added above an ad that lets through what lies below it: that is recorded, too. */
  #needsGround = false;
  /** Nothing on the canvas is left out. */
  #isWide = false;

  /** @param friendly Objects that do not count as covering an ad; a live map. */
  constructor(
    private readonly game: Phaser.Game,
    private readonly engine: RecordedEngine,
    private readonly snapshot: FrameSnapshot,
    maps: AlphaMaps,
    private readonly bounds: BoundsByType,
    private readonly friendly: ReadonlyMap<unknown, unknown>,
  ) {
    this.#rehearsal = new Rehearsal(game, engine, (object) => this.#isForeign(object, this.#ads.includes(object)));
    const { isUpward, texturesHaveStencil } = engine;
    this.#writer = new SnapshotWriter(snapshot, new QuadAlpha(game, maps, isUpward), this, texturesHaveStencil);
  }

  /**
   * Reads the frame into {@link snapshot} as far as it concerns `ads`.
   * @returns False when the renderer is in the midst of a drawing: nothing was read.
   */
  read(ads: readonly GameObject[], page: PageView): boolean {
    const { game, snapshot } = this;
    const { width, height } = game.scale.baseSize;
    this.#takeAds(ads);
    this.#isWide = false;
    for (let isAgain = true; isAgain;) {
      const needsGround = this.#needsGround;
      snapshot.reset(width, height);
      if (!this.#record(ads, page)) return false;
      this.#needsGround = isLitOnGround(snapshot);
      isAgain = this.#needsGround && !needsGround;
      if (!this.#isWide && this.#isElsewhere()) this.#isWide = isAgain = true;
    }
    ads.forEach((ad, index) => this.#addUnseen(ad, index, height));
    // A camera whose own effects were left out may show anything. A `clear()` of a render texture took the batch meant
    // for the screen: what the screen shows is unknown, too.
    const isCamera = (target: object): boolean => 'scrollX' in target && !('type' in target);
    if ([...this.#distorted].some(isCamera) || StrayBatches.of(game.renderer).hasAny)
      this.#writer.painter.paintUnknown(0, 0, width, height, null, null);
    this.#forget();
    return true;
  }

  #record(ads: readonly GameObject[], page: PageView): boolean {
    const { engine } = this;
    const rehearsal = this.#rehearsal;
    const { width, height } = this.game.scale.baseSize;
    const isRun = rehearsal.run(() => {
      const near = this.#boxOf(ads, width, height);
      this.#takeWindow(near, height);
      engine.recorder.isWaiting = !this.#needsGround;
      engine.recorder.clear();
      rehearsal.drawScenes(near, ads);
      engine.finish();
      this.#distorted = new Set(rehearsal.distorted);
    });
    if (isRun) this.#writer.write(engine.recorder.ops, height, page);
    return isRun;
  }

  /**
   * Whether an ad was drawn beside its own place, by a filter or another camera than its scene's: Phaser 4 does not shake what
   * is in a container with filters. What is far from its own place was left out then.
   */
  #isElsewhere(): boolean {
    const { box, views, viewCount } = this.snapshot;
    const { minX, minY, maxX, maxY } = this.#writer.painter.interest;
    for (let v = 0; v < viewCount; v++) {
      const view = views[v]!;
      for (let i = view.pieceFrom; i < view.pieceTo; i++) {
        const [left, top, right, bottom] = [box[4 * i]!, box[4 * i + 1]!, box[4 * i + 2]!, box[4 * i + 3]!];
        if (Math.max(minX - left, minY - top, right - maxX, bottom - maxY) > SAME_PLACE_PX) return true;
      }
    }
    return false;
  }

  /** Adds the shape of an ad that should be visible, but for which its camera drew nothing: its size is known all the same. */
  #addUnseen(ad: GameObject, index: number, height: number): void {
    const { snapshot } = this;
    for (let v = 0; v < snapshot.viewCount; v++) if (snapshot.views[v]!.ad === index) return;
    const camera = this.#camerasOf(ad).find((one) => isShownBy(ad, one));
    if (camera === undefined) return;
    this.#addUndrawn(ad, index, camera, height);
    // What a container or layer with a render function of the game's own shows of the ad is unknown.
    snapshot.views[snapshot.viewCount - 1]!.unmeasurable = this.#isDrawnByForeign(ad);
  }

  #isDrawnByForeign(ad: GameObject): boolean {
    for (let at = holderOf(ad as unknown as DrawnObject); at !== null; at = holderOf(at))
      if (this.#isForeign(at as unknown as GameObject, false)) return true;
    return false;
  }

  /** Adds a view of an ad that the camera did not draw, with its shape but no pieces. Call after {@link read}. */
  readUndrawn(ad: GameObject, camera: Camera): void {
    this.#takeAds([ad]);
    this.#addUndrawn(ad, 0, camera, this.snapshot.canvasHeight);
    this.#forget();
  }

  // --- facts the writer asks for ---

  adOf(owner: object | null): number {
    if (owner === null) return -1;
    const known = this.#adIndices.get(owner);
    if (known !== undefined) return known;
    const own = this.#ads.indexOf(owner as GameObject);
    const index = own >= 0 ? own : this.adOf(holderOf(owner as DrawnObject));
    this.#adIndices.set(owner, index);
    return index;
  }

  isFriendly(owner: object): boolean {
    return isWithin(owner, this.friendly);
  }

  isDistorted(owner: object): boolean {
    return isWithin(owner, this.#distorted);
  }

  wholeOf(owner: object): FrameArea | null {
    const { frame } = owner as { readonly frame?: Phaser.Textures.Frame | null };
    if (!frame || !isCut(owner as TexturedObject)) return null;
    const { cutX, cutY, cutWidth, cutHeight, source } = wholeOf(frame);
    const { width, height } = source;
    const top = cutY / height;
    const bottom = (cutY + cutHeight) / height;
    const { isUpward } = this.engine;
    return {
      u0: cutX / width,
      v0: isUpward ? 1 - top : top,
      u1: (cutX + cutWidth) / width,
      v1: isUpward ? 1 - bottom : bottom,
    };
  }

  lightOn(owner: object): number {
    return sceneLightOf(sceneDrawing(owner as GameObject), this.engine.unlit);
  }

  isHalf(owner: object, camera: object): boolean {
    let alpha = (camera as Camera).alpha;
    for (let at: DrawnObject | null = owner as DrawnObject; at !== null; at = holderOf(at)) alpha *= at.alpha;
    return alpha >= 0.5;
  }

  paintForeign({ owner, camera, place }: ForeignOp, clip: ClipRegion, mask: number): void {
    const { snapshot } = this;
    const { painter } = this.#writer;
    const object = owner as GameObject;
    const { canvasWidth: width, canvasHeight: height } = snapshot;
    const ad = this.adOf(owner);
    let box = foreignBoxOf(object, this.bounds, true);
    // An ad needs its whole box, not only what was painted of it.
    if (box === AS_PAINTED && ad >= 0) box = sizeOf(owner);
    if (box === null) return;
    let corners: Float64Array = new Float64Array(8);
    let isFree = false;
    if (box === AS_PAINTED || box === ANYWHERE) {
      const [minX, minY, maxX, maxY] = box === ANYWHERE ? EVERYWHERE : this.engine.reach.boxOf(object, camera);
      if (!(maxX! > minX!)) return;
      // Who has the context need not keep to the viewport, nor to a mask.
      isFree = minX === -Infinity && kindOf(owner as DrawnObject) !== ObjectKind.SHADER;
      takeRectangle(Math.max(0, minX!), Math.max(0, minY!), Math.min(width, maxX!), Math.min(height, maxY!), corners);
    } else corners = cornersOf(box, object, place);
    if (ad < 0) {
      painter.paintUnknownQuad(corners, owner, isFree ? null : clip, isFree ? NONE : mask, DrawRole.COVER);
      return;
    }
    const view = snapshot.addView(ad, camera);
    painter.paintUnknownQuad(corners, owner, null, NONE, DrawRole.SHAPE);
    view.shapeTo = view.pieceFrom = snapshot.count;
    painter.paintUnknownQuad(corners, owner, clip, mask, DrawRole.PIECE);
    view.pieceTo = snapshot.count;
    view.opacity = (owner as DrawnObject).alpha * (camera as Camera).alpha;
    view.unmeasurable = true;
  }

  // --- inside ---

  #isForeign(object: GameObject, isAd: boolean): boolean {
    return this.bounds.has(object.type) || isForeignPainter(object as unknown as DrawnObject, isAd, true);
  }

  #takeAds(ads: readonly GameObject[]): void {
    this.#ads = this.engine.ads = ads;
    this.#adIndices = new Map();
    this.engine.recorder.isAd = (owner) => this.adOf(owner) >= 0;
  }

  #forget(): void {
    this.#ads = this.engine.ads = [];
    this.#adIndices = new Map();
    this.engine.recorder.ops = [];
    this.#distorted = new Set();
  }

  /** Draws an ad alone and whole, as a camera would show it. */
  #drawAlone(ad: GameObject, camera: Camera): readonly RecordedOp[] {
    const { recorder } = this.engine;
    this.#takeWindow(null, 0);
    recorder.isWaiting = false;
    recorder.clear();
    this.#rehearsal.drawAlone(ad, camera);
    return recorder.ops;
  }

  /** Adds a view with the shape of an ad and nothing on the screen. */
  #addUndrawn(ad: GameObject, index: number, camera: Camera, height: number): void {
    const { snapshot } = this;
    let ops: readonly RecordedOp[] = [];
    this.#rehearsal.run(() => {
      ops = this.#drawAlone(ad, camera);
    });
    const view = snapshot.addView(index, camera);
    this.#writer.writeShapes(ops, height);
    view.shapeTo = view.pieceFrom = view.pieceTo = snapshot.count;
    view.opacity = 0;
  }

  #camerasOf(ad: GameObject): Camera[] {
    return sceneDrawing(ad).sys.cameras.cameras.filter(({ visible, alpha }) => visible && alpha > 0);
  }

  #takeWindow(box: CanvasBox | null, height: number): void {
    this.engine.recorder.window =
      box === null ? null : { left: box.minX, bottom: height - box.maxY, right: box.maxX, top: height - box.minY };
  }

  /** The box around the ads as their cameras show them, cut to the canvas. */
  #boxOf(ads: readonly GameObject[], width: number, height: number): CanvasBox {
    const box: CanvasBox = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
    for (const ad of ads) {
      for (const camera of this.#camerasOf(ad)) {
        for (const op of this.#drawAlone(ad, camera))
          if (op.type === 'draw') for (const { xy } of op.shapes) widen(box, xy, height);
        if (this.#isWide || this.#isForeign(ad, true))
          Object.assign(box, { minX: 0, minY: 0, maxX: width, maxY: height });
      }
    }
    const near = {
      minX: Math.max(0, box.minX) - MARGIN_PX,
      minY: Math.max(0, box.minY) - MARGIN_PX,
      maxX: Math.min(width, box.maxX) + MARGIN_PX,
      maxY: Math.min(height, box.maxY) + MARGIN_PX,
    };
    const isOnCanvas = box.maxX > 0 && box.maxY > 0 && box.minX < width && box.minY < height;
    Object.assign(this.#writer.painter.interest, isOnCanvas ? box : NOWHERE);
    return isOnCanvas ? near : NOWHERE;
  }
}

/** True when the camera hides neither the object nor anything that the object is in. */
function isShownBy(object: GameObject, camera: Camera): boolean {
  if (!isDrawn(sceneDrawing(object))) return false;
  for (let at: DrawnObject | null = object as unknown as DrawnObject; at !== null; at = holderOf(at)) {
    if (!at.willRender(camera)) return false;
  }
  return true;
}

/** Not-a-number, which is never drawn, widens nothing: Phaser 4 makes it of the stroke of a rounded rectangle. */
function widen(box: CanvasBox, xy: Float64Array, height: number): void {
  for (let i = 0; i < xy.length; i += 2) {
    const x = xy[i]!;
    const y = height - xy[i + 1]!;
    if (x < box.minX) box.minX = x;
    if (x > box.maxX) box.maxX = x;
    if (y < box.minY) box.minY = y;
    if (y > box.maxY) box.maxY = y;
  }
}
