import type { DrawnObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';

/** Receives a result of `Skeleton.getBounds`, which asks for objects with `set`. */
class Receiver {
  x = 0;
  y = 0;
  set(x: number, y: number): this {
    this.x = x;
    this.y = y;
    return this;
  }
}

interface SpineObject extends DrawnObject {
  readonly skeleton?: {
    getBounds(offset: Receiver, size: Receiver, scratch: number[]): void;
  };
  readonly width: number;
  readonly height: number;
  readonly offsetX?: number;
  readonly offsetY?: number;
  readonly displayOriginX: number;
  readonly displayOriginY: number;
}

const offset = new Receiver();
const size = new Receiver();
const scratch: number[] = [0, 0];

/**
 * A Spine skeleton (`@esotericsoftware/spine-phaser`): the box of its attachments in the current pose, unmeasurable,
 * since how much of it is painted depends on meshes and atlas pages. Its own width and height are the setup pose's.
 */
export const readSpine: ObjectReader<SpineObject> = (object, { pen, isWebGL }) => {
  const { skeleton } = object;
  if (!skeleton || typeof skeleton.getBounds !== 'function') {
    pen.unknown(-object.displayOriginX, -object.displayOriginY, object.width, object.height);
    return;
  }
  skeleton.getBounds(offset, size, scratch);
  // Only the WebGL renderer shifts the skeleton by its origin.
  const x = isWebGL ? (object.offsetX ?? 0) - object.displayOriginX : 0;
  const y = isWebGL ? (object.offsetY ?? 0) - object.displayOriginY : 0;
  if (size.x > 0 && size.y > 0) pen.unknown(offset.x + x, offset.y + y, size.x, size.y);
};
