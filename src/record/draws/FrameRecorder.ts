import type * as Phaser from 'phaser';

import type { RehearsedEngine } from '../../rehearsal/RehearsedEngine.js';
import type { PaintedReach } from '../objects/PaintedReach.js';
import type { RecordedOp } from './DrawOp.js';

/** A rectangle in pixels of the screen, from the bottom left. */
export interface ScreenWindow {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Notes what a WebGL renderer draws while it is rehearsed. */
export interface FrameRecorder {
  /** What was recorded since {@link clear}. */
  ops: RecordedOp[];
  /** Only draws on the screen that meet this window are kept; null keeps all. */
  window: ScreenWindow | null;
  /** Until an ad was drawn, no draws on the screen are kept, except those on the stencil. */
  isWaiting: boolean;
  /** Whether an object is an ad, or in one. */
  isAd: (owner: object | null) => boolean;
  /** `last` is the object that is being drawn. */
  readonly marks: { readonly last: object | null };
  /** Lets go of all that was recorded. */
  clear(): void;
}

/** A WebGL renderer that can draw without painting, and the record of what it drew. */
export interface RecordedEngine extends RehearsedEngine {
  readonly recorder: FrameRecorder;
  /** Where objects paint whose own code a rehearsal does not run. */
  readonly reach: PaintedReach;
  /** The ads of the next rehearsal. */
  ads: readonly Phaser.GameObjects.GameObject[];
  /** v = 1 is the top of the pictures in its textures. */
  readonly isUpward: boolean;
  /** Textures that are drawn on have a stencil of their own. */
  readonly texturesHaveStencil: boolean;
  /** Share of its light that a lit picture keeps where the scene's lights are off, 0–1; NaN where it is unknown. */
  readonly unlit: number;
  /** Draws what is left in the batch. */
  finish(): void;
}
