import { type Box, eachPoint } from './Box.js';
import { clipOf } from './clipOf.js';
import type { Cover } from './Cover.js';
import { findCovers } from './findCovers.js';
import { isShown } from './isShown.js';
import { placeOf } from './placeOf.js';

/**
 * What pages around a window leave of a box in it, as far as they are of its origin; null where they do not show it at all.
 * It may be turned inside out.
 */
export function throughFrames(window: Window, box: Box): Box | null {
  const frame = frameAround(window);
  if (frame === null) return box;
  if (!isShown(frame.element)) return null;
  // Where the page turns the frame, only an observer tells what it cuts off.
  if (!frame.isUpright) return box;
  const seen = throughFrames(frame.host, clipOf(frame.element, frame.toHost(box)));
  return seen && frame.toOwn(seen);
}

/** What such pages paint over boxes of a window, in its own pixels. Pauses as {@link findCovers} does. */
export function* coversOfFrames(
  window: Window,
  areas: readonly Box[],
  shouldPause: () => boolean,
): Generator<void, Cover[]> {
  const frame = frameAround(window);
  if (frame === null || !frame.isUpright) return [];
  const there = areas.map(frame.toHost);
  const covers = yield* findCovers(frame.element, there, shouldPause);
  covers.push(...(yield* coversOfFrames(frame.host, there, shouldPause)));
  const pointToOwn = (x: number, y: number): readonly [number, number] => {
    const { left, top } = frame.toOwn({ left: x, top: y, right: x, bottom: y });
    return [left, top];
  };
  return covers.map(({ corners, ...cover }) => ({
    ...cover,
    box: frame.toOwn(cover.box),
    ...(corners && { corners: eachPoint(corners, pointToOwn) }),
  }));
}

interface Frame {
  readonly element: Element;
  /** The window of the page it is in. */
  readonly host: Window;
  readonly isUpright: boolean;
  /** From pixels of the framed window to those of the host's. */
  toHost(box: Box): Box;
  toOwn(box: Box): Box;
}

/** Null in the outermost page, and where the page around is of another origin. */
function frameAround(window: Window): Frame | null {
  const element = elementAround(window);
  const host = element?.ownerDocument.defaultView ?? null;
  if (element === null || host === null) return null;
  const style = getComputedStyle(element);
  const x = element.clientLeft + (parseFloat(style.paddingLeft) || 0);
  const y = element.clientTop + (parseFloat(style.paddingTop) || 0);
  const { isUpright, toWindow, toOwn } = placeOf(element);
  return {
    element,
    host,
    isUpright,
    toHost: (box) => toWindow(moved(box, x, y)),
    toOwn: (box) => moved(toOwn(box), -x, -y),
  };
}

function elementAround(window: Window): Element | null {
  try {
    return window.frameElement;
  } catch {
    return null;
  }
}

function moved({ left, top, right, bottom }: Box, x: number, y: number): Box {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}
