type GL = WebGLRenderingContext;
type Undo = () => void;

/**
 * Saves settings of a WebGL context before they change. The context is asked only for settings that change: some answers
 * come from the process of the GPU.
 */
export class ContextGuard {
  private readonly undos = new Map<string, Undo>();
  /** The texture unit in force; −1 before it was asked for. */
  private unit = -1;

  constructor(private readonly gl: GL) {}

  /** Call before a function of the context is called with these arguments. */
  note(name: string, first: number): void {
    const save = SAVES[name];
    if (save !== undefined) this.once(name, () => save(this.gl));
    else if (name === 'blendFuncSeparate') this.note('blendFunc', first);
    else if (name === 'enable' || name === 'disable') this.once(`ability ${first}`, () => saveAbility(this.gl, first));
    else if (name === 'bindBuffer') this.once(`buffer ${first}`, () => saveBuffer(this.gl, first));
    else if (name === 'activeTexture' || name === 'bindTexture') {
      this.noteUnit();
      if (name === 'activeTexture') this.unit = first;
      else this.once(`texture ${this.unit}`, () => saveTexture(this.gl, this.unit));
    }
  }

  /** Sets everything back, and forgets it. */
  restore(): void {
    const { undos } = this;
    // Setting a texture back changes the active unit.
    const unit = undos.get('unit');
    undos.delete('unit');
    for (const undo of undos.values()) undo();
    unit?.();
    undos.clear();
    this.unit = -1;
  }

  private noteUnit(): void {
    const { gl } = this;
    if (this.unit < 0) this.unit = gl.getParameter(gl.ACTIVE_TEXTURE) as number;
    const { unit } = this;
    this.once('unit', () => () => gl.activeTexture(unit));
  }

  private once(setting: string, save: () => Undo): void {
    if (!this.undos.has(setting)) this.undos.set(setting, save());
  }
}

/** By function of the context: reads the setting that it changes. What is returned sets it back. */
const SAVES: Readonly<Record<string, (gl: GL) => Undo>> = {
  useProgram: saved('useProgram', 'CURRENT_PROGRAM'),
  blendFunc: saved('blendFuncSeparate', 'BLEND_SRC_RGB', 'BLEND_DST_RGB', 'BLEND_SRC_ALPHA', 'BLEND_DST_ALPHA'),
  blendEquation: saved('blendEquationSeparate', 'BLEND_EQUATION_RGB', 'BLEND_EQUATION_ALPHA'),
  stencilFunc: saved('stencilFunc', 'STENCIL_FUNC', 'STENCIL_REF', 'STENCIL_VALUE_MASK'),
  stencilOp: saved('stencilOp', 'STENCIL_FAIL', 'STENCIL_PASS_DEPTH_FAIL', 'STENCIL_PASS_DEPTH_PASS'),
  colorMask: saved('colorMask', 'COLOR_WRITEMASK'),
  scissor: saved('scissor', 'SCISSOR_BOX'),
  viewport: saved('viewport', 'VIEWPORT'),
  clearColor: saved('clearColor', 'COLOR_CLEAR_VALUE'),
  bindFramebuffer(gl) {
    const framebuffer = gl.getParameter(gl.FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
    return () => gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  },
};

/** @param names what the context is asked for: the answers are the arguments of `setter` */
function saved(setter: keyof GL, ...names: (keyof GL)[]): (gl: GL) => Undo {
  return (gl) => {
    const values = names.flatMap((name) => {
      const value: unknown = gl.getParameter(gl[name] as number);
      return ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value as unknown as unknown[]) : [value];
    });
    return () => (gl[setter] as (...values: unknown[]) => void)(...values);
  };
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
