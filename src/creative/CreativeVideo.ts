import type { CreativeImage } from './CreativeImage.js';

/** A video that can be drawn. It is muted, knows its size and length, and stands at its first frame. */
export interface CreativeVideo extends CreativeImage {
  /** What a canvas or texture takes; an `HTMLVideoElement` in browsers. */
  readonly source: unknown;
  readonly durationSeconds: number;
  /** Of the picture that can be drawn. */
  readonly currentTimeSeconds: number;
  readonly isPlaying: boolean;
  /** It has played to its end. */
  readonly hasEnded: boolean;
  /** The browser can decode no more of it, or its pictures have become too large: it stands still for good. */
  readonly isBroken: boolean;
  /** Plays on from where it stands; rejects when the browser does not allow it. */
  play(): Promise<void>;
  pause(): void;
}
