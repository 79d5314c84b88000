import { type PhaserRenderer, type Pipeline, rawOf } from './PhaserRenderer.js';
import type { PhaserShader } from './programs.js';

/** Phaser's pipelines that take over a camera's lights and zoom as it begins to be drawn. */
export const SET_UP_PER_CAMERA = ['Light2D', 'PointLightPipeline'];

type Values = readonly [unknown, unknown?, unknown?, unknown?];

interface Noted {
  readonly shader: PhaserShader;
  readonly name: string;
  readonly values: Values;
}

/** What such a pipeline keeps of the camera besides its uniforms. */
interface LightFields {
  lightsActive?: boolean;
  currentNormalMapRotation?: number | null;
}

/**
 * Saves the uniforms that {@link SET_UP_PER_CAMERA} pipelines have for the camera that is being drawn, and sets them
 * again: a rehearsal between two cameras sets those of others.
 */
export class CameraUniforms {
  private readonly noted: Noted[] = [];
  private readonly fields: [Pipeline & LightFields, LightFields][] = [];

  constructor(private readonly renderer: PhaserRenderer) {
    const { entries } = renderer.pipelines.pipelines;
    for (const key of SET_UP_PER_CAMERA) {
      const pipeline = entries[key] as (Pipeline & LightFields) | undefined;
      if (pipeline === undefined) continue;
      const { lightsActive, currentNormalMapRotation } = pipeline;
      if (lightsActive !== undefined) {
        this.fields.push([pipeline, { lightsActive, currentNormalMapRotation: currentNormalMapRotation ?? null }]);
      }
      for (const shader of pipeline.shaders ?? []) {
        for (const name in shader.uniforms) {
          const values = valuesOf(shader, name);
          if (values !== null) this.noted.push({ shader, name, values });
        }
      }
    }
  }

  /** Sets back the uniforms that changed. Another program may be in force then. */
  restore(): void {
    const { gl } = this.renderer;
    for (const { shader, name, values } of this.noted) {
      if (valuesOf(shader, name)!.every((value, i) => value === values[i])) continue;
      const uniform = shader.uniforms[name]!;
      if (uniform.setter === undefined) {
        // Phaser 3.60 keeps no setter; with NaN as its last value it sets the uniform anew.
        uniform.value1 = NaN;
        continue;
      }
      const location = rawOf<WebGLUniformLocation>(uniform.location, 'webGLUniformLocation');
      [uniform.value1, uniform.value2, uniform.value3, uniform.value4] = values;
      gl.useProgram(rawOf<WebGLProgram>(shader.program, 'webGLProgram'));
      uniform.setter!.call(gl, location, ...values.filter((value) => value !== undefined));
    }
    for (const [pipeline, fields] of this.fields) Object.assign(pipeline, fields);
  }
}

/** The values of a uniform that Phaser sets by itself as numbers, or null; matrices and arrays are set anew for each draw. */
function valuesOf(shader: PhaserShader, name: string): Values | null {
  const { setter, value1, value2, value3, value4 } = shader.uniforms[name]!;
  if (setter === null || typeof value1 !== 'number') return null;
  return [value1, value2 ?? undefined, value3 ?? undefined, value4 ?? undefined];
}
