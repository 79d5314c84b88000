import fc from 'fast-check';

import { ContextSettings, type Setting } from '../../../src/record/phaser3/ContextSettings.js';
import type { PhaserRenderer } from '../../../src/record/phaser3/PhaserRenderer.js';

/** A context as browsers make it: it keeps what it was told, unless it refuses it, and counts questions. Nobody hears what it calls. */
class FakeContext {
  questions = 0;
  private state = FakeContext.fresh();

  static fresh(): Record<string, number | number[]> {
    return {
      ACTIVE_TEXTURE: 7,
      ...{ BLEND_SRC_RGB: 1, BLEND_DST_RGB: 0, BLEND_SRC_ALPHA: 1, BLEND_DST_ALPHA: 0 },
      ...{ BLEND_EQUATION_RGB: 6, BLEND_EQUATION_ALPHA: 6 },
      ...{ STENCIL_FUNC: 5, STENCIL_REF: 0, STENCIL_VALUE_MASK: 255 },
      ...{ STENCIL_FAIL: 3, STENCIL_PASS_DEPTH_FAIL: 3, STENCIL_PASS_DEPTH_PASS: 3 },
      ...{ COLOR_WRITEMASK: [1, 1, 1, 1], SCISSOR_BOX: [0, 0, 8, 8] },
      ...{ VIEWPORT: [0, 0, 8, 8], COLOR_CLEAR_VALUE: [0, 0, 0, 0] },
    };
  }

  /** The numbers that stand for names. */
  get names(): Record<string, string> {
    return Object.fromEntries(Object.keys(this.state).map((name) => [name, name]));
  }
  lose(): void {
    this.state = FakeContext.fresh();
  }
  getParameter(name: string): number | number[] {
    this.questions++;
    return this.state[name]!;
  }
  activeTexture(unit: number): void {
    this.state.ACTIVE_TEXTURE = unit;
  }
  blendFunc(from: number, to: number): void {
    FakeContext.prototype.blendFuncSeparate.call(this, from, to, from, to);
  }
  blendFuncSeparate(from: number, to: number, alphaFrom: number, alphaTo: number): void {
    Object.assign(this.state, { BLEND_SRC_RGB: from, BLEND_DST_RGB: to });
    Object.assign(this.state, { BLEND_SRC_ALPHA: alphaFrom, BLEND_DST_ALPHA: alphaTo });
  }
  blendEquation(both: number): void {
    FakeContext.prototype.blendEquationSeparate.call(this, both, both);
  }
  blendEquationSeparate(colour: number, alpha: number): void {
    Object.assign(this.state, { BLEND_EQUATION_RGB: colour, BLEND_EQUATION_ALPHA: alpha });
  }
  stencilFunc(func: number, ref: number, mask: number): void {
    Object.assign(this.state, { STENCIL_FUNC: func, STENCIL_REF: ref, STENCIL_VALUE_MASK: mask });
  }
  stencilFuncSeparate(_face: number, func: number, ref: number, mask: number): void {
    FakeContext.prototype.stencilFunc.call(this, func, ref, mask);
  }
  stencilOp(fail: number, depthFail: number, pass: number): void {
    Object.assign(this.state, { STENCIL_FAIL: fail, STENCIL_PASS_DEPTH_FAIL: depthFail });
    this.state.STENCIL_PASS_DEPTH_PASS = pass;
  }
  stencilOpSeparate(_face: number, fail: number, depthFail: number, pass: number): void {
    FakeContext.prototype.stencilOp.call(this, fail, depthFail, pass);
  }
  colorMask(...mask: number[]): void {
    this.state.COLOR_WRITEMASK = mask;
  }
  scissor(...box: number[]): void {
    if (box[2]! >= 0 && box[3]! >= 0) this.state.SCISSOR_BOX = box;
  }
  viewport(...box: number[]): void {
    if (box[2]! >= 0 && box[3]! >= 0) this.state.VIEWPORT = box;
  }
  clearColor(...colour: number[]): void {
    this.state.COLOR_CLEAR_VALUE = colour;
  }
}

/** By setting, how many numbers it has. */
const SIZES: Readonly<Record<Setting, number>> = {
  activeTexture: 1,
  blendFuncSeparate: 4,
  blendEquationSeparate: 2,
  stencilFunc: 3,
  stencilOp: 3,
  colorMask: 4,
  scissor: 4,
  viewport: 4,
  clearColor: 4,
};
const settings = Object.keys(SIZES) as Setting[];
const WHOLE = [...settings, 'blendFunc', 'blendEquation'];
const PARTIAL = ['stencilFuncSeparate', 'stencilOpSeparate'];

function watched() {
  const fake = new FakeContext();
  const gl = Object.assign(fake, fake.names) as unknown as FakeContext & Record<string, (...values: number[]) => void>;
  const listeners: (() => void)[] = [];
  const renderer = { gl, on: (_event: string, listener: () => void) => listeners.push(listener) };
  const known = ContextSettings.of(renderer as unknown as PhaserRenderer);
  const restore = (): void => {
    gl.lose();
    for (const listener of listeners) listener();
  };
  return { gl, known, restore };
}

const numbers = fc.array(fc.integer({ min: -2, max: 9 }), { minLength: 4, maxLength: 4 });

it('the settings of a context are known as they are, whatever is set, refused or lost', () => {
  const step = fc.tuple(fc.constantFrom(...WHOLE, ...PARTIAL, 'lose', 'ask'), numbers);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { gl, known, restore } = watched();
      const values = () => settings.map((setting) => known.valuesOf(setting).slice(0, SIZES[setting]));
      for (const [name, given] of steps) {
        if (name === 'lose') restore();
        else if (name === 'ask') values();
        else gl[name]!(...given);
      }
      const said = values();
      // One who has just come knows nothing, and asks.
      const asked = ContextSettings.of({ gl, on: () => undefined } as unknown as PhaserRenderer);
      expect(said).toEqual(settings.map((setting) => asked.valuesOf(setting).slice(0, SIZES[setting])));
    }),
  );
});

it('a context is asked for each setting once, and again only where a part of it was set or a box may have been refused', () => {
  const { gl, known } = watched();
  const questions = (): number => {
    const before = gl.questions;
    for (const setting of settings) known.valuesOf(setting);
    return gl.questions - before;
  };
  expect(questions()).toBeGreaterThan(0);
  expect(questions()).toBe(0);
  for (const name of WHOLE) gl[name]!(1, 2, 3, 4);
  expect(questions()).toBe(0);
  for (const name of PARTIAL) gl[name]!(1, 2, 3, 4);
  expect(questions()).toBe(SIZES.stencilFunc + SIZES.stencilOp);
  gl.scissor(0, 0, -1, 4);
  expect(questions()).toBe(1);
});
