type GL = WebGLRenderingContext;

/**
 * Saves settings of a WebGL context before they change. The context is asked only for settings that change: some answers
 * come from the process of the GPU.
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
    restores.set(key, read(gl, setting, first));
  }

  /** Sets everything back, and forgets it. */
  restore(): void {
    const { restores } = this;
    // Restoring a texture changes the active unit, so the unit is restored last.
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
    // Unit numbers are no other setting's key.
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

/** The function that sets a setting back, and what the context is asked for: the answers are the function's arguments. */
const PARTS = {
  program: ['useProgram', 'CURRENT_PROGRAM'],
  blend: ['blendFuncSeparate', 'BLEND_SRC_RGB', 'BLEND_DST_RGB', 'BLEND_SRC_ALPHA', 'BLEND_DST_ALPHA'],
  equation: ['blendEquationSeparate', 'BLEND_EQUATION_RGB', 'BLEND_EQUATION_ALPHA'],
  stencilFunc: ['stencilFunc', 'STENCIL_FUNC', 'STENCIL_REF', 'STENCIL_VALUE_MASK'],
  stencilOp: ['stencilOp', 'STENCIL_FAIL', 'STENCIL_PASS_DEPTH_FAIL', 'STENCIL_PASS_DEPTH_PASS'],
  colorMask: ['colorMask', 'COLOR_WRITEMASK'],
  scissor: ['scissor', 'SCISSOR_BOX'],
  viewport: ['viewport', 'VIEWPORT'],
  clearColor: ['clearColor', 'COLOR_CLEAR_VALUE'],
} as const;

/** Reads a setting. @returns sets it back */
function read(gl: GL, setting: string, first: number): () => void {
  if (setting === 'framebuffer') {
    const framebuffer = gl.getParameter(gl.FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
    return () => gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  }
  if (setting === 'buffer') {
    const name = first === gl.ARRAY_BUFFER ? gl.ARRAY_BUFFER_BINDING : gl.ELEMENT_ARRAY_BUFFER_BINDING;
    const buffer = gl.getParameter(name) as WebGLBuffer | null;
    return () => gl.bindBuffer(first, buffer);
  }
  if (setting === 'ability') {
    const isEnabled = gl.isEnabled(first);
    return () => (isEnabled ? gl.enable(first) : gl.disable(first));
  }
  const [setter, ...names] = PARTS[setting as keyof typeof PARTS];
  const values = names.flatMap((name) => {
    const value: unknown = gl.getParameter(gl[name]);
    return ArrayBuffer.isView(value) || Array.isArray(value) ? Array.from(value as unknown as unknown[]) : [value];
  });
  return () => (gl[setter] as (...values: unknown[]) => void)(...values);
}
