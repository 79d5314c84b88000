import type * as Phaser from 'phaser';

import { partOf } from './textureParts.js';

type Frame = Phaser.Textures.Frame;

/**
 * True for a frame that the packer rotated in its atlas, in WebGL: its texels are those of a cut as wide as the frame is
 * high, and mirrored. Canvas ignores the rotation and draws the upright cut. Source: `Frame.updateUVsInverted`.
 */
export function isTurned(frame: Frame): boolean {
  // Not by `frame.rotated`: copies of a frame keep it, but are shown upright.
  return frame.u0 > frame.u1 && Boolean((frame.source as { readonly glTexture?: object | null }).glTexture);
}

/** The texels a turned frame shows. The texture coordinates of vertices mirror them. */
export function lyingPartOf({ source, cutX, cutY, cutWidth, cutHeight }: Frame): Frame {
  return partOf(source, cutX, cutY, cutHeight, cutWidth);
}
