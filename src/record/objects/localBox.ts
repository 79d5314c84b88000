import type * as Phaser from 'phaser';

import type { DrawnObject } from '../phaser3/internals.js';
import { isRemoved } from './isRemoved.js';

type Box = Float64Array;
type Picture = Phaser.GameObjects.Image;
type Shape = Phaser.GameObjects.Shape & { readonly radius: number };
type Letters = Phaser.GameObjects.BitmapText & {
  /** The bounds when they were last drawn. */
  readonly _bounds: { readonly local: Readonly<Record<'x' | 'y' | 'width' | 'height', number>> };
};
type Particle = Phaser.GameObjects.Particles.Particle;
type Fields = Record<string, never>;

/** How many line widths away the tip lies at most where two strokes meet: a 2D context's `miterLimit` of 10 counts both sides. */
const MITER = 5;

/** `roundPixels` moves what is drawn by at most this much. */
const ROUNDING = 1;

/**
 * `Phaser.GameObjects.Graphics` commands and how many numbers follow each. Commands that move what comes after them are
 * missing.
 */
const ARGUMENTS: Readonly<Record<number, number>> = {
  0: 7, // ARC
  1: 0, // BEGIN_PATH
  2: 0, // CLOSE_PATH
  3: 4, // FILL_RECT
  4: 2, // LINE_TO
  5: 2, // MOVE_TO
  6: 3, // LINE_STYLE
  7: 2, // FILL_STYLE
  8: 0, // FILL_PATH
  9: 0, // STROKE_PATH
  10: 6, // FILL_TRIANGLE
  11: 6, // STROKE_TRIANGLE
  14: 0, // SAVE
  15: 0, // RESTORE
  21: 5, // GRADIENT_FILL_STYLE
  22: 6, // GRADIENT_LINE_STYLE
};
const ARC = 0;
const FILL_RECT = 3;
const LINE_STYLE = 6;
const FIRST_STYLE = 21;
const FILL_STYLE = 7;

/**
 * Finds the box in which an object of one of Phaser's types paints on Canvas, relative to its place, before it is
 * turned and scaled: never too small, and mostly not much too large.
 *
 * @param box takes minX, minY, maxX and maxY; the minimum is above the maximum where nothing is painted
 * @returns false when the object may paint anywhere, as any object that is not of Phaser's types may
 */
export function takeLocalBox(object: DrawnObject, box: Box): boolean {
  box[0] = box[1] = Infinity;
  box[2] = box[3] = -Infinity;
  if (!takeBox(object, object as unknown as Fields, box)) return false;
  grow(box, ROUNDING, ROUNDING);
  // Broken numbers are no box.
  return box[2] - box[0] < Infinity && box[3] - box[1] < Infinity;
}

function takeBox({ type }: DrawnObject, fields: Fields, box: Box): boolean {
  switch (type) {
    case 'Image':
    case 'Sprite':
    case 'PathFollower':
    case 'Text':
    case 'TileSprite':
    case 'RenderTexture':
    case 'Video':
      return takePicture(fields as unknown as Picture, box);
    case 'Rectangle':
    case 'Arc':
    case 'Ellipse':
    case 'Star':
    case 'Polygon':
    case 'Line':
    case 'Triangle':
      return 'pathData' in fields && takeShape(type, fields as unknown as Shape, box);
    case 'Graphics':
      return 'commandBuffer' in fields && takeCommands(fields['commandBuffer'], box);
    case 'BitmapText':
      return 'fontData' in fields && takeLetters(fields as unknown as Letters, box);
    case 'ParticleEmitter':
      return 'alive' in fields && takeParticles(fields['alive'], box);
    case 'Zone':
      return 'setDropZone' in fields;
    default:
      return false;
  }
}

/** The box is symmetric: a mirrored picture may lie on the other side of its place. */
function takePicture({ frame, displayOriginX: originX, displayOriginY: originY }: Picture, box: Box): boolean {
  if (!(frame as Phaser.Textures.Frame | null | undefined) || isRemoved(frame)) return false;
  const { realWidth, realHeight } = frame;
  add(box, 0, 0);
  grow(
    box,
    Math.max(Math.abs(originX), Math.abs(realWidth - originX)),
    Math.max(Math.abs(originY), Math.abs(realHeight - originY)),
  );
  return true;
}

