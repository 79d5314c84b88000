import type * as Phaser from 'phaser';

import type { ScratchContext } from './scratchContext.js';

/** Phaser's wrapper of a texture of the GPU; versions that take textures made of numbers have it. */
interface WrappedTexture {
  readonly webGLTexture?: WebGLTexture | null;
  readonly magFilter?: number;
  readonly pma?: boolean;
}

/** By texture of the GPU. */
const pictures = new WeakMap<object, ScratchContext['canvas']>();

/** True of a texture made of numbers (`textures.addUint8Array`). */
export function isData(source: Phaser.Textures.TextureSource): boolean {
  return (source.image as unknown) instanceof Uint8Array;
}

/** True when the texels of a texture made of numbers are drawn as they are, which no field of its source tells. */
export function isDataPixelated({ glTexture, renderer }: Phaser.Textures.TextureSource): boolean {
  const gl = glOf(renderer);
  return gl !== null && (glTexture as WrappedTexture | null)?.magFilter === gl.NEAREST;
}

/**
 * The picture of a texture made of numbers, read back from the GPU once: games use one array for many textures, so that it
 * need not hold any more what was uploaded. Null where that cannot be read.
 */
export function dataPicture(
  { glTexture, renderer, width, height }: Phaser.Textures.TextureSource,
  createContext: () => ScratchContext | null,
): ScratchContext['canvas'] | null {
  const { webGLTexture: texture, pma = true } = (glTexture ?? {}) as WrappedTexture;
  const gl = glOf(renderer);
  if (!texture || gl === null) return null;
  const known = pictures.get(texture);
  if (known !== undefined) return known;
  const pixels = readBack(gl, texture, width, height);
  const context = pixels && createContext();
  if (!context) return null;
  if (pma) divideByAlpha(pixels);
  const { canvas } = context;
  canvas.width = width;
  canvas.height = height;
  context.putImageData(new ImageData(pixels, width, height), 0, 0);
  pictures.set(texture, canvas);
  return canvas;
}

function glOf(renderer: unknown): WebGLRenderingContext | null {
  return (renderer as { readonly gl?: WebGLRenderingContext | null } | null)?.gl ?? null;
}

function readBack(
  gl: WebGLRenderingContext,
  texture: WebGLTexture,
  width: number,
  height: number,
): Uint8ClampedArray<ArrayBuffer> | null {
  const before = gl.getParameter(gl.FRAMEBUFFER_BINDING) as WebGLFramebuffer | null;
  const framebuffer = gl.createFramebuffer();
  const pixels = new Uint8ClampedArray(4 * width * height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const isReadable = gl.checkFramebufferStatus(gl.FRAMEBUFFER) === gl.FRAMEBUFFER_COMPLETE;
  if (isReadable) gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(pixels.buffer));
  gl.bindFramebuffer(gl.FRAMEBUFFER, before);
  gl.deleteFramebuffer(framebuffer);
  // A lost context reads nothing but zeros, as of a picture that is clear.
  return isReadable && !gl.isContextLost() ? pixels : null;
}

/** WebGL keeps colours multiplied by their alpha, pictures of a page as they are. */
function divideByAlpha(pixels: Uint8ClampedArray): void {
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let k = i; k < i + 3; k++) pixels[k] = (255 * pixels[k]!) / alpha;
  }
}
