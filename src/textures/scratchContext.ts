export type ScratchContext = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const SETTINGS: CanvasRenderingContext2DSettings = { willReadFrequently: true };

/**
 * The context through which pixels are read: that of an `OffscreenCanvas`, where the browser draws on one. Reading a canvas
 * of the page may wait for everything the GPU still has to draw, up to a second in a busy page.
 */
export function scratchContext(page: Document): ScratchContext | null {
  const offPage = typeof OffscreenCanvas === 'function' ? new OffscreenCanvas(1, 1).getContext('2d', SETTINGS) : null;
  return offPage ?? page.createElement('canvas').getContext('2d', SETTINGS);
}
