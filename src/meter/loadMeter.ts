import type * as Phaser from 'phaser';

import type { FrameMeter } from './FrameMeter.js';
import { type MeterEngine, type RendererKind, rendererKindOf } from './MeterEngine.js';

/** Gives the meter of a game. */
export type MeterOf = (game: Phaser.Game) => FrameMeter;

const engines: Record<RendererKind, () => Promise<MeterEngine>> = {
  phaser3: async () => (await import('./engines/phaser3.js')).phaser3,
  phaser4: async () => (await import('./engines/phaser4.js')).phaser4,
  canvas: async () => (await import('./engines/canvas.js')).canvas,
};
const loaded = new Map<RendererKind, MeterOf>();

/** Loads what measures a game, and games drawn in the same way; for the second of them the meter is there at once. */
export function loadMeter(game: Phaser.Game): MeterOf | Promise<MeterOf> {
  const kind = rendererKindOf(game);
  return loaded.get(kind) ?? load(kind);
}

async function load(kind: RendererKind): Promise<MeterOf> {
  const [{ FrameMeter: Meter }, engine] = await Promise.all([import('./FrameMeter.js'), engines[kind]()]);
  const meterOf: MeterOf = (game) => Meter.of(game, engine);
  loaded.set(kind, meterOf);
  return meterOf;
}
