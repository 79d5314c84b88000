import { oneFor } from '../../oneFor.js';
import { type FramebufferRenderer, isElsewhere, type SetFramebuffer } from '../objects/isElsewhere.js';

/** Event of Phaser's WebGL renderer: a frame begins. */
const PRE_RENDER = 'prerender';

interface BatchingRenderer extends FramebufferRenderer {
  setFramebuffer?: SetFramebuffer;
  readonly pipelines: { readonly current: { readonly vertexCount: number; readonly isPreFX?: boolean } | null };
  on(event: string, listener: () => void): void;
}

/**
 * Tells whether a batch meant for the screen went elsewhere. To clear a render texture (`RenderTarget.clear`) Phaser
 * binds its framebuffer without drawing the batch first: after a `clear()` in the midst of a frame the batch goes to the
 * texture, and not to the screen.
 */
export class StrayBatches {
  /** The instance of a renderer. The renderer's wrapped method stays for life: taking it off would slow the renderer down. */
  static readonly of = oneFor((renderer: object) => new StrayBatches(renderer as BatchingRenderer));
  /** True when it happened in the frame drawn last. */
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
