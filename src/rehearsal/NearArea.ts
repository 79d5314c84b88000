import type * as Phaser from 'phaser';

import { farLimit, isFarSprite } from '../phaser/reading/isFarSprite.js';
import type { TexturedObject } from '../phaser/reading/internals.js';
import type { CanvasBox } from './RehearsedEngine.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

interface Sprite {
  readonly mask: object | null;
  readonly hasPostPipeline?: boolean;
  readonly pipeline?: object | null;
  readonly defaultPipeline?: object | null;
}

/** A part of the canvas as a camera sees it in its world. */
export class NearArea {
  private readonly middleX: number;
  private readonly middleY: number;
  private readonly limitX: number;
  private readonly limitY: number;

  constructor(
    { minX, minY, maxX, maxY }: CanvasBox,
    private readonly camera: Camera,
  ) {
    const { a, b, c, d, e, f } = (
      camera as unknown as { readonly matrix: Record<'a' | 'b' | 'c' | 'd' | 'e' | 'f', number> }
    ).matrix;
    const det = a * d - b * c;
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    for (let corner = 0; corner < 4; corner++) {
      const dx = (corner & 1 ? maxX : minX) - e;
      const dy = (corner & 2 ? maxY : minY) - f;
      const x = (d * dx - c * dy) / det;
      const y = (a * dy - b * dx) / det;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    this.middleX = (left + right) / 2;
    this.middleY = (top + bottom) / 2;
    this.limitX = farLimit((right - left) / 2);
    this.limitY = farLimit((bottom - top) / 2);
  }

  /** Those of a list that the camera draws, without plain sprites that do not reach the area. */
  filter(list: readonly GameObject[], always: readonly GameObject[]): GameObject[] {
    const { camera, middleX, middleY, limitX, limitY } = this;
    const { scrollX, scrollY } = camera;
    const kept: GameObject[] = [];
    let isAfterMask = false;
    for (let i = 0; i < list.length; i++) {
      const object = list[i]!;
      const { type } = object;
      // What comes between two that share a mask decides whether they are drawn behind it together.
      if ((type === 'Sprite' || type === 'Image') && !isAfterMask) {
        const sprite = object as unknown as TexturedObject;
        const isFar = isFarSprite(sprite, scrollX, scrollY, middleX, middleY, limitX, limitY);
        if (isFar && isPlain(object as unknown as Sprite) && !always.includes(object)) continue;
      }
      if (!object.willRender(camera)) continue;
      kept.push(object);
      isAfterMask = Boolean((object as unknown as Sprite).mask);
    }
    return kept;
  }
}

/** True of what paints within its own picture, and leaves the renderer's state as it is. */
function isPlain({ mask, hasPostPipeline, pipeline, defaultPipeline }: Sprite): boolean {
  return !mask && hasPostPipeline !== true && pipeline === defaultPipeline;
}
