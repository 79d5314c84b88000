import { type Box, boxAround, grown } from './Box.js';
import { clipShapes } from './clipShapes.js';
import { painterOf } from './flatTree.js';
import { type Place, placeOf } from './placeOf.js';

/**
 * What of a box of an element lies in the window and in every scrolling or clipping box around it; it may be turned inside out.
 * @param within If given, only what boxes cut off up to this one's overflow, before filters of it.
 */
export function clipOf(element: Element, box: Box, within: Element | null = null): Box {
  const { documentElement: root, defaultView: window } = element.ownerDocument;
  const part = within === null ? windowPart(root, window!) : box;
  const result = {
    left: Math.max(box.left, part.left),
    top: Math.max(box.top, part.top),
    right: Math.min(box.right, part.right),
    bottom: Math.min(box.bottom, part.bottom),
  };
  if (element === within) return result;
  const own = getComputedStyle(element);
  cutOut(element, own, result);
  let { position } = own;
  for (
    let parent = painterOf(element), last = element;
    parent !== null && last !== within;
    parent = painterOf(parent)
  ) {
    last = parent;
    const style = getComputedStyle(parent);
    // A shape cuts off also what no overflow does.
    if (parent !== within) cutOut(parent, style, result);
    if (escapes(position, style)) continue;
    position = style.position;
    if (parent === root || (parent === element.ownerDocument.body && isWindows(style, root))) continue;
    const clips = containsPaint(style);
    const clipsX = clips || style.overflowX !== 'visible';
    const clipsY = clips || style.overflowY !== 'visible';
    if (!clipsX && !clipsY) continue;
    const { clientLeft, clientTop, clientWidth, clientHeight } = parent;
    const { isSwapped, toWindow } = placeOf(parent);
    const padding = {
      left: clientLeft,
      top: clientTop,
      right: clientLeft + clientWidth,
      bottom: clientTop + clientHeight,
    };
    const inner = toWindow(grown(padding, clipMargin(style)));
    if (isSwapped ? clipsY : clipsX) {
      result.left = Math.max(result.left, inner.left);
      result.right = Math.min(result.right, inner.right);
    }
    if (isSwapped ? clipsX : clipsY) {
      result.top = Math.max(result.top, inner.top);
      result.bottom = Math.min(result.bottom, inner.bottom);
    }
  }
  return result;
}

/** What of the window is on the screen: not all of it where the player has zoomed in by pinching, or below a keyboard. */
function windowPart(root: Element, { innerWidth, innerHeight, visualViewport }: Window): Box {
  const width = root.clientWidth || innerWidth;
  const height = root.clientHeight || innerHeight;
  if (visualViewport === null) return { left: 0, top: 0, right: width, bottom: height };
  const { offsetLeft: left, offsetTop: top } = visualViewport;
  const right = left + visualViewport.width;
  const bottom = top + visualViewport.height;
  // Less than a pixel is rounding.
  return { left, top, right: right < width - 1 ? right : width, bottom: bottom < height - 1 ? bottom : height };
}

/**
 * Whether what has a position goes past the overflow of a box around it: an absolutely positioned box is clipped only by
 * ancestors that are positioned themselves, a fixed one by hardly any.
 */
export function escapes(position: string, around: CSSStyleDeclaration): boolean {
  if (position !== 'fixed' && (position !== 'absolute' || around.position !== 'static')) return false;
  return !holdsFixedBoxes(around) && !containsPaint(around);
}

/** How far beyond a box that cuts with `overflow: clip` what is in it still shows. */
function clipMargin(style: CSSStyleDeclaration): number {
  if (style.overflowX !== 'clip' && style.overflowY !== 'clip') return 0;
  return parseFloat(/[\d.]+px/.exec(style.getPropertyValue('overflow-clip-margin'))?.[0] ?? '0');
}

/** The overflow of `body` is that of the window, unless the root has its own. */
function isWindows({ contain }: CSSStyleDeclaration, root: Element): boolean {
  const { overflowX, overflowY } = getComputedStyle(root);
  return overflowX === 'visible' && overflowY === 'visible' && (contain || 'none') === 'none';
}

/** Nothing in it is painted outside of it (CSS Containment: `paint`). */
function containsPaint({ contain, contentVisibility }: CSSStyleDeclaration): boolean {
  return /paint|strict|content/.test(contain) || contentVisibility === 'auto';
}

/** It is the containing block also of what is fixed. */
function holdsFixedBoxes(style: CSSStyleDeclaration): boolean {
  const { transform, perspective, filter, backdropFilter, contain, willChange } = style;
  return (
    [transform, perspective, filter, backdropFilter].some((value) => value !== 'none' && value) ||
    /layout/.test(contain) ||
    /transform|perspective|filter/.test(willChange)
  );
}

/** Narrows a box to the one around an element's `clip-path`, where that is given by lengths, and to its old `clip`. */
function cutOut(element: Element, style: CSSStyleDeclaration, result: Box): void {
  const { clipPath, position } = style;
  const clip = style.getPropertyValue('clip');
  const rectangle = position === 'absolute' || position === 'fixed' ? /^rect\(([^()]*)\)$/.exec(clip) : null;
  const hasShape = clipPath !== 'none' && clipPath !== '';
  if (!hasShape && rectangle === null) return;
  const place = placeOf(element);
  if (!place.isUpright) return;
  const own = place.toOwn(element.getBoundingClientRect());
  const shapes = hasShape ? clipShapes(clipPath, own.right, own.bottom) : null;
  if (shapes !== null) narrow(result, shapes.length === 0 ? NOTHING : boxAround(shapes.flat()), place);
  if (rectangle !== null) narrow(result, clipBox(rectangle[1]!, own), place);
}

const NOTHING: Box = { left: 0, top: 0, right: 0, bottom: 0 };

function narrow(result: Box, own: Box, place: Place): void {
  const { left, top, right, bottom } = place.toWindow(own);
  result.left = Math.max(result.left, left);
  result.top = Math.max(result.top, top);
  result.right = Math.min(result.right, right);
  result.bottom = Math.min(result.bottom, bottom);
}

/** The edges of `clip: rect()`: pixels from the upper left corner, or `auto`. */
function clipBox(text: string, { right, bottom }: Box): Box {
  const edges = text.split(/[\s,]+/).map(parseFloat);
  const edge = (index: number, auto: number): number => (edges[index]! >= -Infinity ? edges[index]! : auto);
  return { top: edge(0, 0), right: edge(1, right), bottom: edge(2, bottom), left: edge(3, 0) };
}
