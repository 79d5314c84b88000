import type * as Phaser from 'phaser';

import { TexturePart } from './TexturePart.js';

type Frame = Phaser.Textures.Frame;

/**
 * True for a frame that the packer rotated in its atlas, in WebGL: its texels are those of a cut as wide as the frame is
 * high, and mirrored. Canvas ignores the rotation and draws the upright cut. Source: `Frame.updateUVsInverted`.
 */
export function isTurned(frame: Frame): boolean {
  // Not by `frame.rotated`: copies of a frame keep it, but are shown upright.
  return frame.u0 > frame.u1 && Boolean((frame.source as { readonly glTexture?: object | null }).glTexture);
}

/** The texels a turned frame shows, from left to right. */
export function lyingPartOf({ source, cutX, cutY, cutWidth, cutHeight }: Frame): TexturePart {
  return new TexturePart(source, cutX, cutY, cutHeight, cutWidth);
}

/** By turned frame: its upright cut. */
const uprightParts = new WeakMap<Frame, TexturePart>();

/** The upright cut of any frame: crops and patterns show that, whether it is turned or not. */
export function uprightOf(frame: Frame): Frame {
  if (!isTurned(frame)) return frame;
  const { source, cutX, cutY, cutWidth, cutHeight } = frame;
  let part = uprightParts.get(frame);
  if (!part?.isAt(source, cutX, cutY, cutWidth, cutHeight)) {
    part = new TexturePart(source, cutX, cutY, cutWidth, cutHeight);
    uprightParts.set(frame, part);
  }
  return part.frame;
}
