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

function webgl(canvas: HTMLCanvasElement): Stub {
  const names = { MAX_TEXTURE_IMAGE_UNITS: 1, ACTIVE_ATTRIBUTES: 2, ACTIVE_UNIFORMS: 3, FRAMEBUFFER_COMPLETE: 4 };
  return {
    ...names,
    canvas,
    drawingBufferWidth: canvas.width,
    drawingBufferHeight: canvas.height,
    getContextAttributes: () => ({ stencil: true }),
    getSupportedExtensions: () => [],
    getExtension: () => null,
    getParameter: (name: number) => (name === names.MAX_TEXTURE_IMAGE_UNITS ? 16 : 8192),
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
