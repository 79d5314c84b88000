import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';

const seen = { totalArea: 100, onScreenArea: 100, visibleArea: 100, lostArea: 0 };

it.each<[string, Partial<ViewMeasurement>, boolean]>([
  ['in plain sight', {}, true],
  ['too faint', { transparent: true }, false],
  ['unknown', { unmeasurable: true }, false],
  ['of which less than a pixel is lost', { visibleArea: 99.01, lostArea: 0.99 }, true],
  ['of which a pixel is lost', { visibleArea: 99, lostArea: 1 }, false],
  ['cut by a pixel, which may be rounding', { onScreenArea: 99, visibleArea: 99 }, true],
  ['cut by more than a pixel', { onScreenArea: 98.99, visibleArea: 98.99 }, false],
  ['of just a pixel', { totalArea: 1, onScreenArea: 1, visibleArea: 1 }, true],
  ['of less than a pixel', { totalArea: 0.99, onScreenArea: 0.99, visibleArea: 0.99 }, false],
  ['cut to its half', { totalArea: 2, onScreenArea: 1, visibleArea: 1 }, false],
  ['cut to more than its half', { totalArea: 1.99, onScreenArea: 1, visibleArea: 1 }, true],
  ['of which nothing is a number', { totalArea: NaN, onScreenArea: NaN, visibleArea: NaN, lostArea: NaN }, false],
])('an ad %s', (_, figures, isFullyVisible) => {
  const view = Object.assign(new ViewMeasurement(), seen, figures);
  view.judge();
  expect(view.isFullyVisible).toBe(isFullyVisible);
});

it.each([
  { area: 100, covered: 0, visible: 100, lost: 0, isFullyVisible: true },
  { area: 100, covered: 0.99, visible: 99.01, lost: 0.99, isFullyVisible: true },
  { area: 100, covered: 1, visible: 99, lost: 1, isFullyVisible: false },
  { area: 1, covered: 0, visible: 1, lost: 0, isFullyVisible: true },
  { area: 0.99, covered: 0, visible: 0.99, lost: 0, isFullyVisible: false },
  { area: 1.9, covered: 0.95, visible: 0.95, lost: 0.95, isFullyVisible: false },
  { area: 1000, covered: 1000 - 1e-7, visible: 0, lost: 1000, isFullyVisible: false },
  { area: 1000, covered: 1000 + 1e-7, visible: 0, lost: 1000, isFullyVisible: false },
])('a whole ad of $area px², of which $covered are covered', ({ area, covered, visible, lost, isFullyVisible }) => {
  const view = Object.assign(new ViewMeasurement(), { transparent: true, unmeasurable: true, isCoarse: true });
  view.setFlat({ area, covered });
  expect(view).toMatchObject({ totalArea: area, onScreenArea: area, isFullyVisible });
  expect(view).toMatchObject({ transparent: false, unmeasurable: false, isCoarse: false });
  expect([view.visibleArea, view.lostArea]).toEqual([expect.closeTo(visible, 9), lost]);
  expect(view.meanTransmittance).toBeCloseTo(visible / area, 9);
});

it('an ad squeezed to a line, whose area is none, has figures that are numbers', () => {
  const view = new ViewMeasurement();
  view.setFlat({ area: 0, covered: 0 });
  expect(view).toMatchObject({ totalArea: 0, visibleArea: 0, meanTransmittance: 0, isFullyVisible: false });
});

it('nothing is left of an earlier look', () => {
  const view = new ViewMeasurement();
  view.setFlat({ area: 100, covered: 20 });
  Object.assign(view, { transparent: true, unmeasurable: true, isFullyVisible: true, isCoarse: true });
  view.reset();
  expect(view).toEqual(new ViewMeasurement());
});
