import type * as Phaser from 'phaser';

import { CanvasFrame } from './CanvasFrame.js';
import { FrameSnapshot } from '../measure/FrameSnapshot.js';
import type { PageView } from '../page/PageView.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { pixelPointsOf } from '../textures/pixelPointsOf.js';
import { paintCovers } from '../record/paintCovers.js';
import type { BoundsByType } from '../record/registerBounds.js';
import { RehearsedFrame } from './RehearsedFrame.js';
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
  private webgl: RehearsedFrame | null = null;
  private canvas: CanvasFrame | null = null;

  /** @param friendly Objects that do not count as covering an ad; a live map. */
  constructor(
    private readonly maps: AlphaMaps,
    private readonly bounds: BoundsByType,
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
    const isRead = 'gl' in renderer ? this.webglFrame(game).read(ads, page) : this.canvasFrame(game).read(ads, page);
    if (!isRead) this.addUnknown(ads);
    paintCovers(snapshot, page, this.friendly);
    return snapshot;
  }

  /**
   * Adds a view of an ad that the camera did not draw, with its shape but no pieces: the area it would have.
   * Call after {@link read}.
   */
  readUndrawn(game: Phaser.Game, ad: GameObject, camera: Camera, page: PageView): void {
    const renderer = game.renderer as object | null;
    if (renderer === null) return;
    if ('gl' in renderer) this.webglFrame(game).readUndrawn(ad, camera);
    else this.canvasFrame(game).readUndrawn(ad, camera, page);
  }

  /** The frame could not be read: of no ad it is known what the player sees. */
  private addUnknown(ads: readonly GameObject[]): void {
    const { snapshot } = this;
    snapshot.viewCount = snapshot.count = 0;
    for (let ad = 0; ad < ads.length; ad++) {
      snapshot.addView(ad, sceneDrawing(ads[ad]!).sys.cameras.main).unmeasurable = true;
    }
  }

  private webglFrame(game: Phaser.Game): RehearsedFrame {
    return (this.webgl ??= new RehearsedFrame(game, this.snapshot, this.maps, this.bounds, this.friendly));
  }

  private canvasFrame(game: Phaser.Game): CanvasFrame {
    return (this.canvas ??= new CanvasFrame(game, this.snapshot, this.maps, this.bounds, this.friendly));
  }
}
