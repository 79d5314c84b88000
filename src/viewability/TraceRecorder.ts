import type { EvidenceTrace, TraceRun } from '../report/AdEvent.js';
import { writeJson } from '../writeJson.js';
import { ALL_RULES, MAX_GAP_MS } from './ViewabilityClock.js';
import type { SampleFigures } from './ViewabilitySample.js';

const MAX_RUNS = 128;
/** Numbers per run: start, duration, and the six figures. */
const STRIDE = 8;

interface Run {
  readonly figures: TraceRun;
  /** How each rule judges it. */
  readonly mask: number;
}

/**
 * Keeps the samples a clock was fed with, as runs of equal samples in bounded memory. When the runs are used up, neighbours
 * that every rule judges alike become one run with the lower figures of both, which changes no verdict. Only when that does
 * not make room, the beginning is dropped, and the trace says so.
 */
export class TraceRecorder {
  readonly #runs = new Float64Array(MAX_RUNS * STRIDE);
  readonly #masks = new Int32Array(MAX_RUNS);
  readonly #ends = new Array<string | undefined>(MAX_RUNS);
  #count = 0;
  #isCut = false;
  #hasFailed = false;
  #isOpen = false;

  /**
   * The next frame.
   * @param heldMs how long the frame before it held; 0 when there was a gap
   * @param mask how each rule judges the frame; see `ViewabilityClock.mask`
   */
  add(time: number, heldMs: number, sample: SampleFigures, mask: number): void {
    this.#hold(heldMs);
    if (this.#isOpen && this.#isSame(sample)) return;
    if (this.#count === MAX_RUNS) this.#makeRoom();
    const at = this.#count * STRIDE;
    const runs = this.#runs;
    runs[at] = time;
    runs[at + 1] = 0;
    runs[at + 2] = sample.percentageInView;
    runs[at + 3] = sample.percentageAtMost;
    runs[at + 4] = sample.screenPercentage;
    runs[at + 5] = sample.areaPx;
    runs[at + 6] = sample.squeezeRatio;
    runs[at + 7] = sample.isFocused ? 1 : 0;
    this.#masks[this.#count] = mask;
    this.#ends[this.#count++] = undefined;
    this.#isOpen = true;
  }

  /** Continuous time has ended. */
  end(heldMs: number, reason: string): void {
    if (!this.#isOpen) return;
    this.#hold(heldMs);
    this.#ends[this.#count - 1] = reason;
    this.#isOpen = false;
  }

  /** From now on nothing is known; see `ViewabilityClock.giveUp`. */
  giveUp(): void {
    this.#hasFailed = true;
  }

  /**
   * As much of the trace as fits. The newest runs are kept longest: a verdict depends on what came right before it.
   * @param rules the rules whose verdicts the trace must still prove, as bits of a mask
   */
  toTrace(maxBytes: number, rules: number): EvidenceTrace | undefined {
    let runs = this.#list();
    let isCut = this.#isCut;
    while (runs.length > 0) {
      const trace = this.#traceOf(runs, isCut);
      if (writeJson(trace).length <= maxBytes) return trace;
      const merged = mergePairs(runs, rules);
      if (merged.length < runs.length) runs = merged;
      else {
        runs = runs.slice(Math.max(1, runs.length >> 3));
        isCut = true;
      }
    }
    return undefined;
  }

  #traceOf(runs: readonly Run[], isCut: boolean): EvidenceTrace {
    const trace = { maxGapMs: MAX_GAP_MS, runs: runs.map(({ figures }) => figures), isCut };
    return this.#hasFailed ? { ...trace, hasFailed: true } : trace;
  }

  #hold(ms: number): void {
    // A run that has ended grows no more, whatever the caller says.
    if (this.#isOpen) this.#runs[(this.#count - 1) * STRIDE + 1]! += ms;
  }

  #isSame(sample: SampleFigures): boolean {
    const at = (this.#count - 1) * STRIDE;
    const runs = this.#runs;
    return (
      runs[at + 2] === sample.percentageInView &&
      runs[at + 3] === sample.percentageAtMost &&
      runs[at + 4] === sample.screenPercentage &&
      runs[at + 5] === sample.areaPx &&
      runs[at + 6] === sample.squeezeRatio &&
      runs[at + 7] === (sample.isFocused ? 1 : 0)
    );
  }

  #makeRoom(): void {
    let runs = mergePairs(this.#list(), ALL_RULES);
    if (runs.length === MAX_RUNS) {
      runs = runs.slice(MAX_RUNS >> 2);
      this.#isCut = true;
    }
    runs.forEach(({ figures, mask }, i) => {
      this.#runs.set(figures.slice(0, STRIDE) as number[], i * STRIDE);
      this.#masks[i] = mask;
      this.#ends[i] = figures[8];
    });
    this.#count = runs.length;
  }

  #list(): Run[] {
    return Array.from({ length: this.#count }, (_, i) => ({ figures: this.#run(i), mask: this.#masks[i]! }));
  }

  #run(i: number): TraceRun {
    const at = i * STRIDE;
    const [start, duration, inView, atMost, screen, area, squeeze, focus] = this.#runs.subarray(at);
    const figures = [start!, duration!, inView!, atMost!, screen!, area!, squeeze!, focus === 1 ? 1 : 0] as const;
    const end = this.#ends[i];
    return end === undefined ? figures : [...figures, end];
  }
}

/** Makes one run of two neighbours that the rules judge alike; of pairs only, so that the figures stay as fine as may be. */
function mergePairs(runs: readonly Run[], rules: number): Run[] {
  const merged: Run[] = [];
  for (let i = 0; i < runs.length; i++) {
    const { figures: a, mask } = runs[i]!;
    const next = runs[i + 1];
    if (next === undefined || ((next.mask ^ mask) & rules) !== 0 || a.length > 8) {
      merged.push(runs[i]!);
      continue;
    }
    const b = next.figures;
    const lower = (k: 2 | 3 | 4 | 5 | 6): number => Math.min(a[k], b[k]);
    const figures = [a[0], a[1] + b[1], lower(2), lower(3), lower(4), lower(5), lower(6), a[7] === 1 && b[7] === 1 ? 1 : 0] as const; // prettier-ignore
    merged.push({ figures: b[8] === undefined ? figures : [...figures, b[8]], mask });
    i++;
  }
  return merged;
}
