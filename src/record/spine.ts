import type { DrawnObject } from './phaser3/internals.js';
import type { ObjectReader } from './ObjectReader.js';
import type { Pen } from './Pen.js';

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

interface Skeleton {
  readonly x?: number;
  readonly y?: number;
  readonly scaleX?: number;
  readonly scaleY?: number;
  getBounds(offset: Receiver, size: Receiver, scratch: number[]): void;
}

interface SpineObject extends DrawnObject {
  readonly skeleton?: Skeleton;
  readonly width: number;
  readonly height: number;
  readonly offsetX?: number;
  readonly offsetY?: number;
  /** Since 4.3. */
  readonly renderOffsetX?: number;
  readonly renderOffsetY?: number;
  readonly displayOriginX: number;
  readonly displayOriginY: number;
  /** The root bone, which only the plugin that came with Phaser turns. */
  readonly root?: unknown;
}

const offset = new Receiver();
const size = new Receiver();
const scratch: number[] = [0, 0];

/** So far, in canvas pixels, a skeleton may lie from where the camera at hand draws it. */
const PLACE_PX = 0.01;

/**
 * A Spine skeleton (`@esotericsoftware/spine-phaser`, and the plugin that came with Phaser): the box of its attachments in
 * the current pose, unmeasurable, since how much of it is painted depends on meshes and atlas pages. Its own width and
 * height are the setup pose's.
 */
export const readSpine: ObjectReader<SpineObject> = (object, { pen, isWebGL }) => {
  const { skeleton } = object;
  if (!skeleton || typeof skeleton.getBounds !== 'function') {
    pen.unknown(-object.displayOriginX, -object.displayOriginY, object.width, object.height);
    return;
  }
  skeleton.getBounds(offset, size, scratch);
  if (!(size.x > 0 && size.y > 0)) return;
  const isOfPhaser = object.root !== undefined;
  if (isWebGL && !isOfPhaser) {
    const x = (object.offsetX ?? 0) - object.displayOriginX;
    const y = (object.offsetY ?? 0) - object.displayOriginY;
    pen.unknown(offset.x + x, offset.y + y, size.x, size.y);
    return;
  }
  readPlaced(object, skeleton, pen, isWebGL);
};

/**
 * A skeleton that its renderer puts where it is on the canvas before it is drawn, camera and containers included; the
 * plugin that came with Phaser counts from the bottom in WebGL. {@link offset} and {@link size} hold its bounds.
 */
function readPlaced(object: SpineObject, skeleton: Skeleton, pen: Pen, isFromBottom: boolean): void {
  const { canvasHeight } = pen.snapshot;
  const { x = 0, scaleX = 1, scaleY = 1 } = skeleton;
  const y = isFromBottom ? canvasHeight - (skeleton.y ?? 0) : (skeleton.y ?? 0);
  const left = offset.x;
  const top = isFromBottom ? canvasHeight - offset.y - size.y : offset.y;
  const placeX = pen.canvasX(object.renderOffsetX ?? 0, object.renderOffsetY ?? 0);
  const placeY = pen.canvasY(object.renderOffsetX ?? 0, object.renderOffsetY ?? 0);
  const growth = Math.max(
    Math.sqrt(pen.a * pen.a + pen.b * pen.b) / Math.abs(scaleX),
    Math.sqrt(pen.c * pen.c + pen.d * pen.d) / Math.abs(scaleY),
  );
  pen.inCanvasPixels();
  if (Math.abs(x - placeX) <= PLACE_PX && Math.abs(y - placeY) <= PLACE_PX) {
    pen.unknown(left, top, size.x, size.y);
    return;
  }
  // Another camera drew it last, perhaps turned: as far as it reaches from its place there, it may reach here.
  const reachX = Math.max(Math.abs(left - x), Math.abs(left + size.x - x));
  const reachY = Math.max(Math.abs(top - y), Math.abs(top + size.y - y));
  const reach = growth * Math.sqrt(reachX * reachX + reachY * reachY);
  pen.unknown(placeX - reach, placeY - reach, 2 * reach, 2 * reach);
}
