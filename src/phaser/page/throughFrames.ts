import type { Box } from './Box.js';
import { clipOf } from './clipOf.js';
import { isShown } from './isShown.js';
import { placeOf } from './placeOf.js';

/**
 * What pages around a window leave of a box in it, as far as they are of its origin; null where they do not show it at all.
 * It may be turned inside out. What lies over the frames there is not looked for.
 */
export function throughFrames(window: Window, box: Box): Box | null {
  const frame = frameAround(window);
  const host = frame?.ownerDocument.defaultView ?? null;
  if (frame === null || host === null) return box;
  if (!isShown(frame)) return null;
  const place = placeOf(frame);
  if (!place.isUpright) return throughFrames(host, frame.getBoundingClientRect()) === null ? null : box;
  const style = getComputedStyle(frame);
  const x = frame.clientLeft + (parseFloat(style.paddingLeft) || 0);
  const y = frame.clientTop + (parseFloat(style.paddingTop) || 0);
  const seen = throughFrames(host, clipOf(frame, place.toWindow(moved(box, x, y))));
  return seen === null ? null : moved(place.toOwn(seen), -x, -y);
}

/** Null in the outermost page, and where the page around is of another origin. */
function frameAround(window: Window): Element | null {
  try {
    return window.frameElement;
  } catch {
    return null;
  }
}

function moved({ left, top, right, bottom }: Box, x: number, y: number): Box {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}
