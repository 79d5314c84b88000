import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { evenly } from '../../helpers/evenly.js';
import type { SessionFact, SummaryFact, TraceRun, ViewableFact } from '../../../src/report/AdEvent.js';
import { type AdMeasurement, Reason } from '../../../src/measure/AdMeasurement.js';
import { AdSession } from '../../../src/viewability/AdSession.js';
import { choosesTrace } from '../../../src/viewability/choosesTrace.js';
import { Interruption } from '../../../src/measure/Interruption.js';
import { replayTrace } from '../../../src/viewability/replayTrace.js';
import { DEFAULT_STANDARDS, VIEWABILITY_STANDARDS } from '../../../src/viewability/ViewabilityStandards.js';
import { measurementOf } from './support/measurementOf.js';

const FRAME_MS = 16;
const MAX_FACT_BYTES = 3_000;

const SEEN = measurementOf(100);
const HALF = measurementOf(50);
const LITTLE = measurementOf(10);
const NOTHING = measurementOf(0);

/** A session, its facts, and the time of its last frame. */
class Watched {
  readonly facts: SessionFact[] = [];
  geometryChanges = 0;
  /** Stands for code of the game, which hears or is asked of whatever is told but the end. */
  onHandler = (): void => undefined;
  time = 7_000;
  readonly session: AdSession;

  constructor(isTraced = false, standards = DEFAULT_STANDARDS) {
    this.session = new AdSession({
      standards,
      isTraced,
      maxFactBytes: () => MAX_FACT_BYTES,
      listener: {
        fact: (fact) => {
          this.facts.push(fact);
          if (fact.kind !== 'summary') this.onHandler();
        },
        geometryChange: () => {
          this.geometryChanges++;
          this.onHandler();
        },
      },
    });
  }

  /** Frames for so long, the first of them one frame from now. */
  show(measurement: AdMeasurement, ms: number, frameMs = FRAME_MS): this {
    const end = this.time + ms;
    while (this.time < end) this.session.update((this.time = Math.min(end, this.time + frameMs)), measurement);
    return this;
  }

  /** The same of a video that stands still. */
  showStill(measurement: AdMeasurement, ms: number): this {
    const end = this.time + ms;
    while (this.time < end) {
      this.session.update((this.time = Math.min(end, this.time + FRAME_MS)), measurement, Interruption.NOT_PLAYING);
    }
    return this;
  }

  interrupt(reason: Interruption, after = 0): this {
    this.session.interrupt((this.time += after), reason);
    return this;
  }

  finish(): SummaryFact {
    this.session.finish(this.time, 'destroyed');
    return this.facts.at(-1) as SummaryFact;
  }

  kinds(): string[] {
    return this.facts.map((fact) => (fact.kind === 'viewable' ? fact.standard : fact.kind));
  }
}

