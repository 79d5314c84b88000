import fc from 'fast-check';

import { evenly } from '../../helpers/evenly.js';
import type { RuleFigures } from '../../../src/report/AdEvent.js';
import { ALL_RULES, MAX_GAP_MS, ruleBits, ViewabilityClock } from '../../../src/viewability/ViewabilityClock.js';
import type { SampleFigures } from '../../../src/viewability/ViewabilitySample.js';

const RULE: RuleFigures = {
  minPercentageInView: 50,
  minDurationMs: 1_000,
  minScreenPercentage: 1.5,
  minAreaPx: 0,
  minSqueezeRatio: 0.5735,
  requiresFocus: true,
};
const ANY = { ...RULE, minPercentageInView: 1, minDurationMs: 200, requiresFocus: false };

const sample = (percentageInView: number, fields: Partial<SampleFigures> = {}): SampleFigures => ({
  percentageInView,
  percentageAtMost: percentageInView,
  screenPercentage: 5,
  areaPx: 20_000,
  squeezeRatio: 1,
  isFocused: true,
  ...fields,
});
const GOOD = sample(80);
const BAD = sample(40);

/** Feeds a clock with one frame per entry: time since the frame before, and what the frame shows; or with a stop. */
type Step = { readonly after: number; readonly shows: SampleFigures | 'stop' };

function run(steps: readonly Step[], rules: readonly RuleFigures[] = [RULE, ANY]) {
  const clock = new ViewabilityClock(rules);
  const became: number[] = [];
  const heldMs: number[] = [];
  const gapMs: number[] = [];
  let time = 5_000;
  for (const { after, shows } of steps) {
    time += after;
    became.push(shows === 'stop' ? clock.stop(time) : clock.update(time, shows));
    heldMs.push(clock.heldMs);
    gapMs.push(clock.gapMs);
  }
  return { clock, became, heldMs, gapMs, verdicts: rules.map((_, i) => clock.verdictOf(i)) };
}

const figures = ({ clock }: { clock: ViewabilityClock }) =>
  [0, 1].map((i) => [clock.verdictOf(i), clock.totalMs(i), clock.longestMs(i), clock.continuousMs(i)]);

const frames = (count: number, ms: number, shows = GOOD): Step[] => Array.from({ length: count }, () => ({ after: ms, shows })); // prettier-ignore

const shown = fc.constantFrom(
  GOOD,
  BAD,
  sample(80, { isFocused: false }),
  sample(30, { percentageAtMost: 100 }),
  sample(0, { percentageAtMost: 40 }),
);
/** Eighths of a millisecond, as sessions feed them: exact, however they are added up. */
const gap = fc.integer({ min: 1, max: 8 * MAX_GAP_MS }).map((eighths) => eighths / 8);
const frame = fc.record({ after: gap, shows: shown });
const anyStep = fc.oneof(
  { weight: 12, arbitrary: frame },
  { weight: 1, arbitrary: fc.record({ after: gap, shows: fc.constant('stop' as const) }) },
  { weight: 1, arbitrary: fc.record({ after: fc.integer({ min: MAX_GAP_MS + 1, max: 90_000 }), shows: shown }) },
);

it('what may have been in view for just as long as it takes is undetermined', () => {
  const unknown = sample(30, { percentageAtMost: 100 });
  const verdictAfter = (lastMs: number) =>
    run([...frames(4, 250, unknown), { after: lastMs, shows: unknown }], [RULE]).verdicts[0];
  expect([verdictAfter(249), verdictAfter(250)]).toEqual(['notViewable', 'undetermined']);
});

it('tells apart how each of eight rules judges a frame: met, perhaps met, not met', () => {
  const judgement = fc.constantFrom<[atLeast: number, bits: number]>([50, 0x101], [70, 0x100], [90, 0]);
  fc.assert(
    fc.property(fc.array(judgement, { minLength: 1, maxLength: 8 }), (judgements) => {
      const clock = new ViewabilityClock(judgements.map(([minPercentageInView]) => ({ ...RULE, minPercentageInView })));
      clock.update(5_000, sample(60, { percentageAtMost: 80 }));
      judgements.forEach(([, bits], i) => expect((clock.mask & ruleBits(i)) >> i).toBe(bits));
      expect(clock.mask & ALL_RULES).toBe(judgements.reduce((all, [, bits], i) => all | (bits << i), 0));
    }),
  );
});

