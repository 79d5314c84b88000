import type * as Phaser from 'phaser';

import type { ClipRegion } from '../geometry/ClipRegion.js';
import type { ForeignOp } from './DrawOp.js';
import type { AlphaMap } from '../measure/AlphaMap.js';
import { type FrameSnapshot, NONE } from '../measure/FrameSnapshot.js';
import type { CanvasBox } from '../rehearsal/RehearsedEngine.js';
import type { PageView } from '../page/PageView.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { hasForeignRender } from './phaser3/foreignRender.js';
import type { DrawnObject } from './phaser3/internals.js';
import { kindOf, ObjectKind } from './objectKind.js';
import type { ObjectReader, ReadContext } from './ObjectReader.js';
import { Blend } from '../textures/Blend.js';
import { Pen, PenMode } from './Pen.js';
import { readExtern } from './extern.js';
import { readShader } from './shader.js';
import { readSpine } from './spine.js';
import { readUnknown } from './unknown.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/**
 * Paints objects whose own code is not run in a rehearsal: by the reader a game registered for them, else by their size, as
 * unmeasurable.
 */
export class ForeignPainter implements ReadContext {
  readonly pen: Pen;
  camera!: Camera;
  readonly isUnclipped = false;

  constructor(
    private readonly snapshot: FrameSnapshot,
    private readonly maps: AlphaMaps,
    private readonly readers: ReadonlyMap<string, ObjectReader>,
    readonly isWebGL: boolean,
  ) {
    this.pen = new Pen(snapshot);
    this.pen.keepsLastBits = isWebGL;
  }

  alphaMap(frame: Phaser.Textures.Frame): AlphaMap | null {
    const lookup = this.maps.lookup(frame, Blend.COVER);
    if (lookup.kind === 'unknown') this.pen.unmeasurable = true;
    return lookup.kind === 'map' ? lookup.map : null;
  }

  /**
   * @param ad index of the ad it is, or −1
   * @param interest the part of the canvas in which it matters
   */
  paint(
    { owner, camera, place }: Pick<ForeignOp, 'owner' | 'camera' | 'place'>,
    clip: ClipRegion,
    mask: number,
    ad: number,
    interest: CanvasBox,
  ): void {
    const { pen, snapshot } = this;
    const object = owner as DrawnObject;
    this.camera = camera as Camera;
    [pen.pa, pen.pb, pen.pc, pen.pd, pen.pe, pen.pf] = place;
    pen.clip = clip;
    pen.mask = mask;
    pen.owner = object;
    pen.opacity = this.camera.alpha;
    pen.blend = Blend.COVER;
    pen.interestMinX = interest.minX;
    pen.interestMinY = interest.minY;
    pen.interestMaxX = interest.maxX;
    pen.interestMaxY = interest.maxY;
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
    // How it is drawn the game has told, or nobody has.
    view.unmeasurable = pen.unmeasurable || !this.readers.has(object.type);
  }

  /** HTML lies above everything the game draws. */
  paintCovers({ covers, unsure }: PageView, friendly: ReadonlyMap<unknown, unknown>): void {
    const { pen, snapshot } = this;
    pen.clip = null;
    pen.interestMinX = pen.interestMinY = -Infinity;
    pen.interestMaxX = pen.interestMaxY = Infinity;
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
    const reader = this.readers.get(type) ?? this.readerByKind(object);
    const isRegistered = this.readers.has(type);
    const from = this.snapshot.count;
    pen.mode = mode;
    pen.unmeasurable = !isRegistered;
    pen.transformBy(object);
    try {
      reader(object as never, this);
    } catch {
      this.snapshot.count = from;
      pen.transformBy(object);
      readUnknown(object, this);
    }
    pen.unmeasurable = false;
  }

  private readerByKind(object: DrawnObject): ObjectReader<never> {
    if (hasForeignRender(object, this.isWebGL)) return readUnknown;
    switch (kindOf(object)) {
      case ObjectKind.SHADER:
        return readShader;
      case ObjectKind.SPINE:
        return readSpine;
      case ObjectKind.EXTERN:
        return readExtern;
      default:
        return readUnknown;
    }
  }
}
