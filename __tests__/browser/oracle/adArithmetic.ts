import type { Drawable } from './displayTree.js';

type Camera = Phaser.Cameras.Scene2D.Camera;
/** a, b, c, d, e, f of x' = a·x + c·y + e, y' = b·x + d·y + f. */
type Matrix = readonly [number, number, number, number, number, number];

/** What of a container or sprite places it. */
interface Placed {
  x: number;
  y: number;
  rotation: number;
  scaleX: number;
  scaleY: number;
  scrollFactorX: number;
  scrollFactorY: number;
  parentContainer: Placed | null;
}

/** A sprite's fields that decide its rectangle; some are internal to Phaser. */
interface Pictured extends Placed {
  frame: Phaser.Textures.Frame;
  displayOriginX: number;
  displayOriginY: number;
  flipX: boolean;
  flipY: boolean;
  isCropped: boolean;
  _crop: { x: number; y: number; width: number; height: number };
}

/**
 * The four corners of a sprite as `camera` projects it, in canvas pixels, unclipped: the textbook chain of matrices,
 * written apart from the product so that both can be wrong only by the same misreading of Phaser.
 */
export function adCorners(ad: Drawable, camera: Camera): [number, number][] {
  const sprite = ad as unknown as Pictured;
  let scrollX = sprite.scrollFactorX;
  let scrollY = sprite.scrollFactorY;
  let matrix = place(sprite, (sprite.flipX ? -1 : 1) * sprite.scaleX, (sprite.flipY ? -1 : 1) * sprite.scaleY);
  for (let parent = sprite.parentContainer; parent; parent = parent.parentContainer) {
    scrollX *= parent.scrollFactorX;
    scrollY *= parent.scrollFactorY;
    matrix = multiply(place(parent, parent.scaleX, parent.scaleY), matrix);
  }
  type View = Record<'matrix' | 'matrixCombined', Phaser.GameObjects.Components.TransformMatrix | undefined>;
  const { matrix: withoutScroll, matrixCombined } = camera as unknown as View;
  // That of Phaser 4 has scrolled already, as for an object of scroll factor 1.
  const factor = matrixCombined === undefined ? 0 : 1;
  matrix = multiply([1, 0, 0, 1, camera.scrollX * (factor - scrollX), camera.scrollY * (factor - scrollY)], matrix);
  const view = (matrixCombined ?? withoutScroll)!;
  matrix = multiply([view.a, view.b, view.c, view.d, view.e, view.f], matrix);

  const { frame } = sprite;
  const part = sprite.isCropped
    ? sprite._crop
    : { x: frame.x, y: frame.y, width: frame.cutWidth, height: frame.cutHeight };
  let left = part.x - sprite.displayOriginX;
  let top = part.y - sprite.displayOriginY;
  // Canvas mirrors a flipped crop about the origin first (`CanvasRenderer.batchSprite`).
  const isMirrored = sprite.isCropped && ad.scene.sys.renderer.type === Phaser.CANVAS;
  if (isMirrored && sprite.flipX) left = -(left + part.width);
  if (isMirrored && sprite.flipY) top = -(top + part.height);
  if (sprite.flipX && !frame.customPivot) left += 2 * sprite.displayOriginX - frame.realWidth;
  if (sprite.flipY && !frame.customPivot) top += 2 * sprite.displayOriginY - frame.realHeight;
  const right = left + part.width;
  const bottom = top + part.height;
  return [
    apply(matrix, left, top),
    apply(matrix, right, top),
    apply(matrix, right, bottom),
    apply(matrix, left, bottom),
  ];
}

/** How many times as large as what is drawn of an ad all of its picture is: the frame as it was defined, uncropped and uncut. */
export function wholeShare(ad: Drawable): number {
  const { frame, isCropped, _crop } = ad as unknown as Pictured;
  const { cut, trim, spriteSourceSize } = (frame as unknown as DefinedFrame).data;
  const whole = trim ? spriteSourceSize : cut;
  const part = isCropped ? _crop : { width: frame.cutWidth, height: frame.cutHeight };
  return (whole.w * whole.h) / (part.width * part.height);
}

/** What of a frame Phaser's types do not tell. */
interface DefinedFrame {
  data: { cut: { w: number; h: number }; trim: boolean; spriteSourceSize: { w: number; h: number } };
}

/** Area of a polygon by the shoelace formula. */
export function polygonArea(corners: readonly (readonly [number, number])[]): number {
  let twice = 0;
  corners.forEach(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length]!;
    twice += x * nextY - nextX * y;
  });
  return Math.abs(twice) / 2;
}

/** The corners' polygon cut to a rectangle, edge by edge. */
export function cutToRectangle(
  corners: readonly [number, number][],
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
): [number, number][] {
  let polygon = [...corners];
  const edges: [axis: 0 | 1, limit: number, sign: number][] = [
    [0, minX, 1],
    [0, maxX, -1],
    [1, minY, 1],
    [1, maxY, -1],
  ];
  for (const [axis, limit, sign] of edges) {
    const next: [number, number][] = [];
    polygon.forEach((point, index) => {
      const following = polygon[(index + 1) % polygon.length]!;
      const here = (point[axis] - limit) * sign;
      const there = (following[axis] - limit) * sign;
      if (here >= 0) next.push(point);
      if (here * there < 0) {
        const t = here / (here - there);
        next.push([point[0] + t * (following[0] - point[0]), point[1] + t * (following[1] - point[1])]);
      }
    });
    polygon = next;
  }
  return polygon;
}

function place(object: Placed, scaleX: number, scaleY: number): Matrix {
  const cos = Math.cos(object.rotation);
  const sin = Math.sin(object.rotation);
  return [cos * scaleX, sin * scaleX, -sin * scaleY, cos * scaleY, object.x, object.y];
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

function apply(m: Matrix, x: number, y: number): [number, number] {
  return [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]];
}
