import type { EvidenceTrace, RuleFigures, Verdict } from '../report/AdEvent.js';
import { ViewabilityClock } from './ViewabilityClock.js';

/** What a trace says about one rule. */
export interface ReplayedVerdict {
  readonly verdict: Verdict;
  readonly totalMs: number;
  readonly longestMs: number;
}

/** Judges a stored trace again, by the same clock. */
export function replayTrace(trace: EvidenceTrace, rules: readonly RuleFigures[]): ReplayedVerdict[] {
  // Each gap has ended a run already: the clock need not look for gaps.
  const clock = new ViewabilityClock(rules, Infinity);
  let end = 0;
  for (const run of trace.runs) {
    const [start, durationMs, percentageInView, percentageAtMost, screenPercentage, areaPx, squeezeRatio, focus] = run;
    const sample = {
      percentageInView,
      percentageAtMost,
      screenPercentage,
      areaPx,
      squeezeRatio,
      isFocused: focus === 1,
    };
    // A run that does not begin where the one before ended came after a gap.
    if (start !== end) clock.stop(end);
    end = start + durationMs;
    clock.update(start, sample);
    if (run[8] !== undefined) clock.stop(end);
  }
  clock.stop(end);
  if (trace.hasFailed === true) clock.giveUp();
  return rules.map((_, i) => ({
    verdict: clock.verdictOf(i),
    totalMs: clock.totalMs(i),
    longestMs: clock.longestMs(i),
  }));
}
