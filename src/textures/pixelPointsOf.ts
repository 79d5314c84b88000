import type * as Phaser from 'phaser';

const smoothed = new WeakMap<WebGLRenderingContext, boolean>();

/** How many points of a pixel make its colour, as the renderer smooths edges; see `FrameSnapshot.pixelPoints`. */
export function pixelPointsOf(renderer: Phaser.Game['renderer'] | null): 1 | 4 | 8 {
  if (renderer === null || !('gl' in renderer)) return 8;
  const { gl } = renderer;
  let isSmooth = smoothed.get(gl);
  if (isSmooth === undefined) {
    // Asked once: a context never changes it, and each answer is a new object.
    isSmooth = gl.getContextAttributes()?.antialias ?? true;
    smoothed.set(gl, isSmooth);
  }
  return isSmooth ? 4 : 1;
}
