import { Reason } from '../../../src/measure/AdMeasurement.js';
import { failingRuleOf, ViewabilitySample } from '../../../src/viewability/ViewabilitySample.js';
import { measurementOf } from './support/measurementOf.js';

function sampleOf(...measured: Parameters<typeof measurementOf>): ViewabilitySample {
  const sample = new ViewabilitySample();
  sample.take(measurementOf(...measured));
  return sample;
}

it('is rounded against the ad: what is not reached is not reached', () => {
  expect(sampleOf(49.999).percentageInView).toBe(49.99);
  expect(sampleOf(50).percentageInView).toBe(50);
  expect(sampleOf(50, { totalScreenPercentage: 1.4999 }).screenPercentage).toBe(1.49);
  expect(sampleOf(50, { totalPixels: 242_499.9 }).areaPx).toBe(242_499);
  // An angle is reached a few thousandths of a degree beyond it, too.
  expect(sampleOf(50, { squeezeRatio: 0.57346 }).squeezeRatio).toBe(0.5735);
  expect(sampleOf(50, { squeezeRatio: 0.57344 }).squeezeRatio).toBe(0.5734);
});

it('is 100 % only of an ad that is fully visible', () => {
  expect(sampleOf(100, { isFullyVisible: false }).percentageInView).toBe(99.99);
  expect(sampleOf(99.7, { isFullyVisible: true }).percentageInView).toBe(100);
});

describe('of an ad that cannot be measured', () => {
  const reasons = [Reason.UNMEASURABLE];

  it('may all be in view that is on the screen, rounded for the ad', () => {
    const sample = sampleOf(10, { reasons, totalArea: 30_000, onScreenArea: 10_000 });
    expect([sample.percentageInView, sample.percentageAtMost, sample.isKnown]).toEqual([10, 33.34, false]);
  });

  it('is at most as much in view as on the screen, and never less than is known to be', () => {
    expect(sampleOf(10, { reasons, onScreenArea: 20_000.5 }).percentageAtMost).toBe(100);
    expect(sampleOf(10, { reasons, onScreenArea: 1_000 }).percentageAtMost).toBe(10);
    expect(sampleOf(10, { reasons: [Reason.OBSTRUCTED], onScreenArea: 20_000 }).percentageAtMost).toBe(10);
  });

  it.each([
    Reason.NOT_FOUND,
    Reason.HIDDEN,
    Reason.TRANSPARENT,
    Reason.BACKGROUNDED,
    Reason.VIEWPORT,
    Reason.NOT_LOADED,
  ])('is known not to be seen for the reason %s', (reason) => {
    const sample = sampleOf(0, { reasons: [...reasons, reason] });
    expect([sample.percentageAtMost, sample.isKnown]).toEqual([0, true]);
  });
});

it.each([
  [[], true],
  [[Reason.OBSTRUCTED], true],
  [[Reason.NO_WINDOW_FOCUS], false],
  [[Reason.BACKGROUNDED], false],
])('with the reasons %j has the focus: %j', (reasons, isFocused) => {
  expect(sampleOf(100, { reasons }).isFocused).toBe(isFocused);
});

it('meets a condition when it just reaches the figure, and one that is not set whatever the figure', () => {
  const sample = { screenPercentage: 1.5, areaPx: 900, squeezeRatio: 0.5, isFocused: true, percentageInView: 50, percentageAtMost: 50 }; // prettier-ignore
  const nothing = { ...sample, screenPercentage: 0, areaPx: 0, squeezeRatio: 0, isFocused: false };
  const rule = { minPercentageInView: 50, minDurationMs: 1_000 };
  const all = { ...rule, minScreenPercentage: 1.5, minAreaPx: 900, minSqueezeRatio: 0.5, requiresFocus: true };
  expect([failingRuleOf(all, sample, 50), failingRuleOf(rule, nothing, 50)]).toEqual([null, null]);
});
