/**
 * Why an ad is not in view, or not wholly. The words are those of the Open Measurement SDK (OMID), with three of our own:
 * `transparent`, `notLoaded`, `scenePaused`.
 */
export const Reason = {
  /** The sprite is destroyed or on no display list. */
  NOT_FOUND: 'notFound',
  /** Invisible, scaled to nothing, ignored by every camera, or its scene is not drawn. */
  HIDDEN: 'hidden',
  /** The ad's own effective alpha is below the blocking opacity. */
  TRANSPARENT: 'transparent',
  /** The page is hidden. */
  BACKGROUNDED: 'backgrounded',
  /** The window has no focus. This is only reported; it does not make an ad invisible. */
  NO_WINDOW_FOCUS: 'noWindowFocus',
  /** Wholly outside of every camera viewport or the canvas. */
  VIEWPORT: 'viewport',
  /** Cut by the edge of a viewport, the canvas, the page, or a mask. */
  CLIPPED: 'clipped',
  /** Something drawn later takes visible area away. */
  OBSTRUCTED: 'obstructed',
  /** The picture of the ad, or of something that touches it, cannot be known. */
  UNMEASURABLE: 'unmeasurable',
  /** The creative is not a texture yet; a placeholder is shown. */
  NOT_LOADED: 'notLoaded',
} as const;
export type Reason = (typeof Reason)[keyof typeof Reason];

/**
 * What the player sees of one ad in one drawn frame. Areas in canvas pixels² (the game's own resolution).
 * `TObject` and `TCamera` are the engine's game object and camera.
 */
export interface AdMeasurement<TObject = unknown, TCamera = unknown> {
  /** In at least one camera the whole ad is on the canvas and nothing drawn later takes a pixel of it away. */
  readonly isFullyVisible: boolean;
  /** `visibleArea > 0`. */
  readonly isVisible: boolean;
  /** The camera that shows most of the ad, to which all figures below refer; null when none draws it. */
  readonly camera: TCamera | null;
  /** The ad's projected area through that camera, before any clipping; its transparent texels excluded. */
  readonly totalArea: number;
  /** The part of `totalArea` within viewport, canvas and masks. */
  readonly onScreenArea: number;
  /** The part of `onScreenArea` that keeps more than half of its light (option `blockingOpacity`). */
  readonly visibleArea: number;
  /** `visibleArea / totalArea`, 0–100 (OMID `percentageInView`). */
  readonly percentageInView: number;
  /** `visibleArea` in whole CSS pixels² (OMID `pixelsInView`). */
  readonly pixelsInView: number;
  /** `totalArea` in whole CSS pixels². */
  readonly totalPixels: number;
  /** `totalArea` as a share of the canvas, 0 and up: an ad may be larger than the canvas. */
  readonly totalScreenPercentage: number;
  /**
   * How far the ad is squeezed in one direction, 0–1; 1 when it keeps its shape, the cosine of the angle when it looks like
   * a board turned away. Turning within the plane of the screen and zooming do not change it.
   */
  readonly squeezeRatio: number;
  /** `visibleArea` as a share of the canvas, 0–100. */
  readonly screenCoveragePercentage: number;
  /** Mean share of the on-screen ad's light that reaches the player, 0–1. */
  readonly meanTransmittance: number;
  /** Why not all of it is in view; empty when it is. */
  readonly reasons: readonly Reason[];
  /** The game objects that take visible area away, in draw order, topmost last. */
  readonly blockingSprites: readonly TObject[];
}
