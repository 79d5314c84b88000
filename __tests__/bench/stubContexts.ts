import type { DOMWindow } from 'jsdom';

type Stub = Record<string, unknown>;

/**
 * Gives every canvas of the window a WebGL and a 2D context that take all calls and draw nothing: what remains of a
 * frame is Phaser's own JavaScript. Whatever is read back is opaque white.
 */
export function stubContexts(window: DOMWindow): void {
  const contexts = new WeakMap<HTMLCanvasElement, Map<string, Stub>>();

  const getContext = function (this: HTMLCanvasElement, type: string): Stub {
    const kind = type.includes('webgl') ? 'webgl' : '2d';
    let ofCanvas = contexts.get(this);
    if (!ofCanvas) contexts.set(this, (ofCanvas = new Map<string, Stub>()));
    let context = ofCanvas.get(kind);
    if (!context) ofCanvas.set(kind, (context = swallowing(kind === 'webgl' ? webgl(this) : canvas2d(this))));
    return context;
  };
  Object.defineProperty(window.HTMLCanvasElement.prototype, 'getContext', { value: getContext });
  Object.defineProperty(window.HTMLCanvasElement.prototype, 'toDataURL', { value: () => 'data:image/png;base64,' });
}

let constants = 0x10000;

/**
 * Answers every name that `known` lacks: a constant for an UPPER_CASE name, an object for `create…`, else a function
 * that does nothing. Each is made at its first use and is an own property from then on, so that no proxy stands in
 * the frames that are timed.
 */
function swallowing(known: Stub): Stub {
  const inventor = new Proxy(Object.create(null) as Stub, {
    get(_target, name, receiver: Stub) {
      if (typeof name === 'symbol') return undefined;
      const invented = /^[A-Z0-9_]+$/.test(name) ? constants++ : /^create/.test(name) ? () => ({}) : nothing;
      Object.defineProperty(receiver, name, { value: invented, writable: true, configurable: true, enumerable: true });
      return invented;
    },
    has: () => true,
  });
  Object.setPrototypeOf(known, inventor);
  return known;
}

function nothing(): void {
  // A call that would have drawn.
}

/** Numbers of a WebGL context by which what it is told is told apart. */
const GL = {
  ZERO: 0,
  ONE: 1,
  TRIANGLES: 4,
  TRIANGLE_STRIP: 5,
  BYTE: 0x1400,
  UNSIGNED_BYTE: 0x1401,
  SHORT: 0x1402,
  UNSIGNED_SHORT: 0x1403,
  INT: 0x1404,
  UNSIGNED_INT: 0x1405,
  FLOAT: 0x1406,
  ONE_MINUS_SRC_COLOR: 0x301,
  ONE_MINUS_SRC_ALPHA: 0x303,
  DST_ALPHA: 0x304,
  DST_COLOR: 0x306,
  ONE_MINUS_DST_COLOR: 0x307,
  FUNC_ADD: 0x8006,
  FUNC_REVERSE_SUBTRACT: 0x800b,
  EQUAL: 0x202,
  KEEP: 0x1e00,
  BLEND: 0xbe2,
  STENCIL_TEST: 0xb90,
  SCISSOR_TEST: 0xc11,
  COLOR_BUFFER_BIT: 0x4000,
  STENCIL_BUFFER_BIT: 0x400,
  ARRAY_BUFFER: 0x8892,
  ELEMENT_ARRAY_BUFFER: 0x8893,
  TEXTURE_2D: 0xde1,
  TEXTURE0: 0x84c0,
  ACTIVE_TEXTURE: 0x84e0,
} as const;

function webgl(canvas: HTMLCanvasElement): Stub {
  const names = {
    MAX_TEXTURE_IMAGE_UNITS: 1,
    ACTIVE_ATTRIBUTES: 2,
    ACTIVE_UNIFORMS: 3,
    FRAMEBUFFER_COMPLETE: 4,
    ...GL,
  };
  const first: Record<number, number> = { [GL.ACTIVE_TEXTURE]: GL.TEXTURE0, [names.MAX_TEXTURE_IMAGE_UNITS]: 16 };
  return {
    ...names,
    canvas,
    drawingBufferWidth: canvas.width,
    drawingBufferHeight: canvas.height,
    getContextAttributes: () => ({ stencil: true }),
    getSupportedExtensions: () => [],
    // Phaser 4 begins with none of these missing.
    getExtension: (name: string) => (/vertex_array_object|instanced_arrays/.test(name) ? swallowing({}) : null),
    getParameter: (name: number) => first[name] ?? 8192,
    getProgramParameter: (_program: unknown, name: number) =>
      name === names.ACTIVE_ATTRIBUTES || name === names.ACTIVE_UNIFORMS ? 0 : true,
    getShaderParameter: () => true,
    getShaderPrecisionFormat: () => ({ precision: 23 }),
    getAttribLocation: () => 0,
    getUniformLocation: () => ({}),
    getError: () => 0,
    checkFramebufferStatus: () => names.FRAMEBUFFER_COMPLETE,
    isContextLost: () => false,
    readPixels: (...args: unknown[]) => (args[6] as Uint8Array).fill(255),
  };
}

function canvas2d(canvas: HTMLCanvasElement): Stub {
  const imageData = (width: number, height: number) => ({
    data: new Uint8ClampedArray(width * height * 4).fill(255),
    width,
    height,
  });
  const gradient = () => ({ addColorStop: nothing });
  return {
    canvas,
    getImageData: (_x: number, _y: number, width: number, height: number) => imageData(width, height),
    createImageData: imageData,
    createLinearGradient: gradient,
    createRadialGradient: gradient,
    measureText: () => ({ width: 10, actualBoundingBoxAscent: 8, actualBoundingBoxDescent: 2 }),
    isPointInPath: () => false,
  };
}
