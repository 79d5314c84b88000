import type * as Phaser from 'phaser';

import type { TexturedObject } from '../internals.js';
import { isRemoved } from '../isRemoved.js';
import type { ObjectReader, ReadContext } from '../ObjectReader.js';
import { PenMode, Snap } from '../Pen.js';
import { cornerTintsOf } from '../tintLight.js';
import { TexturePart } from '../TexturePart.js';
import { uprightOf } from '../turnedFrames.js';
import { drawnFromX, drawnFromY, wholeOf } from '../wholeOf.js';
import {
  floorsPosition,
  lengthOnCanvas,
  roundingOf,
  roundsPlaceOnCanvas,
  snapOfSprite,
  startOnCanvas,
} from './roundPixels.js';
import { tintStrength } from './tint.js';

/**
 * Image, Sprite and everything else Phaser draws with `batchSprite`: the frame's cut rectangle, trimmed, cropped,
 * flipped about its pivot. Source: `MultiPipeline.batchSprite` (WebGL), `CanvasRenderer.batchSprite` (Canvas).
 */
export const readImage: ObjectReader<TexturedObject> = (object, context) => {
  const { pen } = context;
  const frame = object.frame;
  if (isRemoved(frame)) return;
  const { displayOriginX, displayOriginY, flipX, flipY } = object;
  const { resolution } = frame.source;
  // An ad is measured against all of its picture, however much of it is drawn.
  const isShape = pen.mode === PenMode.SHAPE;
  const picture = isShape ? wholeOf(frame) : frame;
  let x = frame.x - displayOriginX;
  let y = frame.y - displayOriginY;
  let width = picture.cutWidth;
  let height = picture.cutHeight;
  if (picture !== frame) {
    x += context.isWebGL ? picture.cutX - frame.cutX : (picture.cutX - drawnFromX(frame)) / resolution;
    y += context.isWebGL ? picture.cutY - frame.cutY : (picture.cutY - drawnFromY(frame)) / resolution;
  }
  let u0 = 0;
  let v0 = 0;
  let u1 = 1;
  let v1 = 1;
  if (object.isCropped && !isShape) {
    const crop = object._crop;
    x = crop.x - displayOriginX;
    y = crop.y - displayOriginY;
    width = crop.width;
    height = crop.height;
    if (!context.isWebGL) {
      width = crop.cw;
      height = crop.ch;
      // The Canvas renderer mirrors a flipped crop about the origin, and only then applies the flip below.
      if (flipX) x = -x - width;
      if (flipY) y = -y - height;
    }
    u0 = (crop.cx - frame.cutX) / frame.cutWidth;
    v0 = (crop.cy - frame.cutY) / frame.cutHeight;
    u1 = u0 + crop.cw / frame.cutWidth;
    v1 = v0 + crop.ch / frame.cutHeight;
  }
  if (!context.isWebGL) {
    width /= resolution;
    height /= resolution;
  }
  if (!(width > 0 && height > 0)) return;
  if (flipX && !frame.customPivot) x += 2 * displayOriginX - frame.realWidth;
  if (flipY && !frame.customPivot) y += 2 * displayOriginY - frame.realHeight;
  transformSprite(object, context, flipX, flipY);
  if (!context.isWebGL && context.camera.roundPixels) {
    roundOnCanvas(context);
    if (pen.mode === PenMode.PAINT) {
      const rounding = roundingOf(context.camera);
      x = startOnCanvas(rounding, x);
      y = startOnCanvas(rounding, y);
      width = lengthOnCanvas(rounding, width);
      height = lengthOnCanvas(rounding, height);
    }
  }
  if (!pen.reaches(x, y, width, height)) return;
  if (context.isWebGL && u0 === u1 && v0 === v1) {
    drawFirstTexel(object, context, x, y, width, height);
    return;
  }
  pen.area.lie(x, y, width, height);
  pen.area.show(u0, v0, u1, v1);
  drawTextured(object, context, object.isCropped && !isShape ? uprightOf(frame) : picture);
};

/** The texels that meet at the texture's first corner: all four if the texture repeats and is filtered. */
const firstTexels = new WeakMap<Phaser.Textures.TextureSource, TexturePart[]>();

