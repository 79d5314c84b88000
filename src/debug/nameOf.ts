import type * as Phaser from 'phaser';
import type { PlacedAd } from '../index.js';

/** How an ad is called in lists and on labels: by its sprite's name, or else by its surface or ad. */
export function nameOf({ sprite, surface, ad }: PlacedAd): string {
  return sprite.name || surface?.adSurfaceId || ad?.adId || sprite.type;
}

/** The names of game objects, each once; of one without a name its type. */
export function namesOf(objects: readonly Phaser.GameObjects.GameObject[]): string[] {
  return [...new Set(objects.map(({ name, type }) => name || type))];
}

/** The first few of a list of names, for a sentence. */
export function listed(names: readonly string[]): string {
  return names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')} and more` : names.join(', ');
}

const MOST_NAMES = 3;
