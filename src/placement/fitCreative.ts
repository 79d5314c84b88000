/**
 * How a creative fills the box it was placed in: `contain` shows all of it, `cover` fills all of the box and cuts what
 * overhangs, `stretch` fills all of the box with all of it.
 */
export type Fit = 'contain' | 'cover' | 'stretch';

export interface FittedCreative {
  /** The part of the image to show, in whole image pixels. */
  readonly cut: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Size it is shown in, in the box's units; never larger than the box. */
  readonly width: number;
  readonly height: number;
  /** Origin that puts it into the middle of the box when the box itself is placed by the given origin. */
  readonly originX: number;
  readonly originY: number;
}

/** All sizes are above 0. */
export function fitCreative(
  fit: Fit,
  boxWidth: number,
  boxHeight: number,
  imageWidth: number,
  imageHeight: number,
  originX: number,
  originY: number,
): FittedCreative {
  const scaleX = boxWidth / imageWidth;
  const scaleY = boxHeight / imageHeight;
  let cutWidth = imageWidth;
  let cutHeight = imageHeight;
  let width = boxWidth;
  let height = boxHeight;
  if (fit === 'contain') {
    const scale = Math.min(scaleX, scaleY);
    width = imageWidth * scale;
    height = imageHeight * scale;
  } else if (fit === 'cover') {
    const scale = Math.max(scaleX, scaleY);
    cutWidth = Math.max(1, Math.round(boxWidth / scale));
    cutHeight = Math.max(1, Math.round(boxHeight / scale));
  }
  return {
    cut: {
      x: Math.floor((imageWidth - cutWidth) / 2),
      y: Math.floor((imageHeight - cutHeight) / 2),
      width: cutWidth,
      height: cutHeight,
    },
    width,
    height,
    originX: 0.5 + ((originX - 0.5) * boxWidth) / width,
    originY: 0.5 + ((originY - 0.5) * boxHeight) / height,
  };
}
