import type { RuleFigures } from '../report/AdEvent.js';
import { type AdMeasurement, Reason } from '../measure/AdMeasurement.js';

/** Which condition of a standard does not hold. */
export type FailingRule =
  'focus' | 'minPercentageInView' | 'minScreenPercentage' | 'minAreaPx' | 'maxAngleDeg' | 'minDurationMs';

/**
 * The figures of one frame that the standards ask for. They are rounded here, once, so that a stored sample is judged just as
 * the live one was. Rounding goes against the ad, except for the few thousandths at which an angle counts as reached.
 */
export class ViewabilitySample {
  /** 0–100, to hundredths; 100 only for an ad that is fully visible. */
  percentageInView = 0;
  /** Upper bound of what is in view, if everything that could not be measured were. */
  percentageAtMost = 0;
  /** Size of the whole ad as a share of the canvas, to hundredths. */
  screenPercentage = 0;
  /** Size of the whole ad in CSS pixels². */
  areaPx = 0;
  /** 0–1, to ten-thousandths. */
  squeezeRatio = 1;
  isFocused = true;

  #reasons: readonly Reason[] | null = null;
  #isMeasurable = true;
  #couldBeSeen = false;

  /** Takes the figures over. Allocates nothing. */
  take(measurement: AdMeasurement): void {
    const { reasons } = measurement;
    if (reasons !== this.#reasons) this.#readReasons(reasons);
    const { percentageInView, totalArea, onScreenArea } = measurement;
    this.percentageInView = measurement.isFullyVisible
      ? 100
      : Math.min(99.99, Math.floor(percentageInView * 100) / 100);
    this.percentageAtMost = this.percentageInView;
    if (!this.#isMeasurable && this.#couldBeSeen && totalArea > 0) {
      const onScreen = Math.min(100, Math.ceil((onScreenArea / totalArea) * 10_000) / 100);
      if (onScreen > this.percentageAtMost) this.percentageAtMost = onScreen;
    }
    this.screenPercentage = Math.floor(measurement.totalScreenPercentage * 100) / 100;
    this.areaPx = Math.floor(measurement.totalPixels);
    this.squeezeRatio = Math.round(measurement.squeezeRatio * 10_000) / 10_000;
  }

  /** It is known what the frame showed of the ad. */
  get isKnown(): boolean {
    return this.#isMeasurable || !this.#couldBeSeen;
  }

  #readReasons(reasons: readonly Reason[]): void {
    this.#reasons = reasons;
    this.isFocused = !reasons.includes(Reason.NO_WINDOW_FOCUS) && !reasons.includes(Reason.BACKGROUNDED);
    this.#isMeasurable = !reasons.includes(Reason.UNMEASURABLE);
    this.#couldBeSeen = !reasons.some((reason) => UNSEEN.has(reason));
  }
}

/** With these reasons nothing of an ad is in view, even if its picture is unknown. */
const UNSEEN: ReadonlySet<Reason> = new Set([
  Reason.NOT_FOUND,
  Reason.HIDDEN,
  Reason.TRANSPARENT,
  Reason.BACKGROUNDED,
  Reason.VIEWPORT,
  Reason.NOT_LOADED,
]);

/** The samples' figures, live or stored. */
export type SampleFigures = Pick<
  ViewabilitySample,
  'percentageInView' | 'percentageAtMost' | 'screenPercentage' | 'areaPx' | 'squeezeRatio' | 'isFocused'
>;

/** @returns the first condition that does not hold, not counting the duration; null when all hold. */
export function failingRuleOf(
  rule: RuleFigures,
  sample: SampleFigures,
  percentageInView: number,
): Exclude<FailingRule, 'minDurationMs'> | null {
  if (rule.requiresFocus === true && !sample.isFocused) return 'focus';
  if (percentageInView < rule.minPercentageInView) return 'minPercentageInView';
  if (sample.screenPercentage < (rule.minScreenPercentage ?? 0)) return 'minScreenPercentage';
  if (sample.areaPx < (rule.minAreaPx ?? 0)) return 'minAreaPx';
  if (sample.squeezeRatio < (rule.minSqueezeRatio ?? 0)) return 'maxAngleDeg';
  return null;
}
