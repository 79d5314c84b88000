/** A framebuffer of Phaser's WebGL renderer. */
export interface Framebuffer {
  /** The texture behind it; the screen has none. */
  readonly renderTexture?: object | null;
}

/** Phaser binds every framebuffer by this method of its WebGL renderer. */
export type SetFramebuffer = (
  framebuffer: Framebuffer | null,
  updateScissor?: boolean,
  setViewport?: boolean,
  texture?: unknown,
  clear?: boolean,
) => unknown;

/** The fields of Phaser's WebGL renderer that tell where it draws. */
export interface FramebufferRenderer {
  readonly currentFramebuffer: Framebuffer | null;
  /** The screen's own, in versions that give it one. */
  readonly defaultFramebuffer?: unknown;
}

/** True while draws go to a framebuffer, not to the screen. */
export function isElsewhere({ currentFramebuffer, defaultFramebuffer }: FramebufferRenderer): boolean {
  return currentFramebuffer !== null && currentFramebuffer !== defaultFramebuffer;
}
