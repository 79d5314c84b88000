import { GameMeter } from './GameMeter.js';
import type { MeterOf } from './loadMeter.js';

/** Stands for `loadMeter` in a file that has everything in it. */
export const loadMeter = (): MeterOf => GameMeter.of;
