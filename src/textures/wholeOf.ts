import type * as Phaser from 'phaser';

import type { TexturedObject } from '../record/phaser3/internals.js';
import { partOf } from './textureParts.js';

type Frame = Phaser.Textures.Frame;

/** Textures that are one creative each, and nothing else; and their pictures. */
const creatives = new WeakSet();

/** Tells that all of a texture is one creative: whatever frames a game cuts from it, the creative is the whole. */
export function noteCreative(texture: Phaser.Textures.Texture): void {
  creatives.add(texture).add(texture.source[0]!.image);
}

/** Whether a picture is a creative: nobody but the plugin paints on it. */
export function isCreative(image: unknown): boolean {
  return creatives.has(image as object);
}

/** Frames that show only what the placement leaves of a creative: it is to `cover` a box of another shape. */
const fitted = new WeakSet<Frame>();

/** Tells that a frame is all of a creative that its placement means to show. */
export function noteFitted(frame: Frame): void {
  fitted.add(frame);
}

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
  const isWhole = x === cutX && y === cutY && width === cutWidth && height === cutHeight;
  return isWhole ? frame : partOf(source, x, y, width, height);
}

/** True when an object shows only a part of its picture: it is cropped, or its frame was cut. */
export function isCut({ isCropped, frame }: TexturedObject): boolean {
  return isCropped || wholeOf(frame) !== frame;
}

/** True when Canvas draws something else than a part of the picture that a frame stands for: its cut was moved beyond that. */
export function isMisplaced(frame: Frame): boolean {
  const { x, y } = drawnFrom(frame);
  const { cutX, cutY, cutWidth, cutHeight } = wholeOf(frame);
  return x < cutX || y < cutY || x + frame.cutWidth > cutX + cutWidth || y + frame.cutHeight > cutY + cutHeight;
}

/** True when Canvas draws the part of the source that the frame says. */
export function isWhereCut(frame: Frame): boolean {
  const { x, y } = drawnFrom(frame);
  return x === frame.cutX && y === frame.cutY;
}

/** Where in the source Canvas begins to draw a frame: where the frame was first cut, whatever `setCutPosition` says. */
function drawnFrom(frame: Frame): { readonly x: number; readonly y: number } {
  return (frame as unknown as Defined).data.drawImage;
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
