import type * as Phaser from 'phaser';

import { isStillDrawn } from './DrawnPlaces.js';
import { QUAD_NUMBERS, type NearQuads, STRIDE } from './NearQuads.js';
import type { DrawnObject, TexturedObject } from './phaser3/internals.js';
import { placeOf, placeWithin } from './placeOf.js';
import { sceneDrawing } from './sceneDrawing.js';

type GameObject = Phaser.GameObjects.GameObject;
type Camera = Phaser.Cameras.Scene2D.Camera;
type Container = Phaser.GameObjects.Container;

/** Vertices are 32-bit floats: so far a corner may be from where it is worked out to be. */
const NEARNESS_PX = 0.01;
/** The same where a shader may have put it on a whole pixel. */
const ROUNDED_NEARNESS_PX = 0.51;

/** A known object as one camera draws it. */
class Placed {
  object: GameObject | null = null;
  /** x and y of its corners, in any order. */
  readonly corners = new Float64Array(8);
  /** Some quad is this object's already. */
  isTaken = false;
}

/**
 * The game objects that a rehearsal found near ads, told again in later frames by where they are: vertices do not say whose they
 * are. A quad is that object's whose four corners lie just there, if it is the only one.
 */
export class KnownOwners {
  private readonly byAd = new Map<GameObject, readonly GameObject[]>();
  /** All of them, each once; null when that is to be found out anew. */
  private known: Set<GameObject> | null = null;
  private readonly placed: Placed[] = [];
  private count = 0;

  /** Notes what was found near an ad, instead of what was before. */
  note(ad: GameObject, owners: readonly unknown[]): void {
    // What lies just over the ad would be where the ad is.
    this.byAd.set(
      ad,
      (owners as readonly GameObject[]).filter((owner) => owner !== ad),
    );
    this.known = null;
  }

  forget(ad: GameObject): void {
    this.byAd.delete(ad);
    this.letGo();
  }

  /** Lets go of every Phaser object. */
  release(): void {
    this.byAd.clear();
    this.letGo();
  }

  /** Looks where they are, after a frame was drawn. */
  place(): void {
    this.count = 0;
    this.known ??= new Set([...this.byAd.values()].flat());
    for (const object of this.known) {
      const picture = object as unknown as Partial<TexturedObject>;
      if (!picture.frame || picture.isCropped !== false || !isStillDrawn(object)) continue;
      for (const camera of sceneDrawing(object).sys.cameras.cameras) {
        if (!camera.visible || (object.cameraFilter & camera.id) !== 0) continue;
        const placed = (this.placed[this.count++] ??= new Placed());
        placed.object = object;
        placed.isTaken = false;
        takeCorners(picture as TexturedObject, camera, placed.corners);
      }
    }
  }

  /** Whose a quad is; null when it is nobody's who is known, or may be that of several. To be asked once of each quad. */
  ownerOf({ f32, hasRounded }: NearQuads, quad: number): GameObject | null {
    const nearness = hasRounded ? ROUNDED_NEARNESS_PX : NEARNESS_PX;
    let owner: Placed | null = null;
    for (let i = 0; i < this.count; i++) {
      const one = this.placed[i]!;
      if (!isAt(f32, quad * QUAD_NUMBERS, one.corners, nearness)) continue;
      if (owner !== null || one.isTaken) return null;
      owner = one;
    }
    if (owner === null) return null;
    owner.isTaken = true;
    return owner.object;
  }

  private letGo(): void {
    this.known = null;
    this.placed.length = this.count = 0;
  }
}

/** Nobody knows with which of its corners an object begins: it may be mirrored. */
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
  // Containers pass theirs on.
  for (let at: DrawnObject | null | undefined = parentContainer; at; at = at.parentContainer) {
    scroll.scrollFactorX *= at.scrollFactorX;
    scroll.scrollFactorY *= at.scrollFactorY;
  }
  // A parent that is no container of Phaser's: its children are looked for in the wrong place, and left to a rehearsal.
  const parent = (parentContainer as unknown as Partial<Container> | null)?.getWorldTransformMatrix?.();
  placeWithin(sprite, placeOf(scroll, camera, parent), matrix);
  for (let corner = 0; corner < 4; corner++) {
    const x = corner & 1 ? right : left;
    const y = corner & 2 ? bottom : top;
    out[2 * corner] = matrix[0]! * x + matrix[2]! * y + matrix[4]!;
    out[2 * corner + 1] = matrix[1]! * x + matrix[3]! * y + matrix[5]!;
  }
}
