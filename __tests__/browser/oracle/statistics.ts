import type { SceneReport } from './sceneReport.js';

/** The accuracy of one candidate over many scenes, against the pictures. Errors in percentage points of the ad. */
export interface Statistics {
  candidate: string;
  scenes: number;
  /** Scenes the candidate itself called unmeasurable; they count in nothing else. */
  unmeasurable: number;
  mean: number;
  p95: number;
  p99: number;
  max: number;
  /** Largest error of a total area, percent. */
  totalError: number;
  falseFull: number;
  falseBlocked: number;
  /** Of the objects named as blockers, the share that block; of those that block, the share that were named. */
  precision: number;
  recall: number;
  named: number;
  blocking: number;
  millisecondsMedian: number;
}

export function statisticsOf(reports: readonly SceneReport[], candidate: string): Statistics {
  const all = reports.flatMap(({ findings }) => findings.filter((finding) => finding.candidate === candidate));
  const measured = all.filter(({ unmeasurable }) => !unmeasurable);
  const errors = measured.flatMap(({ views }) => views.map(({ error }) => error)).sort((a, b) => a - b);
  const count = (list: (finding: (typeof all)[number]) => readonly string[]): number =>
    measured.reduce((sum, finding) => sum + list(finding).length, 0);
  const hits = count(({ hits: right }) => right);
  const wrong = count(({ wrong: names }) => names);
  const missed = count(({ missed: names }) => names);
  const times = all.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  return {
    candidate,
    scenes: all.length,
    unmeasurable: all.length - measured.length,
    mean: errors.length > 0 ? errors.reduce((sum, error) => sum + error, 0) / errors.length : 0,
    p95: quantile(errors, 0.95),
    p99: quantile(errors, 0.99),
    max: errors[errors.length - 1] ?? 0,
    totalError: measured.reduce((most, { totalError }) => Math.max(most, totalError), 0),
    falseFull: measured.filter(({ falseFull }) => falseFull).length,
    falseBlocked: measured.filter(({ falseBlocked }) => falseBlocked).length,
    precision: hits + wrong > 0 ? hits / (hits + wrong) : 1,
    recall: hits + missed > 0 ? hits / (hits + missed) : 1,
    named: hits + wrong,
    blocking: hits + missed,
    millisecondsMedian: quantile(times, 0.5),
  };
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
