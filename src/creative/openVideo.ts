import { AdsError } from '../errors.js';
import type { CreativeEnvironment } from './CreativeEnvironment.js';
import type { CreativeLimits } from './CreativeLimits.js';
import type { CreativeVideo } from './CreativeVideo.js';
import { withDeadline } from './withDeadline.js';

/**
 * Opens a video file for one place: within a deadline, no larger and no longer than the limits allow. Its size comes
 * from the browser, which knows it before it draws a frame.
 * @throws AdsError `ad/dimensions`, `ad/duration`, `ad/decode`, `ad/timeout`, or the signal's reason
 */
export function openVideo(
  file: Blob,
  limits: CreativeLimits,
  environment: CreativeEnvironment,
  signal: AbortSignal,
): Promise<CreativeVideo> {
  return withDeadline(
    limits.videoTimeoutMs,
    environment,
    signal,
    (cut) => environment.openVideo(file, (width, height, seconds) => check(width, height, seconds, limits), cut),
    (video) => video.close(),
  );
}

function check(width: number, height: number, durationSeconds: number, limits: CreativeLimits): void {
  const { maxSidePx, maxVideoAreaPx, maxVideoSeconds } = limits;
  if (!(width > 0 && height > 0)) throw new AdsError('ad/decode', 'The file has no pictures');
  if (width > maxSidePx || height > maxSidePx || width * height > maxVideoAreaPx) {
    throw new AdsError('ad/dimensions', `The video measures ${width}×${height} px`);
  }
  if (!(durationSeconds > 0 && durationSeconds <= maxVideoSeconds)) {
    throw new AdsError('ad/duration', `The video lasts ${durationSeconds} s`);
  }
}
