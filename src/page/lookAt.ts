import { type Box, boxAround, common, cornersOf, isEmpty } from './Box.js';
import { clipOf } from './clipOf.js';
import { px } from './css.js';
import { type Effects, effectsOn } from './effectsOn.js';
import { findCovers } from './findCovers.js';
import { isRendered } from './flatTree.js';
import type { Cover } from './PaintSearch.js';
import { placeOf } from './placeOf.js';
import { cut, isBox, ring, type Shape } from './shapes.js';

/** What the player sees of an element, and what lies over it. */
export interface Look {
  /** In the window; turned inside out where nothing is seen. */
  readonly seen: Box;
  readonly covers: readonly Cover[];
  /** False where it is unknown what the player sees of it. */
  readonly isKnown: boolean;
}

/**
 * Finds what the page leaves of an element and paints over it, and what pages of the same origin around that page do. Pauses
 * as {@link findCovers} does.
 * @param area The part of the element's window that matters.
 * @param outline The outline of the element, where it may have rounded corners.
 */
export function* lookAt(
  element: Element,
  area: Box,
  outline: Shape | null,
  shouldPause: () => boolean,
): Generator<void, Look> {
  const clip = clipOf(element);
  const effects = effectsOn(element, NONE);
  let seen = common(area, clip.box);
  const nothing = { seen: NOTHING, covers: [], isKnown: true };
  if (isEmpty(seen) || !isShown(element, effects)) return nothing;
  const shapes = outline === null || isBox(outline) ? clip.shapes : [...clip.shapes, outline];
  const corners = shapes.flatMap((shape) => ring(cornersOf(seen), cut(shape, cornersOf(seen))));
  const found = yield* findCovers(element, seen, shapes, shouldPause);
  const covers: Cover[] = [
    ...found.covers,
    ...corners.map((shape): Cover => ({ element, shape, opacity: 1, isCertain: true })),
    // What is faint itself is hidden by fainter covers.
    ...(effects.opacity < 1
      ? [{ element, shape: cornersOf(seen), opacity: 1 - effects.opacity, isCertain: true }]
      : []),
  ];
  let isKnown = clip.isKnown && !effects.isAltered && found.isKnown;
  const frame = frameAround(element);
  if (frame !== null) {
    const outer = yield* lookAt(frame.element, boxAround(frame.toHost(cornersOf(seen))), null, shouldPause);
    seen = common(seen, boxAround(frame.toOwn(cornersOf(outer.seen))));
    isKnown &&= frame.isUpright && outer.isKnown;
    covers.push(...outer.covers.map((cover) => ({ ...cover, shape: frame.toOwn(cover.shape) })));
  }
  return { seen, covers, isKnown };
}

const NONE: ReadonlySet<Element> = new Set();
const NOTHING: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** Whether the page would show the element if nothing lay over it. */
function isShown(element: Element, { opacity }: Effects): boolean {
  const { visibility } = getComputedStyle(element);
  return isRendered(element) && visibility === 'visible' && opacity >= 0.5;
}

interface Frame {
  readonly element: Element;
  readonly isUpright: boolean;
  /** From the framed window to that of the page around it. */
  toHost(points: readonly number[]): number[];
  toOwn(points: readonly number[]): number[];
}

/** Null in the outermost page, and where the page around is of another origin. */
function frameAround({ ownerDocument: { defaultView: window } }: Element): Frame | null {
  const element = elementAround(window);
  if (element === null || element.ownerDocument.defaultView === null) return null;
  const style = getComputedStyle(element);
  const corner = [
    element.clientLeft + px(style, 'padding-left'),
    element.clientTop + px(style, 'padding-top'),
  ] as const;
  const place = placeOf(element);
  return {
    element,
    isUpright: place.isUpright,
    toHost: (points) => place.pointsToWindow(points.map((value, i) => value + corner[i % 2]!)),
    toOwn: (points) => place.pointsToOwn(points).map((value, i) => value - corner[i % 2]!),
  };
}

/** The frame that a window is in, if the page around it has the same origin. */
export function elementAround(window: Window | null): Element | null {
  try {
    return window?.frameElement ?? null;
  } catch {
    return null;
  }
}
