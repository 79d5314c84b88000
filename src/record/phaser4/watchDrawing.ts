import { targetOf } from './DrawCalls.js';
import type { DrawElements, DrawingContext, DrawInstances, Phaser4Renderer } from './Phaser4Renderer.js';

/** Tells from now on which texture is drawn into or cleared, each time. For life: taking it off would slow the renderer down. */
export function watchDrawing(renderer: Phaser4Renderer, onDraw: (texture: object) => void): void {
  const { drawElements, drawInstancedArrays, gl } = renderer as Partial<Phaser4Renderer>;
  if (drawElements === undefined || drawInstancedArrays === undefined || gl === undefined) return;
  const note = (context: DrawingContext): void => {
    const target = targetOf(context);
    if (target !== null) onDraw(target);
  };
  const draw: DrawElements = (on, textures, program, vertices, count, offset, topology) => {
    note(on);
    drawElements.call(renderer, on, textures, program, vertices, count, offset, topology);
  };
  const drawInstances: DrawInstances = (on, textures, program, vertices, first, count, instances, topology) => {
    note(on);
    drawInstancedArrays.call(renderer, on, textures, program, vertices, first, count, instances, topology);
  };
  renderer.drawElements = draw;
  renderer.drawInstancedArrays = drawInstances;
  const context = gl as { clear: (bits: number) => void };
  const { clear } = context;
  context.clear = (bits) => {
    const texture = renderer.glWrapper.state.bindings.framebuffer?.renderTexture;
    if (texture) onDraw(texture);
    clear.call(gl, bits);
  };
}
