import type * as Phaser from 'phaser';

import type { GlTexture } from './gpuTexels.js';

/** The texture of the GPU that Phaser draws into, such as that of a `DynamicTexture` in WebGL; null for pictures. */
export function drawnTextureOf({ glTexture }: Phaser.Textures.TextureSource): object | null {
  const texture = glTexture as GlTexture | null | undefined;
  return texture?.isRenderTexture === true ? texture : null;
}
