import type * as Phaser from 'phaser';

/** `Phaser.GameObjects.LightsPlugin`. */
interface SceneLights {
  readonly active: boolean;
  /** 0–1 each; also above, where a game says so. */
  readonly ambientColor: { readonly r: number; readonly g: number; readonly b: number };
  readonly lights: readonly unknown[];
}

/**
 * Share of its own light that a picture keeps in the light of lamps, 0–1; NaN when it depends on where they shine.
 * @param unlit the same where the scene's lights are off
 */
export function sceneLightOf(scene: Phaser.Scene, unlit: number): number {
  const lights = lightsOf(scene);
  if (!lights?.active) return unlit;
  const { r, g, b } = lights.ambientColor;
  const ambient = (Math.min(1, r) + Math.min(1, g) + Math.min(1, b)) / 3;
  return ambient === 1 || lights.lights.length === 0 ? ambient : NaN;
}

/** Of the scene that is drawn: a camera brought in by `addExisting` has none of its own, or still that which made it. */
function lightsOf({ sys }: Phaser.Scene): SceneLights | null | undefined {
  return (sys as unknown as { readonly lights: SceneLights | null | undefined }).lights;
}
