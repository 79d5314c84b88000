import type * as Phaser from 'phaser';

import { canvas } from './engines/canvas.js';
import { phaser3 } from './engines/phaser3.js';
import { phaser4 } from './engines/phaser4.js';
import { FrameMeter } from './FrameMeter.js';
import { type MeterEngine, rendererKindOf } from './MeterEngine.js';

const engines = { phaser3, phaser4, canvas };

/** The engine of a game, for calls that cannot wait until it is loaded: importing this imports all of them. */
export function engineOf(game: Phaser.Game): MeterEngine {
  return engines[rendererKindOf(game)];
}

/** What `GameMeter.of` gives. */
export type GameMeter = FrameMeter;

/** The way to measure without the plugins, whatever draws the game. */
export const GameMeter = {
  /** The meter of a game; one per game, listening only while something is observed. */
  of: (game: Phaser.Game): GameMeter => FrameMeter.of(game, engineOf(game)),
};
