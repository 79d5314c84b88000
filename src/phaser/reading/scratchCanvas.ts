/**
 * A canvas to read pixels through, never shown. Off the page where the browser can: a canvas of the page may be made to wait
 * for everything the GPU still has to draw, up to a second in a busy one.
 */
export function scratchCanvas(page: Document): HTMLCanvasElement | OffscreenCanvas {
  return typeof OffscreenCanvas === 'function' ? new OffscreenCanvas(1, 1) : page.createElement('canvas');
}
