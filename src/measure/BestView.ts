import { Reason } from './AdMeasurement.js';
import type { AdView } from './FrameSnapshot.js';
import { NEGLIGIBLE_AREA, type ViewMeasurement } from './ViewMeasurement.js';

/** What the page and the game know about an ad beyond the drawn frame. */
export interface PageFacts {
  /** The document is hidden (another tab, minimised): nothing is seen. */
  readonly pageHidden: boolean;
  readonly windowFocused: boolean;
  /** False when the sprite is destroyed or on no display list. */
  readonly found: boolean;
  /** CSS pixels² one canvas pixel² takes on the page. */
  readonly cssAreaRatio: number;
}

/** Bit i of {@link BestView.reasonBits} stands for entry i. Reasons are listed in this order. */
const REASONS: readonly Reason[] = [
  Reason.NOT_FOUND,
  Reason.HIDDEN,
  Reason.TRANSPARENT,
  Reason.BACKGROUNDED,
  Reason.NO_WINDOW_FOCUS,
  Reason.VIEWPORT,
  Reason.CLIPPED,
  Reason.OBSTRUCTED,
  Reason.UNMEASURABLE,
];
const bit = (reason: Reason): number => 1 << REASONS.indexOf(reason);
const NOT_FOUND = bit(Reason.NOT_FOUND);
const HIDDEN = bit(Reason.HIDDEN);
const TRANSPARENT = bit(Reason.TRANSPARENT);
const BACKGROUNDED = bit(Reason.BACKGROUNDED);
const NO_WINDOW_FOCUS = bit(Reason.NO_WINDOW_FOCUS);
const VIEWPORT = bit(Reason.VIEWPORT);
const CLIPPED = bit(Reason.CLIPPED);
const OBSTRUCTED = bit(Reason.OBSTRUCTED);
const UNMEASURABLE = bit(Reason.UNMEASURABLE);

/**
 * Joins what several cameras show of one ad: the figures are those of the camera that shows most of it; the ad is fully
 * visible when it is so in any. Per frame: {@link reset}, {@link consider} each view, {@link conclude}; allocates
 * nothing.
 */
export class BestView {
  isFullyVisible = false;
  isVisible = false;
  /** The best view and its measurement; null when no camera draws the ad. Shared objects: valid for this frame. */
  view: AdView | null = null;
  measurement: ViewMeasurement | null = null;
  totalArea = 0;
  onScreenArea = 0;
  visibleArea = 0;
  percentageInView = 0;
  pixelsInView = 0;
  totalPixels = 0;
  totalScreenPercentage = 0;
  /** Not known from a snapshot: written by the caller, who knows the ad's matrix. */
  squeezeRatio = 1;
  screenCoveragePercentage = 0;
  meanTransmittance = 0;
  /** Reasons as bits: equal numbers mean equal reasons. See {@link reasonsOf}. */
  reasonBits = 0;

  reset(): void {
    this.isFullyVisible = this.isVisible = false;
    this.view = this.measurement = null;
    this.totalArea = this.onScreenArea = this.visibleArea = 0;
    this.percentageInView = this.pixelsInView = this.screenCoveragePercentage = 0;
    this.totalPixels = this.totalScreenPercentage = 0;
    this.squeezeRatio = 1;
    this.meanTransmittance = 0;
    this.reasonBits = 0;
  }

  /** Takes one camera's view of the ad into account. Both arguments must stay valid until {@link conclude}. */
  consider(view: AdView, measurement: ViewMeasurement): void {
    if (measurement.isFullyVisible) this.isFullyVisible = true;
    const best = this.measurement;
    const visible = seenArea(view, measurement);
    if (best !== null) {
      const bestVisible = this.visibleArea;
      if (visible < bestVisible) return;
      if (visible === bestVisible && measurement.onScreenArea <= best.onScreenArea) return;
    }
    this.view = view;
    this.measurement = measurement;
    this.visibleArea = visible;
  }

  /**
   * Computes the figures and reasons.
   * @param canvasArea of the whole canvas, in canvas pixels²
   */
  conclude(canvasArea: number, page: PageFacts): void {
    const { measurement } = this;
    let reasons = 0;
    if (!page.found) reasons |= NOT_FOUND;
    else if (measurement === null) reasons |= HIDDEN;
    else if (!this.isFullyVisible) reasons |= reasonsOfView(measurement);
    if (page.pageHidden) reasons |= BACKGROUNDED;
    else if (!page.windowFocused) reasons |= NO_WINDOW_FOCUS;
    this.reasonBits = reasons;
    if ((reasons & (NOT_FOUND | BACKGROUNDED)) !== 0) {
      this.isFullyVisible = false;
      this.visibleArea = 0;
    }
    if (measurement !== null) {
      this.totalArea = measurement.totalArea;
      this.onScreenArea = measurement.onScreenArea;
      this.meanTransmittance = measurement.meanTransmittance;
    }
    const visible = this.visibleArea;
    this.isVisible = visible > 0;
    this.percentageInView = this.totalArea > 0 ? Math.min(100, (visible / this.totalArea) * 100) : 0;
    this.pixelsInView = Math.round(visible * page.cssAreaRatio);
    this.totalPixels = Math.round(this.totalArea * page.cssAreaRatio);
    this.totalScreenPercentage = canvasArea > 0 ? (this.totalArea / canvasArea) * 100 : 0;
    this.screenCoveragePercentage = canvasArea > 0 ? Math.min(100, (visible / canvasArea) * 100) : 0;
  }
}

/** The reasons behind {@link BestView.reasonBits}. */
export function reasonsOf(bits: number): Reason[] {
  return REASONS.filter((_, i) => (bits & (1 << i)) !== 0);
}

/** 0 for an ad that is too faint or has an unknown picture, whatever its area. */
function seenArea(view: AdView, measurement: ViewMeasurement): number {
  return measurement.transparent || view.unmeasurable ? 0 : measurement.visibleArea;
}

function reasonsOfView(measurement: ViewMeasurement): number {
  const { totalArea, onScreenArea, lostArea } = measurement;
  let reasons = 0;
  if (measurement.transparent) reasons |= TRANSPARENT;
  if (measurement.unmeasurable) reasons |= UNMEASURABLE;
  if (!(totalArea >= NEGLIGIBLE_AREA)) return reasons | HIDDEN;
  if (!(onScreenArea > 0)) return reasons | VIEWPORT;
  if (onScreenArea < totalArea - NEGLIGIBLE_AREA) reasons |= CLIPPED;
  if (lostArea >= NEGLIGIBLE_AREA) reasons |= OBSTRUCTED;
  // An ad of hardly a pixel: each loss is too small to count, and still little of the ad is left.
  if (reasons === 0) reasons |= 2 * onScreenArea <= totalArea ? CLIPPED : OBSTRUCTED;
  return reasons;
}