describe('laws of the clock', () => {
  it('splitting a frame changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), fc.nat(), evenly(0.01, 0.99), (steps, pick, share) => {
        const held = steps.flatMap((step, i) => (i > 0 && step.after <= MAX_GAP_MS && steps[i - 1]!.shows !== 'stop' ? [i] : []));
        if (held.length === 0) return;
        const at = held[pick % held.length]!;
        const first = Math.floor(steps[at]!.after * share * 8) / 8;
        const split = [
          ...steps.slice(0, at),
          { after: first, shows: steps[at - 1]!.shows },
          { after: steps[at]!.after - first, shows: steps[at]!.shows },
          ...steps.slice(at + 1),
        ];
        expect(figures(run(split))).toEqual(figures(run(steps)));
      }),
    ); // prettier-ignore
  });

  it('time in view is never more than the time that passed, the longest never more than all, and none is negative', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
        const { clock } = run(steps);
        const passed = steps.slice(1).reduce((sum, { after }) => sum + after, 0);
        for (const i of [0, 1]) {
          expect(clock.totalMs(i)).toBeLessThanOrEqual(passed);
          expect(clock.longestMs(i)).toBeLessThanOrEqual(clock.totalMs(i));
          expect(clock.continuousMs(i)).toBeLessThanOrEqual(clock.longestMs(i));
          expect(clock.continuousMs(i)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('every clock agrees with the plainest one: add up the good stretches', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 80 }), (steps) => {
        const stretches = (isGood: (shown: SampleFigures) => boolean): number[] => {
          const lengths = [0];
          let before: SampleFigures | 'stop' = 'stop';
          for (const { after, shows } of steps) {
            if (before !== 'stop' && isGood(before) && after <= MAX_GAP_MS) lengths.push(lengths.pop()! + after);
            else lengths.push(0);
            before = shows;
          }
          return lengths;
        };
        const { clock, heldMs, gapMs } = run(steps);
        const passed = steps.map(({ after }, i) => (i > 0 && steps[i - 1]!.shows !== 'stop' ? after : 0));
        expect(heldMs).toEqual(passed.map((ms) => (ms <= MAX_GAP_MS ? ms : 0)));
        expect(gapMs).toEqual(passed.map((ms) => (ms <= MAX_GAP_MS ? 0 : ms)));
        [RULE, ANY].forEach(({ minPercentageInView, minDurationMs, requiresFocus }, i) => {
          const meets = (percentage: number, { isFocused }: SampleFigures): boolean =>
            percentage >= minPercentageInView && (isFocused || !requiresFocus);
          const good = stretches((shown) => meets(shown.percentageInView, shown));
          const maybe = stretches((shown) => meets(shown.percentageAtMost, shown));
          const longest = Math.max(...good);
          expect([clock.totalMs(i), clock.longestMs(i)]).toEqual([good.reduce((sum, ms) => sum + ms, 0), longest]);
          const unmet = Math.max(...maybe) >= minDurationMs ? 'undetermined' : 'notViewable';
          expect(clock.verdictOf(i)).toBe(longest >= minDurationMs ? 'viewable' : unmet);
        });
      }),
    );
  });

  it('each rule is met at most once, and a verdict once viewable stays', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 200 }), (steps) => {
        const { became, verdicts } = run(steps);
        for (const i of [0, 1]) {
          const times = became.filter((bits) => (bits & (1 << i)) !== 0).length;
          expect(times).toBe(verdicts[i] === 'viewable' ? 1 : 0);
        }
      }),
    );
  });

  it('one bad frame restarts: 990 ms, a bad frame and 990 ms are not viewable, and ten more are', () => {
    const steps = [...frames(100, 10), { after: 10, shows: BAD }, ...frames(100, 10)];
    // 1000 ms would be reached by the frame that ends it: what was drawn stays until then.
    expect(run([...frames(100, 10), { after: 9, shows: BAD }, ...frames(100, 10)]).verdicts[0]).toBe('notViewable');
    expect(run(steps).verdicts[0]).toBe('viewable');
    expect(run([...frames(100, 10), { after: 9, shows: BAD }, ...frames(102, 10)]).verdicts[0]).toBe('viewable');
  });

  it('is met in the very frame in which the duration is full, at any frame rate', () => {
    for (const ms of [4, 6.875, 8, 16.625, 33.25, 100, 250]) {
      const needed = Math.ceil(1_000 / ms);
      const { became } = run(frames(needed + 1, ms));
      expect(became.findIndex((bits) => (bits & 1) !== 0)).toBe(needed);
    }
  });
});

