import type { AlphaMap } from '../../../src/measure/AlphaMap.js';
import { measureView } from '../../../src/measure/measureView.js';
import { SteadyMeasurement } from '../../../src/measure/SteadyMeasurement.js';
import { ViewMeasurement } from '../../../src/measure/ViewMeasurement.js';
import { seededRandom } from '../../bench/seededRandom.js';
import { everyPixel } from './support/everyPixel.js';
import { alphaMap, FrameBuilder, rectangle } from './support/FrameBuilder.js';

const options = { blockingOpacity: 0.5, maxSamples: 512 };

/** Smoke: waves of many directions, too soft to have edges. */
function smokeOf(seed: number): AlphaMap {
  const random = seededRandom(seed);
  const waves = Array.from({ length: 8 }, () => [random() - 0.5, random() - 0.5, 7 * random()] as const);
  const at = (column: number, row: number): number =>
    waves.reduce((sum, [x, y, phase]) => sum + Math.sin(0.9 * (x * column + y * row) + phase), 0);
  return alphaMap(96, 64, (column, row) => Math.min(1, Math.max(0, 0.5 + at(column, row) / 6)));
}
const smoke = smokeOf(1);

const adShape = rectangle(100, 100, 150, 100);
const underSmoke = (map = smoke): FrameBuilder =>
  new FrameBuilder().ad(adShape).paint(rectangle(110, 95, 130, 95), { map });

/** Seen share by a plain count of pixels. */
function seenShare({ snapshot, view }: FrameBuilder): number {
  const { visible, onScreen } = everyPixel(snapshot, view);
  return visible / onScreen;
}

/** Share of light that reaches the player, of all pixels. */
function lightOf({ snapshot, view }: FrameBuilder): number {
  const all = new ViewMeasurement();
  measureView(snapshot, view, { ...options, maxSamples: 65_536 }, all);
  return all.meanTransmittance;
}

function started({ snapshot, view }: FrameBuilder): SteadyMeasurement {
  const steady = new SteadyMeasurement();
  steady.start(snapshot, view, options);
  return steady;
}

function refineToTheEnd(steady: SteadyMeasurement, { snapshot, view }: FrameBuilder): boolean[] {
  const renewed: boolean[] = [];
  while (steady.canRefine) renewed.push(steady.refine(snapshot, view, options));
  return renewed;
}

const errorOf = ({ measurement }: SteadyMeasurement, truth: number): number =>
  Math.abs(measurement.visibleArea / measurement.totalArea - truth);

describe('a picture that stands still', () => {
  test('comes several times as near to a count of all pixels', () => {
    let before = 0;
    let after = 0;
    let [darkBefore, darkAfter] = [0, 0];
    for (let seed = 1; seed <= 10; seed++) {
      const frame = underSmoke(smokeOf(seed));
      const truth = seenShare(frame);
      const light = lightOf(frame);
      const steady = started(frame);
      before += errorOf(steady, truth);
      darkBefore += Math.abs(steady.measurement.meanTransmittance - light);
      refineToTheEnd(steady, frame);
      after += errorOf(steady, truth);
      darkAfter += Math.abs(steady.measurement.meanTransmittance - light);
    }
    expect(after).toBeLessThan(before / 4);
    expect(darkAfter).toBeLessThan(darkBefore / 4);
  });

  test('tells better, too, how much of the ad there is when its own texels decide that', () => {
    let before = 0;
    let after = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const frame = new FrameBuilder().ad(adShape, [adShape], { map: smokeOf(seed) });
      const { onScreen } = everyPixel(frame.snapshot, frame.view);
      const steady = started(frame);
      before += Math.abs(steady.measurement.totalArea - onScreen);
      refineToTheEnd(steady, frame);
      after += Math.abs(steady.measurement.totalArea - onScreen);
    }
    expect(after).toBeLessThan(before / 4);
  });

  test('gets new figures after 2, 4, 8 and 16 looks, and no more', () => {
    const frame = underSmoke();
    const renewed = refineToTheEnd(started(frame), frame);
    expect(renewed).toHaveLength(15);
    expect(renewed.flatMap((is, i) => (is ? i + 2 : []))).toEqual([2, 4, 8, 16]);
  });

  test('keeps areas in their order, and what is seen and lost makes up what is on screen', () => {
    const frame = new FrameBuilder()
      .ad(adShape, [rectangle(100, 100, 130, 100)], { map: smoke })
      .paint(rectangle(110, 95, 130, 95), { map: smoke, uv: [0.31, 0.1, -0.1, 0.33, -20, -40] });
    const steady = started(frame);
    refineToTheEnd(steady, frame);
    const { totalArea, onScreenArea, visibleArea, lostArea, isFullyVisible } = steady.measurement;
    expect(visibleArea + lostArea).toBeCloseTo(onScreenArea, 6);
    expect(onScreenArea).toBeLessThan(totalArea);
    expect(isFullyVisible).toBe(false);
  });

  test('with one dot over it that samples miss at first is not fully visible in the end', () => {
    const dot = alphaMap(8, 8, (column, row) => (column === 3 && row === 3 ? 1 : 0));
    const dots = Array.from({ length: 40 }, (_, i) =>
      rectangle(105 + (i % 8) * 36, 105 + Math.floor(i / 8) * 18, 8, 8),
    );
    const frame = new FrameBuilder().ad(rectangle(100, 100, 300, 100));
    for (const at of dots) frame.paint(at, { map: dot });
    const steady = new SteadyMeasurement();
    steady.start(frame.snapshot, frame.view, { ...options, maxSamples: 64 });
    expect(steady.measurement.isFullyVisible).toBe(true);
    while (steady.canRefine) steady.refine(frame.snapshot, frame.view, { ...options, maxSamples: 64 });
    expect(steady.measurement.isFullyVisible).toBe(false);
  });
});

test('what is measured exactly has nothing to refine', () => {
  const frame = new FrameBuilder().ad(adShape).paint(rectangle(50, 50, 100, 100));
  expect(started(frame).canRefine).toBe(false);
});

test('where every pixel is looked at there is nothing to refine', () => {
  const frame = new FrameBuilder().ad(rectangle(100, 100, 30, 20)).paint(rectangle(110, 90, 40, 20), { map: smoke });
  expect(started(frame).canRefine).toBe(false);
});

test('where few pixels are passed over there is still something to refine', () => {
  const { snapshot, view } = underSmoke();
  const steady = new SteadyMeasurement();
  steady.start(snapshot, view, { ...options, maxSamples: 7000 });
  expect(steady.canRefine).toBe(true);
});

test('a new picture starts anew', () => {
  const frame = underSmoke();
  const steady = started(frame);
  const first = steady.measurement.visibleArea;
  refineToTheEnd(steady, frame);
  steady.start(frame.snapshot, frame.view, options);
  expect(steady.measurement.visibleArea).toBe(first);
  expect(steady.canRefine).toBe(true);
});
