import type { AdEnd, RuleFigures, SessionFact, SummaryFact, Verdict, VideoMilestone } from '../report/AdEvent.js';
import { writeJson } from '../writeJson.js';
import type { AdMeasurement } from '../measure/AdMeasurement.js';
import type { ClickRefusal } from '../measure/ClickRefusal.js';
import { Attention, type AttentionFigures } from './Attention.js';
import { Interruption, UNKNOWN_VIEW } from '../measure/Interruption.js';
import { ReasonBooks } from './ReasonBooks.js';
import { seenFigures } from '../measure/seenFigures.js';
import { TraceRecorder } from './TraceRecorder.js';
import { ALL_RULES, MAX_GAP_MS, ruleBits, ViewabilityClock } from './ViewabilityClock.js';
import { type FailingRule, ViewabilitySample } from './ViewabilitySample.js';
import { minSqueezeRatioOf, type ViewabilityStandard } from './ViewabilityStandards.js';
import { ViewTimeline } from './ViewTimeline.js';
import { NEGLIGIBLE_AREA } from '../measure/ViewMeasurement.js';

export interface AdSessionListener<TMeasurement extends AdMeasurement = AdMeasurement> {
  /** A fact to be reported. Facts about what was seen come with the measurement they are taken from, a live object. */
  fact(fact: SessionFact, measurement: TMeasurement | null): void;
  /** Figures or reasons differ from those of the frame before (OMID `geometryChange`). */
  geometryChange(measurement: TMeasurement): void;
}

export interface AdSessionParts<TMeasurement extends AdMeasurement = AdMeasurement> {
  readonly standards: readonly ViewabilityStandard[];
  /** Whether reports carry a trace. */
  readonly isTraced: boolean;
  /** No fact may be larger than this as JSON. */
  readonly maxFactBytes: () => number;
  readonly listener: AdSessionListener<TMeasurement>;
}

/** How one standard stands right now. */
export interface StandardStatus {
  readonly standard: ViewabilityStandard;
  /** By what was seen so far. */
  readonly verdict: Verdict;
  /** Length of the present continuous time, in milliseconds. */
  readonly continuousMs: number;
  /** All time in which the conditions held, the duration aside, in milliseconds. */
  readonly timeInViewMs: number;
  /** Continuous time still to come; 0 once viewable. */
  readonly missingMs: number;
  /** The condition that keeps it from being viewable; null once it is. */
  readonly failingRule: FailingRule | null;
}

/**
 * What the player gets to see of one served ad in one placement, from its load to its end, in the words of the Open
 * Measurement SDK: `loaded`, `impression` (the first frame with a pixel of it), geometry changes, `viewable` once per
 * standard, interaction, and at the end a summary, after which nothing follows.
 *
 * Times are those of the frames. They are rounded down to eighths of a millisecond, which doubles hold exactly: sums do
 * not depend on how a time was cut into frames, and a stored trace gives the same figures again. A frame without change
 * costs a few comparisons and allocates nothing.
 */
export class AdSession<TMeasurement extends AdMeasurement = AdMeasurement> {
  readonly #sample = new ViewabilitySample();
  readonly #clock: ViewabilityClock;
  readonly #books = new ReasonBooks();
  readonly #attention = new Attention();
  readonly #timeline = new ViewTimeline();
  readonly #recorder: TraceRecorder | null;
  readonly #rules: readonly RuleFigures[];

  #isOver = false;
  #hasImpression = false;
  /** Bit i: standard i was met, which is not told yet. */
  #due = 0;
  /** Of the last measured frame; null before the first. */
  #wasFullyVisible: boolean | null = null;
  #last: TMeasurement | null = null;
  #interruption: Interruption | null = null;
  #interruptedAt = 0;

  /** Present time on the session's own time line, which begins with the first measured frame and never runs back. */
  #now = 0;
  /** Added to a frame's time to get {@link #now}; NaN before the first frame. */
  #shift = NaN;
  /** The last frame left no doubt about what was in view. */
  #wasKnown = true;
  #measurableMs = 0;
  #unmeasurableMs = 0;
  #maxPercentageInView = 0;

  #refusedClicks: Partial<Record<ClickRefusal, number>> | null = null;

