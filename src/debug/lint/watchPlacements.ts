import type * as Phaser from 'phaser';
import { type LintFinding, lintPlacements, type LintOptions } from './lintPlacements.js';
import { PlacementWatch } from './PlacementWatch.js';

/** Placements that are being watched. */
export interface WatchedPlacements {
  /** As `lintPlacements(game)`. */
  findings(options?: LintOptions): LintFinding[];
  /** Stops watching; what was seen so far stays known. */
  stop(): void;
}

/**
 * Watches all ads of a game from now on, frame by frame, for the rules that need time: always covered, never on screen, too
 * brief. For development and tests; the overlay does the same while it is shown.
 */
export function watchPlacements(game: Phaser.Game): WatchedPlacements {
  const stop = PlacementWatch.of(game).start();
  return { findings: (options) => lintPlacements(game, options), stop };
}
