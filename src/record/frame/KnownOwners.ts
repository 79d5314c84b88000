import type * as Phaser from 'phaser';

import { isStillDrawn } from '../objects/DrawnPlaces.js';
import { placeOf, placeWithin } from '../objects/placeOf.js';
import { sceneDrawing } from '../objects/sceneDrawing.js';
import type { DrawnObject, TexturedObject } from '../phaser3/internals.js';
import { QUAD_NUMBERS, type NearQuads, STRIDE } from './NearQuads.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;
type Container = Phaser.GameObjects.Container;

/** How far a corner may be from its calculated place, in pixels: vertices are 32-bit floats. */
const NEARNESS_PX = 0.01;
/** The same where a shader may have rounded it to a whole pixel. */
const ROUNDED_NEARNESS_PX = 0.51;

/** A known object as one camera draws it. */
class Placed {
  object: GameObject | null = null;
  /** x and y of its corners, in any order. */
  readonly corners = new Float64Array(8);
  /** A quad was already found to be this object's. */
  isTaken = false;
}

/**
 * Recognises the game objects that a rehearsal found near ads among the quads of later frames, by where they are:
 * vertices do not tell which object they belong to. A quad belongs to an object whose four corners lie in the same
 * places, if there is only one.
 */
export class KnownOwners {
  private readonly byAd = new Map<GameObject, readonly GameObject[]>();
  /** All objects in {@link byAd}, each once; null when they must be collected anew. */
  #known: Set<GameObject> | null = null;
  readonly #placed: Placed[] = [];
  #count = 0;

  /** Notes the objects found near an ad, in place of those noted before. */
  note(ad: GameObject, owners: readonly unknown[]): void {
    // The ad is left out: it has the same corners as an object that lies exactly over it.
    this.byAd.set(
      ad,
      (owners as readonly GameObject[]).filter((owner) => owner !== ad),
    );
    this.#known = null;
  }

  forget(ad: GameObject): void {
    this.byAd.delete(ad);
    this.#letGo();
  }

  /** Lets go of every Phaser object. */
  release(): void {
    this.byAd.clear();
    this.#letGo();
  }

  /** Works out where the known objects are, after a frame was drawn. */
  place(): void {
    this.#count = 0;
    this.#known ??= new Set([...this.byAd.values()].flat());
    for (const object of this.#known) {
      const picture = object as unknown as Partial<TexturedObject>;
      if (!picture.frame || picture.isCropped !== false || !isStillDrawn(object)) continue;
      for (const camera of sceneDrawing(object).sys.cameras.cameras) {
        if (!camera.visible || (object.cameraFilter & camera.id) !== 0) continue;
        const placed = (this.#placed[this.#count++] ??= new Placed());
        placed.object = object;
        placed.isTaken = false;
        takeCorners(picture as TexturedObject, camera, placed.corners);
      }
    }
  }

  /** The owner of a quad; null when no known object fits, or several do. To be asked only once for each quad. */
  ownerOf({ f32, hasRounded }: NearQuads, quad: number): GameObject | null {
    const nearness = hasRounded ? ROUNDED_NEARNESS_PX : NEARNESS_PX;
    let owner: Placed | null = null;
    for (let i = 0; i < this.#count; i++) {
      const one = this.#placed[i]!;
      if (!isAt(f32, quad * QUAD_NUMBERS, one.corners, nearness)) continue;
      if (owner !== null || one.isTaken) return null;
      owner = one;
    }
    if (owner === null) return null;
    owner.isTaken = true;
    return owner.object;
  }

  #letGo(): void {
    this.#known = null;
    this.#placed.length = this.#count = 0;
  }
}

/** Compares corners in any order: an object that is mirrored begins with another one. */
function isAt(f32: Float32Array, at: number, corners: Float64Array, nearness: number): boolean {
  for (let c = 0; c < 8; c += 2) {
    let isThere = false;
    for (let v = at; v < at + 4 * STRIDE && !isThere; v += STRIDE) {
      isThere = Math.abs(f32[v]! - corners[c]!) < nearness && Math.abs(f32[v + 1]! - corners[c + 1]!) < nearness;
    }
    if (!isThere) return false;
  }
  return true;
}

const matrix = new Float64Array(6);
const scroll = { scrollFactorX: 1, scrollFactorY: 1 };

/** Finds where the corners of a picture are on the canvas, as the renderers of Phaser 3 and 4 batch it. */
function takeCorners(sprite: TexturedObject, camera: Camera, out: Float64Array): void {
  const { frame, flipX, flipY, _displayOriginX: originX, _displayOriginY: originY, parentContainer } = sprite;
  let left = frame.x - originX;
  let top = frame.y - originY;
  if (flipX) left = -(left + frame.cutWidth + (frame.customPivot ? 0 : 2 * originX - frame.realWidth));
  if (flipY) top = -(top + frame.cutHeight + (frame.customPivot ? 0 : 2 * originY - frame.realHeight));
  const right = left + frame.cutWidth;
  const bottom = top + frame.cutHeight;
  scroll.scrollFactorX = sprite.scrollFactorX;
  scroll.scrollFactorY = sprite.scrollFactorY;
  // Containers pass their scroll factors on.
  for (let at: DrawnObject | null | undefined = parentContainer; at; at = at.parentContainer) {
    scroll.scrollFactorX *= at.scrollFactorX;
    scroll.scrollFactorY *= at.scrollFactorY;
  }
  // If the parent is no container of Phaser's, its children are looked for in the wrong place, and are left to a
  // rehearsal.
  const parent = (parentContainer as unknown as Partial<Container> | null)?.getWorldTransformMatrix?.();
  placeWithin(sprite, placeOf(scroll, camera, parent), matrix);
  for (let corner = 0; corner < 4; corner++) {
    const x = corner & 1 ? right : left;
    const y = corner & 2 ? bottom : top;
    out[2 * corner] = matrix[0]! * x + matrix[2]! * y + matrix[4]!;
    out[2 * corner + 1] = matrix[1]! * x + matrix[3]! * y + matrix[5]!;
  }
}
