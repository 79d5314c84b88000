import type * as Phaser from 'phaser';

import { EVERYWHERE } from '../geometry/boxes.js';
import type { FrameSnapshot } from '../measure/FrameSnapshot.js';
import { isLitOnGround } from '../measure/isLitOnGround.js';
import { At, CanvasDraws, DrawKind } from '../record/canvas2d/CanvasDraws.js';
import { CanvasEngine } from '../record/canvas2d/CanvasEngine.js';
import { CanvasProbe } from '../record/canvas2d/CanvasProbe.js';
import { CanvasRecordReader } from '../record/canvas2d/CanvasRecordReader.js';
import { Colours } from '../record/canvas2d/Colours.js';
import { DrawPainter, type PaintContext } from '../record/canvas2d/DrawPainter.js';
import { PaintedPictures } from '../record/canvas2d/PaintedPictures.js';
import { PictureParts } from '../record/canvas2d/PictureParts.js';
import { RecordingContext } from '../record/canvas2d/RecordingContext.js';
import { DrawRole } from '../record/draws/DrawRole.js';
import { isDrawn } from '../record/objects/isDrawn.js';
import { isForeignPainter } from '../record/objects/isForeignPainter.js';
import { isWithin } from '../record/objects/isWithin.js';
import { PaintedReach } from '../record/objects/PaintedReach.js';
import type { BoundsByType } from '../record/objects/registerBounds.js';
import { sceneDrawing } from '../record/objects/sceneDrawing.js';
import type { DrawnObject } from '../record/phaser3/internals.js';
import { unsureLayers } from '../record/phaser3/unsureLayers.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { scratchContext } from '../textures/scratchContext.js';
import type { DrawnFrame } from './FrameReader.js';
import { Rehearsal } from './Rehearsal.js';
import type { CanvasBox } from './RehearsedEngine.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/**
 * What the Canvas renderer paints near some ads, found by letting it draw its scenes once more into a context that paints
 * nothing.
 */
export class CanvasFrame implements DrawnFrame {
  readonly #engine: CanvasEngine;
  readonly #context: RecordingContext;
  readonly #rehearsal: Rehearsal;
  readonly #reader: CanvasRecordReader;
  #ads: readonly GameObject[] = [];
  readonly #near: CanvasBox = { minX: 0, minY: 0, maxX: 0, maxY: 0 };

  /**
   * @param snapshot takes what is found
   * @param friendly objects that do not count as covering an ad; a live map
   */
  constructor(
    private readonly game: Phaser.Game,
    private readonly snapshot: FrameSnapshot,
    maps: AlphaMaps,
    bounds: BoundsByType,
    private readonly friendly: ReadonlyMap<unknown, unknown>,
  ) {
    const draws = new CanvasDraws();
    const create = (): PaintContext | null => scratchContext(game.canvas.ownerDocument) as PaintContext | null;
    this.#context = new RecordingContext(game.canvas, draws, create());
    const reach = PaintedReach.of(game, () => new CanvasProbe(game));
    this.#engine = new CanvasEngine(game, this.#context, bounds, reach);
    // An ad's render function runs even if it is the game's own.
    this.#rehearsal = new Rehearsal(
      game,
      this.#engine,
      (object) =>
        !this.#ads.includes(object) &&
        (bounds.has(object.type) || isForeignPainter(object as unknown as DrawnObject, false, false)),
    );
    const pictures = new PaintedPictures(new DrawPainter(create));
    this.#reader = new CanvasRecordReader(snapshot, maps, new PictureParts(), pictures, new Colours());
  }

  /** Adds to the snapshot, which has been reset, what was painted of the ads and over them. False when that cannot be found out now. */
  read(ads: readonly GameObject[], shown: Readonly<CanvasBox>): boolean {
    const { snapshot } = this;
    const rehearsal = this.#rehearsal;
    const context = this.#context;
    const { draws } = context;
    this.#ads = ads;
    this.#engine.expect(ads, this.#isOfFriend, unsureLayers(this.game));
    const isRun = rehearsal.run(() => {
      draws.near.set(EVERYWHERE);
      this.#findAds(ads, shown);
      const near = this.#near;
      // The ads' places are known now; next comes what lies over them.
      context.begin();
      draws.near.set([near.minX, near.minY, near.maxX, near.maxY]);
      rehearsal.drawScenes(near, ads);
    });
    if (!isRun) return false;
    this.#reader.read(draws, shown);
    if (isLitOnGround(snapshot)) {
      snapshot.reset(snapshot.canvasWidth, snapshot.canvasHeight);
      this.#reader.read(draws, shown, draws.near);
    }
    return true;
  }

  /** Adds a view of an ad for a camera that does not draw it: its shape, and nothing on the screen. */
  readUndrawn(ad: GameObject, camera: Camera, shown: Readonly<CanvasBox>): void {
    const { snapshot } = this;
    const rehearsal = this.#rehearsal;
    this.#ads = [ad];
    this.#engine.expect(this.#ads, this.#isOfFriend, NONE_UNSURE);
    const { viewCount } = snapshot;
    this.#context.draws.near.set(EVERYWHERE);
    if (!rehearsal.run(() => rehearsal.drawAlone(ad, camera))) return;
    this.#reader.read(this.#context.draws, shown);
    for (let v = viewCount; v < snapshot.viewCount; v++) {
      const view = snapshot.views[v]!;
      view.pieceFrom = view.pieceTo;
      view.opacity = 0;
    }
  }

  /** Sets {@link #near} to where the cameras show the ads. */
  #findAds(ads: readonly GameObject[], shown: Readonly<CanvasBox>): void {
    const near = this.#near;
    const rehearsal = this.#rehearsal;
    const { draws } = this.#context;
    near.minX = near.minY = Infinity;
    near.maxX = near.maxY = -Infinity;
    for (let i = 0; i < ads.length; i++) {
      const scene = sceneDrawing(ads[i]!);
      if (!isDrawn(scene)) continue;
      for (const camera of scene.sys.cameras.cameras) {
        if (!camera.visible || !(camera.alpha > 0)) continue;
        const from = draws.count;
        rehearsal.drawAlone(ads[i]!, camera);
        for (let k = from; k < draws.count; k++) {
          const { kind, role, numbers } = draws.draws[k]!;
          if (kind === DrawKind.MARK || role !== DrawRole.SHAPE) continue;
          near.minX = Math.min(near.minX, Math.max(shown.minX, numbers[At.BOX]!));
          near.minY = Math.min(near.minY, Math.max(shown.minY, numbers[At.BOX + 1]!));
          near.maxX = Math.max(near.maxX, Math.min(shown.maxX, numbers[At.BOX + 2]!));
          near.maxY = Math.max(near.maxY, Math.min(shown.maxY, numbers[At.BOX + 3]!));
        }
      }
    }
  }

  /** True for a friendly object, and for what is in a friendly container or layer. */
  readonly #isOfFriend = (object: GameObject): boolean => isWithin(object, this.friendly);
}

const NONE_UNSURE: ReadonlySet<object> = new Set();
