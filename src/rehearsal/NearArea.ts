import type * as Phaser from 'phaser';

import { farLimit, isFarSprite } from '../record/objects/isFarSprite.js';
import { matrixOf, type Place } from '../record/objects/placeOf.js';
import { viewMatrixOf } from '../record/objects/viewMatrixOf.js';
import { hasForeignRender } from '../record/phaser3/foreignRender.js';
import type { DrawnObject, TexturedObject } from '../record/phaser3/internals.js';
import { hasForeignSteps } from '../record/phaser4/hasForeignSteps.js';
import { paintsElsewhere } from './paintsElsewhere.js';
import type { CanvasBox } from './RehearsedEngine.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;

interface Sprite {
  readonly mask: object | null;
  readonly hasPostPipeline?: boolean;
  readonly pipeline?: object | null;
  readonly defaultPipeline?: object | null;
  /** Of Phaser 4: nodes that draw it instead of the usual ones, and whether it changes the stencil that hides others. */
  readonly customRenderNodes?: object;
  readonly isStencilModifier?: boolean;
}

/** A part of the canvas in the coordinates of a scene, as a camera shows it, or of a container. */
export class NearArea {
  readonly #limitX: number;
  readonly #limitY: number;

  private constructor(
    private readonly middleX: number,
    private readonly middleY: number,
    private readonly halfX: number,
    private readonly halfY: number,
    private readonly scrollX: number,
    private readonly scrollY: number,
    /** Scroll is taken into account already, for scroll factors of 1. */
    private readonly isInContainer: boolean,
  ) {
    this.#limitX = farLimit(halfX);
    this.#limitY = farLimit(halfY);
  }

  /** The area in a scene's coordinates, as a camera shows it. */
  static of({ minX, minY, maxX, maxY }: CanvasBox, camera: Camera): NearArea {
    const { a, b, c, d, e, f } = viewMatrixOf(camera);
    const matrix: Place = [a, b, c, d, e, f];
    const middle = back(matrix, (minX + maxX) / 2, (minY + maxY) / 2);
    const half = backAround(matrix, (maxX - minX) / 2, (maxY - minY) / 2);
    return new NearArea(...middle, ...half, camera.scrollX, camera.scrollY, false);
  }

  /** The same area in the coordinates of a container's children; null where it is not known there. */
  inside(container: DrawnObject): NearArea | null {
    const { scrollFactorX, scrollFactorY } = container;
    if (this.isInContainer && (scrollFactorX !== 1 || scrollFactorY !== 1)) return null;
    const matrix = matrixOf(container, IDENTITY);
    const middleX = this.middleX + this.scrollX * scrollFactorX;
    const middleY = this.middleY + this.scrollY * scrollFactorY;
    const half = backAround(matrix, this.halfX, this.halfY);
    return new NearArea(...back(matrix, middleX, middleY), ...half, 0, 0, true);
  }

  /** True of a plain sprite that surely does not reach the area. */
  isFar(object: GameObject): boolean {
    const { type } = object;
    if (type !== 'Sprite' && type !== 'Image') return false;
    const { scrollX, scrollY, middleX, middleY, isInContainer } = this;
    const sprite = object as unknown as TexturedObject;
    if (isInContainer && (sprite.scrollFactorX !== 1 || sprite.scrollFactorY !== 1)) return false;
    return isFarSprite(sprite, scrollX, scrollY, middleX, middleY, this.#limitX, this.#limitY) && isPlain(object);
  }
}

const IDENTITY: Place = [1, 0, 0, 1, 0, 0];

/** The point that a matrix takes to (x, y); NaN when there is none. */
function back([a, b, c, d, e, f]: Place, x: number, y: number): [number, number] {
  const det = a * d - b * c;
  return [(d * (x - e) - c * (y - f)) / det, (a * (y - f) - b * (x - e)) / det];
}

/** Half the sides of the rectangle around the shape that a matrix takes to a rectangle with these half sides. */
function backAround([a, b, c, d]: Place, halfX: number, halfY: number): [number, number] {
  const det = Math.abs(a * d - b * c);
  return [(Math.abs(d) * halfX + Math.abs(c) * halfY) / det, (Math.abs(a) * halfY + Math.abs(b) * halfX) / det];
}

/** True of an object that paints within its own picture, and leaves the renderer's state as it is. */
export function isPlain(object: GameObject): boolean {
  const { mask, hasPostPipeline, pipeline, defaultPipeline, customRenderNodes, isStencilModifier } =
    object as unknown as Sprite;
  if (mask || hasPostPipeline === true || pipeline !== defaultPipeline || isStencilModifier === true) return false;
  if (customRenderNodes !== undefined && Object.keys(customRenderNodes).length > 0) return false;
  const drawn = object as unknown as DrawnObject;
  return !paintsElsewhere(object) && !hasForeignRender(drawn, true) && !hasForeignSteps(drawn);
}
