import type * as Phaser from 'phaser';

import { PolygonFlag } from '../../../viewability/FrameSnapshot.js';

/**
 * Meshes, ropes and nine-slices carry coordinates of the whole texture, 0–1; an alpha map those of its frame's cut
 * rectangle. This is one such coordinate in the other's terms. (Both axes alike: pass u0, u1 or v0, v1 of the frame.)
 */
export function inFrame(coordinate: number, start: number, end: number): number {
  return end === start ? 0 : (coordinate - start) / (end - start);
}

/** Textures whose sides are powers of two repeat beyond their edges in WebGL; a frame that is only a part never does. */
export function wrapFlags(frame: Phaser.Textures.Frame): number {
  if (frame.u0 !== 0 || frame.v0 !== 0 || frame.u1 !== 1 || frame.v1 !== 1) return 0;
  return isPowerOfTwo(frame.source.width) && isPowerOfTwo(frame.source.height) ? PolygonFlag.REPEAT : 0;
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && (value & (value - 1)) === 0;
}
