import type * as Phaser from 'phaser';

import type { ClipRegion } from '../../geometry/ClipRegion.js';
import type { ForeignOp } from '../../record/DrawOp.js';
import type { AlphaMap } from '../../viewability/AlphaMap.js';
import { type FrameSnapshot, NONE } from '../../viewability/FrameSnapshot.js';
import type { PageView } from '../../page/PageView.js';
import type { AlphaMaps } from './AlphaMaps.js';
import { hasForeignRender } from './foreignRender.js';
import type { DrawnObject } from './internals.js';
import type { ObjectReader, ReadContext } from './ObjectReader.js';
import { Blend, Pen, PenMode } from './Pen.js';
import { readExtern } from './readers/extern.js';
import { kindredReader } from './readers/kindred.js';
import { isList } from './readers/list.js';
import { isOfItsType } from './readers/ofItsType.js';
import { readShader } from './readers/shader.js';
import { readSpine } from './readers/spine.js';
import { readUnknown } from './readers/unknown.js';
import { standardReaders } from './standardReaders.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

const STANDARD = standardReaders();

/** Readers of what is drawn by code that is not Phaser's. */
const FOREIGN = new Set<unknown>([readExtern, readShader, readSpine]);

/**
 * Paints objects whose own code is not run in a rehearsal: by the reader a game registered for them, else by their size, as
 * unmeasurable.
 */
export class ForeignPainter implements ReadContext {
  readonly pen: Pen;
  camera!: Camera;
  readonly isWebGL = true;
  readonly isUnclipped = false;

  constructor(
    private readonly snapshot: FrameSnapshot,
    private readonly maps: AlphaMaps,
    private readonly readers: ReadonlyMap<string, ObjectReader>,
  ) {
    this.pen = new Pen(snapshot);
    this.pen.keepsLastBits = true;
  }

  /**
   * True when what draws an object is not Phaser's.
   * @param isAd how an ad is drawn is the game's choice
   */
  isForeign(object: DrawnObject, isAd: boolean): boolean {
    const { type } = object;
    if (!isAd && hasForeignRender(object, true)) return true;
    const reader = this.readers.get(type);
    if (reader !== STANDARD.get(type)) return true;
    if (isList(object)) return false;
    if ((object as { readonly displayCallback?: unknown }).displayCallback) return true;
    if (reader !== undefined && isOfItsType(object)) return FOREIGN.has(reader);
    const kindred = kindredReader(object);
    return kindred === null || FOREIGN.has(kindred);
  }

  alphaMap(frame: Phaser.Textures.Frame): AlphaMap | null {
    const lookup = this.maps.lookup(frame, Blend.COVER);
    if (lookup.kind === 'unknown') this.pen.unmeasurable = true;
    return lookup.kind === 'map' ? lookup.map : null;
  }

  /** @param ad index of the ad it is, or −1 */
  paint({ owner, camera, place }: ForeignOp, clip: ClipRegion, mask: number, ad: number): void {
    const { pen, snapshot } = this;
    const object = owner as DrawnObject;
    this.camera = camera as Camera;
    [pen.pa, pen.pb, pen.pc, pen.pd, pen.pe, pen.pf] = place;
    pen.clip = clip;
    pen.mask = mask;
    pen.owner = object;
    pen.opacity = this.camera.alpha;
    pen.blend = Blend.COVER;
    if (ad < 0) {
      this.read(object, PenMode.PAINT);
      return;
    }
    const view = snapshot.addView();
    view.ad = ad;
    view.camera = camera;
    view.shapeFrom = snapshot.count;
    this.read(object, PenMode.SHAPE);
    view.shapeTo = view.pieceFrom = snapshot.count;
    this.read(object, PenMode.PIECE);
    view.pieceTo = snapshot.count;
    view.opacity = object.alpha * this.camera.alpha;
    view.unmeasurable = true;
  }

  /** HTML lies above everything the game draws. */
  paintCovers({ covers, unsure }: PageView, friendly: ReadonlyMap<unknown, unknown>): void {
    const { pen, snapshot } = this;
    pen.clip = null;
    pen.mask = NONE;
    pen.blend = Blend.COVER;
    pen.opacity = 1;
    pen.unmeasurable = false;
    pen.mode = PenMode.PAINT;
    pen.owner = null;
    pen.inCanvasPixels();
    if (unsure) pen.unknown(0, 0, snapshot.canvasWidth, snapshot.canvasHeight);
    for (const { owner, minX, minY, maxX, maxY, shape, opacity, isCertain } of covers) {
      if (owner !== null && friendly.has(owner)) continue;
      pen.owner = owner;
      if (isCertain && shape !== null) pen.convex(shape, 0, shape.length / 2, opacity);
      else if (isCertain) pen.quad(minX, minY, maxX - minX, maxY - minY, opacity);
      else pen.unknown(minX, minY, maxX - minX, maxY - minY);
    }
  }

  private read(object: DrawnObject, mode: PenMode): void {
    const { pen } = this;
    const { type } = object;
    const reader = this.readers.get(type);
    const isRegistered = reader !== STANDARD.get(type);
    const isKnown = isRegistered || (!hasForeignRender(object, true) && isOfItsType(object));
    const from = this.snapshot.count;
    pen.mode = mode;
    pen.unmeasurable = !isRegistered;
    pen.transformBy(object);
    try {
      const read = isKnown ? (reader ?? kindredReader(object)) : null;
      (read ?? (readUnknown as ObjectReader<never>))(object as never, this);
    } catch {
      this.snapshot.count = from;
      pen.transformBy(object);
      readUnknown(object, this);
    }
    pen.unmeasurable = false;
  }
}
