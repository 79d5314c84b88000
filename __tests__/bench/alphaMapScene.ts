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

/** Marks in the page's trace, which carry the processor time of its thread. */
export const Mark = {
  /** A frame begins. */
  FRAME: 'frame',
  /** The measurement is at work from one to the next of these. */
  MEASUREMENT: 'measurement',
  /** The page is busy between two frames from one to the next of these. */
  BETWEEN: 'between',
  /** Nothing lies between these: what a mark takes itself. */
  NOTHING: 'nothing',
} as const;

/** What a scene tells of itself; the rest is in the trace. */
export interface AlphaMapReport {
  /** What the measurement took in each frame by the clock, in milliseconds. */
  readonly clockMs: readonly number[];
  /** Frames in which the ad was unmeasurable. */
  readonly unmeasurableFrames: number;
}
