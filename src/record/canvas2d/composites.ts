import { Blend } from '../../textures/Blend.js';

/** What a composite operation does that is no blend. */
export const Effect = {
  /** Leaves the light below, or paints beneath. */
  NONE: -1,
  /** Changes the light below in a way that is not worked out. */
  UNSURE: -2,
  /** Changes what lies beside the picture, too. */
  CLEARS: -3,
} as const;
type Effect = (typeof Effect)[keyof typeof Effect];

/** What the composite operations of a 2D context do to the light below, on an opaque canvas. It ignores any other name. */
const EFFECTS: ReadonlyMap<unknown, Blend | Effect> = new Map([
  ...all(
    Blend.COVER,
    'source-over',
    'source-atop',
    'destination-out',
    'xor',
    'hue',
    'saturation',
    'color',
    'luminosity',
  ),
  ...all(Blend.ADD, 'lighter'),
  ...all(Blend.LIGHTEN, 'screen', 'lighten'),
  ...all(Blend.HARD_LIGHT, 'hard-light'),
  ...all(Blend.DARKEN, 'multiply', 'darken'),
  ...all(Effect.NONE, 'overlay', 'color-dodge', 'color-burn', 'soft-light', 'destination-over'),
  ...all(Effect.UNSURE, 'difference', 'exclusion'),
  ...all(Effect.CLEARS, 'source-in', 'source-out', 'destination-in', 'destination-atop', 'copy'),
]);

function all(effect: Blend | Effect, ...names: readonly string[]): [string, Blend | Effect][] {
  return names.map((name) => [name, effect]);
}

export function isComposite(name: unknown): name is string {
  return EFFECTS.has(name);
}

export function effectOf(composite: string): Blend | Effect {
  return EFFECTS.get(composite)!;
}
