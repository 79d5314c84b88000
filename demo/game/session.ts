import type { AdsError, AdSurface } from '../../src/index.js';
import { Synth } from './sound/Synth.js';

/** Told on the game's emitter once the service was asked for its ad surfaces, whatever it answered. */
export const SURFACES_ANSWERED = 'surfaces-answered';

/** What one visit to the page carries from scene to scene. */
export interface Visit {
  readonly synth: Synth;
  /** Seed of the next ride's city; each ride takes the following one. */
  seed: number;
  surfaces: readonly AdSurface[];
  /** Why there are no surfaces, when there should be some. */
  surfacesError: AdsError | null;
  best: number;
}

const BEST_KEY = 'rush-street-best';

export const visit: Visit = {
  synth: new Synth(),
  seed: 7,
  surfaces: [],
  surfacesError: null,
  best: readBest(),
};

export function keepBest(score: number): boolean {
  if (score <= visit.best) return false;
  visit.best = score;
  try {
    localStorage.setItem(BEST_KEY, String(score));
  } catch {
    // Private windows may refuse storage; the best score then lasts as long as the page.
  }
  return true;
}

function readBest(): number {
  try {
    return Number(localStorage.getItem(BEST_KEY)) || 0;
  } catch {
    return 0;
  }
}
