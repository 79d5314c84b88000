import { EVERYWHERE, growBox } from '../../geometry/boxes.js';
import { BLUR_PX, type PaintProbe } from '../objects/PaintedReach.js';
import { CallVertices } from './CallVertices.js';
import type { Phaser4Renderer } from './Phaser4Renderer.js';
import { watchDrawing } from './watchDrawing.js';

/** An index has two bytes. */
const INDEX_SHIFT = 1;

/** Tells where Phaser 4 paints, by the vertices of its draw calls. */
export class CallProbe extends CallVertices implements PaintProbe {
  readonly method = 'renderWebGLStep';

  constructor(private readonly renderer: Phaser4Renderer) {
    super();
  }

  watch(draw: () => void, box: Float64Array): void {
    const { renderer } = this;
    const { renderNodes } = renderer;
    const spoil = (): void => {
      box.set(EVERYWHERE);
    };
    // What is in the batch now belongs to other objects.
    renderNodes.finishBatch();
    const stop = watchDrawing(renderer, {
      onDraw: ({ useCanvas }, textures, shader, vertices, count, offset) => {
        // What is drawn into a texture comes to the screen changed.
        if (useCanvas && this.open(shader, vertices, textures.length) && !this.program.isInClipSpace)
          this.#grow(box, offset >> INDEX_SHIFT, count);
        else spoil();
      },
      onInstances: spoil,
      onYield: spoil,
      onForeign: (isSeen) => {
        if (isSeen) spoil();
      },
      onClear: (bits, framebuffer) => {
        if ((framebuffer === null || framebuffer.useCanvas) && (bits & renderer.gl.COLOR_BUFFER_BIT) !== 0) spoil();
      },
    });
    try {
      draw();
      renderNodes.finishBatch();
    } finally {
      stop();
      this.release();
    }
  }

  #grow(box: Float64Array, first: number, count: number): void {
    const { stride, position } = this.layout;
    for (let i = first; i < first + count; i++) {
      const at = this.vertexAt(i) * stride + position;
      const x = this.f32[at]!;
      const y = this.f32[at + 1]!;
      if (Number.isFinite(x + y)) growBox(box, x, y, BLUR_PX, BLUR_PX);
      else box.set(EVERYWHERE);
    }
  }
}