describe('what ends continuous time', () => {
  it('F67 a gap of more than 250 ms: a stall of 5 s counts nothing and restarts', () => {
    const { clock } = run([...frames(61, 16), { after: 5_000, shows: GOOD }, ...frames(30, 16)]);
    expect([clock.totalMs(0), clock.longestMs(0), clock.verdictOf(0)]).toEqual([60 * 16 + 30 * 16, 960, 'notViewable']);
    const exact = run([...frames(2, 16), { after: 250, shows: GOOD }]).clock.totalMs(0);
    const over = run([...frames(2, 16), { after: 250.125, shows: GOOD }]).clock.totalMs(0);
    expect([exact, over]).toEqual([16 + 250, 16]);
  });

  it('F29 a hidden tab, at the time of the event: nothing when hidden at 900 ms', () => {
    const until = (hiddenAt: number) => {
      const clock = new ViewabilityClock([RULE]);
      let time = 0;
      for (; time <= hiddenAt; time += 16) clock.update(time, GOOD);
      clock.stop(hiddenAt);
      // An hour later the tab is shown again.
      for (time = 3_600_000; time < 3_600_900; time += 16) clock.update(time, GOOD);
      return clock;
    };
    expect(until(900).verdictOf(0)).toBe('notViewable');
    expect(until(900).longestMs(0)).toBe(900);
    expect(until(1_000).verdictOf(0)).toBe('viewable');
  });

  it('F39 eight hours of sleep, whether or not the monotonic clock went on', () => {
    const asleep = run([...frames(51, 16), { after: 8 * 3_600_000, shows: GOOD }, ...frames(10, 16)]).clock;
    expect(asleep.totalMs(0)).toBe(50 * 16 + 10 * 16);
    const stopped = run([...frames(51, 16), { after: 16, shows: GOOD }, ...frames(10, 16)]).clock;
    expect(stopped.totalMs(0)).toBe(61 * 16);
  });

  it('a frame stamped earlier than an event before it adds no time twice', () => {
    const clock = new ViewabilityClock([RULE]);
    for (let time = 0; time <= 480; time += 16) clock.update(time, GOOD);
    clock.stop(490);
    clock.update(488, GOOD);
    clock.update(504, GOOD);
    expect(clock.totalMs(0)).toBe(504);
  });
});

describe('a rule', () => {
  test.each<[string, Partial<SampleFigures>, string]>([
    ['focus', { isFocused: false }, 'focus'],
    ['pixels', { percentageInView: 49.99, percentageAtMost: 49.99 }, 'minPercentageInView'],
    ['size', { screenPercentage: 1.49 }, 'minScreenPercentage'],
    ['angle', { squeezeRatio: 0.5734 }, 'maxAngleDeg'],
  ])('tells what fails: %s', (_, fields, failing) => {
    const { clock } = run(frames(100, 16, sample(80, fields)));
    expect([clock.verdictOf(0), clock.failingRuleOf(0), clock.totalMs(0)]).toEqual(['notViewable', failing, 0]);
  });

  it('holds at exactly its limits', () => {
    const limits = sample(50, { screenPercentage: 1.5, areaPx: 20_000, squeezeRatio: 0.5735 });
    expect(run(frames(100, 16, limits), [{ ...RULE, minAreaPx: 20_000 }]).verdicts).toEqual(['viewable']);
  });

  it('fails by its duration until that is full, and by nothing afterwards', () => {
    expect(run(frames(50, 16)).clock.failingRuleOf(0)).toBe('minDurationMs');
    expect(run([...frames(100, 16), { after: 16, shows: BAD }]).clock.failingRuleOf(0)).toBeNull();
  });

  it('is undetermined when what could not be measured might have met it, and only then', () => {
    const unknown = sample(20, { percentageAtMost: 60 });
    expect(run(frames(70, 16, unknown)).verdicts[0]).toBe('undetermined');
    expect(run(frames(60, 16, unknown)).verdicts[0]).toBe('notViewable');
    expect(run(frames(70, 16, sample(20, { percentageAtMost: 49 }))).verdicts[0]).toBe('notViewable');
    // Half known, half unknown: together a second.
    expect(run([...frames(35, 16), ...frames(35, 16, unknown)]).verdicts[0]).toBe('undetermined');
    expect(run([...frames(35, 16), { after: 16, shows: BAD }, ...frames(35, 16, unknown)]).verdicts[0]).toBe('notViewable'); // prettier-ignore
  });
});
