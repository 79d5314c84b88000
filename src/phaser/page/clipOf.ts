import type { Box } from './Box.js';
import { parentOf } from './flatTree.js';
import { placeOf } from './placeOf.js';

/** What of a box of an element lies in the window and in every scrolling or clipping box around it; it may be turned inside out. */
export function clipOf(element: Element, box: Box): Box {
  const { documentElement: root, defaultView: window } = element.ownerDocument;
  const result = {
    left: Math.max(box.left, 0),
    top: Math.max(box.top, 0),
    right: Math.min(box.right, root.clientWidth || window!.innerWidth),
    bottom: Math.min(box.bottom, root.clientHeight || window!.innerHeight),
  };
  let position = getComputedStyle(element).position;
  for (let parent = parentOf(element); parent !== null; parent = parentOf(parent)) {
    const style = getComputedStyle(parent);
    const clips = containsPaint(style);
    const isFrame = holdsFixedBoxes(style) || clips;
    // An absolutely positioned box is clipped only by ancestors that are positioned themselves, a fixed one by hardly any.
    if (position === 'fixed' ? !isFrame : position === 'absolute' && style.position === 'static' && !isFrame) continue;
    position = style.position;
    if (parent === root || parent === element.ownerDocument.body) continue;
    const clipsX = clips || style.overflowX !== 'visible';
    const clipsY = clips || style.overflowY !== 'visible';
    if (!clipsX && !clipsY) continue;
    const { clientLeft, clientTop, clientWidth, clientHeight } = parent;
    const { isSwapped, toWindow } = placeOf(parent);
    const inner = toWindow({
      left: clientLeft,
      top: clientTop,
      right: clientLeft + clientWidth,
      bottom: clientTop + clientHeight,
    });
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
