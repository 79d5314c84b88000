import type { DrawnObject } from './phaser3/internals.js';
import type { ObjectReader } from './ObjectReader.js';

/** Hands the WebGL context to foreign code, which may draw anything anywhere. */
export const readExtern: ObjectReader<DrawnObject> = (_object, { pen, isWebGL }) => {
  if (isWebGL) pen.anywhere();
};
