import { type Box, boxAround, common, cornersOf, EVERYWHERE, grown, isEmpty } from './Box.js';
import { has, isOutOfFlow, sidesOf } from './css.js';
import { painterOf } from './flatTree.js';
import { isTransformed, type Place, placeOf } from './placeOf.js';
import { cut, hasOddCorners, inside, isBox, outlineOf, roundBox, type Shape } from './shapes.js';

/** What the clips around an element leave of it: the part of a box that lies in each of the shapes. */
export interface Clip {
  /** Turned inside out where nothing is left. */
  readonly box: Box;
  /** Convex shapes that are no upright rectangles, in the window. */
  readonly shapes: readonly Shape[];
  /** False where the shape of a clip is unknown, as with transforms in 3D. */
  readonly isKnown: boolean;
}

/**
 * What the window and the scrolling or clipping boxes around an element leave of it.
 * @param last If given, only boxes up to this one's overflow clip, and the window does not.
 * @param of CSS `position` of a pseudo-element of it, if the clip of that is asked for.
 */
export function clipOf(element: Element, last: Element | null = null, of?: string): Clip {
  const { documentElement: root, defaultView: window, body } = element.ownerDocument;
  let box = last === null ? windowPart(root, window!) : EVERYWHERE;
  let isKnown = true;
  const shapes: Shape[] = [];
  const add = (place: Place, shape: Shape): void => {
    const there = place.pointsToWindow(shape);
    box = common(box, boxAround(there));
    if (!isBox(there)) shapes.push(there);
  };
  let position = of ?? getComputedStyle(element).position;
  for (let e: Element | null = element, isInner = of === undefined; e !== null; e = painterOf(e), isInner = false) {
    const style = getComputedStyle(e);
    // An element without a box neither clips nor positions anything.
    const hasBox = style.display !== 'contents';
    if (!isInner && hasBox && !escapes(position, style)) {
      position = style.position;
      const isWindows = e === root || (e === body && isOverflowOfWindow(style, root));
      const clips = containsPaint(style);
      const [isX, isY] = [clips || style.overflowX !== 'visible', clips || style.overflowY !== 'visible'];
      if ((isX || isY) && !isWindows && hasOverflow(e, style)) {
        const place = placeOf(e);
        add(place, overflowShape(e, style, place, isX, isY));
        if (hasOddCorners(style)) isKnown = false;
      }
    }
    if (e === last) break;
  }
  return { box, shapes, isKnown };
}

/** The part of a shape that a clip leaves; no points where that is nothing. */
export function clipped(shape: Shape, { box, shapes }: Clip): Shape {
  return isEmpty(box) ? [] : shapes.reduce(cut, cut(shape, cornersOf(box)));
}

/** The padding box of an element, with its rounded corners; endless in the direction in which nothing is cut. */
function overflowShape(element: Element, style: CSSStyleDeclaration, place: Place, isX: boolean, isY: boolean): Shape {
  // Only such clips, and containment, heed the margin.
  const isClip = /clip|visible/.test(style.overflow);
  // Of what is turned in space, only the box around it is known.
  if (!place.isKnown) return cornersOf(isX && isY && !isClip ? place.box : EVERYWHERE);
  const padding = inside(roundBox(style, place.width, place.height), sidesOf(style, 'border-*-width'));
  const { clientLeft, clientTop, clientWidth, clientHeight } = element;
  const margin = isClip ? parseFloat(/[\d.]+px/.exec(style.getPropertyValue('overflow-clip-margin'))?.[0] ?? '0') : 0;
  if (isX && isY && margin === 0 && padding.radii.some(([across]) => across > 0)) return outlineOf(padding);
  const inner = grown(
    { left: clientLeft, top: clientTop, right: clientLeft + clientWidth, bottom: clientTop + clientHeight },
    margin,
  );
  const x = isX ? inner : EVERYWHERE;
  const y = isY ? inner : EVERYWHERE;
  return cornersOf({ left: x.left, right: x.right, top: y.top, bottom: y.bottom });
}

/** The part of the window on the screen: not all of it while the player has pinch-zoomed in, or below a keyboard. */
function windowPart({ clientWidth: width, clientHeight: height }: Element, { visualViewport }: Window): Box {
  if (visualViewport === null) return { left: 0, top: 0, right: width, bottom: height };
  const { offsetLeft: left, offsetTop: top } = visualViewport;
  const right = left + visualViewport.width;
  const bottom = top + visualViewport.height;
  // Less than a pixel is rounding.
  return { left, top, right: right < width - 1 ? right : width, bottom: bottom < height - 1 ? bottom : height };
}

/** Whether a positioned element escapes the overflow of a box around it. */
function escapes(position: string, around: CSSStyleDeclaration): boolean {
  return isOutOfFlow(position) && !holdsPositioned(position, around);
}

/** Whether a box is the containing block of fixed or absolute elements in it, and so may clip them. */
export function holdsPositioned(position: string, around: CSSStyleDeclaration): boolean {
  const { display, contain, willChange } = around;
  if (display === 'contents') return false;
  if (position === 'absolute' && around.position !== 'static') return true;
  if (has(around, 'filter') || has(around, 'backdrop-filter')) return true;
  // Nothing else makes an inline box a containing block.
  if (display === 'inline' || display === 'ruby') return false;
  return (
    isTransformed(around) ||
    has(around, 'perspective') ||
    around.transformStyle === 'preserve-3d' ||
    /transform|translate|rotate|scale|offset|perspective|filter|contain/.test(willChange) ||
    contain.includes('layout') ||
    containsPaint(around)
  );
}

/** The overflow of `body` applies to the window, unless the root has its own. */
function isOverflowOfWindow(style: CSSStyleDeclaration, root: Element): boolean {
  const { overflowX, overflowY } = getComputedStyle(root);
  return overflowX === 'visible' && overflowY === 'visible' && !has(style, 'contain');
}

/** Inline boxes and the rows of a table hide no overflow, whatever their style says (CSS Overflow, "applies to"). */
function hasOverflow(element: Element, { display }: CSSStyleDeclaration): boolean {
  if (display === 'inline') return element.matches(DRAWN_WHOLE);
  return !/^(?:ruby|table-(?:row|column|header|footer))/.test(display);
}
/** Inline elements that hide overflow all the same, since they are drawn as one box. */
const DRAWN_WHOLE = 'svg, img, video, canvas, iframe, object, embed, input, textarea, select, button, meter, progress';

/** Whether nothing in a box is painted outside of it (CSS Containment: `paint`). */
function containsPaint({ contain, contentVisibility }: CSSStyleDeclaration): boolean {
  return /paint|strict|content/.test(contain) || contentVisibility === 'auto';
}
