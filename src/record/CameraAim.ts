import type * as Phaser from 'phaser';

import type { PageView } from '../page/PageView.js';
import type { CameraInternals } from './phaser3/internals.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

interface SceneManagerInternals {
  /** Cameras that do not fill the canvas. */
  readonly customViewports: number;
}

/** The matrix and the clip of one camera of the Canvas renderer after the other. */
export class CameraAim {
  /** The map to the canvas, without scroll. */
  readonly matrix = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  /** The part of the canvas that the camera may paint on and that the page shows. */
  readonly clip = { minX: 0, minY: 0, maxX: 0, maxY: 0 };

  constructor(private readonly game: Phaser.Game) {}

  /** Sets {@link matrix} and {@link clip} to those of a camera that was drawn. */
  at(camera: Camera, page: PageView): void {
    const { matrix, clip } = this;
    const { matrix: drawn } = camera as unknown as CameraInternals;
    matrix.a = drawn.a;
    matrix.b = drawn.b;
    matrix.c = drawn.c;
    matrix.d = drawn.d;
    matrix.e = drawn.e;
    matrix.f = drawn.f;
    clip.minX = page.minX;
    clip.minY = page.minY;
    clip.maxX = page.maxX;
    clip.maxY = page.maxY;
    if (!(this.game.scene as unknown as SceneManagerInternals).customViewports) return;
    const { x, y, width, height } = camera;
    clip.minX = Math.max(clip.minX, x);
    clip.minY = Math.max(clip.minY, y);
    clip.maxX = Math.min(clip.maxX, x + width);
    clip.maxY = Math.min(clip.maxY, y + height);
  }
}
