import type { CreativeVideo } from './CreativeVideo.js';

/** Later than the end of any video, in seconds. */
const BEYOND_THE_END = 1e7;

/** Between two looks at whether a video can be drawn, in milliseconds. */
const LOOK_MS = 10;

/** Width and height of the picture looked at, in pixels. */
const LOOK_SIDE = 32;

/**
 * A muted video element for a file, ready to draw its first frame. It is no part of the page, stops while the page is
 * hidden, and never asks for sound, full screen or another device.
 * @param checkSize called as soon as size and length are known, before a frame is waited for, and again while it plays, since
 *   each picture of a file may have a size of its own; throws to refuse
 */
export async function openBrowserVideo(
  file: Blob,
  checkSize: (width: number, height: number, durationSeconds: number) => void,
  signal: AbortSignal,
): Promise<CreativeVideo> {
  const element = document.createElement('video');
  const address = URL.createObjectURL(file);
  let isRefused = false;
  const onVisibility = (): void => {
    if (document.visibilityState === 'hidden') element.pause();
  };
  const check = (): void => checkSize(element.videoWidth, element.videoHeight, element.duration);
  const close = (): void => {
    document.removeEventListener('visibilitychange', onVisibility);
    element.pause();
    element.removeAttribute('src');
    // Lets go of the decoder and of the file.
    element.load();
    URL.revokeObjectURL(address);
  };
  try {
    element.muted = true;
    element.defaultMuted = true;
    element.playsInline = true;
    element.disableRemotePlayback = true;
    element.preload = 'auto';
    element.src = address;
    await until(element, 'loadedmetadata', signal);
    // Recorders leave the length out of the file; the browser finds it at the end.
    if (element.duration === Infinity) {
      element.currentTime = BEYOND_THE_END;
      await until(element, 'seeked', signal);
      element.currentTime = 0;
      await until(element, 'seeked', signal);
    }
    check();
    if (element.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await until(element, 'loadeddata', signal);
    await untilDrawable(element, signal);
    check();
  } catch (error) {
    close();
    throw error;
  }
  const { duration: durationSeconds } = element;
  let drawableSeconds = 0;
  // Textures take the size of an element that says nothing else from these.
  element.width = element.videoWidth;
  element.height = element.videoHeight;
  document.addEventListener('visibilitychange', onVisibility);
  return {
    source: element,
    width: element.videoWidth,
    height: element.videoHeight,
    durationSeconds,
    get currentTimeSeconds() {
      // While it looks for another place, Firefox draws nothing, not the picture before.
      const hasPicture = !element.seeking && element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
      if (hasPicture) drawableSeconds = element.currentTime;
      return drawableSeconds;
    },
    get isPlaying() {
      return !element.paused && !element.ended;
    },
    get hasEnded() {
      return element.ended;
    },
    get isBroken() {
      if (isRefused || element.error !== null) return true;
      try {
        checkSize(element.videoWidth, element.videoHeight, durationSeconds);
      } catch {
        isRefused = true;
      }
      return isRefused;
    },
    play: () => element.play(),
    pause: () => element.pause(),
    close,
  };
}

/**
 * Browsers tell of the first frame some milliseconds before they draw it. An ad that began with nothing would count as
 * unseen, and so would never be played.
 */
async function untilDrawable(element: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = LOOK_SIDE;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  while (context !== null) {
    signal.throwIfAborted();
    context.drawImage(element, 0, 0, LOOK_SIDE, LOOK_SIDE);
    if (context.getImageData(0, 0, LOOK_SIDE, LOOK_SIDE).data.some((value) => value > 0)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function until(element: HTMLVideoElement, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => (): void => {
      element.removeEventListener(event, onEvent);
      element.removeEventListener('error', onError);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onEvent = end(resolve);
    const onError = end(() => reject(new Error('The browser cannot play the video')));
    const onAbort = end(() => reject(signal.reason as Error));
    element.addEventListener(event, onEvent);
    element.addEventListener('error', onError);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}
