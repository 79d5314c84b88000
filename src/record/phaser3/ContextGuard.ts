import { type ContextSettings, type Setting, settingOf } from './ContextSettings.js';

type GL = WebGLRenderingContext;
type Undo = () => void;

/** Saves settings of a WebGL context before they change. */
export class ContextGuard {
  readonly #undos = new Map<string, Undo>();
  /** The texture unit in force; −1 before it was asked for. */
  #unit = -1;

  constructor(
    private readonly gl: GL,
    private readonly settings: ContextSettings,
  ) {}

  /** Call before a function of the context is called with these arguments. */
  note(name: string, first: number): void {
    const { gl } = this;
    if (name === 'useProgram') this.#once(name, () => saveProgram(gl));
    else if (name === 'bindFramebuffer') this.#once(name, () => saveFramebuffer(gl));
    else if (name === 'enable' || name === 'disable') this.#once(`ability ${first}`, () => saveAbility(gl, first));
    else if (name === 'bindBuffer') this.#once(`buffer ${first}`, () => saveBuffer(gl, first));
    else if (name === 'activeTexture' || name === 'bindTexture') {
      this.#noteUnit();
      if (name === 'activeTexture') this.#unit = first;
      else this.#once(`texture ${this.#unit}`, () => saveTexture(gl, this.#unit));
    } else {
      const setting = settingOf(name);
      if (setting !== null) this.#once(setting, () => this.#saveSetting(setting));
    }
  }

  /** Sets everything back, and forgets it. */
  restore(): void {
    const undos = this.#undos;
    // Setting a texture back changes the active unit.
    const unit = undos.get('unit');
    undos.delete('unit');
    for (const undo of undos.values()) undo();
    unit?.();
    undos.clear();
    this.#unit = -1;
  }

  #noteUnit(): void {
    const { gl } = this;
    if (this.#unit < 0) this.#unit = this.settings.valuesOf('activeTexture')[0]!;
    const unit = this.#unit;
    this.#once('unit', () => () => gl.activeTexture(unit));
  }

  #saveSetting(setting: Setting): Undo {
    const values = this.settings.valuesOf(setting);
    const context = this.gl as unknown as Record<Setting, (...values: number[]) => void>;
    return () => context[setting](...values);
  }

  #once(setting: string, save: () => Undo): void {
    if (!this.#undos.has(setting)) this.#undos.set(setting, save());
  }
}

function saveProgram(gl: GL): Undo {
  const program = gl.getParameter(gl.CURRENT_PROGRAM) as WebGLProgram | null;
  return () => gl.useProgram(program);
}

function saveFramebuffer(gl: GL): Undo {
  const framebuffer = gl.getParameter(gl.FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
  return () => gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
}

function saveAbility(gl: GL, ability: number): Undo {
  const isEnabled = gl.isEnabled(ability);
  return () => (isEnabled ? gl.enable(ability) : gl.disable(ability));
}

function saveBuffer(gl: GL, target: number): Undo {
  const name = target === gl.ARRAY_BUFFER ? gl.ARRAY_BUFFER_BINDING : gl.ELEMENT_ARRAY_BUFFER_BINDING;
  const buffer = gl.getParameter(name) as WebGLBuffer | null;
  return () => gl.bindBuffer(target, buffer);
}

function saveTexture(gl: GL, unit: number): Undo {
  const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture | null;
  return () => {
    gl.activeTexture(unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
  };
}
