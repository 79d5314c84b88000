import type * as Phaser from 'phaser';

/** `Phaser.GameObjects.LightsPlugin`. */
interface SceneLights {
  readonly active: boolean;
  /** 0–1 each; above 1 if a game sets it so. */
  readonly ambientColor: { readonly r: number; readonly g: number; readonly b: number };
  readonly lights: readonly unknown[];
}

/**
 * Share of its own light that a picture keeps under the scene's lights, 0–1; NaN when it depends on where they shine.
 * @param unlit the same where the scene's lights are off
 */
export function sceneLightOf(scene: Phaser.Scene, unlit: number): number {
  const lights = lightsOf(scene);
  if (!lights?.active) return unlit;
  const { r, g, b } = lights.ambientColor;
  const ambient = (Math.min(1, r) + Math.min(1, g) + Math.min(1, b)) / 3;
  return ambient === 1 || lights.lights.length === 0 ? ambient : NaN;
}

/**
 * Lights of the scene that is drawn, not of its camera's: a camera added by `addExisting` has no scene, or still the one
 * that made it.
 */
function lightsOf({ sys }: Phaser.Scene): SceneLights | null | undefined {
  return (sys as unknown as { readonly lights: SceneLights | null | undefined }).lights;
}