/** A crop that misses a trimmed frame's picture shows the texture's first texel all over. Source: `Frame.setCropUVs`. */
function drawFirstTexel(
  object: TexturedObject,
  context: ReadContext,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const { source } = object.frame;
  let texels = firstTexels.get(source);
  if (texels === undefined) {
    const isBlended = source.isPowerOf2 && source.scaleMode === 0;
    const columns = isBlended ? [0, source.width - 1] : [0];
    const lines = isBlended ? [0, source.height - 1] : [0];
    texels = columns.flatMap((column) => lines.map((line) => new TexturePart(source, column, line, 1, 1)));
    firstTexels.set(source, texels);
  }
  let opacity = 0;
  for (const texel of texels) opacity += (context.alphaMap(texel.frame)?.alpha[0] ?? 255) / 255 / texels.length;
  let strength = 0;
  for (const tint of cornerTintsOf(object)) strength += tintStrength(context.pen, tint) / 4;
  context.pen.quad(x, y, width, height, opacity * object.alpha * strength);
}

/** The object's matrix with its flip, and the position floored where the camera rounds pixels. */
export function transformSprite(object: TexturedObject, context: ReadContext, flipX: boolean, flipY: boolean): void {
  const { pen } = context;
  const floors = floorsPosition(context.camera, context.isWebGL);
  if (!flipX && !flipY && !floors) return;
  pen.transform(
    floors ? Math.floor(object.x) : object.x,
    floors ? Math.floor(object.y) : object.y,
    object.rotation,
    flipX ? -object.scaleX : object.scaleX,
    flipY ? -object.scaleY : object.scaleY,
  );
}

/** The place of a sprite rounded where Canvas rounds it. */
export function roundOnCanvas({ pen, camera }: ReadContext): void {
  if (!roundsPlaceOnCanvas(camera)) return;
  pen.e = Math.round(pen.e);
  pen.f = Math.round(pen.f);
}

/** The pen's {@link Pen.area}, but for its opacity, which is the object's. */
function drawTextured(object: TexturedObject, context: ReadContext, picture: TexturedObject['frame']): void {
  const { pen } = context;
  const { area } = pen;
  const map = context.alphaMap(picture);
  pen.snap = snapOfSprite(context);
  if (context.isWebGL) {
    const { x, y, width, height, u0, v0, u1, v1 } = area;
    pen.quadWithCorners(
      x,
      y,
      width,
      height,
      map,
      u0,
      v0,
      u1,
      v1,
      (object.alphaTopLeft ?? object.alpha) * tintStrength(pen, object.tintTopLeft),
      (object.alphaTopRight ?? object.alpha) * tintStrength(pen, object.tintTopRight),
      (object.alphaBottomLeft ?? object.alpha) * tintStrength(pen, object.tintBottomLeft),
      (object.alphaBottomRight ?? object.alpha) * tintStrength(pen, object.tintBottomRight),
    );
  } else {
    area.opacity = object.alpha;
    pen.texturedArea(map);
  }
  pen.snap = Snap.NONE;
}

interface TextObject extends TexturedObject {
  readonly style?: { readonly resolution?: number };
  /** Of phaser3-rex-plugins' canvas objects. */
  readonly resolution?: number;
}

/**
 * Text and other objects that show their own canvas: its size divided by the text's resolution, padding included.
 * Source: `TextWebGLRenderer` and `MultiPipeline.batchTexture`, which mirror a flipped text in place, whatever its
 * origin; `TextCanvasRenderer` draws it like a sprite.
 */
export const readText: ObjectReader<TextObject> = (object, context) => {
  if (object.width === 0 || object.height === 0) return;
  if (!context.isWebGL) {
    readImage(object, context);
    return;
  }
  const { frame, flipX, flipY } = object;
  // A Text's style may have got another resolution since the frame was made.
  const resolution = object.style?.resolution ?? object.resolution ?? frame.source.resolution;
  let x = -object.displayOriginX;
  let y = -object.displayOriginY;
  let width = frame.width / resolution;
  let height = frame.height / resolution;
  let u0 = 0;
  let v0 = 0;
  let u1 = 1;
  let v1 = 1;
  if (object.isCropped && context.pen.mode !== PenMode.SHAPE) {
    const crop = object._crop;
    x += crop.x;
    y += crop.y;
    width = crop.width;
    height = crop.height;
    u0 = (flipX ? frame.width - crop.x - crop.width : crop.x) / frame.width;
    v0 = (flipY ? frame.height - crop.y - crop.height : crop.y) / frame.height;
    u1 = u0 + crop.width / frame.width;
    v1 = v0 + crop.height / frame.height;
  }
  transformSprite(object, context, false, false);
  if (!context.pen.reaches(x, y, width, height)) return;
  // Drawn from the far side when flipped, so that corner alphas change places with the picture.
  const { area } = context.pen;
  area.lie(flipX ? x + width : x, flipY ? y + height : y, flipX ? -width : width, flipY ? -height : height);
  area.show(u0, v0, u1, v1);
  drawTextured(object, context, object.isCropped ? uprightOf(frame) : frame);
};