  /** Figures of the last geometry change. */
  #seenPercentage = -1;
  #seenPixels = -1;
  #seenTotal = -1;
  #seenReasons: readonly string[] | null = null;

  constructor(private readonly parts: AdSessionParts<TMeasurement>) {
    this.#rules = parts.standards.map(ruleOf);
    this.#clock = new ViewabilityClock(this.#rules);
    this.#recorder = parts.isTraced ? new TraceRecorder() : null;
  }

  /** The last measured frame; a live object. Null before the first, and after the end. */
  get measurement(): TMeasurement | null {
    return this.#last;
  }

  /** Why nothing is being measured; null while frames come. */
  get interruptedBy(): Interruption | null {
    return this.#interruption;
  }

  loaded(): void {
    this.#tell({ kind: 'loaded' });
  }

  noFill(): void {
    this.#tell({ kind: 'noFill' });
  }

  error(errorCode: string): void {
    this.#tell({ kind: 'error', errorCode });
  }

  /** The player clicked or tapped the ad (OMID `adUserInteraction`). */
  interaction(): void {
    this.#tell({ kind: 'click' });
  }

  /** A press and release on the ad that are no click: the summary says how many there were, and why. */
  refuseInteraction(reason: ClickRefusal): void {
    this.#refusedClicks = { ...this.#refusedClicks, [reason]: (this.#refusedClicks?.[reason] ?? 0) + 1 };
  }

