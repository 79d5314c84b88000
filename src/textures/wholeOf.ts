import type * as Phaser from 'phaser';

import type { TexturedObject } from '../record/phaser3/internals.js';
import { TexturePart } from './TexturePart.js';

type Frame = Phaser.Textures.Frame;

/** Textures that are one creative each, and nothing else. */
const creatives = new WeakSet<Phaser.Textures.Texture>();

/** Tells that all of a texture is one creative: whatever frames a game cuts from it, the creative is the whole. */
export function noteCreative(texture: Phaser.Textures.Texture): void {
  creatives.add(texture);
}

/** Frames that show only what the placement leaves of a creative: it is to `cover` a box of another shape. */
const fitted = new WeakSet<Frame>();

/** Tells that a frame is all of a creative that its placement means to show. */
export function noteFitted(frame: Frame): void {
  fitted.add(frame);
}

/** For each frame that shows less than the whole picture: the whole. */
const wholes = new WeakMap<Frame, TexturePart>();

/**
 * The whole picture of which a frame shows some: the area of an ad is measured against it. For a creative it is the whole
 * texture, or what `fit: 'cover'` leaves of it; for a game's own picture the frame as it was defined, trimmed, before
 * `setCutSize` and the like. The frame itself when it shows all.
 */
export function wholeOf(frame: Frame): Frame {
  const { source, texture, cutX, cutY, cutWidth, cutHeight } = frame;
  const { cut, trim, spriteSourceSize } = (frame as unknown as Defined).data;
  const isFitted = fitted.has(frame);
  const isCreative = !isFitted && creatives.has(texture);
  const x = isCreative ? 0 : cut.x;
  const y = isCreative ? 0 : cut.y;
  let { width, height } = source;
  if (!isCreative) {
    width = isFitted ? cut.w : Math.max(cutWidth, trim ? spriteSourceSize.w : cut.w);
    height = isFitted ? cut.h : Math.max(cutHeight, trim ? spriteSourceSize.h : cut.h);
  }
  if (x === cutX && y === cutY && width === cutWidth && height === cutHeight) return frame;
  let whole = wholes.get(frame);
  if (!whole?.isAt(source, x, y, width, height)) {
    whole = new TexturePart(source, x, y, width, height);
    wholes.set(frame, whole);
  }
  return whole.frame;
}

/** True when an object shows only a part of its picture: it is cropped, or its frame was cut. */
export function isCut({ isCropped, frame }: TexturedObject): boolean {
  return isCropped || wholeOf(frame) !== frame;
}

/**
 * True when a frame shows something else than a part of the picture it stands for: its cut was moved beyond that, or, in WebGL,
 * other texels were set by hand (`Frame.setUVs`).
 */
export function isMisplaced(frame: Frame, isWebGL: boolean): boolean {
  const { cutX, cutY, cutWidth, cutHeight, source, u0, v0, u1, v1 } = frame;
  const whole = wholeOf(frame);
  const fromX = isWebGL ? cutX : drawnFromX(frame);
  const fromY = isWebGL ? cutY : drawnFromY(frame);
  if (fromX < whole.cutX || fromX + cutWidth > whole.cutX + whole.cutWidth) return true;
  if (fromY < whole.cutY || fromY + cutHeight > whole.cutY + whole.cutHeight) return true;
  // Elsewhere it may have been written into a source of another size since.
  if (!isWebGL || !creatives.has(frame.texture)) return false;
  const { width, height } = source;
  return (
    Math.min(u0, u1) !== cutX / width ||
    Math.max(u0, u1) !== (cutX + cutWidth) / width ||
    Math.min(v0, v1) !== cutY / height ||
    Math.max(v0, v1) !== (cutY + cutHeight) / height
  );
}

/** True when Canvas draws the part of the source that the frame says. */
export function isWhereCut(frame: Frame): boolean {
  return drawnFromX(frame) === frame.cutX && drawnFromY(frame) === frame.cutY;
}

/** Where in the source Canvas begins to draw a frame: where the frame was first cut, whatever `setCutPosition` says. */
function drawnFromX(frame: Frame): number {
  return (frame as unknown as Defined).data.drawImage.x;
}
function drawnFromY(frame: Frame): number {
  return (frame as unknown as Defined).data.drawImage.y;
}

/** How a frame was defined: not in Phaser's types. */
interface Defined {
  readonly data: {
    readonly cut: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly trim: boolean;
    readonly spriteSourceSize: { readonly w: number; readonly h: number };
    readonly drawImage: { readonly x: number; readonly y: number };
  };
}
