import type * as Phaser from 'phaser';

import { ClipRegion } from '../../../geometry/ClipRegion.js';
import { intersectRegions } from '../../../geometry/combineRegions.js';
import type { DrawnObject } from '../internals.js';
import type { ObjectReader, ReadContext } from '../ObjectReader.js';
import { Blend, type Pen, Snap } from '../Pen.js';
import { cornerAlphasOf } from '../tintLight.js';
import { TexturePart } from '../TexturePart.js';
import { snapOfPart } from './roundPixels.js';
import { guessUneven, tintStrength } from './tint.js';

/** One character of a font, as parsed from its description. */
interface Glyph {
  readonly width: number;
  readonly height: number;
  readonly xOffset: number;
  readonly yOffset: number;
  readonly xAdvance: number;
  readonly kerning: Readonly<Record<number, number | undefined>>;
  /** Texture coordinates, 0–1 across the whole texture. */
  readonly u0: number;
  readonly v0: number;
  readonly u1: number;
  readonly v1: number;
}

/** A placed character (`GetBitmapTextSize`), in local pixels before the origin. */
interface Character {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Its place in the text. */
  readonly i: number;
  readonly code: number;
  readonly glyph: Glyph;
}

/** The tints of a character's corners, 0xRRGGBB, as `setCharacterTint` keeps them. */
interface CharacterTint {
  /** 1 when they take the picture's place. */
  tintEffect: number;
  tintTL: number;
  tintTR: number;
  tintBL: number;
  tintBR: number;
}

/** Of the text being read; the same object each time. */
const textTint: CharacterTint = { tintEffect: 0, tintTL: 0, tintTR: 0, tintBL: 0, tintBR: 0 };

interface BitmapTextObject extends DrawnObject {
  readonly frame: Phaser.Textures.Frame;
  readonly displayOriginX: number;
  readonly displayOriginY: number;
  readonly alphaTopLeft: number;
  readonly alphaTopRight: number;
  readonly alphaBottomLeft: number;
  readonly alphaBottomRight: number;
  readonly tintTopLeft: number;
  readonly tintTopRight: number;
  readonly tintBottomLeft: number;
  readonly tintBottomRight: number;
  readonly tintFill: boolean;
  /** Of characters that have tints of their own. Dynamic texts have none. */
  readonly charColors?: readonly (CharacterTint | null | undefined)[];
  readonly fontSize: number;
  readonly fontData: {
    readonly size: number;
    readonly lineHeight: number;
    readonly chars: Readonly<Record<number, Glyph | undefined>>;
  };
  readonly dropShadowX: number;
  readonly dropShadowY: number;
  readonly dropShadowColor: number;
  readonly dropShadowAlpha: number;
  readonly text: string;
  readonly letterSpacing: number;
  readonly maxWidth: number;
  readonly _align: number;
  /** The layout of the last draw; `getTextBounds` would make it anew if the text has changed since. */
  readonly _bounds: {
    readonly characters?: readonly Character[];
    readonly wrappedText: string;
    readonly local: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
    readonly lines: { readonly longest: number; readonly lengths: ArrayLike<number> | null };
  };
}

interface DynamicBitmapTextObject extends BitmapTextObject {
  readonly scrollX: number;
  readonly scrollY: number;
  readonly cropWidth: number;
  readonly cropHeight: number;
  readonly displayCallback: unknown;
}

const SPACE = 32;
const LINE_FEED = 10;

const parts = new WeakMap<Glyph, TexturePart>();

/** One textured quad per character, before them all their shadows (WebGL only). Source: `BitmapTextWebGLRenderer`. */
export const readBitmapText: ObjectReader<BitmapTextObject> = (object, context) => {
  const characters = object._bounds.characters;
  if (!characters || characters.length === 0 || !reachesText(object, context)) return;
  const { dropShadowX, dropShadowY } = object;
  if (context.isWebGL && (dropShadowX !== 0 || dropShadowY !== 0)) {
    const { dropShadowColor: color, dropShadowAlpha } = object;
    const tint = takeTints(1, color, color, color, color);
    drawCharacters(object, context, characters, dropShadowX, dropShadowY, dropShadowAlpha, tint, null);
  }
  drawCharacters(object, context, characters, 0, 0, 1, ownTintOf(object), object.charColors ?? null);
};

