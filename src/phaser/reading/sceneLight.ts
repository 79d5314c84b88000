import type * as Phaser from 'phaser';

import type { DrawnObject } from './internals.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/** `Phaser.GameObjects.LightsPlugin`. */
interface SceneLights {
  readonly active: boolean;
  /** 0–1 each; also above, where a game says so. */
  readonly ambientColor: { readonly r: number; readonly g: number; readonly b: number };
  readonly lights: readonly unknown[];
}

/** True for what is drawn by the pipeline for lights. */
export function isLit({ pipeline }: DrawnObject): boolean {
  return pipeline?.name === 'Light2D';
}

/** True where the pipeline for lights draws no pictures at all. Source: `LightPipeline.onRender`. */
export function hasLightsOff(camera: Camera): boolean {
  return lightsOf(camera)?.active !== true;
}

/**
 * Share of its own light that a picture keeps in the pipeline for lights, 0–1; NaN when it depends on where lights shine.
 */
export function sceneLightOf(camera: Camera): number {
  const lights = lightsOf(camera);
  if (!lights?.active) return 0;
  const { r, g, b } = lights.ambientColor;
  const ambient = (Math.min(1, r) + Math.min(1, g) + Math.min(1, b)) / 3;
  return ambient === 1 || lights.lights.length === 0 ? ambient : NaN;
}

function lightsOf(camera: Camera): SceneLights | null | undefined {
  return (camera.scene.sys as unknown as { readonly lights: SceneLights | null | undefined }).lights;
}
