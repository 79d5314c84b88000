import type { DrawnObject } from './phaser3/internals.js';
import type { ObjectReader } from './ObjectReader.js';

interface Sized extends DrawnObject {
  readonly width?: number;
  readonly height?: number;
  readonly displayOriginX?: number;
  readonly displayOriginY?: number;
  /** Of a bitmap text: shakes its letters about their places. */
  readonly displayCallback?: unknown;
  readonly fontSize?: number;
}

/**
 * An object of a type nobody registered: it may paint anything, so its declared size about its origin counts as opaque
 * and unmeasurable. Without a size it may paint everywhere.
 */
export const readUnknown: ObjectReader<Sized> = (object, { pen }) => {
  const { width, height, displayCallback, fontSize = 0 } = object;
  if (typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0) {
    const around = displayCallback ? fontSize : 0;
    const left = -(object.displayOriginX ?? width / 2) - around;
    const top = -(object.displayOriginY ?? height / 2) - around;
    pen.unknown(left, top, width + 2 * around, height + 2 * around);
    return;
  }
  pen.anywhere();
};
