import type { TexturedObject } from '../internals.js';
import type { ObjectReader } from '../ObjectReader.js';
import { readImage } from './image.js';

/** As an image once there is a first frame; nothing before, whatever its bounds say. Source: `VideoWebGLRenderer`. */
export const readVideo: ObjectReader<TexturedObject & { readonly videoTexture: unknown }> = (object, context) => {
  if (object.videoTexture) readImage(object, context);
};
