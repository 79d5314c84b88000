import type * as Phaser from 'phaser';

import { canvas } from './engines/canvas.js';
import { phaser3 } from './engines/phaser3.js';
import { phaser4 } from './engines/phaser4.js';
import type { MeterEngine } from './MeterEngine.js';
import { rendererKindOf } from './rendererKindOf.js';

const engines = { phaser3, phaser4, canvas };

/** The engine of a game, for calls that cannot wait until it is loaded: importing this imports all of them. */
export function engineOf(game: Phaser.Game): MeterEngine {
  return engines[rendererKindOf(game)];
}
