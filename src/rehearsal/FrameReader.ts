import type * as Phaser from 'phaser';

import { AdsError } from '../errors.js';
import { FrameSnapshot } from '../measure/FrameSnapshot.js';
import type { PageView } from '../page/PageView.js';
import { paintCovers } from '../page/paintCovers.js';
import type { BoundsByType } from '../record/objects/registerBounds.js';
import { sceneDrawing } from '../record/objects/sceneDrawing.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';
import { lightOf } from '../textures/colourLight.js';
import { pixelPointsOf } from '../textures/pixelPointsOf.js';
import { isContextLost } from './isContextLost.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

/** A frame that one kind of renderer draws once more without painting. */
export interface DrawnFrame {
  /** Adds to the snapshot, which has been reset, what was painted of the ads and over them. False when that cannot be found out now. */
  read(ads: readonly GameObject[], page: PageView): boolean;
  /** Adds a view of an ad that the camera did not draw, with its shape and nothing on the screen. */
  readUndrawn(ad: GameObject, camera: Camera, page: PageView): void;
}

/** Knows how one kind of renderer draws a frame. */
export interface FrameMaker {
  /**
   * @param snapshot takes what is found
   * @param friendly objects that do not count as covering an ad; a live map
   */
  frameOf(
    game: Phaser.Game,
    snapshot: FrameSnapshot,
    maps: AlphaMaps,
    bounds: BoundsByType,
    friendly: ReadonlyMap<unknown, unknown>,
  ): DrawnFrame;
}

/**
 * Reads what is on the canvas into a {@link FrameSnapshot}, as far as it concerns some ads, by letting the renderer draw its scenes
 * once more while nothing is painted. Camera matrices are those of the last draw, so the right moment is the game's `postrender`.
 */
export class FrameReader {
  readonly snapshot = new FrameSnapshot();
  #frame: DrawnFrame | null = null;
  #hasFailed = false;

  /** @param friendly Objects that do not count as covering an ad; a live map. */
  constructor(
    private readonly maps: AlphaMaps,
    private readonly bounds: BoundsByType,
    private readonly engine: FrameMaker,
    private readonly friendly: ReadonlyMap<unknown, unknown> = new Map(),
  ) {}

  /**
   * Reads the frame as far as it concerns `ads`, game objects of any scenes of the game. What the page cuts off the
   * canvas or lays over it is part of the picture.
   */
  read(game: Phaser.Game, ads: readonly GameObject[], page: PageView): FrameSnapshot {
    const { snapshot } = this;
    const { width, height } = game.scale.baseSize;
    const renderer = game.renderer as object | null;
    snapshot.reset(width, height);
    snapshot.pixelPoints = pixelPointsOf(game.renderer);
    snapshot.ground = groundOf(game.config);
    // Under HEADLESS there are scenes and cameras, and nothing is drawn.
    if (renderer === null || isContextLost(renderer)) return snapshot;
    if (!this.#tryTo(() => this.#frameOf(game).read(ads, page))) this.#addUnknown(ads);
    paintCovers(snapshot, page, this.friendly);
    return snapshot;
  }

  /**
   * Adds a view of an ad that the camera did not draw, with its shape but no pieces: the area it would have.
   * Call after {@link read}.
   */
  readUndrawn(game: Phaser.Game, ad: GameObject, camera: Camera, page: PageView): void {
    if ((game.renderer as object | null) === null) return;
    this.#tryTo(() => {
      this.#frameOf(game).readUndrawn(ad, camera, page);
      return true;
    });
  }

  /** Logs an error once: the next frame will fail, too. */
  #tryTo(read: () => boolean): boolean {
    try {
      return read();
    } catch (cause) {
      if (!this.#hasFailed) {
        const message = 'The frame could not be read: ads are unmeasurable';
        console.error(new AdsError('internal/unexpected', message, { cause }));
      }
      this.#hasFailed = true;
      return false;
    }
  }

  /** Marks all ads as unmeasurable, since the frame could not be read. */
  #addUnknown(ads: readonly GameObject[]): void {
    const { snapshot } = this;
    snapshot.viewCount = snapshot.count = 0;
    for (let ad = 0; ad < ads.length; ad++) {
      snapshot.addView(ad, sceneDrawing(ads[ad]!).sys.cameras.main).unmeasurable = true;
    }
  }

  #frameOf(game: Phaser.Game): DrawnFrame {
    return (this.#frame ??= this.engine.frameOf(game, this.snapshot, this.maps, this.bounds, this.friendly));
  }
}

/** How bright an empty canvas is, 0–1; what the page shows through it, and what an earlier frame has left, may be white. */
function groundOf({ backgroundColor, clearBeforeRender, transparent }: Phaser.Core.Config): number {
  const isKnown = clearBeforeRender && !transparent && backgroundColor.alpha === 255;
  return isKnown ? lightOf(backgroundColor.color) : 1;
}
