import type * as Phaser from 'phaser';

import { divideByAlpha, glOf, gpuTexels } from './gpuTexels.js';
import type { ScratchContext } from './scratchContext.js';

/** Phaser's wrapper of a texture of the GPU; versions that take textures made of numbers have it. */
interface WrappedTexture {
  readonly webGLTexture?: WebGLTexture | null;
  readonly magFilter?: number;
  readonly pma?: boolean;
}

/** By texture of the GPU: its picture, and the version of the numbers it was made from. */
const pictures = new WeakMap<object, { readonly canvas: ScratchContext['canvas']; readonly version: number }>();

/** True for a texture made of numbers (`textures.addUint8Array`). */
export function isData(source: Phaser.Textures.TextureSource): boolean {
  return (source.image as unknown) instanceof Uint8Array;
}

/** True when the texels of a texture made of numbers are drawn as they are, which no field of its source tells. */
export function isDataPixelated({ glTexture, renderer }: Phaser.Textures.TextureSource): boolean {
  const gl = glOf(renderer);
  return gl !== null && (glTexture as WrappedTexture | null)?.magFilter === gl.NEAREST;
}

/**
 * The picture of a texture made of numbers, read back from the GPU once for each time they were sent there: games use one
 * array for many textures, so it may no longer hold what was uploaded. Null where the texture cannot be read.
 */
export function dataPicture(
  source: Phaser.Textures.TextureSource,
  version: number,
  createContext: () => ScratchContext | null,
): ScratchContext['canvas'] | null {
  const { glTexture, width, height } = source;
  const { webGLTexture: texture, pma = true } = (glTexture ?? {}) as WrappedTexture;
  if (!texture) return null;
  const known = pictures.get(texture);
  if (known?.version === version) return known.canvas;
  const pixels = gpuTexels(source, 0, 0, width, height);
  const context = pixels && createContext();
  if (!context) return null;
  if (pma) divideByAlpha(pixels);
  const { canvas } = context;
  canvas.width = width;
  canvas.height = height;
  context.putImageData(new ImageData(pixels, width, height), 0, 0);
  pictures.set(texture, { canvas, version });
  return canvas;
}
