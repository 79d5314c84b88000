import type { DrawnObject } from './internals.js';

/** True for an emitter of particles, also for one of a game's own class with a type of its own. */
export function isEmitter(object: DrawnObject): boolean {
  return 'emitZones' in object;
}
