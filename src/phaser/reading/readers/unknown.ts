import type { DrawnObject, TexturedObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';

/**
 * An object of a type nobody registered: it may paint anything, so its declared size about its origin counts as opaque
 * and unmeasurable. Without a size it may paint everywhere.
 */
export const readUnknown: ObjectReader<DrawnObject & Partial<TexturedObject>> = (object, { pen }) => {
  const { width, height } = object;
  if (typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0) {
    pen.unknown(-(object.displayOriginX ?? width / 2), -(object.displayOriginY ?? height / 2), width, height);
    return;
  }
  pen.anywhere();
};