function takeShape(type: string, shape: Shape, box: Box): boolean {
  const { displayOriginX, displayOriginY, pathData, radius } = shape;
  const geom = shape.geom as Readonly<Record<string, number>>;
  if (type === 'Arc') {
    add(box, radius * (1 - 2 * shape.originX), radius * (1 - 2 * shape.originY));
    grow(box, Math.abs(radius), Math.abs(radius));
  } else {
    if (type === 'Rectangle') {
      add(box, 0, 0);
      add(box, shape.width, shape.height);
    } else if (type === 'Line' || type === 'Triangle') {
      add(box, geom['x1']!, geom['y1']!);
      add(box, geom['x2']!, geom['y2']!);
      if (type === 'Triangle') add(box, geom['x3']!, geom['y3']!);
    } else {
      for (let i = 0; i + 1 < pathData.length; i += 2) add(box, pathData[i]!, pathData[i + 1]!);
    }
    grow(box, 0, 0, -displayOriginX, -displayOriginY);
  }
  if (!shape.isStroked) return true;
  grow(box, MITER * shape.lineWidth, MITER * shape.lineWidth);
  return isWidth(shape.lineWidth);
}

function takeCommands(commands: readonly number[], box: Box): boolean {
  let widest = 1;
  let next: number;
  for (let at = 0; at < commands.length; at = next) {
    const command = commands[at]!;
    const count = ARGUMENTS[command];
    if (count === undefined) return false;
    next = at + 1 + count;
    if (command === ARC) {
      const radius = commands[at + 3]!;
      add(box, commands[at + 1]! - radius, commands[at + 2]! - radius);
      add(box, commands[at + 1]! + radius, commands[at + 2]! + radius);
    } else if (command === FILL_RECT) {
      add(box, commands[at + 1]!, commands[at + 2]!);
      add(box, commands[at + 1]! + commands[at + 3]!, commands[at + 2]! + commands[at + 4]!);
    } else if (command === LINE_STYLE) {
      if (!isWidth(commands[at + 1]!)) return false;
      widest = Math.max(widest, commands[at + 1]!);
    } else if (command !== FILL_STYLE && command < FIRST_STYLE) {
      for (let i = at + 1; i < next; i += 2) add(box, commands[i]!, commands[i + 1]!);
    }
  }
  grow(box, MITER * widest, MITER * widest);
  return true;
}

/** A 2D context ignores any other width: it strokes with that of the object before. */
function isWidth(width: number): boolean {
  return width > 0;
}

/** By font: how far letters reach beyond the place they take up in a line. */
const overhangs = new WeakMap<object, number>();

function takeLetters({ _bounds, displayOriginX, displayOriginY, fontData, fontSize }: Letters, box: Box): boolean {
  let overhang = overhangs.get(fontData);
  if (overhang === undefined) {
    overhang = 0;
    for (const { width, height, xOffset, yOffset } of Object.values(fontData.chars)) {
      overhang = Math.max(overhang, Math.abs(xOffset) + width, Math.abs(yOffset) + height);
    }
    overhangs.set(fontData, overhang);
  }
  const { x, y, width, height } = _bounds.local;
  const reach = Math.abs(overhang * (fontSize / fontData.size));
  add(box, x, y);
  add(box, x + width, y + height);
  grow(box, reach, reach, -displayOriginX, -displayOriginY);
  return true;
}

function takeParticles(alive: readonly Particle[], box: Box): boolean {
  for (let i = 0; i < alive.length; i++) {
    const { x, y, scaleX, scaleY, frame } = alive[i]!;
    if (isRemoved(frame)) return false;
    // In any rotation.
    const reach = Math.abs(scaleX) * (frame.realWidth + ROUNDING) + Math.abs(scaleY) * (frame.realHeight + ROUNDING);
    add(box, x - reach, y - reach);
    add(box, x + reach, y + reach);
  }
  return true;
}

/** Widens a box by a point. A coordinate that is NaN makes that side NaN, whatever points follow. */
function add(box: Box, x: number, y: number): void {
  box[0] = Math.min(box[0]!, x);
  box[1] = Math.min(box[1]!, y);
  box[2] = Math.max(box[2]!, x);
  box[3] = Math.max(box[3]!, y);
}

/** Widens a box on all sides, and moves it. */
function grow(box: Box, byX: number, byY: number, x = 0, y = 0): void {
  box[0]! += x - byX;
  box[1]! += y - byY;
  box[2]! += x + byX;
  box[3]! += y + byY;
}