function ownTintOf(object: BitmapTextObject): CharacterTint {
  const { tintTopLeft, tintTopRight, tintBottomLeft, tintBottomRight, tintFill } = object;
  return takeTints(tintFill ? 1 : 0, tintTopLeft, tintTopRight, tintBottomLeft, tintBottomRight);
}

function takeTints(
  effect: number,
  topLeft: number,
  topRight: number,
  bottomLeft: number,
  bottomRight: number,
): CharacterTint {
  textTint.tintEffect = effect;
  textTint.tintTL = topLeft;
  textTint.tintTR = topRight;
  textTint.tintBL = bottomLeft;
  textTint.tintBR = bottomRight;
  return textTint;
}

function drawCharacters(
  object: BitmapTextObject,
  context: ReadContext,
  characters: readonly Character[],
  offsetX: number,
  offsetY: number,
  strength: number,
  tint: CharacterTint,
  charColors: BitmapTextObject['charColors'] | null,
): void {
  const left = offsetX - object.displayOriginX;
  const top = offsetY - object.displayOriginY;
  for (let i = 0; i < characters.length; i++) {
    const { x, y, w, h, i: index, code, glyph } = characters[i]!;
    if (code === SPACE || glyph.width === 0 || glyph.height === 0) continue;
    drawGlyph(object, context, glyph, x + left, y + top, w, h, 0, 0, 1, 1, strength, charColors?.[index] ?? tint);
  }
}

/**
 * Characters that scroll, may be cropped, and take no line spacing. With a display callback each may be anywhere: the
 * text then counts as opaque within its bounds and a line around them. Source: `DynamicBitmapTextWebGLRenderer` and its
 * Canvas twin.
 */
export const readDynamicBitmapText: ObjectReader<DynamicBitmapTextObject> = (object, context) => {
  const { pen, isWebGL } = context;
  if (!isWebGL || !(object.cropWidth > 0 && object.cropHeight > 0)) {
    readCharacters(object, context);
    return;
  }
  pen.hasScissor = true;
  const { clip } = pen;
  if (!context.isUnclipped) cutByScissor(object, pen);
  readCharacters(object, context);
  pen.clip = clip;
};

function readCharacters(object: DynamicBitmapTextObject, context: ReadContext): void {
  const { pen, isWebGL } = context;
  const { fontData, _bounds: bounds, displayOriginX, displayOriginY, _align: align } = object;
  const text = isWebGL && object.maxWidth > 0 ? bounds.wrappedText : object.text;
  if (text.length === 0) return;
  if (object.displayCallback) {
    const { x, y, width, height } = bounds.local;
    const { fontSize } = object;
    pen.unknown(
      x - displayOriginX - fontSize,
      y - displayOriginY - fontSize,
      width + 2 * fontSize,
      height + 2 * fontSize,
    );
    return;
  }
  const { chars, lineHeight } = fontData;
  const scale = object.fontSize / fontData.size;
  const { longest, lengths } = bounds.lines;
  const tint = ownTintOf(object);
  // Before 3.85, which also brought this method, WebGL did not carry kerning on to the next character.
  const kernsAdvance = !isWebGL || 'setToTop' in object;
  let line = 0;
  let advanceX = 0;
  let advanceY = 0;
  let lastCode = -1;
  let kerning = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === LINE_FEED) {
      line++;
      advanceX = 0;
      advanceY += lineHeight;
      lastCode = -1;
      continue;
    }
    const glyph = chars[code];
    if (!glyph) continue;
    // On Canvas the first character of a line still advances by the kerning of the line before.
    if (lastCode >= 0 || isWebGL) kerning = glyph.kerning[lastCode] ?? 0;
    const x = (glyph.xOffset + advanceX + (lastCode >= 0 ? kerning : 0) - object.scrollX) * scale;
    const y = (glyph.yOffset + advanceY - object.scrollY) * scale;
    advanceX += glyph.xAdvance + object.letterSpacing + (kernsAdvance ? kerning : 0);
    lastCode = code;
    if (code === SPACE || glyph.width === 0 || glyph.height === 0) continue;
    const spare = align > 0 ? longest - (lengths?.[line] ?? longest) : 0;
    drawCropped(
      object,
      context,
      glyph,
      x - displayOriginX + (align === 1 ? spare / 2 : spare),
      y - displayOriginY,
      glyph.width * scale,
      glyph.height * scale,
      tint,
    );
  }
}

