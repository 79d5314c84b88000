interface Losable {
  isContextLost?(): boolean;
}

/**
 * Whether what the renderer draws goes nowhere: its graphics context is lost. The browser tells of that a moment late, and
 * Phaser does not listen to the loss of a 2D context at all.
 */
export function isContextLost(renderer: object): boolean {
  const { contextLost, gl, gameContext } = renderer as { contextLost?: boolean; gl?: Losable; gameContext?: Losable };
  return contextLost === true || (gl ?? gameContext)?.isContextLost?.() === true;
}