  /** A video creative has reached a milestone. Reports nothing before the first frame. */
  video(milestone: VideoMilestone, videoDurationMs: number): void {
    if (this.#last === null) return;
    this.parts.listener.fact({ kind: milestone, videoDurationMs, ...seenFigures(this.#last) }, this.#last);
  }

  /**
   * The next drawn frame.
   * @param time of the frame, in milliseconds, on a monotonic clock
   * @param measurement may be a live object that is renewed in place
   * @param standstill why this frame is no time in view, whatever it shows: for a video that does not play
   */
  update(time: number, measurement: TMeasurement, standstill: Interruption | null = null): void {
    if (this.#isOver) return;
    this.#moveTo(time);
    const clock = this.#clock;
    const sample = this.#sample;
    const now = this.#now;
    this.#last = measurement;
    sample.take(measurement);
    this.#due |= standstill === null ? clock.update(now, sample) : clock.stop(now);
    this.#book();
    this.#wasKnown = sample.isKnown;
    this.#interruption = standstill;
    this.#books.set(measurement.reasons, standstill ?? reasonOf(clock.presentFailureOf(0)));
    if (this.#recorder !== null) {
      if (clock.gapMs > 0) this.#recorder.end(0, Interruption.STALL);
      if (standstill === null) this.#recorder.add(now, clock.heldMs, sample, clock.mask);
      else this.#recorder.end(clock.heldMs, standstill);
    }
    const { percentageInView } = sample;
    this.#attention.set(sample.isKnown && percentageInView > 0, measurement.screenCoveragePercentage);
    this.#timeline.add(now, percentageInView);
    if (percentageInView > this.#maxPercentageInView) this.#maxPercentageInView = percentageInView;
    this.#tellChanges(measurement);
  }

  /** Frames stop, or the player does not see them: continuous time ends at `time`. The next {@link update} resumes. */
  interrupt(time: number, reason: Interruption): void {
    if (this.#last === null) return;
    this.#moveTo(time);
    this.#due |= this.#clock.stop(this.#now);
    this.#book();
    this.#recorder?.end(this.#clock.heldMs, this.#clock.gapMs > 0 ? Interruption.STALL : reason);
    if (reason === Interruption.UNMEASURABLE) {
      this.#clock.giveUp();
      this.#recorder?.giveUp();
    }
    this.#interruption = reason;
    this.#books.set(SINGLE[reason]);
    this.#attention.set(false, 0);
    this.#wasKnown = !UNKNOWN_VIEW.has(reason);
    if (this.#wasKnown) this.#timeline.add(this.#now, 0);
    this.#tellViewable();
  }

  /** Reports what was measured until now, in case this is the last chance. Reports nothing before the first frame. */
  checkpoint(): void {
    if (this.#last === null) return;
    this.#tell(this.#summary({ isFinal: false }));
  }

  /** The end of the ad: the last thing it tells is its summary. */
  finish(time: number, finishReason: AdEnd): void {
    if (this.#isOver) return;
    if (this.#last !== null) {
      this.#moveTo(time);
      this.#due |= this.#clock.stop(this.#now);
      this.#book();
      this.#recorder?.end(this.#clock.heldMs, finishReason);
      this.#tellViewable();
      // Code of the game that runs as it is told may have ended the ad.
      if (this.#isOver) return;
    } else this.#clock.giveUp();
    this.#isOver = true;
    this.#last = null;
    this.parts.listener.fact(this.#summary({ isFinal: true, finishReason }), null);
  }

  statuses(): StandardStatus[] {
    return this.parts.standards.map((standard, i) => {
      const verdict = this.#clock.verdictOf(i);
      const continuousMs = this.#clock.continuousMs(i);
      return {
        standard,
        verdict,
        continuousMs,
        timeInViewMs: this.#clock.totalMs(i),
        missingMs: verdict === 'viewable' ? 0 : standard.minDurationMs - continuousMs,
        failingRule: this.#clock.failingRuleOf(i),
      };
    });
  }

  /** For how long each reason held so far. */
  reasonsMs(): Record<string, number> {
    return this.#books.totals();
  }

  /** How long, how large and how often the ad was in view so far; null as long as it was not. */
  attentionFigures(): AttentionFigures | null {
    return this.#attention.figures();
  }

  #tell(fact: SessionFact): void {
    if (!this.#isOver) this.parts.listener.fact(fact, null);
  }

  /** Moves {@link #now} on to the time of a frame or event. */
  #moveTo(time: number): void {
    if (!Number.isFinite(time)) return;
    const rounded = Math.floor(time * 8) / 8;
    if (this.#shift !== this.#shift) this.#shift = -rounded;
    const passed = rounded + this.#shift - this.#now;
    if (passed >= 0) this.#now += passed;
    // A frame may have an earlier time than an event before it; a time far behind comes from a clock that was restarted.
    else if (passed < -MAX_GAP_MS) {
      this.#shift -= passed;
      this.#recorder?.end(0, Interruption.STALL);
      this.#clock.stop(this.#now);
    }
  }

  /** Books the time that the clock has just passed: for the reasons and figures that held during it. */
  #book(): void {
    let { heldMs, gapMs } = this.#clock;
    if (this.#interruption !== null) heldMs = this.#now - this.#interruptedAt;
    // While a video does not play, frames are still measured, so a long time without a frame is a gap.
    if (this.#interruption === Interruption.NOT_PLAYING && heldMs > MAX_GAP_MS) [heldMs, gapMs] = [0, heldMs];
    this.#interruptedAt = this.#now;
    this.#books.spend(heldMs);
    this.#attention.spend(heldMs);
    if (this.#wasKnown) this.#measurableMs += heldMs;
    else this.#unmeasurableMs += heldMs;
    this.#books.add(Interruption.STALL, gapMs);
    this.#unmeasurableMs += gapMs;
  }

  #tellChanges(measurement: TMeasurement): void {
    // Impression and viewable come first, since a handler of a later event may end the session. So may the game as it is
    // asked about each of them: what is due by then is told before the summary.
    if (!this.#hasImpression && (measurement.isFullyVisible || measurement.visibleArea >= NEGLIGIBLE_AREA)) {
      this.#hasImpression = true;
      this.parts.listener.fact({ kind: 'impression', ...seenFigures(measurement) }, measurement);
    }
    this.#tellViewable();
    if (this.#isOver) return;
    const { percentageInView } = this.#sample;
    const { pixelsInView, totalPixels, reasons } = measurement;
    if (
      percentageInView !== this.#seenPercentage ||
      pixelsInView !== this.#seenPixels ||
      totalPixels !== this.#seenTotal ||
      reasons !== this.#seenReasons
    ) {
      this.#seenPercentage = percentageInView;
      this.#seenPixels = pixelsInView;
      this.#seenTotal = totalPixels;
      this.#seenReasons = reasons;
      this.parts.listener.geometryChange(measurement);
    }
    if (this.#isOver) return;
    const { isFullyVisible } = measurement;
    if (isFullyVisible === this.#wasFullyVisible) return;
    this.#wasFullyVisible = isFullyVisible;
    const kind = isFullyVisible ? 'visible' : 'blocked';
    this.parts.listener.fact({ kind, ...seenFigures(measurement) }, measurement);
  }

  #tellViewable(): void {
    const measurement = this.#last;
    if (this.#due === 0 || measurement === null) return;
    const { standards, maxFactBytes, listener } = this.parts;
    for (let i = 0; i < standards.length; i++) {
      if ((this.#due & (1 << i)) === 0) continue;
      this.#due ^= 1 << i;
      const fact = {
        kind: 'viewable',
        standard: standards[i]!.id,
        rule: this.#rules[i]!,
        durationMs: this.#clock.longestMs(i),
        ...seenFigures(measurement),
      } as const;
      const trace = this.#recorder?.toTrace(maxFactBytes() - jsonLength(fact) - TRACE_FIELD, ruleBits(i));
      listener.fact(trace === undefined ? fact : { ...fact, trace }, measurement);
    }
  }

  #summary(end: Pick<SummaryFact, 'isFinal' | 'finishReason'>): SummaryFact {
    const clock = this.#clock;
    const { parts } = this;
    const named = <T>(figure: (i: number) => T): Record<string, T> => {
      const record: Record<string, T> = {};
      parts.standards.forEach(({ id }, i) => (record[id] = figure(i)));
      return record;
    };
    const attention = this.#attention.figures();
    let fact: SummaryFact = {
      kind: 'summary',
      ...end,
      verdicts: named((i) => clock.verdictOf(i)),
      timeInViewMs: clock.totalMs(0),
      longestInViewMs: clock.longestMs(0),
      maxPercentageInView: this.#maxPercentageInView,
      measurableMs: this.#measurableMs,
      unmeasurableMs: this.#unmeasurableMs,
      reasonsMs: this.#books.totals(),
      ...(attention === null ? {} : { attention }),
      ...(this.#refusedClicks === null ? {} : { refusedClicks: this.#refusedClicks }),
      timeline: this.#timeline.points(),
    };
    const maxBytes = parts.maxFactBytes();
    while (jsonLength(fact) > maxBytes && fact.timeline.length > 2) {
      const { timeline } = fact;
      fact = { ...fact, timeline: timeline.filter((_, i) => i % 2 === 0 || i === timeline.length - 1) };
    }
    if (this.#recorder === null) return fact;
    const rules = named((i) => this.#rules[i]!);
    const trace = this.#recorder.toTrace(maxBytes - jsonLength(fact) - jsonLength(rules) - TRACE_FIELD, ALL_RULES);
    return trace === undefined ? fact : { ...fact, trace: { ...trace, rules } };
  }
}

/** Bytes of the field names around a trace as JSON. */
const TRACE_FIELD = 40;

const SINGLE = {} as Record<Interruption, readonly string[]>;
for (const reason of Object.values(Interruption)) SINGLE[reason] = Object.freeze([reason]);

/** The reason for a failing condition of the leading standard, where it is not among the reasons of the frame itself. */
function reasonOf(failing: FailingRule | null): string | null {
  if (failing === 'minScreenPercentage' || failing === 'minAreaPx') return 'tooSmall';
  return failing === 'maxAngleDeg' ? 'angle' : null;
}

/** The conditions of a standard, as samples are compared with and reports tell them. */
function ruleOf(standard: ViewabilityStandard): RuleFigures {
  const { minPercentageInView, minDurationMs, minScreenPercentage, minAreaPx, requiresFocus } = standard;
  const minSqueezeRatio = minSqueezeRatioOf(standard);
  return Object.freeze({
    minPercentageInView,
    minDurationMs,
    ...(minScreenPercentage === undefined ? {} : { minScreenPercentage }),
    ...(minAreaPx === undefined ? {} : { minAreaPx }),
    ...(minSqueezeRatio > 0 ? { minSqueezeRatio } : {}),
    ...(requiresFocus === undefined ? {} : { requiresFocus }),
  });
}

function jsonLength(value: unknown): number {
  return new TextEncoder().encode(writeJson(value)).length;
}