describe('a session tells', () => {
  it('the life of an ad in order, each step once', () => {
    const ad = new Watched();
    ad.session.loaded();
    ad.show(NOTHING, 200).show(SEEN, 3_000).show(HALF, 2_000).show(SEEN, 3_000);
    ad.session.interaction();
    ad.finish();
    expect(ad.kinds()).toEqual([
      'loaded', 'blocked', 'impression', 'visible', 'iig-display', 'mrc-display', 'full-view', 'blocked', 'visible', 'click', 'summary',
    ]); // prettier-ignore
  });

  it('nothing after its end, whatever still comes', () => {
    const ad = new Watched();
    ad.show(SEEN, 100).finish();
    const told = ad.facts.length;
    ad.show(SEEN, 2_000).interrupt(Interruption.BACKGROUNDED);
    ad.session.interaction();
    ad.session.checkpoint();
    ad.session.finish(ad.time, 'scene-ended');
    expect(ad.facts).toHaveLength(told);
  });

  it('R3: nothing after its end, and all that was met by then, whichever handler ends it in whichever frame', () => {
    const frame = fc.record({
      seen: fc.constantFrom(SEEN, SEEN, HALF, LITTLE, NOTHING),
      ms: fc.constantFrom(FRAME_MS, 240, 250, 260),
    });
    const own = fc
      .constantFrom(0, 250, 400)
      .map((minDurationMs) => ({ id: 'own', minPercentageInView: 50, minDurationMs }));
    const frames = fc.array(frame, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(frames, fc.nat({ max: 12 }), own, (all, handler, standard) => {
        const ad = new Watched(false, [standard, ...DEFAULT_STANDARDS]);
        let handled = 0;
        let handledByTheEnd = Infinity;
        ad.onHandler = () => {
          if (handled++ !== handler) return;
          ad.finish();
          handledByTheEnd = handled;
        };
        for (const { seen, ms } of all) ad.session.update((ad.time += ms), seen);
        ad.time += 250;
        ad.finish();
        expect(handled).toBeLessThanOrEqual(handledByTheEnd);
        const { verdicts, maxPercentageInView } = ad.facts.at(-1) as SummaryFact;
        const kinds = ad.kinds();
        expect(kinds.filter((kind) => kind === 'summary')).toHaveLength(1);
        expect(kinds.filter((kind) => kind === 'impression')).toHaveLength(maxPercentageInView > 0 ? 1 : 0);
        const met = Object.keys(verdicts).filter((id) => verdicts[id] === 'viewable');
        expect(kinds.filter((kind) => kind in verdicts).sort()).toEqual(met.sort());
      }),
      { numRuns: 500 },
    );
  });

  it('an impression with the first pixel in view, and none for less than one', () => {
    const ad = new Watched().show(measurementOf(0.0049, { visibleArea: 0.99 }), 500);
    expect(ad.kinds()).toEqual(['blocked']);
    ad.show(measurementOf(0.005, { visibleArea: 1 }), 500);
    expect(ad.kinds()).toEqual(['blocked', 'impression']);
  });

  it('an impression of an ad smaller than a pixel, when all of it is in view', () => {
    const tiny = measurementOf(100, { totalArea: 0.3, visibleArea: 0.3, onScreenArea: 0.3 });
    expect(new Watched().show(tiny, 100).kinds()).toEqual(['impression', 'visible']);
  });

  it('what was met between the last frame and the end', () => {
    const ad = new Watched().show(SEEN, 1_008);
    expect(ad.kinds()).not.toContain('mrc-display');
    ad.time += FRAME_MS;
    ad.finish();
    expect(ad.kinds().slice(-4)).toEqual(['iig-display', 'mrc-display', 'full-view', 'summary']);
    expect(ad.facts.at(-2)).toMatchObject({ durationMs: 1_008 });
  });

  it('what was met between the last frame and an interruption, when that begins', () => {
    const ad = new Watched().show(SEEN, 1_008).interrupt(Interruption.BACKGROUNDED, FRAME_MS);
    expect(ad.kinds().slice(-3)).toEqual(['iig-display', 'mrc-display', 'full-view']);
    expect(ad.facts.at(-1)).toMatchObject({ durationMs: 1_008 });
    expect(
      ad
        .show(SEEN, 2_000)
        .kinds()
        .filter((kind) => kind === 'iig-display'),
    ).toHaveLength(1);
  });

  it('before the first frame, that nothing is in view', () => {
    const statuses = new Watched().session.statuses();
    expect(statuses.map(({ failingRule }) => failingRule)).toEqual(Array(3).fill('minPercentageInView'));
  });

  it('nothing that was measured before anything was', () => {
    const ad = new Watched();
    ad.session.checkpoint();
    ad.session.interrupt(ad.time, Interruption.BACKGROUNDED);
    expect(ad.facts).toEqual([]);
    const late = new Watched().interrupt(Interruption.BACKGROUNDED);
    late.time += 60_000;
    expect(late.show(SEEN, 160).finish()).toMatchObject({ measurableMs: 144, reasonsMs: {}, timeline: [[0, 100]] });
  });

  it('that a standard once met misses nothing, whatever is seen afterwards', () => {
    const ad = new Watched().show(SEEN, 1_100).show(HALF, 100).show(LITTLE, 100);
    expect(ad.session.statuses().map(({ missingMs, failingRule }) => [missingMs, failingRule])).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
    const again = new Watched().show(SEEN, 600).interrupt(Interruption.BACKGROUNDED).show(SEEN, 160);
    expect(again.session.statuses()[0]).toEqual({
      standard: DEFAULT_STANDARDS[0],
      verdict: 'notViewable',
      continuousMs: 144,
      timeInViewMs: 584 + 144,
      missingMs: 1_000 - 144,
      failingRule: 'minDurationMs',
    });
  });

  it('geometry only when it changes', () => {
    const ad = new Watched().show(SEEN, 1_000);
    expect(ad.geometryChanges).toBe(1);
    ad.show(HALF, 1_000).show(SEEN, 1_000);
    expect(ad.geometryChanges).toBe(3);
    // Covered all the time, it grows, and is then covered by something else.
    const larger = measurementOf(0, { totalArea: 30_000 });
    ad.show(NOTHING, 100)
      .show(larger, 100)
      .show({ ...larger, reasons: [Reason.HIDDEN] }, 100);
    expect(ad.geometryChanges).toBe(6);
  });

  it.each<[figure: string, fields: Partial<AdMeasurement>]>([
    ['pixelsInView', { pixelsInView: 9_999 }],
    ['totalPixels', { totalPixels: 19_999 }],
    ['percentageInView', { percentageInView: 49.9 }],
    ['reasons', { reasons: [Reason.CLIPPED] }],
  ])('geometry when nothing but %s changes', (_figure, fields) => {
    const ad = new Watched().show(HALF, 100);
    const { geometryChanges } = ad;
    ad.show({ ...HALF, ...fields }, 100);
    expect(ad.geometryChanges).toBe(geometryChanges + 1);
  });

  it('with each fact what was seen in its frame', () => {
    const ad = new Watched().show(LITTLE, 100).show(SEEN, 2_000).show(HALF, 100);
    const figuresOf = (percentageInView: number, reasons: readonly Reason[] = []) => ({
      percentageInView,
      visibleArea: 200 * percentageInView,
      totalArea: 20_000,
      screenCoveragePercentage: percentageInView / 25,
      reasons,
      blockerCount: 0,
    });
    const told = (kind: string) => ad.facts.find((fact) => fact.kind === kind);
    expect(told('impression')).toMatchObject(figuresOf(10, [Reason.OBSTRUCTED]));
    expect(told('visible')).toMatchObject(figuresOf(100));
    expect(told('viewable')).toMatchObject(figuresOf(100));
    expect(told('blocked')).toMatchObject(figuresOf(10, [Reason.OBSTRUCTED]));
    expect(ad.facts.filter(({ kind }) => kind === 'blocked').at(-1)).toMatchObject(figuresOf(50, [Reason.OBSTRUCTED]));
  });

  it('by which rule an ad became viewable, in figures, and what was seen then', () => {
    const ad = new Watched().show(measurementOf(60), 1_100);
    const viewable = ad.facts.find((fact): fact is ViewableFact => fact.kind === 'viewable');
    expect(viewable).toMatchObject({
      standard: 'iig-display',
      rule: { minPercentageInView: 50, minDurationMs: 1_000, minScreenPercentage: 1.5, minSqueezeRatio: 0.5735, requiresFocus: true }, // prettier-ignore
      percentageInView: 60,
      reasons: ['obstructed'],
    });
    expect(viewable?.durationMs).toBeGreaterThanOrEqual(1_000);
    expect(viewable?.durationMs).toBeLessThan(1_000 + FRAME_MS);
    const rules = new Watched()
      .show(SEEN, 1_100)
      .facts.flatMap((fact) => (fact.kind === 'viewable' ? [fact.rule] : []));
    expect(rules.map((rule) => Object.keys(rule).filter((name) => name !== 'minDurationMs'))).toStrictEqual([
      ['minPercentageInView', 'minScreenPercentage', 'minSqueezeRatio', 'requiresFocus'],
      ['minPercentageInView', 'requiresFocus'],
      ['minPercentageInView'],
    ]);
  });

  it('E1: how many presses were refused as clicks, by reason, in each summary from then on', () => {
    const ad = new Watched().show(SEEN, 160);
    ad.session.refuseInteraction('obstructed');
    ad.session.checkpoint();
    expect(ad.facts.at(-1)).toMatchObject({ kind: 'summary', refusedClicks: { obstructed: 1 } });
    ad.session.refuseInteraction('notOnCanvas');
    ad.session.refuseInteraction('obstructed');
    expect(ad.finish().refusedClicks).toEqual({ obstructed: 2, notOnCanvas: 1 });
    expect(ad.kinds()).not.toContain('click');
    expect(new Watched().show(SEEN, 160).finish()).not.toHaveProperty('refusedClicks');
  });

  it('in its summary how long what held: in view, measurable, each reason', () => {
    const ad = new Watched();
    ad.show(SEEN, 480).show(LITTLE, 320).interrupt(Interruption.BACKGROUNDED, 10);
    ad.time += 60_000;
    const unknown = measurementOf(0, { reasons: [Reason.UNMEASURABLE] });
    ad.show(SEEN, 480).show(unknown, 160);
    ad.time += 1_000;
    ad.show(SEEN, 160);
    const summary = ad.finish();
    expect(summary.verdicts).toEqual({ 'iig-display': 'notViewable', 'mrc-display': 'notViewable', 'full-view': 'notViewable' }); // prettier-ignore
    expect(summary.maxPercentageInView).toBe(100);
    // By the standard that leads, not by the one that asks for all of the ad.
    expect(new Watched().show(HALF, 160).show(LITTLE, 160).finish()).toMatchObject({ timeInViewMs: 160, longestInViewMs: 160 }); // prettier-ignore
    // Each frame holds until the next; what was drawn last before the tab was hidden, until then.
    expect(summary.timeInViewMs).toBe(464 + 16 + 464 + 16 + 144);
    expect(summary.reasonsMs).toEqual({
      obstructed: 304 + 10,
      backgrounded: 60_016,
      unmeasurable: 144,
      stall: 1_016,
    });
    expect(summary.measurableMs).toBe(480 + 304 + 10 + 60_016 + 480 + 144);
    expect(summary.unmeasurableMs).toBe(144 + 1_016);
    const total = ad.time - 7_016;
    expect(summary.measurableMs + summary.unmeasurableMs).toBe(total);
  });

  it('in its summary no reason that held for no time, and each that held, however shortly', () => {
    const ad = new Watched().show(NOTHING, FRAME_MS);
    expect(ad.session.reasonsMs()).toEqual({});
    expect(ad.show(NOTHING, 0.125).finish().reasonsMs).toEqual({ obstructed: 0.125 });
  });
});

