import type * as Phaser from 'phaser';

import { engineOf } from './engineOf.js';
import { FrameMeter } from './FrameMeter.js';

/** What `GameMeter.of` gives. */
export type GameMeter = FrameMeter;

/** The way to measure without the plugins, whatever draws the game. */
export const GameMeter = {
  /** The meter of a game; one per game, listening only while something is observed. */
  of: (game: Phaser.Game): GameMeter => FrameMeter.of(game, engineOf(game)),
};
