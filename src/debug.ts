export { AdOverlay, type AdOverlayOptions } from './debug/AdOverlay.js';
export { type AdState, adState } from './debug/adState.js';
export type { AdLogEntry } from './debug/EventLog.js';
export { reasonWords } from './debug/reasonWords.js';
export { showAdOverlay } from './debug/showAdOverlay.js';
export type { LintSeverity } from './debug/lint/LintRule.js';
export { type LintFinding, lintPlacements, type LintOptions } from './debug/lint/lintPlacements.js';
export { type WatchedPlacements, watchPlacements } from './debug/lint/watchPlacements.js';
