import type * as Phaser from 'phaser';

import type { ParentMatrix } from '../../rehearsal/RehearsedEngine.js';
import { placeOf } from '../objects/placeOf.js';
import type { DrawnObject } from '../phaser3/internals.js';
import type { DrawState, RecordedOp } from './DrawOp.js';
import type { FrameRecorder, ScreenWindow } from './FrameRecorder.js';

/** Renderers that draw without painting at present. */
export const beingRehearsed = new WeakSet();

/**
 * What the recorders of both WebGL renderers share: whose each draw is. The batch is drawn before the next object
 * begins, so that each draw call belongs to one object.
 */
export abstract class OwnedDraws implements FrameRecorder {
  ops: RecordedOp[] = [];
  window: ScreenWindow | null = null;
  isWaiting = false;
  isAd: (owner: object | null) => boolean = () => false;
  /** The object whose vertices are in the batch, and the camera that draws it. */
  readonly marks: { last: object | null; camera: object | null } = { last: null, camera: null };
  /** The camera that is drawing. */
  camera: object | null = null;
  /** Everything drawn counts as part of this object, whatever {@link mark} says; null for none. */
  #within: object | null = null;

  /** Draws what is in the batch. */
  protected abstract finishBatch(): void;

  clear(): void {
    this.ops = [];
    this.marks.last = this.marks.camera = this.camera = this.#within = null;
  }

  /** From here on what is drawn is this object's. */
  mark(owner: object | null): void {
    const whose = this.#within ?? owner;
    const { camera, marks } = this;
    if (whose === marks.last && camera === marks.camera) return;
    this.finishBatch();
    marks.last = whose;
    marks.camera = camera;
  }

  /** Runs `draw`; everything that is drawn meanwhile belongs to the ad. */
  drawAs(ad: object, draw: () => void): void {
    const within = this.#within;
    this.#within ??= ad;
    try {
      draw();
    } finally {
      this.#within = within;
      // Whoever draws next without a word covers the ad, and is no part of it.
      if (within === null) this.mark(null);
    }
  }

  /** Notes an object whose own code is not run. */
  noteForeign(
    owner: Phaser.GameObjects.GameObject,
    camera: Phaser.Cameras.Scene2D.Camera,
    parent: ParentMatrix | undefined,
    target: object | null,
    state: DrawState,
  ): void {
    this.mark(owner);
    const place = placeOf(owner as unknown as DrawnObject, camera, parent);
    this.ops.push({ type: 'foreign', target, owner, camera, state, place });
  }

  /** True of a draw of colours that no ad was drawn before: on the screen it covers none. */
  protected isBeforeAds(isOnScreen: boolean): boolean {
    if (this.isWaiting && this.isAd(this.marks.last)) this.isWaiting = false;
    return this.isWaiting && isOnScreen;
  }

  /** The window that shapes have to meet to be kept; null for all. */
  protected windowOf(isOnScreen: boolean): ScreenWindow | null {
    return isOnScreen && !this.isAd(this.marks.last) ? this.window : null;
  }
}
