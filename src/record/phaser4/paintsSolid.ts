import type { ShaderProgram } from './Phaser4Renderer.js';
import { type Program, uniformOf } from './programs.js';

/** A Gradient of Phaser 4. */
interface Gradient {
  readonly ramp?: {
    readonly bands: readonly { readonly colorStart: Colour; readonly colorEnd: Colour }[];
  };
  readonly repeatMode?: number;
}

interface Colour {
  readonly alpha: number;
}

/** Names of Phaser's shaders that mix two colours. */
const NOISE = /^noise(Cell[234]D|Simplex[23]D)?$/;

/** The gradient ends where its colours do. */
const TRUNCATE = 1;

/** Whether one of Phaser's own shaders, as it is set, paints all of its quad opaque: a noise or gradient of opaque colours. */
export function paintsSolid({ base }: Program, shader: ShaderProgram, owner: object | null): boolean {
  if (NOISE.test(base)) {
    return ['uColorStart', 'uColorEnd'].every(
      (name) => (uniformOf(shader, name) as ArrayLike<number> | null)?.[3] === 1,
    );
  }
  if (base !== 'gradient') return false;
  const { ramp, repeatMode } = (owner ?? {}) as Gradient;
  const isOpaque = ramp?.bands.every(({ colorStart, colorEnd }) => colorStart.alpha === 255 && colorEnd.alpha === 255);
  return isOpaque === true && repeatMode !== TRUNCATE;
}
