import type {
  DrawElements,
  DrawingContext,
  DrawInstances,
  FramebufferWrapper,
  Phaser4Renderer,
} from './Phaser4Renderer.js';

/** Who is told of all that the renderer draws, before it is drawn. */
export interface DrawListener {
  onDraw: DrawElements;
  onInstances(context: DrawingContext): void;
  onClear(bits: number, framebuffer: FramebufferWrapper | null): void;
}

/** Tells from now on of each drawing. For life: taking it off would slow the renderer down. */
export function watchDrawing(renderer: Phaser4Renderer, listener: DrawListener): void {
  const { drawElements, drawInstancedArrays, gl } = renderer as Partial<Phaser4Renderer>;
  if (drawElements === undefined || drawInstancedArrays === undefined || gl === undefined) return;
  const draw: DrawElements = (on, textures, program, vertices, count, offset, topology) => {
    listener.onDraw(on, textures, program, vertices, count, offset, topology);
    drawElements.call(renderer, on, textures, program, vertices, count, offset, topology);
  };
  const drawInstances: DrawInstances = (on, textures, program, vertices, first, count, instances, topology) => {
    listener.onInstances(on);
    drawInstancedArrays.call(renderer, on, textures, program, vertices, first, count, instances, topology);
  };
  renderer.drawElements = draw;
  renderer.drawInstancedArrays = drawInstances;
  const context = gl as { clear: (bits: number) => void };
  const { clear } = context;
  context.clear = (bits) => {
    listener.onClear(bits, renderer.glWrapper.state.bindings.framebuffer);
    clear.call(gl, bits);
  };
}
