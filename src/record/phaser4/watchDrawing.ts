import type { DrawElements, DrawInstances, FramebufferWrapper, Phaser4Renderer } from './Phaser4Renderer.js';

/** Is told of all that the renderer draws, before it is drawn. */
export interface DrawListener {
  onDraw: DrawElements;
  onInstances: DrawInstances;
  onClear(bits: number, framebuffer: FramebufferWrapper | null): void;
  /** Part of a buffer is filled, mostly with the vertices or indices that are drawn next. */
  onUpload?(data: unknown): void;
  /** Something is handed the context (Extern, Spine): it draws past the renderer, anywhere. */
  onYield?(): void;
  /** Something draws past the renderer without having been handed the context; `isSeen` unless its colours are masked off. */
  onForeign?(isSeen: boolean): void;
  /** What the stencil is compared with from now on, whoever has said so. */
  onStencilFunc?(ref: number): void;
  /** Whether draws change the stencil from now on, whoever has said so. */
  onStencilOp?(writes: boolean): void;
}

interface YieldNode {
  run(...values: unknown[]): unknown;
}

type Paint = (a: number, b: number, c: number, d: number) => void;

interface Filled {
  clear: (bits: number) => void;
  bufferSubData: (target: number, offset: number, data: unknown) => void;
  drawArrays: Paint;
  drawElements: Paint;
  colorMask: (r: boolean, g: boolean, b: boolean, a: boolean) => void;
  stencilFunc: (func: number, ref: number, mask: number) => void;
  stencilOp: (fail: number, depthFail: number, pass: number) => void;
}

/**
 * Tells of each draw from now on: all that Phaser draws goes through two functions, with everything that matters as
 * arguments. A listener of the running game stays for life: taking it off would slow the renderer down.
 * @param draws false when nothing is to be drawn
 * @returns stops it
 */
export function watchDrawing(renderer: Phaser4Renderer, listener: DrawListener, draws = true): () => void {
  const { drawElements, drawInstancedArrays, gl } = renderer as Partial<Phaser4Renderer>;
  if (drawElements === undefined || drawInstancedArrays === undefined || gl === undefined) return () => undefined;
  let isPhasers = false;
  const draw: DrawElements = (on, textures, program, vertices, count, offset, topology) => {
    listener.onDraw(on, textures, program, vertices, count, offset, topology);
    if (!draws) return;
    isPhasers = true;
    try {
      drawElements.call(renderer, on, textures, program, vertices, count, offset, topology);
    } finally {
      isPhasers = false;
    }
  };
  const drawInstances: DrawInstances = (on, textures, program, vertices, first, count, instances, topology) => {
    listener.onInstances(on, textures, program, vertices, first, count, instances, topology);
    if (draws) drawInstancedArrays.call(renderer, on, textures, program, vertices, first, count, instances, topology);
  };
  renderer.drawElements = draw;
  renderer.drawInstancedArrays = drawInstances;
  const context = gl as unknown as Filled;
  const { clear, bufferSubData, drawArrays, drawElements: drawIndexed, colorMask, stencilFunc, stencilOp } = context;
  context.clear = (bits) => {
    listener.onClear(bits, renderer.glWrapper.state.bindings.framebuffer);
    if (draws) clear.call(gl, bits);
  };
  const { onForeign, onStencilFunc, onStencilOp, onUpload, onYield } = listener;
  if (onForeign !== undefined) {
    let isColored = true;
    context.colorMask = (r, g, b, a) => {
      isColored = r || g || b || a;
      colorMask.call(gl, r, g, b, a);
    };
    const watched =
      (paint: Paint): Paint =>
      (a, b, c, d) => {
        if (!isPhasers) onForeign.call(listener, isColored);
        paint.call(gl, a, b, c, d);
      };
    context.drawArrays = watched(drawArrays);
    context.drawElements = watched(drawIndexed);
  }
  if (onStencilFunc !== undefined) {
    context.stencilFunc = (func, ref, mask) => {
      onStencilFunc.call(listener, ref);
      stencilFunc.call(gl, func, ref, mask);
    };
  }
  if (onStencilOp !== undefined) {
    context.stencilOp = (fail, depthFail, pass) => {
      onStencilOp.call(listener, fail !== gl.KEEP || pass !== gl.KEEP);
      stencilOp.call(gl, fail, depthFail, pass);
    };
  }
  if (onUpload !== undefined) {
    context.bufferSubData = (target, offset, data) => {
      onUpload.call(listener, data);
      bufferSubData.call(gl, target, offset, data);
    };
  }
  const yielding = renderer.renderNodes.getNode('YieldContext') as YieldNode | null;
  const run = yielding?.run;
  if (onYield !== undefined && run !== undefined) {
    yielding!.run = (...values) => {
      const result = run.apply(yielding, values);
      onYield.call(listener);
      return result;
    };
  }
  return () => {
    if (run !== undefined) yielding!.run = run;
    // Assigned and not deleted: deleting would make both slow objects.
    Object.assign(renderer, { drawElements, drawInstancedArrays });
    const painting = { clear, bufferSubData, drawArrays, drawElements: drawIndexed };
    Object.assign(context, painting, { colorMask, stencilFunc, stencilOp });
  };
}
