export type ScratchContext = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const SETTINGS: CanvasRenderingContext2DSettings = { willReadFrequently: true };

/**
 * What pixels are read through: of a canvas off the page, where the browser draws on such. A canvas of the page may be made
 * to wait for everything the GPU still has to draw, up to a second in a busy one.
 */
export function scratchContext(page: Document): ScratchContext | null {
  const offPage = typeof OffscreenCanvas === 'function' ? new OffscreenCanvas(1, 1).getContext('2d', SETTINGS) : null;
  return offPage ?? page.createElement('canvas').getContext('2d', SETTINGS);
}
