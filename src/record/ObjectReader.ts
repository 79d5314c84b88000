import type * as Phaser from 'phaser';

import type { AlphaMap } from '../measure/AlphaMap.js';
import type { Pen } from './Pen.js';

/** What a reader may ask of the frame being read. */
export interface ReadContext {
  readonly pen: Pen;
  /** The camera drawing the object. */
  readonly camera: Phaser.Cameras.Scene2D.Camera;
  /** The renderers paint some types differently: NineSlice, Rope, Mesh … not at all on Canvas. */
  readonly isWebGL: boolean;
  /** WebGL no longer cuts off what lies beyond a scissor rectangle: a bitmap mask drawn before has turned the test off. */
  readonly isUnclipped: boolean;
  /**
   * The alpha map of a texture frame under the pen's current blend; null when the frame is opaque throughout. A frame
   * whose pixels cannot be read (tainted, compressed, GPU only) counts as opaque and sets `pen.unmeasurable`.
   * Coordinates of the map: 0–1 across the frame's *cut* rectangle (`cutX, cutY, cutWidth, cutHeight`); in WebGL, of a
   * frame that lies turned in its atlas, across what it shows, from `u0, v0` to `u1, v1`.
   *
   * Objects whose parts have tints of their own give the part's (0xRRGGBB), and whether it fills the frame's form.
   */
  alphaMap(frame: Phaser.Textures.Frame, tint?: number, isTintFilled?: boolean): AlphaMap | null;
}

/**
 * Tells the pen what one type of game object paints, in draw order. Called with the pen's matrix at the object's own
 * transform (x, y, rotation, scale; no origin, no flip). It must not change the object. An object for which it throws
 * is judged by its size, as `unmeasurable`, and its type is named in the console.
 */
export type ObjectReader<T = Phaser.GameObjects.GameObject> = (object: T, context: ReadContext) => void;
