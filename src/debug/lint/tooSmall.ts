import { VIEWABILITY_STANDARDS } from '../../index.js';
import type { LintRule } from './LintRule.js';

const LEAST = VIEWABILITY_STANDARDS.IIG_DISPLAY.minScreenPercentage ?? 0;

/** The ad takes less of the screen than an in-game ad has to. */
export const tooSmall: LintRule = {
  id: 'too-small',
  severity: 'error',
  judges: 'life',
  check({ frame, seen, canvas, followsWindow, screens }) {
    // An ad that comes nearer is judged by its largest size.
    const largest = Math.max(
      frame?.screenPercentage ?? 0,
      ((seen?.largestArea ?? 0) * 100) / (canvas.width * canvas.height),
    );
    if (largest === 0) return null;
    const shown = [{ ...canvas, percentage: largest }];
    if (followsWindow) {
      for (const { width, height } of screens) {
        shown.push({ width, height, percentage: (largest * canvas.width * canvas.height) / (width * height) });
      }
    }
    const smallest = shown.reduce((a, b) => (b.percentage < a.percentage ? b : a));
    if (smallest.percentage >= LEAST) return null;
    const { width, height, percentage } = smallest;
    return {
      sentence: `The ad takes ${percentage.toFixed(2)} % of the screen at ${width} × ${height}. Standards for in-game ads ask for ${LEAST} %.`,
      hint: `Make each side at least ${(Math.ceil(100 * Math.sqrt(LEAST / percentage)) / 100).toFixed(2)} times as long, or bring the camera nearer.`,
    };
  },
};
