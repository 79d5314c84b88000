import type { AdMeasurement, StandardSummary } from '../index.js';

type Figures = Pick<AdMeasurement, 'percentageInView' | 'totalScreenPercentage' | 'totalPixels' | 'squeezeRatio'>;

/** What one standard still waits for, as a sentence; how long it was met once it is. */
export function standardWords(standard: StandardSummary, figures: Figures | null): string {
  const { verdict, failingRule, rule, timeInViewMs, continuousMs } = standard;
  if (verdict === 'viewable') return `viewable; ${seconds(timeInViewMs)} s in view so far`;
  switch (failingRule) {
    case 'focus':
      return 'waits for focus: click into the game';
    case 'minPercentageInView':
      return `waits for ${rule.minPercentageInView} % in view${now(figures?.percentageInView, '%')}`;
    case 'minScreenPercentage':
      return `waits for ${rule.minScreenPercentage ?? 0} % of the screen: make the ad larger${now(figures?.totalScreenPercentage, '%')}`;
    case 'minAreaPx':
      return `waits for ${rule.minAreaPx ?? 0} CSS pixels²: make the ad larger${now(figures?.totalPixels, 'px²')}`;
    case 'maxAngleDeg':
      return `waits for an angle of at most ${rule.maxAngleDeg ?? 0}°: turn the ad to the player${now(angleOf(figures), '°', Math.ceil)}`;
    case 'minDurationMs':
      return `waits for time: ${seconds(continuousMs)} of ${seconds(rule.minDurationMs, Math.ceil)} s without a break`;
    case null:
      return 'waits for the first frame';
  }
}

/** The same in two or three words, where there is room for no more. */
export function standardChip({ verdict, failingRule, timeInViewMs, continuousMs, rule }: StandardSummary): string {
  if (verdict === 'viewable') return `${seconds(timeInViewMs)} s`;
  if (failingRule === null) return '–';
  if (failingRule === 'minDurationMs') return `${seconds(continuousMs)} / ${seconds(rule.minDurationMs, Math.ceil)} s`;
  return CHIPS[failingRule];
}

const CHIPS = {
  focus: 'no focus',
  minPercentageInView: 'too little',
  minScreenPercentage: 'too small',
  minAreaPx: 'too small',
  maxAngleDeg: 'too steep',
} as const;

/** Rounds away from the value that is waited for, never to it. `hair` makes up for floating-point errors. */
function now(value: number | undefined, unit: string, round = Math.floor): string {
  if (value === undefined) return '';
  const digits = value < 10 ? 1 : 0;
  const hair = round === Math.floor ? 1e-9 : -1e-9;
  return ` (now ${(round(value * 10 ** digits + hair) / 10 ** digits).toFixed(digits)} ${unit})`;
}

function angleOf(figures: Figures | null): number | undefined {
  return figures === null ? undefined : (Math.acos(Math.min(1, figures.squeezeRatio)) * 180) / Math.PI;
}

/** Rounds down, so that a time that is waited for is not said to be there. */
const seconds = (ms: number, round = Math.floor): string => (round(ms / 100) / 10).toFixed(1);