describe('the attention an ad may have had', () => {
  it('is the time in which any of it was in view, its mean share of the screen, and how often it came', () => {
    const large = { ...HALF, screenCoveragePercentage: 8 };
    const small = { ...LITTLE, screenCoveragePercentage: 2 };
    const { attention } = new Watched()
      .show(large, FRAME_MS)
      .show(large, 1_000)
      .show(small, 500)
      .show(NOTHING, 3_000)
      .show(small, 1_500)
      .interrupt(Interruption.BACKGROUNDED, FRAME_MS)
      .finish();
    expect(attention!.looks).toBe(2);
    expect(attention!.dwellMs).toBeGreaterThan(2_950);
    expect(attention!.dwellMs).toBeLessThan(3_050);
    // A third of the time at 8 %, two thirds at 2 %.
    expect(attention!.meanScreenPercentage).toBeCloseTo(4, 1);
    expect(new Watched().show(large, 1_000).finish().attention!.meanScreenPercentage).toBe(8);
    // A hundredth of an ad in view is in view.
    expect(new Watched().show(measurementOf(0.01), 160).finish().attention).toMatchObject({ dwellMs: 144, looks: 1 });
  });

  it('is one look of no length for what was in view in the very last frame', () => {
    const { attention } = new Watched().show(NOTHING, 100).show(SEEN, FRAME_MS).finish();
    expect(attention).toEqual({ dwellMs: 0, meanScreenPercentage: 0, looks: 1 });
  });

  it('is not there of an ad that never was in view, and does not grow while it is hidden or unknown', () => {
    expect(new Watched().show(NOTHING, 1_000).finish()).not.toHaveProperty('attention');
    const unknown = measurementOf(50, { reasons: [Reason.UNMEASURABLE] });
    expect(new Watched().show(unknown, 1_000).finish()).not.toHaveProperty('attention');
    const watched = new Watched().show(HALF, FRAME_MS).show(HALF, 500).interrupt(Interruption.BACKGROUNDED, FRAME_MS);
    const { dwellMs } = watched.session.attentionFigures()!;
    watched.time += 60_000;
    expect(watched.finish().attention!.dwellMs).toBe(dwellMs);
  });
});

