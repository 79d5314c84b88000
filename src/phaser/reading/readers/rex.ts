import type * as Phaser from 'phaser';

import type { DrawnObject, FrameCrop } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { readPath, readStroke, type ShapeStyle } from './shapes.js';
import { inFrame } from './textureSpace.js';
import { tintStrength } from './tint.js';

/** Part of a multi-part shape. Rectangles have no triangles but a place and a size. */
interface ShapePart extends ShapeStyle {
  readonly visible: boolean;
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
}

interface MultiPartShape extends DrawnObject {
  readonly geom: readonly ShapePart[];
  readonly displayOriginX: number;
  readonly displayOriginY: number;
}

interface ImageBob {
  readonly frame: Phaser.Textures.Frame | null | undefined;
  readonly x: number;
  readonly y: number;
  readonly rotation: number;
  readonly scaleX: number;
  readonly scaleY: number;
  readonly alpha: number;
  readonly originX: number;
  readonly originY: number;
  readonly width: number;
  readonly height: number;
  readonly flipX: boolean;
  readonly flipY: boolean;
  readonly isCropped: boolean;
  readonly _crop: FrameCrop;
  readonly tint: number;
}

interface RexBlitterObject extends DrawnObject {
  readonly renderList: readonly ImageBob[];
  readonly displayOriginX: number;
  readonly displayOriginY: number;
}

/**
 * phaser3-rex-plugins' shapes of several parts (CustomShapes, progress bars, check boxes, lines, toggles): each visible
 * part has its own fill and stroke. Source: `shape/shapes/render`, `shape/shapes/geoms`.
 */
export const readMultiPartShape: ObjectReader<MultiPartShape> = (object, context) => {
  const { geom, displayOriginX, displayOriginY, alpha } = object;
  for (let i = 0; i < geom.length; i++) {
    const part = geom[i]!;
    if (!part.visible) continue;
    if (part.pathIndexes !== undefined) {
      readPath(part, displayOriginX, displayOriginY, alpha, context);
      continue;
    }
    const { width, height } = part;
    if (part.isFilled && width !== undefined && height !== undefined) {
      // On Canvas the fill of a rectangle forgets where it should be.
      const x = context.isWebGL ? (part.x ?? 0) : 0;
      const y = context.isWebGL ? (part.y ?? 0) : 0;
      const opacity = alpha * part.fillAlpha * context.pen.strength(part.fillColor);
      context.pen.quad(x - displayOriginX, y - displayOriginY, width, height, opacity);
    }
    if (part.isStroked) readStroke(part, displayOriginX, displayOriginY, alpha, context);
  }
};

/** phaser3-rex-plugins' Blitter, BitmapText and NinePatch2: frames with a transform each. Source: `bob/image`. */
export const readRexBlitter: ObjectReader<RexBlitterObject> = (object, context) => {
  const { pen, isWebGL } = context;
  const { renderList, alpha } = object;
  for (let i = 0; i < renderList.length; i++) {
    const bob = renderList[i]!;
    const { frame, width, height, flipX, flipY } = bob;
    if (!frame || !(width > 0 && height > 0)) continue;
    const originX = width * bob.originX;
    const originY = height * bob.originY;
    let x = bob.x - object.displayOriginX;
    let y = bob.y - object.displayOriginY;
    let left = 0;
    let top = 0;
    let right = width;
    let bottom = height;
    if (isWebGL) {
      if (flipX) x += width - 2 * originX;
      if (flipY) y += height - 2 * originY;
      left = -originX;
      top = -originY;
      right -= originX;
      bottom -= originY;
    } else {
      // On Canvas an image turns about its top left, and is as large as its picture.
      x += (flipX ? width : 0) - originX;
      y += (flipY ? height : 0) - originY;
      right = frame.cutWidth / frame.source.resolution;
      bottom = frame.cutHeight / frame.source.resolution;
    }
    let u0 = 0;
    let v0 = 0;
    let u1 = 1;
    let v1 = 1;
    if (bob.isCropped) {
      const crop = bob._crop;
      u0 = inFrame(crop.u0, frame.u0, frame.u1);
      v0 = inFrame(crop.v0, frame.v0, frame.v1);
      u1 = inFrame(crop.u1, frame.u0, frame.u1);
      v1 = inFrame(crop.v1, frame.v0, frame.v1);
      if (isWebGL) {
        left += crop.x;
        top += crop.y;
      }
      right = left + crop.width;
      bottom = top + crop.height;
    }
    pen.within(x, y, bob.rotation, flipX ? -bob.scaleX : bob.scaleX, flipY ? -bob.scaleY : bob.scaleY);
    if (!pen.reaches(left, top, right - left, bottom - top)) continue;
    const opacity = alpha * bob.alpha * (isWebGL ? tintStrength(pen, bob.tint) : 1);
    pen.texturedQuad(
      left,
      top,
      right - left,
      bottom - top,
      context.alphaMap(frame, isWebGL ? bob.tint : 0xffffff),
      u0,
      v0,
      u1,
      v1,
      opacity,
    );
  }
  pen.whole();
};
