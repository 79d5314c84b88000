const NONE = { width: 0, height: 0 };

/** The size of a picture in its own pixels, whatever the page makes of it; nothing for one that is not there yet. */
export function sizeOfPicture(picture: unknown): { readonly width: number; readonly height: number } {
  if (typeof picture !== 'object' || picture === null) return NONE;
  const { naturalWidth, naturalHeight } = picture as Partial<HTMLImageElement>;
  if (naturalWidth !== undefined) {
    if (!(picture as HTMLImageElement).complete) return NONE;
    // A drawing without a size of its own has natural ones of 0.
    const { width, height } = picture as HTMLImageElement;
    return { width: naturalWidth || width, height: naturalHeight || height };
  }
  const { videoWidth, videoHeight } = picture as Partial<HTMLVideoElement>;
  if (videoWidth !== undefined) return { width: videoWidth, height: videoHeight! };
  return picture as HTMLCanvasElement;
}
