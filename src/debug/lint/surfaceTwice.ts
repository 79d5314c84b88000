import type { LintRule } from './LintRule.js';

/** Two ads of one surface are in view side by side. */
export const surfaceTwice: LintRule = {
  id: 'surface-twice',
  severity: 'warning',
  judges: 'life',
  check({ twin }) {
    if (twin === null) return null;
    return {
      sentence: `"${twin}" shows an ad of the same surface at the same time. The player may see the same ad twice.`,
      hint: 'Use a surface of its own for each place that can be seen together with another.',
    };
  },
};
