import type { EvidenceTrace, TraceRun } from '../report/AdEvent.js';
import { writeJson } from '../writeJson.js';
import { MAX_GAP_MS } from './ViewabilityClock.js';
import type { SampleFigures } from './ViewabilitySample.js';

const MAX_RUNS = 128;
/** Numbers per run: start, duration, and the six figures. */
const STRIDE = 8;

/**
 * Keeps the samples a clock was fed with, as runs of equal samples in bounded memory. When the runs are used up, neighbours
 * that every rule judges alike become one run with the lower figures of both, which changes no verdict. Only when that does
 * not make room, the beginning is dropped, and the trace says so.
 */
export class TraceRecorder {
  private readonly runs = new Float64Array(MAX_RUNS * STRIDE);
  private readonly masks = new Int32Array(MAX_RUNS);
  private readonly ends: (string | null)[] = new Array<string | null>(MAX_RUNS).fill(null);
  private count = 0;
  private isCut = false;
  private hasFailed = false;
  private isOpen = false;

  /**
   * The next frame.
   * @param heldMs how long the frame before it held; 0 when there was a gap
   * @param mask how each rule judges the frame; see `ViewabilityClock.mask`
   */
  add(time: number, heldMs: number, sample: SampleFigures, mask: number): void {
    this.hold(heldMs);
    if (this.isOpen && this.isSame(sample, mask)) return;
    if (this.count === MAX_RUNS) this.makeRoom();
    const at = this.count * STRIDE;
    const { runs } = this;
    runs[at] = time;
    runs[at + 1] = 0;
    runs[at + 2] = sample.percentageInView;
    runs[at + 3] = sample.percentageAtMost;
    runs[at + 4] = sample.screenPercentage;
    runs[at + 5] = sample.areaPx;
    runs[at + 6] = sample.squeezeRatio;
    runs[at + 7] = sample.isFocused ? 1 : 0;
    this.masks[this.count] = mask;
    this.ends[this.count++] = null;
    this.isOpen = true;
  }

  /** Continuous time has ended. */
  end(heldMs: number, reason: string): void {
    if (!this.isOpen) return;
    this.hold(heldMs);
    this.ends[this.count - 1] = reason;
    this.isOpen = false;
  }

  /** From now on nothing is known; see `ViewabilityClock.giveUp`. */
  giveUp(): void {
    this.hasFailed = true;
  }

  /**
   * As much of the trace as fits. The newest runs are kept longest: a verdict depends on what came right before it.
   * @param rules the rules whose verdicts the trace must still prove, as bits of a mask
   */
  toTrace(maxBytes: number, rules: number): EvidenceTrace | undefined {
    let runs: { figures: TraceRun; mask: number }[] = [];
    for (let i = 0; i < this.count; i++) runs.push({ figures: this.run(i), mask: this.masks[i]! });
    let { isCut } = this;
    let trace = this.traceOf(runs, isCut);
    while (writeJson(trace).length > maxBytes) {
      const merged = mergePairs(runs, rules);
      if (merged.length < runs.length) runs = merged;
      else {
        runs = runs.slice(Math.max(1, runs.length >> 3));
        isCut = true;
      }
      if (runs.length === 0) return undefined;
      trace = this.traceOf(runs, isCut);
    }
    return runs.length === 0 ? undefined : trace;
  }

  private traceOf(runs: readonly { figures: TraceRun }[], isCut: boolean): EvidenceTrace {
    const trace = { maxGapMs: MAX_GAP_MS, runs: runs.map(({ figures }) => figures), isCut };
    return this.hasFailed ? { ...trace, hasFailed: true } : trace;
  }

  private hold(ms: number): void {
    if (this.isOpen) this.runs[(this.count - 1) * STRIDE + 1]! += ms;
  }

  private isSame(sample: SampleFigures, mask: number): boolean {
    const at = (this.count - 1) * STRIDE;
    const { runs } = this;
    return (
      this.masks[this.count - 1] === mask &&
      runs[at + 2] === sample.percentageInView &&
      runs[at + 3] === sample.percentageAtMost &&
      runs[at + 4] === sample.screenPercentage &&
      runs[at + 5] === sample.areaPx &&
      runs[at + 6] === sample.squeezeRatio &&
      runs[at + 7] === (sample.isFocused ? 1 : 0)
    );
  }

  private makeRoom(): void {
    let kept = 0;
    for (let i = 0; i < this.count; i++) {
      const canMerge = kept > 0 && this.masks[kept - 1] === this.masks[i] && this.ends[kept - 1] === null;
      // Merge pairs only: the figures stay as fine as the room allows.
      if (canMerge && i % 2 === 1) {
        const to = (kept - 1) * STRIDE;
        const from = i * STRIDE;
        this.runs[to + 1]! += this.runs[from + 1]!;
        for (let k = 2; k < STRIDE; k++) this.runs[to + k] = Math.min(this.runs[to + k]!, this.runs[from + k]!);
        this.ends[kept - 1] = this.ends[i]!;
        continue;
      }
      this.runs.copyWithin(kept * STRIDE, i * STRIDE, (i + 1) * STRIDE);
      this.masks[kept] = this.masks[i]!;
      this.ends[kept++] = this.ends[i]!;
    }
    this.count = kept;
    if (kept < MAX_RUNS) return;
    const dropped = MAX_RUNS >> 2;
    this.runs.copyWithin(0, dropped * STRIDE);
    this.masks.copyWithin(0, dropped);
    this.ends.splice(0, dropped);
    this.ends.length = MAX_RUNS;
    this.count -= dropped;
    this.isCut = true;
  }

  private run(i: number): TraceRun {
    const at = i * STRIDE;
    const [start, duration, inView, atMost, screen, area, squeeze, focus] = this.runs.subarray(at, at + STRIDE);
    const figures = [start!, duration!, inView!, atMost!, screen!, area!, squeeze!, focus === 1 ? 1 : 0] as const;
    const end = this.ends[i];
    return end === null || end === undefined ? figures : [...figures, end];
  }
}

function mergePairs(
  runs: readonly { figures: TraceRun; mask: number }[],
  rules: number,
): { figures: TraceRun; mask: number }[] {
  const merged: { figures: TraceRun; mask: number }[] = [];
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
