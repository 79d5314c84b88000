import type { RuleFigures, Verdict } from '../report/AdEvent.js';
import { type FailingRule, failingRuleOf, type SampleFigures } from './ViewabilitySample.js';

/** A longer time between two frames is no continuous view: it is unknown what the player saw meanwhile. */
export const MAX_GAP_MS = 250;

/** Of {@link ViewabilityClock.mask}: both bits of rule i, and those of all rules. */
export const ruleBits = (i: number): number => 0x101 << i;
export const ALL_RULES = -1;

/**
 * Continuous time in view, by several rules side by side. What a frame showed holds until the next frame, so that it does
 * not matter into how many frames a time was cut; a frame that fails a rule, a gap of more than {@link MAX_GAP_MS} and a
 * {@link stop} end its continuous time, and the next good frame begins a new one. Time in gaps and after a stop counts
 * nowhere.
 *
 * Times are those of the frames, in milliseconds, and never begin anew; never those of a wall clock, and no smoothed deltas.
 * The clock knows only the frames it is given, and allocates nothing while it runs.
 */
export class ViewabilityClock {
  /** Set by the last call: time that belongs to the frame before it. */
  heldMs = 0;
  /** Set by the last call: time since the frame before it, if that was a gap and belongs to no frame. */
  gapMs = 0;
  /** Bit i: the last frame meets rule i. Bit 8 + i: it would meet it if everything unknown were in view. */
  mask = 0;

  #now = 0;
  #isRunning = false;
  /** Begin of the present continuous time; NaN when there is none. */
  readonly #since: Float64Array;
  /** All ended continuous times together, and the longest of them. */
  readonly #ended: Float64Array;
  readonly #longest: Float64Array;
  readonly #maybeSince: Float64Array;
  /** Bit i: rule i was met for its duration; in `maybeMet`: it might have been. */
  #met = 0;
  #maybeMet = 0;
  readonly #failing: (Exclude<FailingRule, 'minDurationMs'> | null)[];

  /** @param rules At most eight. */
  constructor(
    private readonly rules: readonly RuleFigures[],
    private readonly maxGapMs = MAX_GAP_MS,
  ) {
    this.#since = new Float64Array(rules.length).fill(NaN);
    this.#ended = new Float64Array(rules.length);
    this.#longest = new Float64Array(rules.length);
    this.#maybeSince = new Float64Array(rules.length).fill(NaN);
    this.#failing = rules.map(() => 'minPercentageInView');
  }

  /**
   * The next frame.
   * @returns Bit i is set when rule i was met just now, for the first time.
   */
  update(time: number, sample: SampleFigures): number {
    const became = this.#advance(time);
    const { rules } = this;
    const since = this.#since;
    const maybeSince = this.#maybeSince;
    const failing = this.#failing;
    const now = this.#now;
    let mask = 0;
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i]!;
      const fails = failingRuleOf(rule, sample, sample.percentageInView);
      failing[i] = fails;
      if (fails === null) {
        mask |= ruleBits(i);
        if (since[i] !== since[i]) since[i] = now;
        if (maybeSince[i] !== maybeSince[i]) maybeSince[i] = now;
        continue;
      }
      if (since[i] === since[i]) this.#end(i);
      if (failingRuleOf(rule, sample, sample.percentageAtMost) === null) {
        mask |= 256 << i;
        if (maybeSince[i] !== maybeSince[i]) maybeSince[i] = now;
      } else {
        maybeSince[i] = NaN;
      }
    }
    this.mask = mask;
    this.#isRunning = true;
    // A rule without a duration is met by the frame itself.
    return became | this.#judge();
  }

  /**
   * Ends all continuous time at `time`; the last frame held until then.
   * @returns as {@link update}
   */
  stop(time: number): number {
    const became = this.#advance(time);
    this.#breakOff();
    return became;
  }

  /** From now on nothing is known: what has not been met might have been. */
  giveUp(): void {
    this.#maybeMet = ALL_RULES;
  }

  verdictOf(i: number): Verdict {
    if ((this.#met & (1 << i)) !== 0) return 'viewable';
    return (this.#maybeMet & (1 << i)) !== 0 ? 'undetermined' : 'notViewable';
  }

  /** Length of the present continuous time. */
  continuousMs(i: number): number {
    const since = this.#since[i]!;
    return since === since ? this.#now - since : 0;
  }

  /** All time in view by rule i, continuous or not. */
  totalMs(i: number): number {
    return this.#ended[i]! + this.continuousMs(i);
  }

  longestMs(i: number): number {
    return Math.max(this.#longest[i]!, this.continuousMs(i));
  }

  /** Why rule i is not met yet; null once it was. */
  failingRuleOf(i: number): FailingRule | null {
    if ((this.#met & (1 << i)) !== 0) return null;
    return this.#failing[i] ?? 'minDurationMs';
  }

  /** The condition of rule i that the last frame did not meet, whatever came before it; null when it met all. */
  presentFailureOf(i: number): FailingRule | null {
    return this.#failing[i] ?? null;
  }

  /** Moves on to `time`. A frame may have a slightly earlier time than the event before it: that adds no time. */
  #advance(time: number): number {
    this.heldMs = this.gapMs = 0;
    const passed = time - this.#now;
    if (!(passed > 0)) return 0;
    const isHeld = this.#isRunning && passed <= this.maxGapMs;
    if (this.#isRunning && !isHeld) {
      this.#breakOff();
      this.gapMs = passed;
    }
    this.#now = time;
    if (!isHeld) return 0;
    this.heldMs = passed;
    return this.#judge();
  }

  #judge(): number {
    const { rules } = this;
    const since = this.#since;
    const maybeSince = this.#maybeSince;
    const now = this.#now;
    let became = 0;
    for (let i = 0; i < rules.length; i++) {
      const { minDurationMs } = rules[i]!;
      if (now - since[i]! >= minDurationMs) became |= 1 << i;
      if (now - maybeSince[i]! >= minDurationMs) this.#maybeMet |= 1 << i;
    }
    became &= ~this.#met;
    this.#met |= became;
    return became;
  }

  #breakOff(): void {
    for (let i = 0; i < this.rules.length; i++) {
      if (this.#since[i] === this.#since[i]) this.#end(i);
      this.#maybeSince[i] = NaN;
    }
    this.#isRunning = false;
  }

  #end(i: number): void {
    const lasted = this.#now - this.#since[i]!;
    this.#ended[i]! += lasted;
    if (lasted > this.#longest[i]!) this.#longest[i] = lasted;
    this.#since[i] = NaN;
  }
}
