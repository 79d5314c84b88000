import type * as Phaser from 'phaser';

import { isPhaser4Renderer } from '../record/phaser4/Phaser4Renderer.js';

/** A texture of the GPU: Phaser's wrapper of it, or itself in versions without one. */
export type GlTexture = WebGLTexture & {
  readonly webGLTexture?: WebGLTexture | null;
  /** Phaser draws into it. */
  readonly isRenderTexture?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Its colours are multiplied by alpha. */
  readonly pma?: boolean;
};

/** The texture of the GPU that Phaser draws into, such as that of a `DynamicTexture` in WebGL; null for pictures. */
export function drawnTextureOf({ glTexture }: Phaser.Textures.TextureSource): object | null {
  const texture = glTexture as GlTexture | null | undefined;
  return texture?.isRenderTexture === true ? texture : null;
}

/** True when a texture keeps its colours as they are, as some made of numbers do. */
export function hasDividedColours({ glTexture }: Phaser.Textures.TextureSource): boolean {
  return (glTexture as GlTexture | null)?.pma === false;
}

/**
 * The size of a texture on the GPU. Some versions do not enlarge the texture of a `DynamicTexture` along with its source,
 * but stretch it.
 */
export function sizeOnGpu(source: Phaser.Textures.TextureSource): { readonly width: number; readonly height: number } {
  const { width = source.width, height = source.height } = (source.glTexture ?? {}) as GlTexture;
  return { width, height };
}

/**
 * A part of a texture as it is on the GPU: RGBA row by row from the top on, colours multiplied by alpha if the texture keeps
 * them so. Waits for what the GPU has yet to draw. Null where it cannot be read.
 */
export function gpuTexels(
  source: Phaser.Textures.TextureSource,
  x: number,
  y: number,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> | null {
  const { glTexture, renderer } = source;
  // Phaser 3 has the top row at v = 0, Phaser 4 the bottom one.
  const isUpward = isPhaser4Renderer(renderer);
  const fromV = isUpward ? sizeOnGpu(source).height - y - height : y;
  const texture = textureOf(glTexture);
  const { gl = null } = (renderer ?? {}) as { readonly gl?: WebGLRenderingContext | null };
  if (texture === null || gl === null) return null;
  const before = gl.getParameter(gl.FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
  const framebuffer = gl.createFramebuffer();
  const texels = new Uint8ClampedArray(4 * width * height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const isReadable = gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE;
  if (isReadable) gl.readPixels(x, fromV, width, height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(texels.buffer));
  gl.bindFramebuffer(gl.FRAMEBUFFER, before);
  gl.deleteFramebuffer(framebuffer);
  if (isUpward) turnOver(texels, 4 * width);
  // A lost context reads nothing but zeros, which would look like a clear picture.
  return isReadable && !gl.isContextLost() ? texels : null;
}

/** Turns rows of so many bytes upside down. */
function turnOver(texels: Uint8ClampedArray, bytes: number): void {
  for (let top = 0, bottom = texels.length - bytes; top < bottom; top += bytes, bottom -= bytes) {
    const row = texels.slice(top, top + bytes);
    texels.copyWithin(top, bottom, bottom + bytes);
    texels.set(row, bottom);
  }
}

/** Divides colours by their alpha: textures keep them multiplied, pictures of a page do not. */
export function divideByAlpha(texels: Uint8ClampedArray): void {
  for (let i = 0; i < texels.length; i += 4) {
    const alpha = texels[i + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let k = i; k < i + 3; k++) texels[k] = (255 * texels[k]!) / alpha;
  }
}

/** The texture as the context knows it. Null once it was removed. */
export function textureOf(glTexture: GlTexture | null | undefined): WebGLTexture | null {
  if (!glTexture) return null;
  return glTexture.webGLTexture === undefined ? glTexture : glTexture.webGLTexture;
}
