/** What is built up in front of an ad, all at once. */
export interface AlphaMapScene {
  readonly renderer: 'webgl' | 'canvas';
  /** All game objects together. */
  readonly objects: number;
  /** Different pictures with holes, each of them over the ad. */
  readonly pictures: number;
  /** Width and height of a picture, in pixels. */
  readonly size: number;
  readonly frames: number;
}

/** What a scene costs, by the clock. */
export interface AlphaMapReport {
  /** What the measurement took in each frame, in milliseconds. */
  readonly frameMs: readonly number[];
  /** How long the page was busy each time it did something for it between two frames, in milliseconds. */
  readonly betweenMs: readonly number[];
  /** Frames in which the ad was unmeasurable. */
  readonly unmeasurableFrames: number;
}
