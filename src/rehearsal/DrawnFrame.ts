import type * as Phaser from 'phaser';

import type { FrameSnapshot } from '../measure/FrameSnapshot.js';
import type { PageView } from '../page/PageView.js';
import type { BoundsByType } from '../record/registerBounds.js';
import type { AlphaMaps } from '../textures/AlphaMaps.js';

type GameObject = Phaser.GameObjects.GameObject;

/** A frame that one kind of renderer draws once more without painting. */
export interface DrawnFrame {
  /** Adds to the snapshot, which has been reset, what was painted of the ads and over them. False when that cannot be found out now. */
  read(ads: readonly GameObject[], page: PageView): boolean;
  /** Adds a view of an ad that the camera did not draw, with its shape and nothing on the screen. */
  readUndrawn(ad: GameObject, camera: Phaser.Cameras.Scene2D.Camera, page: PageView): void;
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
