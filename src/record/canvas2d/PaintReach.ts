import type * as Phaser from 'phaser';

import type { AdBins } from '../frame/AdBins.js';
import type { DrawRecord } from '../frame/DrawRecord.js';
import { mayPaintAfar, ROUNDING_PX } from '../objects/isFarSprite.js';
import { isForeignPainter } from '../objects/isForeignPainter.js';
import { isList } from '../objects/isList.js';
import { takeLocalBox } from '../objects/localBox.js';
import { placeWithin } from '../objects/placeOf.js';
import type { BoundsByType } from '../objects/registerBounds.js';
import {
  type Affine,
  type DrawnContainer,
  type DrawnLayer,
  type DrawnObject,
  type TexturedObject,
  WILL_RENDER,
} from '../phaser3/internals.js';

type Camera = Phaser.Cameras.Scene2D.Camera;

/** Bits of all ads. */
const EVERY_AD = -1;

/** How deep containers in containers are followed. */
const DEEPEST = 8;

/**
 * The place of a list of objects is eight numbers: a matrix, as {@link Affine} has it, and at these two indices what
 * the scroll factors of its objects are multiplied by.
 */
const SCROLL_X = 6;
const SCROLL_Y = 7;

/**
 * Tells which ads an object that the Canvas renderer draws may touch: by boxes, from the fields of Phaser's types. An
 * object it is not sure of touches all ads. It draws and allocates nothing.
 */
export class PaintReach {
  #camera!: Camera;
  #matrix!: Affine;
  readonly #places = Array.from({ length: DEEPEST }, () => Float64Array.of(1, 0, 0, 1, 0, 0, 1, 1));
  readonly #local = new Float64Array(4);
  readonly #place = new Float64Array(6);
  readonly #box = new Float64Array(4);

  /** @param record Its pieces of ads are those in the bins. */
  constructor(
    private readonly record: DrawRecord,
    private readonly bins: AdBins,
    private readonly bounds: BoundsByType,
  ) {}

  /** Sets the camera that draws the objects asked about from here on. */
  aim(camera: Camera, matrix: Affine): void {
    this.#camera = camera;
    this.#matrix = matrix;
  }

  /** Bits of the ads that an object of the scene's own list may touch. */
  touching(object: DrawnObject): number {
    return this.#reach(object, 0);
  }

  /** @param depth how many containers the object is in */
  #reach(object: DrawnObject, depth: number): number {
    if (
      mayPaintAfar(object as TexturedObject) ||
      this.bounds.has(object.type) ||
      isForeignPainter(object, false, false)
    )
      return EVERY_AD;
    if (isList(object)) return this.#reachOfList(object, depth);
    const local = this.#local;
    if (!takeLocalBox(object, local)) return EVERY_AD;
    return local[0]! > local[2]! ? 0 : this.#touchingFrom(object, this.#places[depth]!);
  }

  /**
   * Bits of the ads that the objects in a list may touch. A list of the game's own class may draw its children
   * elsewhere: it touches all.
   */
  #reachOfList(holder: DrawnContainer | DrawnLayer, depth: number): number {
    const { type, list } = holder;
    const isContainer = type === 'Container';
    if ((!isContainer && (type !== 'Layer' || depth > 0)) || depth + 1 === DEEPEST) return EVERY_AD;
    if (isContainer) this.#enter(holder, this.#places[depth]!, this.#places[depth + 1]!);
    let touched = 0;
    for (let i = 0; i < list.length && touched !== EVERY_AD; i++) {
      const child = list[i]!;
      if (child.renderFlags !== WILL_RENDER || !child.willRender(this.#camera)) continue;
      touched |= this.#reach(child, isContainer ? depth + 1 : depth);
    }
    return touched;
  }

  #enter(holder: DrawnObject, around: Float64Array, place: Float64Array): void {
    placeWithin(holder, around, place);
    place[SCROLL_X] = around[SCROLL_X]! * holder.scrollFactorX;
    place[SCROLL_Y] = around[SCROLL_Y]! * holder.scrollFactorY;
  }

  /** Bits of the ads that the {@link #local} box of an object may touch. */
  #touchingFrom(object: DrawnObject, around: Float64Array): number {
    const { record } = this;
    const local = this.#local;
    const place = this.#place;
    const box = this.#box;
    const camera = this.#camera;
    const matrix = this.#matrix;
    placeWithin(object, around, place);
    const scrollX = camera.scrollX * around[SCROLL_X]! * object.scrollFactorX;
    const scrollY = camera.scrollY * around[SCROLL_Y]! * object.scrollFactorY;
    box[0] = box[1] = Infinity;
    box[2] = box[3] = -Infinity;
    for (let corner = 0; corner < 4; corner++) {
      const x = local[corner & 1 ? 2 : 0]!;
      const y = local[corner & 2 ? 3 : 1]!;
      const worldX = place[0]! * x + place[2]! * y + place[4]! - scrollX;
      const worldY = place[1]! * x + place[3]! * y + place[5]! - scrollY;
      const canvasX = matrix.a * worldX + matrix.c * worldY + matrix.e;
      const canvasY = matrix.b * worldX + matrix.d * worldY + matrix.f;
      box[0] = Math.min(box[0], canvasX - ROUNDING_PX);
      box[1] = Math.min(box[1], canvasY - ROUNDING_PX);
      box[2] = Math.max(box[2], canvasX + ROUNDING_PX);
      box[3] = Math.max(box[3], canvasY + ROUNDING_PX);
    }
    // The bins tell apart only what is near the ads. With NaN each of these comparisons is false.
    if (box[0] > record.maxX || box[2] < record.minX || box[1] > record.maxY || box[3] < record.minY) return 0;
    return box[2] - box[0] < Infinity && box[3] - box[1] < Infinity ? this.bins.touching(box, 0) : EVERY_AD;
  }
}
