import type * as Phaser from 'phaser';

import type { DrawnFrame, FrameMaker } from './DrawnFrame.js';
import { FrameSnapshot } from '../measure/FrameSnapshot.js';
import type { PageView } from '../page/PageView.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { pixelPointsOf } from '../textures/pixelPointsOf.js';
import { paintCovers } from '../record/paintCovers.js';
import type { BoundsByType } from '../record/registerBounds.js';
import { sceneDrawing } from '../record/sceneDrawing.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

const NOBODY: ReadonlyMap<unknown, unknown> = new Map();

/**
 * Reads what is on the canvas into a {@link FrameSnapshot}, as far as it concerns some ads, by letting the renderer draw its scenes
 * once more while nothing is painted. Camera matrices are those of the last draw, so the right moment is the game's `postrender`.
 */
export class FrameReader {
  readonly snapshot = new FrameSnapshot();
  private frame: DrawnFrame | null = null;

  /** @param friendly Objects that do not count as covering an ad; a live map. */
  constructor(
    private readonly maps: AlphaMaps,
    private readonly bounds: BoundsByType,
    private readonly engine: FrameMaker,
    private readonly friendly: ReadonlyMap<unknown, unknown> = NOBODY,
  ) {}

  /**
   * Reads the frame as far as it concerns `ads`, game objects of any scenes of the game. What the page cuts off the
   * canvas or lays over it is part of the picture.
   */
  read(game: Phaser.Game, ads: readonly GameObject[], page: PageView): FrameSnapshot {
    const { snapshot } = this;
    const { width, height } = game.scale.baseSize;
    const renderer = game.renderer as Phaser.Renderer.WebGL.WebGLRenderer | null;
    snapshot.reset(width, height);
    snapshot.pixelPoints = pixelPointsOf(game.renderer);
    // Under HEADLESS there are scenes and cameras, and nothing is drawn.
    if (renderer === null || ('gl' in renderer && renderer.contextLost)) return snapshot;
    if (!this.frameOf(game).read(ads, page)) this.addUnknown(ads);
    paintCovers(snapshot, page, this.friendly);
    return snapshot;
  }

  /**
   * Adds a view of an ad that the camera did not draw, with its shape but no pieces: the area it would have.
   * Call after {@link read}.
   */
  readUndrawn(game: Phaser.Game, ad: GameObject, camera: Camera, page: PageView): void {
    if ((game.renderer as object | null) !== null) this.frameOf(game).readUndrawn(ad, camera, page);
  }

  /** Marks all ads as unmeasurable, since the frame could not be read. */
  private addUnknown(ads: readonly GameObject[]): void {
    const { snapshot } = this;
    snapshot.viewCount = snapshot.count = 0;
    for (let ad = 0; ad < ads.length; ad++) {
      snapshot.addView(ad, sceneDrawing(ads[ad]!).sys.cameras.main).unmeasurable = true;
    }
  }

  private frameOf(game: Phaser.Game): DrawnFrame {
    return (this.frame ??= this.engine.frameOf(game, this.snapshot, this.maps, this.bounds, this.friendly));
  }
}
