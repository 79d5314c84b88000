/** What of Phaser's WebGL renderer tells where it draws. */
export interface FramebufferRenderer {
  readonly currentFramebuffer: unknown;
  /** The screen's own, in versions that give it one. */
  readonly defaultFramebuffer?: unknown;
}

/** What is drawn now goes to a framebuffer, not to the screen. */
export function isElsewhere({ currentFramebuffer, defaultFramebuffer }: FramebufferRenderer): boolean {
  return currentFramebuffer !== null && currentFramebuffer !== defaultFramebuffer;
}
