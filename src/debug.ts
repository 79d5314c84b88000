export { AdOverlay, type AdOverlayOptions, showAdOverlay } from './debug/AdOverlay.js';
export { type AdState, adState } from './debug/adState.js';
export type { AdLogEntry } from './debug/EventLog.js';
export { reasonWords } from './debug/words.js';
export type { LintSeverity } from './debug/lint/LintRule.js';
export {
  type LintFinding,
  lintPlacements,
  type LintOptions,
  type WatchedPlacements,
  watchPlacements,
} from './debug/lint/lintPlacements.js';
