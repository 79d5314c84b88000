import { type PhaserRenderer, type Pipeline, rawOf } from './PhaserRenderer.js';
import type { PhaserShader } from './programs.js';

/** Phaser's pipelines that take lamps and zoom of a camera as it begins to be drawn. */
export const SET_UP_PER_CAMERA = ['Light2D', 'PointLightPipeline'];

type Values = readonly [unknown, unknown?, unknown?, unknown?];

interface Noted {
  readonly shader: PhaserShader;
  readonly name: string;
  readonly values: Values;
}

/** What such a pipeline notes of the camera besides. */
interface LightFields {
  lightsActive?: boolean;
  currentNormalMapRotation?: number | null;
}

/**
 * What those pipelines have been told of the camera that is being drawn, to be told again: a rehearsal between two cameras
 * tells them of others.
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

  /** Tells again what has been told otherwise. The program in force is another one then. */
  restore(): void {
    const { gl } = this.renderer;
    for (const { shader, name, values } of this.noted) {
      if (valuesOf(shader, name)!.every((value, i) => value === values[i])) continue;
      const uniform = shader.uniforms[name]!;
      if (uniform.setter === undefined) {
        // Phaser 3.60 does not keep how it was set, and sets anew what it knows no number of.
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

/** Numbers that Phaser has set by itself; matrices and arrays are set anew for each drawing. */
function valuesOf(shader: PhaserShader, name: string): Values | null {
  const { setter, value1, value2, value3, value4 } = shader.uniforms[name]!;
  if (setter === null || typeof value1 !== 'number') return null;
  return [value1, value2 ?? undefined, value3 ?? undefined, value4 ?? undefined];
}
