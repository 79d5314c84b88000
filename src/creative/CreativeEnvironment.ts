import { fetchPackaged, isPackaged } from '../packagedFiles.js';
import { requiresLeave } from '../requiresLeave.js';
import { type After, after } from '../waiting.js';
import type { CreativeImage } from './CreativeImage.js';
import { openBrowserVideo } from './openBrowserVideo.js';

/** What loading creatives needs of the world around it. */
export interface CreativeEnvironment {
  fetch(url: string, init: RequestInit): Promise<Response>;
  decode(file: Blob): Promise<CreativeImage>;
  /** A smaller copy; the given image stays open. */
  shrink(image: CreativeImage, width: number, height: number): Promise<CreativeImage>;
  /** A muted video, ready to draw its first frame. */
  readonly openVideo: typeof openBrowserVideo;
  readonly after: After;
  /**
   * Calls back once after `count` frames of the page, or after a second if the page draws none, as a hidden one does; the
   * returned function cancels.
   */
  afterFrames(count: number, callback: () => void): () => void;
  /** False when the device says it is offline. */
  isOnline(): boolean;
  readonly requiresLeave: typeof requiresLeave;
}

/** The browser's own. Reads every global when used, none when imported. */
export function browserCreativeEnvironment(): CreativeEnvironment {
  return {
    fetch: (url, init) => (isPackaged(url) ? fetchPackaged(url, init.signal) : fetch(url, init)),
    decode: (file) => createImageBitmap(file),
    // 'low' interpolates between neighbours, enough for the halving that the limits allow at most, at a third of the cost.
    shrink: (image, resizeWidth, resizeHeight) =>
      createImageBitmap(image, { resizeWidth, resizeHeight, resizeQuality: 'low' }),
    openVideo: openBrowserVideo,
    after,
    afterFrames,
    isOnline: () => navigator.onLine,
    requiresLeave,
  };
}

/** The longest wait for frames, in milliseconds. */
const LONGEST_WAIT_MS = 1000;

function afterFrames(count: number, callback: () => void): () => void {
  let left = count;
  const cancel = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const end = (): void => {
    cancel();
    callback();
  };
  const onFrame = (): void => {
    if (--left === 0) end();
    else frame = requestAnimationFrame(onFrame);
  };
  const timer = setTimeout(end, LONGEST_WAIT_MS);
  let frame = requestAnimationFrame(onFrame);
  return cancel;
}
