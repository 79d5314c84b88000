import { oneFor } from '../../oneFor.js';
import { type FramebufferRenderer, isElsewhere, type SetFramebuffer } from '../isElsewhere.js';

/** Event of Phaser's WebGL renderer: a frame begins. */
const PRE_RENDER = 'prerender';

interface BatchingRenderer extends FramebufferRenderer {
  setFramebuffer?: SetFramebuffer;
  readonly pipelines: { readonly current: { readonly vertexCount: number; readonly isPreFX?: boolean } | null };
  on(event: string, listener: () => void): void;
}

/**
 * Tells whether a batch meant for the screen went elsewhere. Phaser binds the framebuffer of a render texture to clear it
 * (`RenderTarget.clear`) without drawing first what is batched: a `clear()` in the midst of a frame has the texture get
 * that, and the screen not.
 */
export class StrayBatches {
  /** The watch of a renderer, which keeps its wrapped method for life: taking it off would slow the renderer down. */
  static readonly of = oneFor((renderer: object) => new StrayBatches(renderer as BatchingRenderer));
  /** In the frame drawn last. */
  hasAny = false;

  private constructor(renderer: BatchingRenderer) {
    const { setFramebuffer } = renderer;
    if (setFramebuffer === undefined) return;
    renderer.on(PRE_RENDER, () => {
      this.hasAny = false;
    });
    const note: SetFramebuffer = (framebuffer, updateScissor, setViewport = true, texture, clear) => {
      // In all other cases Phaser draws the batch first.
      if (framebuffer?.renderTexture && setViewport && !isElsewhere(renderer)) {
        const { current } = renderer.pipelines;
        // Effects bind framebuffers by themselves, and draw where they bind them.
        if (current !== null && current.vertexCount > 0 && current.isPreFX !== true) this.hasAny = true;
      }
      return setFramebuffer.call(renderer, framebuffer, updateScissor, setViewport, texture, clear);
    };
    renderer.setFramebuffer = note;
  }
}