/** A character as far as the crop of the Canvas renderer leaves it, which turns with the text. */
function drawCropped(
  object: DynamicBitmapTextObject,
  context: ReadContext,
  glyph: Glyph,
  x: number,
  y: number,
  width: number,
  height: number,
  tint: CharacterTint,
): void {
  const { cropWidth, cropHeight } = object;
  if (context.isWebGL || !(cropWidth > 0 && cropHeight > 0)) {
    drawGlyph(object, context, glyph, x, y, width, height, 0, 0, 1, 1, 1, tint);
    return;
  }
  const cropX = -object.displayOriginX;
  const cropY = -object.displayOriginY;
  const left = Math.max(x, cropX);
  const top = Math.max(y, cropY);
  const right = Math.min(x + width, cropX + cropWidth);
  const bottom = Math.min(y + height, cropY + cropHeight);
  if (!(right > left && bottom > top)) return;
  const u0 = (left - x) / width;
  const v0 = (top - y) / height;
  const u1 = (right - x) / width;
  const v1 = (bottom - y) / height;
  drawGlyph(object, context, glyph, left, top, right - left, bottom - top, u0, v0, u1, v1, 1, tint);
}

/**
 * WebGL crops with the scissor: an upright rectangle of whole pixels from the text's position on, however it is turned.
 */
function cutByScissor({ cropWidth, cropHeight }: DynamicBitmapTextObject, pen: Pen): void {
  const { a, b, c, d, e, f, clip, snapshot } = pen;
  const height = Math.trunc(cropHeight * Math.hypot(c, d));
  const left = Math.trunc(e);
  const top = snapshot.canvasHeight - Math.trunc(snapshot.canvasHeight - f - cropHeight * Math.hypot(c, d)) - height;
  const scissor = new ClipRegion();
  scissor.setRectangle(left, top, left + Math.trunc(cropWidth * Math.hypot(a, b)), top + height);
  pen.clip = scissor;
  if (clip === null) return;
  pen.clip = new ClipRegion();
  intersectRegions(clip, scissor, pen.clip);
}

function drawGlyph(
  object: BitmapTextObject,
  context: ReadContext,
  glyph: Glyph,
  x: number,
  y: number,
  width: number,
  height: number,
  u0: number,
  v0: number,
  u1: number,
  v1: number,
  strength: number,
  { tintTL, tintTR, tintBL, tintBR, tintEffect }: CharacterTint,
): void {
  const { pen } = context;
  if (!pen.reaches(x, y, width, height)) return;
  const { frame } = partOf(glyph, object.frame.source);
  if (!context.isWebGL) {
    const map = context.alphaMap(frame);
    pen.texturedQuad(x, y, width, height, map, u0, v0, u1, v1, object.alpha * strength);
    return;
  }
  const isFilled = pen.blend !== Blend.COVER && tintEffect === 1;
  if (pen.blend !== Blend.COVER) {
    guessUneven(pen, [tintTL, tintTR, tintBL, tintBR], cornerAlphasOf(object), isFilled);
  }
  const map = context.alphaMap(frame, tintTL, isFilled);
  pen.snap = snapOfPart(context.camera.roundPixels, pen.mode);
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
    object.alphaTopLeft * strength * tintStrength(pen, tintTL, isFilled),
    object.alphaTopRight * strength * tintStrength(pen, tintTR, isFilled),
    object.alphaBottomLeft * strength * tintStrength(pen, tintBL, isFilled),
    object.alphaBottomRight * strength * tintStrength(pen, tintBR, isFilled),
  );
  pen.snap = Snap.NONE;
}

function partOf(glyph: Glyph, source: Phaser.Textures.TextureSource): TexturePart {
  const x = glyph.u0 * source.width;
  const y = glyph.v0 * source.height;
  const width = (glyph.u1 - glyph.u0) * source.width;
  const height = (glyph.v1 - glyph.v0) * source.height;
  let part = parts.get(glyph);
  if (part === undefined || !part.isAt(source, x, y, width, height)) {
    part = new TexturePart(source, x, y, width, height);
    parts.set(glyph, part);
  }
  return part;
}

/** Glyphs may overhang the measured box, by less than a line in any sensible font. */
function reachesText(object: BitmapTextObject, context: ReadContext): boolean {
  const { x, y, width, height } = object._bounds.local;
  const margin = object.fontSize + Math.abs(object.dropShadowX) + Math.abs(object.dropShadowY);
  return context.pen.reaches(
    x - object.displayOriginX - margin,
    y - object.displayOriginY - margin,
    width + 2 * margin,
    height + 2 * margin,
  );
}
