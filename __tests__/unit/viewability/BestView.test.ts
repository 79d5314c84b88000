import { BestView, type PageFacts, reasonsOf } from '../../../src/measure/BestView.js';
import { type AdMeasurement } from '../../../src/measure/AdMeasurement.js';
import { type AdView, FrameSnapshot, PolygonFlag } from '../../../src/measure/FrameSnapshot.js';
import { measureView } from '../../../src/measure/measureView.js';
import { resolveBlockers } from '../../../src/measure/resolveBlockers.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { FrameBuilder, rectangle } from './support/FrameBuilder.js';

const options = { blockingOpacity: 0.5 };
const seen: PageFacts = { pageHidden: false, windowFocused: true, loaded: true };

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

test('nothing is visible while the page is hidden or the creative is not loaded', () => {
  const frame = new FrameBuilder().ad(shape);
  const nothing = { isVisible: false, isFullyVisible: false, percentageInView: 0, screenCoveragePercentage: 0 };
  expect(of(frame, { pageHidden: true })).toMatchObject({ ...nothing, reasons: ['backgrounded'] });
  expect(of(frame, { loaded: false })).toMatchObject({ ...nothing, reasons: ['notLoaded'] });
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
