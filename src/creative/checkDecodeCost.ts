import { AdsError } from '../errors.js';
import { av1PictureSizes } from './av1PictureSizes.js';
import type { CreativeLimits } from './CreativeLimits.js';
import type { ImageHeader } from './imageHeader.js';

/** Encoders write at most about ten; each makes the decoder go over the whole picture once more. */
const MAX_JPEG_SCANS = 100;
/** Colour, alpha, a thumbnail and tiles that overhang may together have this many times the area that the limits allow. */
const MAX_AVIF_OVERHEAD = 4;

const MARKER = 0xff;
const START_OF_SCAN = 0xda;

/**
 * Refuses a complete file whose decoding would cost far more than its dimensions suggest.
 * @throws AdsError `ad/decode`, `ad/dimensions`
 */
export function checkDecodeCost(bytes: Uint8Array, header: ImageHeader, limits: CreativeLimits): void {
  if (header.type === 'image/jpeg') checkScans(bytes);
  else if (header.type === 'image/avif') checkPictures(bytes, limits);
}

/** A progressive JPEG of 1 MiB may hold fifty thousand nearly empty scans, which keep a decoder busy for minutes. */
function checkScans(bytes: Uint8Array): void {
  let scans = 0;
  // Not `indexOf`: called for each byte of a file of nothing but 0xff it holds up the game for 90 ms.
  for (let at = 1; at < bytes.length; at++) {
    if (bytes[at] === START_OF_SCAN && bytes[at - 1] === MARKER && ++scans > MAX_JPEG_SCANS) {
      throw new AdsError('ad/decode', `The JPEG has more than ${MAX_JPEG_SCANS} scans`);
    }
  }
}

/** A decoder allocates what the AV1 data says and compares that with the dimensions of the file only afterwards. */
function checkPictures(bytes: Uint8Array, limits: CreativeLimits): void {
  let totalArea = 0;
  for (const { width, height } of av1PictureSizes(bytes)) {
    totalArea += width * height;
    if (width > limits.maxSidePx || height > limits.maxSidePx || totalArea > MAX_AVIF_OVERHEAD * limits.maxAreaPx) {
      throw new AdsError('ad/dimensions', `The AVIF holds a picture of ${width}×${height} px`);
    }
  }
}
