import { sizeOf } from '../../textures/AlphaReader.js';

const NONE = { width: 0, height: 0 };

/** The size of a picture in its own pixels, whatever size the page gives it; 0 × 0 for one that is not there yet. */
export function sizeOfPicture(picture: unknown): { readonly width: number; readonly height: number } {
  if (typeof picture !== 'object' || picture === null) return NONE;
  const { complete, videoWidth } = picture as Partial<HTMLImageElement & HTMLVideoElement>;
  return complete === false || videoWidth === 0 ? NONE : sizeOf(picture);
}
