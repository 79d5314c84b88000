/** How views are judged. Defaults: {@link DEFAULT_BLOCKING_OPACITY}, {@link DEFAULT_MAX_SAMPLES}. */
export interface MeasureOptions {
  /** A point of an ad is blocked when the accumulated opacity of what lies above it reaches this; above 0, at most 1. */
  readonly blockingOpacity: number;
  /**
   * The most sample points one view may cost where texels decide. Up to this many canvas pixels every pixel is looked
   * at, as the GPU does; 65536 suits calls made now and then, outside of the frame.
   */
  readonly maxSamples?: number;
}

export const DEFAULT_BLOCKING_OPACITY = 0.5;
export const DEFAULT_MAX_SAMPLES = 4096;

/** Less than this area counts as nothing, lost or seen, in canvas pixels²: rounding and touching edges. */
export const NEGLIGIBLE_AREA = 1;

/** Less than this share of an ad is rounding. */
export const ROUNDING = 1e-9;

/** Keeps rounding out of comparisons of the threshold with accumulated light, which is sampled with 32 bits. */
export const LIGHT_TOLERANCE = 1e-6;

/**
 * What one camera shows of one ad. Areas in canvas pixels². Reused from frame to frame: copy what must last.
 *
 * `visibleArea ≤ onScreenArea ≤ totalArea`, up to the noise of sampling where texels decide.
 */
export class ViewMeasurement {
  /** The whole ad, before any clipping; texels of its own below half opacity excluded. */
  totalArea = 0;
  /** The part of it that viewport, canvas and masks leave. */
  onScreenArea = 0;
  /** The part of `onScreenArea` that is not blocked. */
  visibleArea = 0;
  /** `onScreenArea − visibleArea`, exact where the two are large and nearly equal. */
  lostArea = 0;
  /** Mean share of light that reaches the player from the on-screen area, 0–1; 0 when nothing is on screen. */
  meanTransmittance = 0;
  /** The ad's own opacity is below the blocking opacity. */
  transparent = false;
  /** The ad's picture, or that of something which takes at least 1 px² of it, cannot be known. */
  unmeasurable = false;
  /** All of the ad is on screen and opaque, less than 1 px² is lost, and at least 1 px² and more than half is seen. */
  isFullyVisible = false;
  /** Fewer points were sampled than there are pixels: other points might tell more. */
  isCoarse = false;

  /** Sets the figures of an opaque ad that is wholly on screen: `covered` is the part of its `area` under opaque covers. */
  setFlat({ area, covered }: { readonly area: number; readonly covered: number }): void {
    this.reset();
    // What is left of a wholly covered ad is rounding.
    const visible = area - covered > area * ROUNDING ? area - covered : 0;
    this.totalArea = this.onScreenArea = area;
    this.visibleArea = visible;
    this.lostArea = visible > 0 ? covered : area;
    // Nothing of a line, which has no area.
    this.meanTransmittance = visible > 0 ? visible / area : 0;
    this.isFullyVisible = covered < NEGLIGIBLE_AREA && visible >= NEGLIGIBLE_AREA && 2 * visible > area;
  }

  /** Works out {@link isFullyVisible} from the other figures. */
  judge(): void {
    this.isFullyVisible =
      !this.transparent &&
      !this.unmeasurable &&
      this.lostArea < NEGLIGIBLE_AREA &&
      this.onScreenArea >= this.totalArea - NEGLIGIBLE_AREA &&
      this.visibleArea >= NEGLIGIBLE_AREA &&
      2 * this.visibleArea > this.totalArea;
  }

  reset(): void {
    this.totalArea = 0;
    this.onScreenArea = 0;
    this.visibleArea = 0;
    this.lostArea = 0;
    this.meanTransmittance = 0;
    this.transparent = false;
    this.unmeasurable = false;
    this.isFullyVisible = this.isCoarse = false;
  }
}
