import type { ViewTruth } from './pixelTruth.js';

/**
 * How far the pictures of the bare ad are from arithmetic, percent of the ad: the oracle's own error. Null when no
 * camera shows enough of the ad to compare.
 */
export function oracleError(truths: readonly ViewTruth[]): number | null {
  const errors = truths
    .filter(({ opacity, inViewport, total }) => opacity >= 0.5 && total > 0 && inViewport > 0.5 * total)
    .map(({ bare, inViewport }) => (100 * Math.abs(bare - inViewport)) / inViewport);
  return errors.length > 0 ? Math.max(...errors) : null;
}
