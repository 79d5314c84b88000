import { BestView, type PageFacts, reasonsOf } from '../../../src/measure/BestView.js';
import { type AdMeasurement } from '../../../src/measure/AdMeasurement.js';
import { type AdView, FrameSnapshot, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { measureView } from '../../../src/measure/measureView.js';
import { resolveBlockers } from '../../../src/measure/resolveBlockers.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { FrameBuilder, rectangle } from './support/FrameBuilder.js';

const options = { blockingOpacity: 0.5 };
const seen: PageFacts = { pageHidden: false, windowFocused: true, found: true, cssAreaRatio: 1 };

function assemble(snapshot: FrameSnapshot, views: readonly AdView[], page: PageFacts = seen): AdMeasurement {
  const best = new BestView();
  best.reset();
  for (const view of views) {
    const out = new ViewMeasurement();
    measureView(snapshot, view, options, out);
    best.consider(view, out);
  }
  best.conclude(snapshot.canvasWidth * snapshot.canvasHeight, page);
  const { view, measurement, reasonBits, ...figures } = best;
  const isBlocked = !best.isFullyVisible && view !== null && measurement !== null;
  return {
    ...figures,
    camera: view?.camera ?? null,
    reasons: reasonsOf(reasonBits),
    blockingSprites: isBlocked ? resolveBlockers(snapshot, view, options, measurement) : [],
  };
}

const of = (frame: FrameBuilder, page?: Partial<PageFacts>): AdMeasurement =>
  assemble(frame.snapshot, [frame.view], { ...seen, ...page });

const shape = rectangle(100, 100, 200, 100);

test('an ad in plain sight has no reasons and full figures', () => {
  expect(of(new FrameBuilder(1000, 500).ad(shape), { cssAreaRatio: 0.25 })).toEqual({
    isFullyVisible: true,
    isVisible: true,
    camera: 'main',
    totalArea: 20_000,
    onScreenArea: 20_000,
    visibleArea: 20_000,
    percentageInView: 100,
    pixelsInView: 5000,
    totalPixels: 5000,
    totalScreenPercentage: 4,
    squeezeRatio: 1,
    screenCoveragePercentage: 4,
    meanTransmittance: 1,
    reasons: [],
    blockingSprites: [],
  });
});

test.each<[string, FrameBuilder, readonly string[], number]>([
  ['wholly off screen', new FrameBuilder().ad(shape, []), ['viewport'], 0],
  ['cut by the edge', new FrameBuilder().ad(shape, [rectangle(100, 100, 150, 100)]), ['clipped'], 75],
  ['covered', new FrameBuilder().ad(shape).paint(rectangle(100, 100, 50, 100)), ['obstructed'], 75],
  [
    'cut and covered',
    new FrameBuilder().ad(shape, [rectangle(100, 100, 150, 100)]).paint(rectangle(100, 100, 50, 100)),
    ['clipped', 'obstructed'],
    50,
  ],
  ['cut, and covered by a pixel', new FrameBuilder().ad(rectangle(0, 0, 10, 1), [rectangle(0, 0, 8, 1)]).paint(rectangle(0, 0, 1, 1)), ['clipped', 'obstructed'], 70], // prettier-ignore
  [
    'touched by something unknown',
    new FrameBuilder().ad(shape).paint(rectangle(100, 100, 50, 100), { flags: PolygonFlag.UNMEASURABLE }),
    ['obstructed', 'unmeasurable'],
    75,
  ],
  ['scaled to nothing', new FrameBuilder().ad([5, 5, 5, 5, 5, 5], []), ['hidden'], 0],
])('an ad that is %s says so', (_, frame, reasons, percentage) => {
  const result = of(frame);
  expect(result.reasons).toEqual(reasons);
  expect(result.percentageInView).toBeCloseTo(percentage, 6);
  expect(result.isVisible).toBe(percentage > 0);
  expect(result.isFullyVisible).toBe(false);
});

test('an ad that no camera draws is hidden, a destroyed one is not found', () => {
  expect(assemble(new FrameSnapshot(), [])).toMatchObject({ reasons: ['hidden'], camera: null, isVisible: false });
  expect(assemble(new FrameSnapshot(), [], { ...seen, found: false }).reasons).toEqual(['notFound']);
});

test('a faint ad is transparent and not visible at all', () => {
  const frame = new FrameBuilder().ad(shape);
  frame.view.opacity = 0.3;
  expect(of(frame)).toMatchObject({ reasons: ['transparent'], visibleArea: 0, isVisible: false });
});

test('an ad whose own picture is unknown is never visible', () => {
  const frame = new FrameBuilder().ad(shape);
  frame.view.unmeasurable = true;
  expect(of(frame)).toMatchObject({ reasons: ['unmeasurable'], isVisible: false, isFullyVisible: false });
});

test('nothing is visible while the page is hidden', () => {
  const frame = new FrameBuilder().ad(shape);
  const nothing = { isVisible: false, isFullyVisible: false, percentageInView: 0, screenCoveragePercentage: 0 };
  expect(of(frame, { pageHidden: true })).toMatchObject({ ...nothing, reasons: ['backgrounded'] });
});

test('a window without focus is told and takes nothing away', () => {
  expect(of(new FrameBuilder().ad(shape), { windowFocused: false })).toMatchObject({
    isFullyVisible: true,
    reasons: ['noWindowFocus'],
  });
});

test('the figures are those of the camera that shows most, with its blockers', () => {
  const frame = new FrameBuilder().ad(rectangle(0, 0, 60, 30), [rectangle(0, 0, 30, 30)]);
  const small = frame.view;
  frame.ad(shape);
  const large = frame.view;
  frame.view.camera = 'large';
  frame.paint(rectangle(100, 100, 100, 50), { owner: 'wall' });
  for (const views of [
    [small, large],
    [large, small],
  ]) {
    expect(assemble(frame.snapshot, views)).toMatchObject({
      camera: 'large',
      totalArea: 20_000,
      visibleArea: 15_000,
      blockingSprites: ['wall'],
    });
  }
});

test('an ad fully visible in any camera is fully visible and has no blockers', () => {
  const frame = new FrameBuilder().ad(rectangle(0, 0, 60, 30));
  const map = frame.view;
  frame.ad(shape).paint(rectangle(100, 100, 100, 50), { owner: 'wall' });
  expect(assemble(frame.snapshot, [map, frame.view])).toMatchObject({
    isFullyVisible: true,
    visibleArea: 15_000,
    reasons: [],
    blockingSprites: [],
  });
});

test('a destroyed sprite is not found, and not seen, whatever is on the screen', () => {
  const gone = { isVisible: false, isFullyVisible: false, visibleArea: 0, pixelsInView: 0 };
  expect(of(new FrameBuilder().ad(shape), { found: false })).toMatchObject({ ...gone, reasons: ['notFound'] });
});

test('a hidden page says nothing of focus', () => {
  const page = { pageHidden: true, windowFocused: false };
  expect(of(new FrameBuilder().ad(shape), page).reasons).toEqual(['backgrounded']);
});

test.each<[string, FrameBuilder, string]>([
  ['less than a pixel large', new FrameBuilder().ad(rectangle(5, 5, 0.9, 1)), 'hidden'],
  ['not a number large', new FrameBuilder().ad([0, 0, NaN, NaN, 5, 5]), 'hidden'],
  ['cut to half a pixel', new FrameBuilder().ad(rectangle(5, 5, 1, 1), [rectangle(5, 5, 0.5, 1)]), 'clipped'],
  [
    'covered to half a pixel',
    new FrameBuilder().ad(rectangle(5, 5, 1, 1)).paint(rectangle(5, 5, 0.7, 1)),
    'obstructed',
  ],
  ['cut by a pixel, and covered', new FrameBuilder().ad(rectangle(0, 0, 10, 1), [rectangle(0, 0, 9, 1)]).paint(rectangle(0, 0, 5, 1)), 'obstructed'], // prettier-ignore
  ['cut by more than a pixel', new FrameBuilder().ad(shape, [rectangle(100, 100, 200, 99.994)]), 'clipped'],
])('an ad %s says so', (_, frame, reason) => {
  expect(of(frame)).toMatchObject({ reasons: [reason], isFullyVisible: false });
});

test('of two cameras that show as much the one with more on the screen counts, else the first', () => {
  const frame = new FrameBuilder().ad(rectangle(0, 0, 60, 30));
  const [one, other] = [frame.view, frame.ad(rectangle(200, 0, 60, 30)).view];
  other.camera = 'other';
  expect(assemble(frame.snapshot, [one, other]).camera).toBe('main');
  expect(assemble(frame.snapshot, [other, one]).camera).toBe('other');
  const faint = new FrameBuilder().ad(rectangle(0, 0, 60, 30));
  const small = faint.view;
  const large = faint.ad(shape).view;
  large.camera = 'large';
  small.opacity = large.opacity = 0.2;
  expect(assemble(faint.snapshot, [small, large]).camera).toBe('large');
  expect(assemble(faint.snapshot, [large, small]).camera).toBe('large');
});

test('no more than all of an ad or the canvas is in view, and totals are of all of it', () => {
  const best = new BestView();
  const view = new FrameBuilder(10, 10).ad(shape).view;
  best.consider(view, Object.assign(new ViewMeasurement(), { totalArea: 201, onScreenArea: 202, visibleArea: 202 }));
  best.conclude(100, { ...seen, cssAreaRatio: 0.5 });
  expect(best).toMatchObject({ percentageInView: 100, screenCoveragePercentage: 100, pixelsInView: 101, totalPixels: 101 }); // prettier-ignore
});

test.each([true, false])('nothing is left of the frame before, in which the ad was found: %s', (found) => {
  const best = new BestView();
  best.squeezeRatio = 0.5;
  const frame = new FrameBuilder().ad(shape).paint(shape);
  const areas = { totalArea: 9, onScreenArea: 9, visibleArea: 9, meanTransmittance: 0.9 };
  best.consider(frame.view, Object.assign(new ViewMeasurement(), areas));
  best.conclude(100, { ...seen, found });
  best.reset();
  expect(best).toEqual(new BestView());
});

test('of a canvas without a size an ad takes no share', () => {
  const best = new BestView();
  const { view } = new FrameBuilder().ad(shape);
  best.consider(view, Object.assign(new ViewMeasurement(), { totalArea: 9, onScreenArea: 9, visibleArea: 9 }));
  best.conclude(0, seen);
  expect(best).toMatchObject({ totalScreenPercentage: 0, screenCoveragePercentage: 0 });
});
