import type { Random } from '../Random.js';
import type { ObjectSpec, Options } from '../SceneSpec.js';

/** One type of game object: how the generator varies it, and how it is made. */
export interface Kind {
  /** How often the generator picks it, relative to the others. */
  readonly weight: number;
  /** The same in ornate scenes. Default: {@link weight}. */
  readonly ornateWeight?: number;
  /** The same in scenes of Phaser 4. Default: {@link weight}. */
  readonly phaser4Weight?: number;
  random(random: Random): Options;
  /** Makes the object at (0, 0) and adds it to the scene; position, scale, alpha and the like are applied after. */
  build(scene: Phaser.Scene, options: Options, spec: ObjectSpec): Phaser.GameObjects.GameObject;
}

/** Reads one option that the kind itself has put there. */
export function option<T>(options: Options, name: string, fallback: T): T {
  const value = options[name];
  return value === undefined ? fallback : (value as T);
}

const COLOURS = [0x804020, 0x208040, 0x402080, 0x808020, 0x208080, 0x802080, 0x606060] as const;

export function colour(random: Random): number {
  return random.pick(COLOURS);
}

/** Mostly 1; otherwise clearly off one half, where rounding to 8 bits would decide. */
export function opacity(random: Random): number {
  if (random.chance(0.75)) return 1;
  return random.chance(0.5) ? random.between(0.1, 0.45) : random.between(0.56, 0.95);
}