describe('faults of time and sight', () => {
  it('F29 a tab hidden at 900 ms counts 900 ms and nothing after, and its summary is written then', () => {
    const ad = new Watched();
    ad.session.update(0, SEEN);
    for (let time = 16; time <= 896; time += 16) ad.session.update(time, SEEN);
    ad.session.interrupt(900, Interruption.BACKGROUNDED);
    ad.session.checkpoint();
    const atHide = ad.facts.at(-1) as SummaryFact;
    expect(atHide).toMatchObject({ kind: 'summary', isFinal: false, timeInViewMs: 900 });
    for (let time = 600_000; time <= 600_900; time += 16) ad.session.update(time, SEEN);
    ad.time = 600_900;
    const last = ad.finish();
    expect(last).toMatchObject({ isFinal: true, finishReason: 'destroyed', longestInViewMs: 900 });
    expect(last.verdicts['iig-display']).toBe('notViewable');
    expect(last.reasonsMs).toEqual({ backgrounded: 599_100 });
  });

  it('F30 a page restored from the back/forward cache goes on: no second impression, no second viewable', () => {
    const ad = new Watched().show(SEEN, 2_000).interrupt(Interruption.BACKGROUNDED);
    ad.time += 3_600_000;
    ad.show(SEEN, 2_000);
    expect(ad.kinds()).toEqual(['impression', 'visible', 'iig-display', 'mrc-display', 'full-view']);
  });

  it.each([
    ['F56 a lost graphics context', Interruption.CONTEXT_LOST],
    ['a paused game', Interruption.GAME_PAUSED],
  ])('%s ends the continuous second, and it begins anew', (_, reason) => {
    const ad = new Watched().show(SEEN, 900).interrupt(reason);
    ad.time += 100;
    expect(ad.show(SEEN, 900).finish().verdicts['iig-display']).toBe('notViewable');
    const other = new Watched().show(SEEN, 900).interrupt(reason);
    other.time += 100;
    expect(other.show(SEEN, 1_100).finish().verdicts['iig-display']).toBe('viewable');
  });

  it.each([
    [Interruption.BACKGROUNDED, 2_000, 0],
    [Interruption.CONTEXT_LOST, 2_000, 0],
    [Interruption.GAME_PAUSED, 0, 2_000],
    [Interruption.UNMEASURABLE, 0, 2_000],
  ])('%s: %i ms are known to show nothing, of %i ms nobody knows', (reason, measurableMs, unmeasurableMs) => {
    const ad = new Watched().show(SEEN, 500).interrupt(reason);
    ad.time += 2_000;
    expect(ad.finish()).toMatchObject({ measurableMs: 484 + measurableMs, unmeasurableMs, timeInViewMs: 484 });
  });

  it('F57 a context never restored: the time is known to show nothing, and the session ends as ever', () => {
    const ad = new Watched().show(SEEN, 500).interrupt(Interruption.CONTEXT_LOST);
    ad.time += 30_000;
    expect(ad.finish()).toMatchObject({ unmeasurableMs: 0, reasonsMs: { contextLost: 30_000 }, timeInViewMs: 484 });
  });

  it('F67 a stall of five seconds is no view; it is told as a stall', () => {
    const ad = new Watched().show(SEEN, 900);
    ad.time += 5_000;
    const summary = ad.show(SEEN, 900).finish();
    expect(summary.verdicts['iig-display']).toBe('notViewable');
    expect(summary.reasonsMs).toEqual({ stall: 5_016 });
  });

  it.each([
    [250, 0],
    [250.125, 250.125],
  ])('%f ms without a frame: %f ms are not measured, whether or not a video plays', (ms, unmeasurableMs) => {
    for (const standstill of [null, Interruption.NOT_PLAYING]) {
      const ad = new Watched();
      for (const time of [0, (ad.time = ms)]) ad.session.update(time, SEEN, standstill);
      expect(ad.finish()).toMatchObject({ measurableMs: ms - unmeasurableMs, unmeasurableMs });
    }
  });

  it('a clock of frames that begins anew ends the continuous second, and time goes on from there', () => {
    const anew = (ms: number): SummaryFact => {
      const ad = new Watched().show(SEEN, 608);
      ad.time = 40;
      return ad.show(SEEN, ms).finish();
    };
    expect(anew(608)).toMatchObject({ longestInViewMs: 592, verdicts: { 'mrc-display': 'notViewable' } });
    expect(anew(1_056)).toMatchObject({ longestInViewMs: 1_040, verdicts: { 'mrc-display': 'viewable' } });
  });

  it('a standard without a duration is met by one frame', () => {
    const glance = { id: 'glance', minPercentageInView: 50, minDurationMs: 0 };
    const ad = new Watched(false, [glance]).show(LITTLE, 100);
    expect(ad.kinds()).not.toContain('glance');
    ad.show(HALF, FRAME_MS);
    expect(ad.kinds()).toContain('glance');
  });

  it('F68 a resize that keeps the share in view does not restart the second', () => {
    const ad = new Watched().show(measurementOf(80), 600);
    ad.show(measurementOf(80, { totalArea: 45_000, onScreenArea: 45_000 }), 600);
    expect(ad.finish().verdicts['iig-display']).toBe('viewable');
  });

  it('times are those of the frames to an eighth of a millisecond, and the same however they were cut into frames', () => {
    const ms = (max: number): fc.Arbitrary<number> => evenly(0.01, max);
    fc.assert(
      fc.property(ms(1e7), fc.array(ms(100), { minLength: 2, maxLength: 40 }), (start, lengths) => {
        let end = start;
        const times = [start, ...lengths.map((length) => (end += length))];
        const [fine, coarse] = [new Watched(), new Watched()];
        for (const time of times) fine.session.update(time, HALF);
        times.forEach((time, i) => (i % 2 === 0 || time === end ? coarse.session.update(time, HALF) : undefined));
        const [one, other] = [fine, coarse].map((ad) => {
          ad.time = end;
          return ad.finish();
        });
        expect({ ...other, attention: null }).toEqual({ ...one, attention: null });
        expect(other!.attention!.dwellMs).toBe(one!.attention!.dwellMs);
        for (const passed of [one!.timeInViewMs, one!.measurableMs, one!.attention!.dwellMs]) {
          expect(Math.abs(passed - (end - start))).toBeLessThanOrEqual(0.125);
          expect(passed * 8).toBe(Math.round(passed * 8));
        }
      }),
    );
  });

  it('a window without focus is no view for standards that ask for it', () => {
    const summary = new Watched().show(measurementOf(100, { reasons: [Reason.NO_WINDOW_FOCUS] }), 2_000).finish();
    expect(summary.verdicts).toEqual({ 'iig-display': 'notViewable', 'mrc-display': 'notViewable', 'full-view': 'viewable' }); // prettier-ignore
  });

  it('an ad too small or squeezed too far says so', () => {
    const small = measurementOf(100, { totalScreenPercentage: 1.4 });
    const turned = measurementOf(100, { squeezeRatio: Math.cos((56 * Math.PI) / 180) });
    for (const [shown, reason] of [[small, 'tooSmall'], [turned, 'angle']] as const) {
      const { verdicts, reasonsMs, timeInViewMs, longestInViewMs } = new Watched().show(shown, 2_000).finish();
      expect(verdicts['iig-display']).toBe('notViewable');
      expect(verdicts['mrc-display']).toBe('viewable');
      expect(reasonsMs).toEqual({ [reason]: 1_984 });
      // By the standard that leads, not by the one that was met.
      expect([timeInViewMs, longestInViewMs]).toEqual([0, 0]);
    } // prettier-ignore
    const limit = measurementOf(100, { squeezeRatio: Math.cos((55 * Math.PI) / 180), totalScreenPercentage: 1.5 });
    expect(new Watched().show(limit, 2_000).finish().verdicts['iig-display']).toBe('viewable');
  });

  it('a large ad counts from 30 % on by the rule for large ads, and by no other', () => {
    const { MRC_LARGE_DISPLAY, MRC_DISPLAY } = VIEWABILITY_STANDARDS;
    const verdicts = (totalPixels: number) =>
      new Watched(false, [MRC_LARGE_DISPLAY, MRC_DISPLAY]).show(measurementOf(31, { totalPixels }), 2_000).finish()
        .verdicts;
    expect(verdicts(242_500)).toEqual({ 'mrc-large-display': 'viewable', 'mrc-display': 'notViewable' });
    expect(verdicts(242_499)).toEqual({ 'mrc-large-display': 'notViewable', 'mrc-display': 'notViewable' });
    const whole = new Watched(false, [MRC_LARGE_DISPLAY]).show(measurementOf(100, { totalPixels: 242_499 }), 2_000);
    expect(whole.finish().reasonsMs).toEqual({ tooSmall: 1_984 });
  });

  it('an ad of which no frame was measured, as after an internal fault, is undetermined', () => {
    const ad = new Watched();
    ad.session.loaded();
    const { verdicts, timeline } = ad.interrupt(Interruption.UNMEASURABLE).finish();
    expect(Object.values(verdicts)).toEqual(['undetermined', 'undetermined', 'undetermined']);
    expect(timeline).toEqual([]);
  });

  it('a frame stamped earlier than an event before it adds no time twice, and a time that is none adds nothing', () => {
    const ad = new Watched().show(SEEN, 480);
    const { session, time } = ad;
    session.interrupt(time + 10, Interruption.BACKGROUNDED);
    for (const at of [time + 8, NaN, Infinity, -Infinity, time + 24]) session.update(at, SEEN);
    ad.time += 24;
    expect(ad.finish().timeInViewMs).toBe(480 - FRAME_MS + 24);
  });

  it('what cannot be measured is undetermined when it might have counted, not when it could not', () => {
    const reasons = [Reason.UNMEASURABLE];
    const verdictOf = (fields: Partial<AdMeasurement>) =>
      new Watched().show(measurementOf(0, fields), 2_000).finish().verdicts['iig-display'];
    expect(verdictOf({ reasons })).toBe('undetermined');
    expect(verdictOf({ reasons: [...reasons, Reason.BACKGROUNDED] })).toBe('notViewable');
    expect(verdictOf({ reasons: [...reasons, Reason.CLIPPED], onScreenArea: 9_000 })).toBe('notViewable');
    const broken = new Watched().show(LITTLE, 100).interrupt(Interruption.UNMEASURABLE);
    expect(broken.finish().verdicts['iig-display']).toBe('undetermined');
  });
});

