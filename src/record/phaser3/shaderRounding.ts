import type * as Phaser from 'phaser';

/** A pipeline's shader: its members that tell whether it rounds. */
export interface RoundingShader {
  /** By name; each with the value it was given last. */
  readonly uniforms?: Readonly<Record<string, { readonly value1?: unknown } | undefined>>;
}

/**
 * Whether a shader puts every vertex on a whole pixel; null when it never does. In Phaser 3.70 and 3.80 each sprite drawn sets
 * this to its camera's `roundPixels`, and each drawing of a `Graphics` to false; what was set last holds for the whole batch.
 * There `roundPixels` is the default of games. Source: `Multi.vert`, `MultiPipeline.batchSprite`, `batchFillPath`.
 */
export function shaderRounding({ uniforms }: RoundingShader): boolean | null {
  const uniform = uniforms?.['uRoundPixels'];
  return uniform === undefined ? null : Boolean(uniform.value1);
}

/** {@link shaderRounding} of the shader that the renderer draws most with; null on Canvas, too. */
export function rendererRounding(renderer: Phaser.Game['renderer'] | null): boolean | null {
  if (renderer === null || !('pipelines' in renderer)) return null;
  const { currentShader } = renderer.pipelines.default as { currentShader?: RoundingShader };
  return currentShader === undefined ? null : shaderRounding(currentShader);
}

/** Where a rounding shader puts a vertex; the shader's coordinates count from the bottom. */
export function roundedX(x: number): number {
  return Math.floor(x + 0.5);
}
export function roundedY(y: number, canvasHeight: number): number {
  return canvasHeight - Math.floor(canvasHeight - y + 0.5);
}
