import { readFileSync } from 'node:fs';

type Call = (...args: never[]) => unknown;

/** Numbers of the context, as the language's own declarations have them. */
function constants(): Map<string, number> {
  const declarations = readFileSync(require.resolve('typescript/lib/lib.dom.d.ts'), 'utf8');
  const found = declarations.matchAll(/readonly ([A-Z][A-Z0-9_]+): (0x[0-9A-Fa-f]+|\d+);/g);
  return new Map(Array.from(found, ([, name, value]) => [name!, Number(value)]));
}

/**
 * A WebGL context for Phaser 4 that paints nothing and answers as one that works: what is uploaded and asked to be drawn is
 * all there is. Its textures cannot be read back.
 */
export function stubWebGL(): void {
  const numbers = constants();
  const nothing = (): undefined => undefined;
  const making = Object.fromEntries(
    ['Texture', 'Buffer', 'Framebuffer', 'Shader', 'Program', 'Renderbuffer'].map((what) => [
      `create${what}`,
      () => ({}),
    ]),
  );
  const extensions: Record<string, object> = {
    OES_vertex_array_object: {
      createVertexArrayOES: () => ({}),
      bindVertexArrayOES: nothing,
      deleteVertexArrayOES: nothing,
    },
    ANGLE_instanced_arrays: { drawArraysInstancedANGLE: nothing, vertexAttribDivisorANGLE: nothing },
  };
  const parameters = new Map([
    [numbers.get('MAX_TEXTURE_IMAGE_UNITS'), 16],
    [numbers.get('MAX_TEXTURE_SIZE'), 4096],
  ]);
  const lists = [numbers.get('ACTIVE_UNIFORMS'), numbers.get('ACTIVE_ATTRIBUTES')];
  const answers: Record<string, Call> = {
    ...making,
    getExtension: (name: string) => extensions[name] ?? null,
    getSupportedExtensions: () => Object.keys(extensions),
    getContextAttributes: () => ({ antialias: true, stencil: true }),
    getParameter: (what: number) => parameters.get(what) ?? 0,
    getShaderPrecisionFormat: () => ({ precision: 23 }),
    getShaderParameter: () => true,
    getProgramParameter: (_program: unknown, what: number) => (lists.includes(what) ? 0 : true),
    getUniformLocation: () => ({}),
    getAttribLocation: () => 0,
    checkFramebufferStatus: () => numbers.get('FRAMEBUFFER_COMPLETE'),
    isContextLost: () => false,
    isEnabled: () => false,
    getError: () => 0,
  };
  const contexts = new WeakMap<object, object>();
  const getContext = HTMLCanvasElement.prototype.getContext as Call;
  const make = (canvas: HTMLCanvasElement): object => {
    const own: Record<string, unknown> = { canvas, drawingBufferWidth: 400, drawingBufferHeight: 300 };
    return new Proxy(own, {
      has: () => true,
      get: (_, name: string) => own[name] ?? answers[name] ?? numbers.get(name) ?? (own[name] = nothing),
    });
  };
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
    if (args[0] !== 'webgl') return getContext.apply(this, args as never[]);
    if (!contexts.has(this)) contexts.set(this, make(this));
    return contexts.get(this);
  } as typeof HTMLCanvasElement.prototype.getContext;
  Object.assign(globalThis, { WebGLRenderingContext: function () {} });
}
