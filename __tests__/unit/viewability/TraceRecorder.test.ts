import fc from 'fast-check';

import { TraceRecorder } from '../../../src/viewability/TraceRecorder.js';
import type { SampleFigures } from '../../../src/viewability/ViewabilitySample.js';

const FRAME_MS = 10;
const FIGURES = { screenPercentage: 5, areaPx: 20_000, squeezeRatio: 1, isFocused: true };

/** How two rules judge a share: half of it, all of it. */
const maskOf = (share: number): number => (share >= 50 ? 1 : 0) | (share >= 100 ? 2 : 0);

it('leaves out the beginning only, and says so: each end is where it was, and each frame judged as it was', () => {
  const frame = fc.record({ share: fc.constantFrom(100, 99, 80, 50, 49, 10), ends: fc.integer({ max: 9, min: 0 }) });
  fc.assert(
    fc.property(
      fc.array(frame, { minLength: 1, maxLength: 600, size: 'max' }),
      fc.constantFrom(1_500, 100_000),
      (frames, maxBytes) => {
        const recorder = new TraceRecorder();
        const ends: number[] = [];
        const masks = new Map<number, number>();
        let time = 0;
        let heldMs = 0;
        for (const { share, ends: chance } of frames) {
          recorder.add(time, heldMs, { ...FIGURES, percentageInView: share, percentageAtMost: share }, maskOf(share));
          masks.set(time, maskOf(share));
          time += heldMs = FRAME_MS;
          if (chance > 0) continue;
          recorder.end(FRAME_MS, 'backgrounded');
          ends.push(time);
          time += 5;
          heldMs = 0;
        }
        recorder.end(heldMs, 'destroyed');
        const { runs, isCut } = recorder.toTrace(maxBytes, -1)!;
        const first = runs[0]![0];
        expect(isCut).toBe(first > 0);
        expect(runs.filter((run) => run[8] === 'backgrounded').map(([start, ms]) => start + ms)).toEqual(ends.filter((end) => end > first)); // prettier-ignore
        const judged = runs.flatMap(([start, ms, share]) =>
          [...masks.keys()].filter((at) => at >= start && at < start + ms).map((at) => [at, maskOf(share)]),
        );
        expect(judged).toEqual([...masks].filter(([at]) => at >= first));
      },
    ),
    { numRuns: process.env.DEEP ? 500 : 20 },
  );
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
