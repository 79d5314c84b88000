import type { SeenSoFar } from './SeenSoFar.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What is known of one placement, in numbers: all that the rules use. */
export interface PlacementFacts {
  /** In the frame drawn last; null while the ad is not shown, is drawn by no camera, or cannot be measured. */
  readonly frame: {
    /** Size of the whole ad as a share of the canvas, 0 and up. */
    readonly screenPercentage: number;
    /** 0–1, see `AdMeasurement.squeezeRatio`. */
    readonly squeezeRatio: number;
    /** Name of an object that is drawn behind the rest of the scene, all over the screen, and yet above the ad; null for none. */
    readonly background: string | null;
  } | null;
  /** The picture it shows; null when it shows none, or a placeholder. */
  readonly picture: {
    /** Pixels of the canvas for each pixel of the creative, in the direction with more of them. */
    readonly magnification: number;
    /** How much wider or higher the creative is shown than it was made, 1 and up; 1: as it was made. */
    readonly distortion: number;
    /** It is shown as in a mirror. */
    readonly isMirrored: boolean;
    /** How much of the creative is shown, 0–1. */
    readonly shownShare: number;
  } | null;
  readonly canvas: Size;
  /** The canvas always has the size of the window: on another screen the ad takes another share of it. */
  readonly followsWindow: boolean;
  /** Sizes of the screens it is to be seen on, in CSS pixels. */
  readonly screens: readonly Size[];
  /** No camera can reach the ad: it is outside the bounds of every camera. */
  readonly isOutOfBounds: boolean;
  /** Name of another ad of the same surface that is in view, too; null for none. */
  readonly twin: string | null;
  /** Time in which any of the present ad was in view, watched or not. */
  readonly inViewMs: number;
  /** While placements were watched, an ad was on the screen without a menu or the like over the whole picture. */
  readonly wasScreenFree: boolean;
  /** What was seen of it while placements were watched; null when they were not. */
  readonly seen: SeenSoFar | null;
}