describe('evidence', () => {
  const shares = fc.constantFrom(100, 99, 80, 50, 49.99, 30, 10, 0);
  const fields = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    fc.constantFrom<Partial<AdMeasurement>[]>(
      { totalScreenPercentage: 1 },
      { totalPixels: 250_000 },
      { squeezeRatio: 0.5 },
      { reasons: [Reason.NO_WINDOW_FOCUS] },
      { reasons: [Reason.UNMEASURABLE] },
    ),
  );
  const stretch = fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('show' as const), share: shares, fields, ms: fc.integer({ min: 1, max: 1_500 }), frameMs: fc.constantFrom(4, 7, 16.7, 33.3) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('flicker' as const), shares: fc.array(shares, { minLength: 2, maxLength: 5 }), count: fc.integer({ min: 10, max: 120 }), ms: fc.constantFrom(8, 33, 200) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const), ms: fc.integer({ min: 1, max: 5_000 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('stall' as const), ms: fc.integer({ min: 300, max: 5_000 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('still' as const), ms: fc.integer({ min: 1, max: 500 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('failure' as const), ms: fc.constantFrom(0, 16, 300) }) },
  ); // prettier-ignore

  type Stretch = typeof stretch extends fc.Arbitrary<infer T> ? T : never;
  const play = (ad: Watched, stretches: readonly Stretch[]): Watched => {
    for (const step of stretches) {
      if (step.kind === 'show') ad.show(measurementOf(step.share, step.fields), step.ms, step.frameMs);
      else if (step.kind === 'flicker')
        for (let i = 0; i < step.count; i++)
          ad.show(measurementOf(step.shares[i % step.shares.length]!), step.ms, step.ms);
      else if (step.kind === 'still') ad.showStill(SEEN, step.ms);
      else if (step.kind === 'stop') ad.interrupt(Interruption.BACKGROUNDED, 3);
      else if (step.kind === 'failure') ad.interrupt(Interruption.UNMEASURABLE, step.ms);
      if (step.kind === 'stop' || step.kind === 'stall') ad.time += step.ms;
    }
    return ad;
  };

  it('all time since the first frame is either measurable or not, and only measurable time is in view', () => {
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 12 }), (stretches) => {
        const ad = new Watched().show(NOTHING, FRAME_MS);
        const since = ad.time;
        const { measurableMs, unmeasurableMs, timeInViewMs, longestInViewMs, reasonsMs, attention } = play(ad, stretches).finish(); // prettier-ignore
        expect(measurableMs + unmeasurableMs).toBe(Math.floor(8 * ad.time) / 8 - since);
        const ordered = [0, longestInViewMs, timeInViewMs, attention?.dwellMs ?? 0, measurableMs];
        expect(ordered).toEqual([...ordered].sort((a, b) => a - b));
        for (const ms of Object.values(reasonsMs)) expect(ms).toBeLessThanOrEqual(measurableMs + unmeasurableMs);
        expect(reasonsMs['stall'] ?? 0).toBeLessThanOrEqual(unmeasurableMs);
      }),
    );
  });

  it('a trace is there where it was chosen, and says what ended each continuous time', () => {
    const after = (ms: number, isTraced: boolean) => {
      const ad = new Watched(isTraced).show(SEEN, 1_100).interrupt(Interruption.BACKGROUNDED, ms).show(SEEN, 100);
      ad.finish();
      return ad.facts.flatMap((fact) => ('trace' in fact ? [fact.trace.runs.map((run) => run[8])] : []));
    };
    expect(after(250, false)).toEqual([]);
    expect(after(250, true).at(-1)).toEqual(['backgrounded', 'destroyed']);
    expect(after(251, true).at(-1)).toEqual(['stall', 'destroyed']);
    const { trace } = new Watched(true).show(SEEN, 100).showStill(SEEN, 100).show(SEEN, 100).finish();
    expect(trace!.runs.map((run) => run[8])).toEqual(['notPlaying', 'destroyed']);
  });

  it('a trace reaches the verdicts of the session again, however long it was', () => {
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 40 }), (stretches) => {
        const ad = play(new Watched(true, [...DEFAULT_STANDARDS, VIEWABILITY_STANDARDS.MRC_LARGE_DISPLAY]), stretches);
        const body = JSON.stringify(ad.finish());
        expect(body.length).toBeLessThanOrEqual(MAX_FACT_BYTES);
        // As a receiver reads it.
        const summary = JSON.parse(body) as SummaryFact;
        const { trace } = summary;
        if (trace === undefined) {
          expect(stretches.every(({ kind }) => kind !== 'show' && kind !== 'flicker')).toBe(true);
          return;
        }
        const replayed = replayTrace(trace, Object.values(trace.rules!));
        Object.keys(trace.rules!).forEach((standard, i) => {
          if (!trace.isCut) expect([standard, replayed[i]!.verdict]).toEqual([standard, summary.verdicts[standard]]);
          else if (replayed[i]!.verdict === 'viewable') expect(summary.verdicts[standard]).toBe('viewable');
        });
        if (!trace.isCut) expect(replayed[0]!.longestMs).toBe(summary.longestInViewMs);
        for (const fact of ad.facts) {
          if (fact.kind !== 'viewable') continue;
          expect(JSON.stringify(fact).length).toBeLessThanOrEqual(MAX_FACT_BYTES);
          if (!fact.trace!.isCut) expect(replayTrace(fact.trace!, [fact.rule])[0]!.verdict).toBe('viewable');
        }
      }),
      { numRuns: process.env.DEEP ? 2_000 : 60 },
    );
  });

  it.each([
    ['in a frame', 0, (ad: Watched) => ad.show(LITTLE, 100)],
    ['after frames were missing', 5_000, (ad: Watched) => ad.show(LITTLE, 100)],
    ['while the tab was hidden', 16, (ad: Watched) => ad.show(LITTLE, 100).interrupt(Interruption.BACKGROUNDED)],
    ['before a video played', 16, (ad: Watched) => ad.showStill(SEEN, 100)],
  ])('says that measuring failed %s: what was not met by then might have been', (_, after, before) => {
    const ad = before(new Watched(true));
    const { verdicts, trace } = ad.interrupt(Interruption.UNMEASURABLE, after).show(LITTLE, 100).finish();
    expect(verdicts['iig-display']).toBe('undetermined');
    if (after > 1_000) expect(trace!.runs.map((run) => run[8])).toContain(Interruption.STALL);
    expect(replayTrace(trace!, Object.values(trace!.rules!)).map(({ verdict }) => verdict)).toEqual(
      Object.values(verdicts),
    );
  });

  it('what may have counted is shown, however much was seen of the ad afterwards', () => {
    const ad = new Watched(true).show(measurementOf(0, { reasons: [Reason.UNMEASURABLE] }), 1_500);
    for (let i = 0; i < 200; i++) ad.show(i % 2 === 0 ? LITTLE : NOTHING, 8, 8);
    const { verdicts, trace } = ad.finish();
    expect(verdicts['iig-display']).toBe('undetermined');
    expect(replayTrace(trace!, Object.values(trace!.rules!))[0]!.verdict).toBe('undetermined');
  });

  it('what one standard counted is shown, however often another changed its mind meanwhile', () => {
    const ad = new Watched(true);
    for (let i = 0; i < 200; i++) ad.show(i % 2 === 0 ? SEEN : measurementOf(99), 8, 8);
    const viewable = ad.facts.find((fact): fact is ViewableFact => fact.kind === 'viewable')!;
    expect(JSON.stringify(viewable).length).toBeLessThanOrEqual(MAX_FACT_BYTES);
    expect(replayTrace(viewable.trace!, [viewable.rule])[0]!.verdict).toBe('viewable');
  });

  it.each([
    ['a stall', (ad: Watched) => void (ad.time += 5_000)],
    ['a hidden tab', (ad: Watched) => ad.interrupt(Interruption.BACKGROUNDED, 3)],
    ['a clock that begins anew', (ad: Watched) => void (ad.time = 0)],
  ])('does not join what %s has parted, though the same was seen before and after', (_, part) => {
    const ad = new Watched(true).show(SEEN, 608);
    part(ad);
    const { trace, longestInViewMs } = ad.show(SEEN, 608).finish();
    const [replayed] = replayTrace(trace!, Object.values(trace!.rules!));
    expect(replayed).toMatchObject({ verdict: 'notViewable', longestMs: longestInViewMs });
    expect(trace!.runs.map(([, , , , , , , , end]) => end)).toEqual([expect.any(String), 'destroyed']);
    expect(longestInViewMs).toBeLessThan(620);
  });

  it('gives way to the size an event may have: the timeline gets fewer points, and keeps both ends', () => {
    const summaryWithin = (maxBytes: number): SummaryFact => {
      const facts: SessionFact[] = [];
      const session = new AdSession({
        standards: DEFAULT_STANDARDS,
        isTraced: false,
        maxFactBytes: () => maxBytes,
        listener: { fact: (fact) => facts.push(fact), geometryChange: () => undefined },
      });
      for (let i = 0; i < 50; i++) session.update(200 * i, i % 2 === 0 ? SEEN : LITTLE);
      session.finish(10_000, 'destroyed');
      return facts.at(-1) as SummaryFact;
    };
    const summary = summaryWithin(700);
    expect(JSON.stringify(summary).length).toBeLessThanOrEqual(700);
    expect(summary.timeline.length).toBeGreaterThan(2);
    expect([summary.timeline[0]![0], summary.timeline.at(-1)![0]]).toEqual([0, 9_800]);
    // Where nothing fits, the ends are all that is left, and all else that was measured.
    const timeline = [summary.timeline[0], summary.timeline.at(-1)];
    expect(summaryWithin(1)).toEqual({ ...summaryWithin(100_000), timeline });
  });

  it('is chosen for one placement in a hundred by its id alone', () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => `placement-${i}`);
    const chosen = ids.filter((id) => choosesTrace(id, 0.01));
    expect(chosen.length).toBeGreaterThan(150);
    expect(chosen.length).toBeLessThan(250);
    expect(chosen.every((id) => choosesTrace(id, 0.01))).toBe(true);
    expect(ids.some((id) => choosesTrace(id, 0))).toBe(false);
    expect(ids.every((id) => choosesTrace(id, 1))).toBe(true);
  });

  it('is chosen so that a receiver who knows the share can tell whose trace is missing', () => {
    const shareOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
    fc.assert(
      fc.property(fc.uuid(), evenly(0, 1), (id, ratio) => {
        expect(choosesTrace(id, ratio)).toBe(shareOf(id) < ratio);
        // Just above the share of this very id, and not at it.
        expect([choosesTrace(id, shareOf(id)), choosesTrace(id, shareOf(id) + 2 ** -32)]).toEqual([false, true]);
      }),
    );
  });

  it('counts no time that the runs of a trace leave out, whether or not they say what ended', () => {
    const rules = [{ minPercentageInView: 50, minDurationMs: 1_000 }];
    const run = (start: number, ms: number, ...end: [string?]) =>
      [start, ms, 100, 100, 5, 20_000, 1, 1, ...end] as TraceRun;
    const replayed = (...runs: TraceRun[]) => replayTrace({ maxGapMs: 250, runs, isCut: false }, rules)[0];
    expect(replayed(run(0, 500), run(500, 500))).toEqual({ verdict: 'viewable', totalMs: 1_000, longestMs: 1_000 });
    expect(replayed(run(0, 500), run(900, 500))).toEqual({ verdict: 'notViewable', totalMs: 1_000, longestMs: 500 });
    expect(replayed(run(0, 500, 'stall'), run(500, 500))).toMatchObject({ verdict: 'notViewable' });
  });

  it('the timeline falls to nothing while nothing is drawn, and stays where nothing is known', () => {
    const broken = (reason: Interruption): number => {
      const ad = new Watched().show(SEEN, 500).interrupt(reason);
      return ad.finish().timeline.at(-1)![1];
    };
    expect(broken(Interruption.BACKGROUNDED)).toBe(0);
    expect(broken(Interruption.UNMEASURABLE)).toBe(100);
  });

  it('the timeline has a point for each change, as often as ten times a second, and none without', () => {
    const ad = new Watched().show(SEEN, 2_000, 100).show(LITTLE, 100, 100).show(SEEN, 100, 100).show(LITTLE, 50, 50);
    expect(ad.finish().timeline).toEqual([
      [0, 100],
      [1_900 + 100, 10],
      [2_100, 100],
      [2_150, 10],
    ]);
  });

  it('the timeline covers a second and a day in at most 64 points, and ends with the end', () => {
    for (const ms of [1_000, 60_000, 3_600_000]) {
      const ad = new Watched();
      for (let i = 0; i < 500; i++) ad.show(measurementOf(i % 2 === 0 ? 30 : 70), ms / 500, 200);
      const { timeline } = ad.show(measurementOf(20), 300).finish();
      expect(timeline.length).toBeLessThanOrEqual(64);
      expect(timeline.length).toBeGreaterThan(8);
      expect(timeline.at(-1)![1]).toBe(20);
      const times = timeline.map(([time]) => time);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      // As fine at its beginning as at its end.
      const spacings = times.slice(1, -1).map((time, i) => time - times[i]!);
      expect(Math.max(...spacings)).toBeLessThanOrEqual(4 * Math.min(...spacings));
    }
  });
});

