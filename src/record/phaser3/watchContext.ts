import { type FramebufferRenderer, isElsewhere } from '../objects/isElsewhere.js';

/** How a context paints on the screen. */
const PAINTING = ['clear', 'drawArrays', 'drawElements'] as const;

type Paint = (a: number, b: number, c: number, d: number) => void;

export interface WatchedRenderer extends FramebufferRenderer {
  readonly gl: Pick<WebGLRenderingContext, (typeof PAINTING)[number] | 'COLOR_BUFFER_BIT'>;
  readonly pipelines: { readonly current: { readonly vertexCount: number } | null };
}

/**
 * Is told, from now on, before something other than a pipeline paints on the screen.
 * @returns stops it
 */
export function watchContext(renderer: WatchedRenderer, onForeign: () => void): () => void {
  const { gl } = renderer;
  const context = gl as unknown as Record<string, Paint>;
  const before: Record<string, Paint> = {};
  for (const name of PAINTING) {
    const paint = (before[name] = context[name]!);
    context[name] = (a, b, c, d) => {
      // Phaser draws batches that are not empty. Colours it clears in textures, and at the beginning of a frame.
      const isPhasers = name === 'clear' ? !(a & gl.COLOR_BUFFER_BIT) : renderer.pipelines.current?.vertexCount;
      if (!isPhasers && !isElsewhere(renderer)) onForeign();
      paint.call(gl, a, b, c, d);
    };
  }
  return () => Object.assign(gl, before);
}
