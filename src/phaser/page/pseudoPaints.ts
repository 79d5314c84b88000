import type { Box } from './Box.js';
import { boxPaints } from './boxPaints.js';
import { colorAlpha } from './colorAlpha.js';
import { parentOf } from './flatTree.js';
import type { Paint } from './Paint.js';
import { type Place, placeOf, THE_WINDOW } from './placeOf.js';
import type { PseudoElement } from './PseudoElement.js';
import { isReshaped, transformed } from './pseudoTransform.js';
import { styleLength } from './styleLength.js';

/** Pseudo-elements: curtains, scan lines and badges are often made of them. */
export function pseudoPaints(element: Element, style: CSSStyleDeclaration, pseudo: PseudoElement): Paint[] {
  const own = getComputedStyle(element, pseudo);
  if (own.content === 'none' || own.content === 'normal' || own.display === 'none') return [];
  if (own.visibility !== 'visible') return [];
  const isPositioned = own.position === 'absolute' || own.position === 'fixed';
  const block = isPositioned ? containingBlock(element, style, own.position) : null;
  const box = block === null ? boxInFlow(element, style, own, pseudo) : positionedBox(own, block);
  if (box === null) return [];
  const ink = own.content === '""' ? 0 : colorAlpha(own.color);
  const paints = boxPaints(transformed(box, own), own, ink, block?.place ?? placeOf(element), isReshaped(own));
  const opacity = Number(own.opacity);
  return paints.map((paint) => ({ ...paint, opacity: paint.opacity * opacity, pseudo }));
}

/** What border and padding add to the lengths in `width` and `height`. */
function rimOf(style: CSSStyleDeclaration): { across: number; down: number } {
  if (style.boxSizing === 'border-box') return { across: 0, down: 0 };
  const both = (one: string, other: string): number =>
    [one, other].reduce((sum, edge) => sum + styleLength(style, `border-${edge}-width`) + styleLength(style, `padding-${edge}`), 0); // prettier-ignore
  return { across: both('left', 'right'), down: both('top', 'bottom') };
}

function positionedBox(own: CSSStyleDeclaration, block: Block): Box | null {
  const lengths = [own.left, own.top, own.width, own.height].map(parseFloat) as [number, number, number, number];
  if (!lengths.every(Number.isFinite)) return null;
  const rim = rimOf(own);
  const zoom = Number(own.getPropertyValue('zoom')) || 1;
  const left = block.left + zoom * (lengths[0] + styleLength(own, 'margin-left'));
  const top = block.top + zoom * (lengths[1] + styleLength(own, 'margin-top'));
  return { left, top, right: left + zoom * (lengths[2] + rim.across), bottom: top + zoom * (lengths[3] + rim.down) };
}

/** At the start or end of the element's content. Nobody tells how far text goes: it is guessed by its letters. */
function boxInFlow(element: Element, style: CSSStyleDeclaration, own: CSSStyleDeclaration, pseudo: string): Box | null {
  const border = placeOf(element).toOwn(element.getBoundingClientRect());
  const edge = (side: string): number =>
    styleLength(style, `border-${side}-width`) + styleLength(style, `padding-${side}`);
  const left = border.left + edge('left');
  const top = border.top + edge('top');
  const right = border.right - edge('right');
  const bottom = border.bottom - edge('bottom');
  const rim = rimOf(own);
  const letters = own.content.length - 2;
  const em = styleLength(own, 'font-size');
  const width = (parseFloat(own.width) >= 0 ? parseFloat(own.width) : letters * (letters > 1 ? 0.6 : 1) * em) + rim.across; // prettier-ignore
  const height = (parseFloat(own.height) >= 0 ? parseFloat(own.height) : letters > 0 ? 1.2 * em : 0) + rim.down;
  const isLast = pseudo === '::after';
  const isRow = /flex|grid/.test(style.display) && !style.flexDirection.startsWith('column');
  const x = isLast && isRow ? right - width - styleLength(own, 'margin-right') : left + styleLength(own, 'margin-left');
  const y =
    isLast && !isRow ? bottom - height - styleLength(own, 'margin-bottom') : top + styleLength(own, 'margin-top');
  return width > 0 && height > 0 ? { left: x, top: y, right: x + width, bottom: y + height } : null;
}

interface Block {
  left: number;
  top: number;
  place: Place;
}

/** Where lengths of something positioned in an element count from: the corner of the padding box around it. */
function containingBlock(element: Element, style: CSSStyleDeclaration, position: string): Block {
  if (position === 'fixed') return { left: 0, top: 0, place: THE_WINDOW };
  let at: Element | null = element;
  let its = style;
  while (at !== null && its.position === 'static' && its.transform === 'none') {
    at = parentOf(at);
    if (at !== null) its = getComputedStyle(at);
  }
  // The page itself may be scrolled.
  const block = at ?? element.ownerDocument.documentElement;
  return { left: block.clientLeft, top: block.clientTop, place: placeOf(block) };
}