describe('a video', () => {
  const { IIG_VIDEO } = VIEWABILITY_STANDARDS;

  it('is in view only while it plays, and seen all the same', () => {
    const ad = new Watched(true, [IIG_VIDEO]);
    ad.showStill(SEEN, 5_000);
    expect(ad.kinds()).toEqual(['impression', 'visible']);
    ad.show(SEEN, 1_984).showStill(SEEN, 1_000).show(SEEN, 1_984).showStill(HALF, 1_000);
    const { verdicts, timeInViewMs, measurableMs, unmeasurableMs, reasonsMs, timeline, trace } = ad.finish();
    expect(ad.kinds().filter((kind) => kind !== 'blocked')).toEqual(['impression', 'visible', 'summary']);
    // Two times two seconds but for the frame that ended each.
    expect([verdicts, timeInViewMs]).toEqual([{ 'iig-video': 'notViewable' }, 2 * 1_984]);
    expect([measurableMs, unmeasurableMs, reasonsMs]).toEqual([10_968 - 16, 0, expect.anything()]);
    expect(reasonsMs['notPlaying']).toBe(measurableMs - timeInViewMs);
    expect(timeline[0]).toEqual([0, 100]);
    expect(replayTrace(trace!, [trace!.rules!['iig-video']!])).toEqual([{ verdict: 'notViewable', totalMs: timeInViewMs, longestMs: 1_984 }]); // prettier-ignore
  });

  it('is viewable after two seconds of playing without a break', () => {
    const ad = new Watched(false, [IIG_VIDEO]);
    ad.showStill(SEEN, 500).show(SEEN, 2_016);
    expect(ad.kinds()).toEqual(['impression', 'visible', 'iig-video']);
  });

  it('that stands while the device stalls was not measured meanwhile', () => {
    const ad = new Watched(false, [IIG_VIDEO]);
    ad.showStill(SEEN, 160);
    ad.time += 5_000;
    ad.showStill(SEEN, 160);
    const { measurableMs, unmeasurableMs, reasonsMs } = ad.finish();
    expect([measurableMs, unmeasurableMs]).toEqual([2 * (160 - 16), 5_016]);
    expect(reasonsMs).toEqual({ stall: 5_016, notPlaying: 288 });
  });

  it('tells how far it has played, with what was in view', () => {
    const ad = new Watched(false, [IIG_VIDEO]);
    ad.session.video('start', 4_000);
    ad.show(HALF, 32);
    ad.session.video('start', 4_000);
    ad.finish();
    ad.session.video('complete', 4_000);
    expect(ad.facts.filter(({ kind }) => kind === 'start' || kind === 'complete')).toEqual([
      expect.objectContaining({ kind: 'start', videoDurationMs: 4_000, percentageInView: 50, reasons: ['obstructed'] }),
    ]);
  });
});
