/**
 * From here on the screen is painted only while it is asked for; what is drawn into textures always is. Without a GPU
 * painting takes most of a frame, and at most frames nobody looks. What Phaser and the measurement do is the same.
 */
export function paintOnRequest(gl: WebGLRenderingContext, isAskedFor: () => boolean): void {
  for (const name of ['clear', 'drawArrays', 'drawElements'] as const) {
    const paint: (this: WebGLRenderingContext, ...what: never[]) => void = gl[name];
    gl[name] = (...what: never[]) => {
      if (isAskedFor() || gl.getParameter(gl.FRAMEBUFFER_BINDING) !== null) paint.apply(gl, what);
    };
  }
}
