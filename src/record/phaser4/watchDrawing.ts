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
}

interface YieldNode {
  run(...values: unknown[]): unknown;
}

interface Filled {
  clear: (bits: number) => void;
  bufferSubData: (target: number, offset: number, data: unknown) => void;
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
  const draw: DrawElements = (on, textures, program, vertices, count, offset, topology) => {
    listener.onDraw(on, textures, program, vertices, count, offset, topology);
    if (draws) drawElements.call(renderer, on, textures, program, vertices, count, offset, topology);
  };
  const drawInstances: DrawInstances = (on, textures, program, vertices, first, count, instances, topology) => {
    listener.onInstances(on, textures, program, vertices, first, count, instances, topology);
    if (draws) drawInstancedArrays.call(renderer, on, textures, program, vertices, first, count, instances, topology);
  };
  renderer.drawElements = draw;
  renderer.drawInstancedArrays = drawInstances;
  const context = gl as unknown as Filled;
  const { clear, bufferSubData } = context;
  context.clear = (bits) => {
    listener.onClear(bits, renderer.glWrapper.state.bindings.framebuffer);
    if (draws) clear.call(gl, bits);
  };
  const { onUpload, onYield } = listener;
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
    Object.assign(context, { clear, bufferSubData });
  };
}
