import type * as Phaser from 'phaser';

import { PolygonFlag } from '../../../viewability/FrameSnapshot.js';
import { isDynamic } from '../AlphaReader.js';
import type { TexturedObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { Snap } from '../Pen.js';
import { TexturePart } from '../TexturePart.js';
import { transformSprite } from './image.js';
import { snapOfSprite } from './roundPixels.js';
import { tintStrength } from './tint.js';

interface TileSpriteObject extends TexturedObject {
  readonly originX: number;
  readonly originY: number;
  /** The frame that is repeated; {@link TexturedObject.frame} is the TileSprite's own canvas. */
  readonly displayFrame: Phaser.Textures.Frame | null;
  /** Its picture, and what is made of that to be drawn with: a texture of the GPU, on Canvas a `CanvasPattern`. */
  readonly fillCanvas?: HTMLCanvasElement | null;
  readonly fillPattern?: object | null;
  readonly tilePositionX: number;
  readonly tilePositionY: number;
  readonly tileScaleX: number;
  readonly tileScaleY: number;
}

interface Pattern {
  readonly of: Phaser.Textures.Frame;
  readonly part: TexturePart;
}

/** By whose they are: Phaser hands the canvas of a destroyed TileSprite on to the next one. */
const patterns = new WeakMap<TileSpriteObject, Pattern>();

/**
 * The repeated picture as it was when the TileSprite took it: what becomes of a texture later on does not reach the pattern.
 * WebGL stretches it to powers of two, and both renderers smooth it or not as the game's `antialias` says. Where none of that
 * shows it is the frame itself, which all TileSprites share. Source: `TileSprite.updateTileTexture`.
 */
function patternOf(object: TileSpriteObject, frame: Phaser.Textures.Frame, isWebGL: boolean): Phaser.Textures.Frame {
  const { fillCanvas, fillPattern } = object;
  if (!fillCanvas || !fillPattern) return frame;
  const { width, height } = fillCanvas;
  const scaleMode = object.frame?.source?.scaleMode ?? 0;
  // Null once the texture was removed.
  const source = frame.source as Phaser.Textures.TextureSource | null;
  const isStretched = isWebGL && scaleMode === NEAREST && (width !== frame.cutWidth || height !== frame.cutHeight);
  if (source && !isDynamic(source.image) && source.scaleMode === scaleMode && !isStretched) return frame;
  let pattern = patterns.get(object);
  if (
    pattern?.of !== frame ||
    pattern.part.source.scaleMode !== scaleMode ||
    !pattern.part.isAt(pattern.part.source, 0, 0, width, height)
  ) {
    const ownSource = { image: fillCanvas, scaleMode, glTexture: null } as unknown as Phaser.Textures.TextureSource;
    pattern = { of: frame, part: new TexturePart(ownSource, 0, 0, width, height) };
    patterns.set(object, pattern);
  }
  return pattern.part.frame;
}

/** `Phaser.Textures.FilterMode.NEAREST`. */
const NEAREST = 1;

/**
 * One quad, filled with a repeated frame. A flip mirrors in place; WebGL tiles by the frame's full size with the cut
 * picture stretched to it, Canvas by its cut size. Source: `TileSpriteWebGLRenderer`, `MultiPipeline.batchTexture`,
 * `TileSprite.updateCanvas`.
 */
export const readTileSprite: ObjectReader<TileSpriteObject> = (object, context) => {
  const { pen, isWebGL } = context;
  const { width, height, flipX, flipY, displayFrame: frame } = object;
  if (!frame || !(width > 0 && height > 0)) return;
  let x = -object.originX * width;
  let y = -object.originY * height;
  let w = width;
  let h = height;
  // In pixels of the pattern, from the top left of the quad.
  let fromX = 0;
  let fromY = 0;
  if (object.isCropped) {
    const crop = object._crop;
    w = crop.width;
    h = crop.height;
    x += crop.x;
    y += crop.y;
    fromX = flipX ? width - crop.x - w : crop.x;
    fromY = flipY ? height - crop.y - h : crop.y;
  }
  transformSprite(object, context, false, false);
  if (!pen.reaches(x, y, w, h)) return;
  const tileWidth = isWebGL ? frame.width : frame.cutWidth;
  const tileHeight = isWebGL ? frame.height : frame.cutHeight;
  const u0 = fromX / (tileWidth * object.tileScaleX) + object.tilePositionX / tileWidth;
  const v0 = fromY / (tileHeight * object.tileScaleY) + object.tilePositionY / tileHeight;
  const u1 = u0 + w / (tileWidth * object.tileScaleX);
  const v1 = v0 + h / (tileHeight * object.tileScaleY);
  const map = context.alphaMap(patternOf(object, frame, isWebGL));
  // Drawn from the far side when flipped, so that corner alphas change places with the picture.
  const left = flipX ? x + w : x;
  const top = flipY ? y + h : y;
  const spanX = flipX ? -w : w;
  const spanY = flipY ? -h : h;
  pen.snap = snapOfSprite(context);
  if (!isWebGL || object.alphaTopLeft === undefined) {
    pen.texturedQuad(left, top, spanX, spanY, map, u0, v0, u1, v1, object.alpha, PolygonFlag.REPEAT);
    pen.snap = Snap.NONE;
    return;
  }
  const strength = tintStrength(pen, object.tintTopLeft ?? 0xffffff);
  pen.quadWithCorners(
    left,
    top,
    spanX,
    spanY,
    map,
    u0,
    v0,
    u1,
    v1,
    object.alphaTopLeft * strength,
    object.alphaTopRight! * strength,
    object.alphaBottomLeft! * strength,
    object.alphaBottomRight! * strength,
    PolygonFlag.REPEAT,
  );
  pen.snap = Snap.NONE;
};
