import { PolygonFlag } from '../../../viewability/FrameSnapshot.js';
import type { TexturedObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { PenMode, Snap } from '../Pen.js';
import { notePattern, patternOf, type PatternOwner } from '../tilePatterns.js';
import { roundOnCanvas, transformSprite } from './image.js';
import { lengthOnCanvas, roundingOf, snapOfSprite, startOnCanvas } from './roundPixels.js';
import { tintStrength } from './tint.js';

interface TileSpriteObject extends TexturedObject, PatternOwner {
  readonly frame: TexturedObject['frame'];
  readonly originX: number;
  readonly originY: number;
  readonly tilePositionX: number;
  readonly tilePositionY: number;
  readonly tileScaleX: number;
  readonly tileScaleY: number;
}

/**
 * One quad, filled with a repeated frame. A flip mirrors in place; WebGL tiles by the frame's full size with the cut
 * picture stretched to it, Canvas by its cut size. Source: `TileSpriteWebGLRenderer`, `MultiPipeline.batchTexture`,
 * `TileSprite.updateCanvas`.
 */
export const readTileSprite: ObjectReader<TileSpriteObject> = (object, context) => {
  const { pen, isWebGL } = context;
  const { width, height, flipX, flipY, displayFrame: frame } = object;
  if (!frame || !(width > 0 && height > 0)) return;
  // Equal after `setOrigin`, and not after a write to `originX`.
  const originX = isWebGL ? object.originX * width : object.displayOriginX;
  const originY = isWebGL ? object.originY * height : object.displayOriginY;
  let x = -originX;
  let y = -originY;
  const tileWidth = isWebGL ? frame.width : frame.cutWidth;
  const tileHeight = isWebGL ? frame.height : frame.cutHeight;
  const isShape = pen.mode === PenMode.SHAPE;
  // An ad of less than one tile shows only some of its picture, and is measured against all of it.
  let w = isShape ? Math.max(width, tileWidth * object.tileScaleX) : width;
  let h = isShape ? Math.max(height, tileHeight * object.tileScaleY) : height;
  // In pixels of the pattern, from the top left of the quad.
  let fromX = 0;
  let fromY = 0;
  if (object.isCropped && !isShape) {
    const crop = object._crop;
    w = crop.width;
    h = crop.height;
    x += crop.x;
    y += crop.y;
    fromX = flipX ? width - crop.x - w : crop.x;
    fromY = flipY ? height - crop.y - h : crop.y;
    if (!isWebGL) {
      // The Canvas renderer mirrors a flipped crop about the origin, and only then in place.
      if (flipX) x += width - 2 * originX;
      if (flipY) y += height - 2 * originY;
    }
  }
  transformSprite(object, context, false, false);
  const isRounded = !isWebGL && context.camera.roundPixels;
  if (isRounded) roundOnCanvas(context);
  if (!pen.reaches(x, y, w, h)) return;
  const u0 = fromX / (tileWidth * object.tileScaleX) + object.tilePositionX / tileWidth;
  const v0 = fromY / (tileHeight * object.tileScaleY) + object.tilePositionY / tileHeight;
  // Canvas repeats it on a canvas of whole pixels first, and what lies beyond that is not drawn.
  const shareX = isWebGL || isShape ? 1 : Math.min(1, (Math.floor(width) - fromX) / w);
  const shareY = isWebGL || isShape ? 1 : Math.min(1, (Math.floor(height) - fromY) / h);
  if (!(shareX > 0 && shareY > 0)) return;
  const u1 = u0 + (w * shareX) / (tileWidth * object.tileScaleX);
  const v1 = v0 + (h * shareY) / (tileHeight * object.tileScaleY);
  if (isWebGL) notePattern(object);
  const map = context.alphaMap(patternOf(object, frame, isWebGL));
  // Drawn from the far side when flipped, so that corner alphas change places with the picture.
  let left = flipX ? x + w : x;
  let top = flipY ? y + h : y;
  if (isRounded && pen.mode === PenMode.PAINT) {
    const rounding = roundingOf(context.camera);
    // As far as its flip takes it from its position.
    left = flipX ? -startOnCanvas(rounding, -left) : startOnCanvas(rounding, left);
    top = flipY ? -startOnCanvas(rounding, -top) : startOnCanvas(rounding, top);
    w = lengthOnCanvas(rounding, w);
    h = lengthOnCanvas(rounding, h);
  }
  const spanX = (flipX ? -w : w) * shareX;
  const spanY = (flipY ? -h : h) * shareY;
  pen.snap = snapOfSprite(context);
  if (!isWebGL || object.alphaTopLeft === undefined) {
    pen.texturedQuad(left, top, spanX, spanY, map, u0, v0, u1, v1, object.alpha, PolygonFlag.REPEAT);
    pen.snap = Snap.NONE;
    return;
  }
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
    object.alphaTopLeft * tintStrength(pen, object.tintTopLeft),
    object.alphaTopRight! * tintStrength(pen, object.tintTopRight),
    object.alphaBottomLeft! * tintStrength(pen, object.tintBottomLeft),
    object.alphaBottomRight! * tintStrength(pen, object.tintBottomRight),
    PolygonFlag.REPEAT,
  );
  pen.snap = Snap.NONE;
};
