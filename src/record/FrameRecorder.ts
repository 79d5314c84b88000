import type * as Phaser from 'phaser';

import type { RehearsedEngine } from '../rehearsal/RehearsedEngine.js';
import type { RecordedOp } from './DrawOp.js';
import type { PaintedReach } from './PaintedReach.js';

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
  /** Of what goes to the screen only what meets this is kept; null for all. */
  window: ScreenWindow | null;
  /** Nothing that goes to the screen is kept but stencils, until an ad was drawn. */
  isWaiting: boolean;
  /** Whether an object is an ad, or in one. */
  isAd: (owner: object | null) => boolean;
  /** Whose is drawn at present. */
  readonly marks: { readonly last: object | null };
  /** Lets go of all that was recorded. */
  clear(): void;
}

/** A WebGL renderer that is let draw onto nothing, and what it drew. */
export interface RecordedEngine extends RehearsedEngine {
  readonly recorder: FrameRecorder;
  /** Where objects paint whose code is not run once more. */
  readonly reach: PaintedReach;
  /** The ads of the next rehearsal. */
  ads: readonly Phaser.GameObjects.GameObject[];
  /** In the pictures of its textures v = 1 is the top. */
  readonly isUpward: boolean;
  /** What is drawn on textures has a stencil of its own. */
  readonly texturesHaveStencil: boolean;
  /** Share of its light that a lit picture keeps where the scene's lights are off, 0–1; NaN where nobody knows. */
  readonly unlit: number;
  /** Draws what is left in the batch. */
  finish(): void;
}
