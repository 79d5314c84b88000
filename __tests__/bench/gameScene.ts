/** What lies over the ads in a scene of `bench:games`, as ordinary games draw it; all of it moves. */
export const COVERS = [
  'nothing',
  'ten heroes',
  'forty heroes',
  'ten heroes behind a geometry mask',
  'eight translucent panels',
  'a tile layer',
  '240 soft particles',
  '240 particles of light',
  'a head-up display of 40 strokes and panels',
  'twenty shapes with strokes',
  'forty pictures that grow and fade',
] as const;
export type Covers = (typeof COVERS)[number];

export interface GameScene {
  readonly renderer: 'webgl' | 'canvas';
  readonly covers: Covers;
  readonly ads: number;
  /** Frames that are timed. */
  readonly frames: number;
}

export interface GameReport {
  /** Of each frame, what the measurement took, in milliseconds. */
  readonly measurementMs: readonly number[];
  /** Of each frame, how long all of it took, painting left out, in milliseconds. */
  readonly frameMs: readonly number[];
  /** Of the ad placed last, in the last frame, 0–100. */
  readonly percentageInView: number;
}
