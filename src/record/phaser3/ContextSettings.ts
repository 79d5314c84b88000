import { oneFor } from '../../oneFor.js';
import type { PhaserRenderer } from './PhaserRenderer.js';

type GL = WebGLRenderingContext;

/** By function that sets all of a setting: the names of its arguments in the context, or of all of them together. */
const SETTINGS = {
  activeTexture: ['ACTIVE_TEXTURE'],
  blendFuncSeparate: ['BLEND_SRC_RGB', 'BLEND_DST_RGB', 'BLEND_SRC_ALPHA', 'BLEND_DST_ALPHA'],
  blendEquationSeparate: ['BLEND_EQUATION_RGB', 'BLEND_EQUATION_ALPHA'],
  stencilFunc: ['STENCIL_FUNC', 'STENCIL_REF', 'STENCIL_VALUE_MASK'],
  stencilOp: ['STENCIL_FAIL', 'STENCIL_PASS_DEPTH_FAIL', 'STENCIL_PASS_DEPTH_PASS'],
  colorMask: ['COLOR_WRITEMASK'],
  scissor: ['SCISSOR_BOX'],
  viewport: ['VIEWPORT'],
  clearColor: ['COLOR_CLEAR_VALUE'],
} as const satisfies Partial<Record<keyof GL, readonly (keyof GL)[]>>;

/** A setting of a context, named after the function that sets all of it. */
export type Setting = keyof typeof SETTINGS;

/** The setting that a function of the context changes; null for others. */
export function settingOf(name: string): Setting | null {
  const whole = name === 'blendFunc' || name === 'blendEquation' ? `${name}Separate` : name;
  return whole in SETTINGS ? (whole as Setting) : null;
}

/** Event of Phaser's WebGL renderer: a lost context is back, with the settings of a new one. */
const RESTORE = 'restorewebgl';

/** How a setting was last set: arguments of its function, as numbers. */
interface Kept {
  isKnown: boolean;
  readonly values: Float64Array;
}

/**
 * Knows how a WebGL context is set, by listening to the functions that set it. Asked itself, the context may pass the question
 * on to the process of the GPU, which answers only after it has taken in all that was drawn before.
 */
export class ContextSettings {
  /** The settings of a renderer's context, whose functions stay wrapped for life: taking them off would slow it down. */
  static readonly of = oneFor((renderer: Pick<PhaserRenderer, 'gl' | 'on'>) => new ContextSettings(renderer));
  readonly #gl: GL;
  readonly #kept = new Map<Setting, Kept>();

  private constructor(renderer: Pick<PhaserRenderer, 'gl' | 'on'>) {
    this.#gl = renderer.gl;
    for (const name in SETTINGS) {
      this.#kept.set(name as Setting, { isKnown: false, values: new Float64Array(4) });
      // A size below zero is refused: the box stays as it was.
      const isBox = name === 'scissor' || name === 'viewport';
      this.#watch(name, name as Setting, (kept, a, b, c, d) => set(kept, a, b, c, d, !isBox || (c >= 0 && d >= 0)));
    }
    this.#watch('blendFunc', 'blendFuncSeparate', (kept, from, to) => set(kept, from, to, from, to, true));
    this.#watch('blendEquation', 'blendEquationSeparate', (kept, both) => set(kept, both, both, 0, 0, true));
    for (const setting of ['stencilFunc', 'stencilOp'] as const) {
      this.#watch(`${setting}Separate`, setting, (kept) => void (kept.isKnown = false));
    }
    renderer.on(RESTORE, () => {
      for (const one of this.#kept.values()) one.isKnown = false;
    });
  }

  /** The arguments with which the function of a setting sets it as it is now. What is beyond its number of them does nothing. */
  valuesOf(setting: Setting): number[] {
    const gl = this.#gl;
    const kept = this.#kept.get(setting)!;
    if (!kept.isKnown) {
      const answers = SETTINGS[setting].map((name) => gl.getParameter(gl[name]) as number | ArrayLike<number>);
      kept.values.set(answers.flatMap((answer) => (typeof answer === 'object' ? Array.from(answer) : answer)));
      kept.isKnown = true;
    }
    return Array.from(kept.values);
  }

  /** Tells `take` the arguments of each call. They are listed one by one: a list of them would be made anew for each call. */
  #watch(name: string, setting: Setting, take: (kept: Kept, ...values: FourNumbers) => void): void {
    const gl = this.#gl;
    const kept = this.#kept.get(setting)!;
    const context = gl as unknown as Record<string, (...values: FourNumbers) => void>;
    const native = context[name]!;
    context[name] = (a, b, c, d) => {
      take(kept, a, b, c, d);
      native.call(gl, a, b, c, d);
    };
  }
}

type FourNumbers = [a: number, b: number, c: number, d: number];

function set(kept: Kept, a: number, b: number, c: number, d: number, isKnown: boolean): void {
  const { values } = kept;
  values[0] = a;
  values[1] = b;
  values[2] = c;
  values[3] = d;
  kept.isKnown = isKnown;
}
