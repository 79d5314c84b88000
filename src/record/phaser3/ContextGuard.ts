type GL = WebGLRenderingContext;

/**
 * What a WebGL context is set to before it is set to something else. The context is asked only for what changes: some
 * answers come from the process of the GPU.
 */
export class ContextGuard {
  private readonly restores = new Map<string | number, () => void>();

  constructor(private readonly gl: GL) {}

  /** Call before a function of the context is called with these arguments. */
  note(name: string, first: number): void {
    const { gl, restores } = this;
    const setting = SETTINGS[name];
    if (setting === undefined) return;
    const key = name === 'enable' || name === 'disable' || name === 'bindBuffer' ? first : setting;
    if (setting === 'texture') {
      this.noteTexture();
      return;
    }
    if (restores.has(key)) return;
    restores.set(key, READERS[setting]!(gl, first));
  }

  /** Sets everything back, and forgets it. */
  restore(): void {
    const { restores } = this;
    // Textures go back by way of other units.
    const unit = restores.get('unit');
    restores.delete('unit');
    for (const restore of restores.values()) restore();
    unit?.();
    restores.clear();
    this.unit = -1;
  }

  /** The unit in force; −1 before it was asked for. */
  private unit = -1;

  private noteTexture(): void {
    const { gl, restores } = this;
    if (this.unit < 0) this.unit = gl.getParameter(gl.ACTIVE_TEXTURE) as number;
    const { unit } = this;
    // The numbers of units are those of nothing else that is kept here.
    if (restores.has(unit)) return;
    if (!restores.has('unit')) restores.set('unit', () => gl.activeTexture(unit));
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture | null;
    restores.set(unit, () => {
      gl.activeTexture(unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
  }

  /** Call when another unit is chosen. */
  chooseUnit(unit: number): void {
    const { gl, restores } = this;
    if (!restores.has('unit')) {
      const before = gl.getParameter(gl.ACTIVE_TEXTURE) as number;
      restores.set('unit', () => gl.activeTexture(before));
    }
    this.unit = unit;
  }
}

/** Which setting a function changes. */
const SETTINGS: Readonly<Record<string, string>> = {
  bindFramebuffer: 'framebuffer',
  useProgram: 'program',
  bindTexture: 'texture',
  bindBuffer: 'buffer',
  enable: 'ability',
  disable: 'ability',
  blendFunc: 'blend',
  blendFuncSeparate: 'blend',
  blendEquation: 'equation',
  stencilFunc: 'stencilFunc',
  stencilOp: 'stencilOp',
  colorMask: 'colorMask',
  scissor: 'scissor',
  viewport: 'viewport',
  clearColor: 'clearColor',
};

type Four = [number, number, number, number];

const READERS: Readonly<Record<string, (gl: GL, first: number) => () => void>> = {
  framebuffer: (gl) => {
    const framebuffer = gl.getParameter(gl.FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
    return () => gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  },
  program: (gl) => {
    const program = gl.getParameter(gl.CURRENT_PROGRAM) as WebGLProgram | null;
    return () => gl.useProgram(program);
  },
  buffer: (gl, target) => {
    const name = target === gl.ARRAY_BUFFER ? gl.ARRAY_BUFFER_BINDING : gl.ELEMENT_ARRAY_BUFFER_BINDING;
    const buffer = gl.getParameter(name) as WebGLBuffer | null;
    return () => gl.bindBuffer(target, buffer);
  },
  ability: (gl, ability) => {
    const isEnabled = gl.isEnabled(ability);
    return () => (isEnabled ? gl.enable(ability) : gl.disable(ability));
  },
  blend: (gl) => {
    const names = [gl.BLEND_SRC_RGB, gl.BLEND_DST_RGB, gl.BLEND_SRC_ALPHA, gl.BLEND_DST_ALPHA];
    const values = names.map((name) => gl.getParameter(name) as number) as Four;
    return () => gl.blendFuncSeparate(...values);
  },
  equation: (gl) => {
    const rgb = gl.getParameter(gl.BLEND_EQUATION_RGB) as number;
    const alpha = gl.getParameter(gl.BLEND_EQUATION_ALPHA) as number;
    return () => gl.blendEquationSeparate(rgb, alpha);
  },
  stencilFunc: (gl) => {
    const names = [gl.STENCIL_FUNC, gl.STENCIL_REF, gl.STENCIL_VALUE_MASK];
    const values = names.map((name) => gl.getParameter(name) as number) as [number, number, number];
    return () => gl.stencilFunc(...values);
  },
  stencilOp: (gl) => {
    const names = [gl.STENCIL_FAIL, gl.STENCIL_PASS_DEPTH_FAIL, gl.STENCIL_PASS_DEPTH_PASS];
    const values = names.map((name) => gl.getParameter(name) as number) as [number, number, number];
    return () => gl.stencilOp(...values);
  },
  colorMask: (gl) => {
    const mask = partsOf<boolean>(gl, gl.COLOR_WRITEMASK);
    return () => gl.colorMask(...mask);
  },
  scissor: (gl) => {
    const box = partsOf<number>(gl, gl.SCISSOR_BOX);
    return () => gl.scissor(...box);
  },
  viewport: (gl) => {
    const box = partsOf<number>(gl, gl.VIEWPORT);
    return () => gl.viewport(...box);
  },
  clearColor: (gl) => {
    const color = partsOf<number>(gl, gl.COLOR_CLEAR_VALUE);
    return () => gl.clearColor(...color);
  },
};

/** A context that is lost answers null. */
function partsOf<T>(gl: GL, name: number): [T, T, T, T] {
  return Array.from((gl.getParameter(name) as ArrayLike<T> | null) ?? []) as [T, T, T, T];
}
