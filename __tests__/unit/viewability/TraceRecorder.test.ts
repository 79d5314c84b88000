import fc from 'fast-check';

import { TraceRecorder } from '../../../src/viewability/TraceRecorder.js';
import type { SampleFigures } from '../../../src/viewability/ViewabilitySample.js';

const FRAME_MS = 10;
const FIGURES = { screenPercentage: 5, areaPx: 20_000, squeezeRatio: 0.95, isFocused: true };

/** How two rules judge a share: half of it, all of it. */
const maskOf = (share: number): number => (share >= 50 ? 1 : 0) | (share >= 100 ? 2 : 0);

it('leaves out the beginning only, and says so: each end is where it was, and each frame judged as it was', () => {
  const sampled = fc.record({
    screenPercentage: fc.constantFrom(5, 6),
    areaPx: fc.constantFrom(20_000, 30_000),
    squeezeRatio: fc.constantFrom(1, 0.9),
    isFocused: fc.boolean(),
  });
  const frame = fc.record({
    share: fc.constantFrom(100, 99, 80, 50, 49, 10),
    unknown: fc.constantFrom(0, 20),
    figures: fc.oneof({ arbitrary: fc.constant(FIGURES), weight: 3 }, sampled),
    ends: fc.integer({ max: 9, min: 0 }),
  });
  fc.assert(
    fc.property(
      fc.array(frame, { minLength: 1, maxLength: 600, size: 'max' }),
      fc.constantFrom(1_500, 100_000),
      fc.constantFrom(-1, 1, 2),
      (frames, maxBytes, rules) => {
        const recorder = new TraceRecorder();
        const ends: number[] = [];
        const samples = new Map<number, SampleFigures>();
        let time = 0;
        let heldMs = 0;
        for (const { share, unknown, figures, ends: chance } of frames) {
          const sample = { ...figures, percentageInView: share, percentageAtMost: share + unknown };
          recorder.add(time, heldMs, sample, maskOf(share));
          samples.set(time, sample);
          time += heldMs = FRAME_MS;
          if (chance > 0) continue;
          recorder.end(FRAME_MS, 'backgrounded');
          ends.push(time);
          time += 5;
        }
        recorder.end(heldMs, 'destroyed');
        const trace = recorder.toTrace(maxBytes, rules)!;
        const { runs, isCut } = trace;
        const first = runs[0]![0];
        expect(runs.every(({ length, 8: end }) => length === (end === undefined ? 8 : 9))).toBe(true);
        expect(isCut).toBe(first > 0);
        expect([runs.length <= 128, JSON.stringify(trace).length <= maxBytes]).toEqual([true, true]);
        expect(runs.filter((run) => run[8] === 'backgrounded').map(([start, ms]) => start + ms)).toEqual(ends.filter((end) => end > first)); // prettier-ignore
        const told = runs.flatMap(([start, ms, share]) =>
          [...samples.keys()].filter((at) => at >= start && at < start + ms).map((at) => [at, maskOf(share) & rules]),
        );
        const shown = [...samples].filter(([at]) => at >= first);
        expect(told).toEqual(shown.map(([at, sample]) => [at, maskOf(sample.percentageInView) & rules]));
        // A run claims no more than the least that was seen in any of its frames.
        for (const [start, ms, ...claimed] of runs) {
          const own = shown.filter(([at]) => at >= start && at < start + ms).map(([, sample]) => sample);
          const least = (figure: Exclude<keyof SampleFigures, 'isFocused'>) => Math.min(...own.map((sample) => sample[figure])); // prettier-ignore
          expect(claimed.slice(0, 6)).toEqual([
            least('percentageInView'),
            least('percentageAtMost'),
            least('screenPercentage'),
            least('areaPx'),
            least('squeezeRatio'),
            own.every(({ isFocused }) => isFocused) ? 1 : 0,
          ]);
        }
      },
    ),
    { numRuns: process.env.DEEP ? 500 : 20 },
  );
});

it('keeps each change as it was while there is room for it, and most of them afterwards, the newest above all', () => {
  const shares = Array.from({ length: 129 }, (_, i) => (i % 2 === 0 ? 60 : 40) + i / 10);
  const keptWhen = (maskOf: (i: number) => number): number[][] => {
    const recorder = new TraceRecorder();
    return shares.map((share, i) => {
      const sample = { ...FIGURES, percentageInView: share, percentageAtMost: share };
      recorder.add(i * FRAME_MS, i === 0 ? 0 : FRAME_MS, sample, maskOf(i));
      return recorder.toTrace(100_000, -1)!.runs.map((run) => run[2]);
    });
  };
  const [alike, unlike] = [keptWhen(() => 0), keptWhen((i) => i % 2)];
  for (let i = 0; i < 128; i++) expect([alike[i], unlike[i]]).toEqual(Array(2).fill(shares.slice(0, i + 1)));
  const last = unlike[128]!;
  expect(last.length).toBeGreaterThan(64);
  expect(last).toEqual(shares.slice(-last.length));
});

it('is left out where nothing was seen and where not even the newest run fits; says only when measuring failed', () => {
  const recorder = new TraceRecorder();
  expect(recorder.toTrace(100_000, -1)).toBeUndefined();
  recorder.add(0, 0, { ...FIGURES, percentageInView: 70, percentageAtMost: 80 }, 0);
  expect(recorder.toTrace(20, -1)).toBeUndefined();
  const trace = recorder.toTrace(100_000, -1);
  expect(trace).toEqual({ maxGapMs: 250, runs: [[0, 0, 70, 80, 5, 20_000, 0.95, 1]], isCut: false });
  recorder.giveUp();
  expect(recorder.toTrace(100_000, -1)).toHaveProperty('hasFailed', true);
});

it.each<[figure: string, other: Partial<SampleFigures>, runs: number]>([
  ['nothing', {}, 1],
  ['percentageInView', { percentageInView: 60 }, 2],
  ['percentageAtMost', { percentageAtMost: 90 }, 2],
  ['screenPercentage', { screenPercentage: 6 }, 2],
  ['areaPx', { areaPx: 20_001 }, 2],
  ['squeezeRatio', { squeezeRatio: 0.9 }, 2],
  ['isFocused', { isFocused: false }, 2],
])('keeps a change of %s, even where no rule asks for it', (_figure, other, count) => {
  const recorder = new TraceRecorder();
  const sample = { ...FIGURES, percentageInView: 70, percentageAtMost: 80 };
  recorder.add(0, 0, sample, 0);
  recorder.add(FRAME_MS, FRAME_MS, { ...sample, ...other }, 0);
  recorder.end(FRAME_MS, 'destroyed');
  expect(recorder.toTrace(100_000, -1)!.runs).toHaveLength(count);
});
