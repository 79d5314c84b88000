import { type Box, cornersOf, grown } from './Box.js';
import { boxPaints, type Paint, unknown } from './boxPaints.js';
import { holdsPositioned } from './clipOf.js';
import { has, isOutOfFlow, lengthsIn, px, sidesOf } from './css.js';
import { ANYWHERE_PX, BLUR } from './effectsOn.js';
import { parentOf } from './flatTree.js';
import { Place, placeOf, transformOf, windowPlace } from './placeOf.js';

export const PSEUDO_ELEMENTS = ['::before', '::after'] as const;

/** Whether the element has a `::before` or `::after` that shows. */
export function hasPseudo(element: Element): boolean {
  return PSEUDO_ELEMENTS.some((pseudo) => isMade(getComputedStyle(element, pseudo)));
}

function isMade(style: CSSStyleDeclaration): boolean {
  const { content } = style;
  return !/^(?:none|normal)$/.test(content) && style.display !== 'none' && style.visibility === 'visible';
}

/** Whether its text is nothing but spaces, with or without width: these only make a box. */
function isBlank({ content }: CSSStyleDeclaration): boolean {
  return /^"[\s\u200b]*"$/.test(content);
}

/** Curtains, scan lines and badges are often made of pseudo-elements. Styles tell where they lie only if they are positioned. */
export function pseudoPaints(element: Element, style: CSSStyleDeclaration, place: Place, pseudo: string): Paint[] {
  const own = getComputedStyle(element, pseudo);
  if (!isMade(own)) return [];
  const box = isOutOfFlow(own.position) ? positionedBox(own) : null;
  // Text may be filled, outlined or replaced by pictures.
  const ink = isBlank(own) ? 0 : 1;
  if (box === null) {
    const hasBox = boxPaints(own, new Place(9, 9)).length > 0;
    const where = ink > 0 || hasBox ? unknown(place, flowBox(element, style, own, place)) : [];
    // An icon of a font is all that its element holds: it counts by its box, as other letters do.
    const isIcon = !hasBox && element.firstChild === null && own.filter === 'none' && own.mixBlendMode === 'normal';
    return where.map((paint) => ({ ...paint, isApart: true, ...(isIcon && { isText: true, isCertain: true }) }));
  }
  const block = containingBlock(element, style, own.position);
  const zoom = Number(own.getPropertyValue('zoom')) || 1;
  // What is aligned in its block, or in an area of a grid, lies somewhere in that.
  const isAligned = /[^auto /]/.test(own.gridArea + own.alignSelf + own.justifySelf);
  const at = {
    left: block.left + zoom * box.left,
    top: block.top + zoom * box.top,
    right: block.left + zoom * box.right,
    bottom: block.top + zoom * box.bottom,
  };
  const paints = paintsAt(own, isAligned ? block.place.asUnknown : block.place, at, ink);
  const { position } = own;
  return paints.map((paint) => ({ ...paint, isApart: true, position }));
}

/** Where a pseudo-element in the flow may lie: outside of its element at most as far as its lengths say. */
function flowBox(
  { scrollWidth, scrollHeight }: Element,
  { display, fontSize }: CSSStyleDeclaration,
  own: CSSStyleDeclaration,
  place: Place,
): Box {
  const [width, height] = outerSize(own);
  // Browsers name a width of outlines that are not drawn, too.
  const outline = own.outlineStyle === 'none' ? '' : `${own.outlineWidth} ${own.outlineOffset}`;
  let out = reachOf(own) + lengthsIn(`${own.inset} ${own.boxShadow} ${outline}`);
  const hasSize = width + height >= 0;
  // Only what is larger than its element, or drawn out of it, goes beyond it.
  const margins = sidesOf(own, 'margin-*');
  const span = (a: 0 | 1, b: 2 | 3): number => Math.abs(margins[a]) + Math.abs(margins[b]);
  const [across, down] = hasSize
    ? [width + span(1, 3) - place.width, height + span(0, 2) - place.height]
    : [0, parseFloat(own.fontSize) - parseFloat(fontSize)];
  // A line of words is as high as its letters, whatever lies around them.
  if (display === 'inline' || !hasSize) out += lengthsIn(`${own.margin} ${own.padding} ${own.borderWidth}`);
  else for (const margin of margins) out -= Math.min(0, margin);
  if (hasSize) {
    const matrix = transformOf(own, width, height);
    const at = new Place(width, height, matrix ?? undefined);
    const to = at.toWindow(at.box);
    out += matrix === null ? ANYWHERE_PX : Math.max(-to.left, -to.top, to.right - width, to.bottom - height, 0);
  }
  const [x, y] = [out + Math.max(0, across), out + Math.max(0, down)];
  const [right, bottom] = [Math.max(place.width, scrollWidth) + x, Math.max(place.height, scrollHeight) + y];
  return { left: -x, top: -y, right, bottom };
}

/** How far effects on a pseudo-element, or on its text, may paint beyond it. */
function reachOf(own: CSSStyleDeclaration): number {
  if (own.filter.includes('url') || ODD_REACH.some((name) => has(own, name))) return ANYWHERE_PX;
  return BLUR * lengthsIn(`${own.filter} ${isBlank(own) ? '' : own.textShadow}`);
}
const ODD_REACH = ['-webkit-box-reflect', 'border-image-source'];

/** What a pseudo-element paints around a box of a place, with its own transforms. */
function paintsAt(own: CSSStyleDeclaration, outer: Place, box: Box, least: number): Paint[] {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const matrix = transformOf(own, width, height);
  const isKnown =
    matrix !== null &&
    !['clip-path', 'mask-image', 'filter'].some((name) => has(own, name)) &&
    own.mixBlendMode === 'normal';
  const place = outer.within(box, matrix ?? undefined);
  // Its box is hit even where it is transparent.
  const clear = {
    shape: place.pointsToWindow(cornersOf(place.box)),
    opacity: 0,
    isCertain: true,
  };
  const paints = [clear, ...boxPaints(own, place, least)];
  let reach = reachOf(own);
  // Turned in space, it may lie at any side of itself.
  if (matrix === null) reach += has(own, 'offset-path') ? ANYWHERE_PX : width + height;
  if (reach > 0 && paints.length > 1)
    paints.push(...unknown(place, grown(place.box, reach), place.toWindow(place.box)));
  return paints.map((paint) => ({
    ...paint,
    opacity: paint.opacity * Number(own.opacity),
    isCertain: isKnown && paint.isCertain,
  }));
}

/** The border box, from the corner of the padding box that it is positioned in. */
function positionedBox(own: CSSStyleDeclaration): Box | null {
  const [left, top] = [own.left, own.top].map(parseFloat);
  if (![left, top, ...outerSize(own)].every(Number.isFinite)) return null;
  const x = left! + px(own, 'margin-left');
  const y = top! + px(own, 'margin-top');
  const [width, height] = outerSize(own);
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** The size of its border box; NaN where it is as large as its words. */
function outerSize(own: CSSStyleDeclaration): [width: number, height: number] {
  const isWhole = own.boxSizing === 'border-box';
  const [borders, paddings] = [sidesOf(own, 'border-*-width'), sidesOf(own, 'padding-*')];
  const rim = (a: 0 | 1, b: 2 | 3): number => (isWhole ? 0 : borders[a] + borders[b] + paddings[a] + paddings[b]);
  return [parseFloat(own.width) + rim(1, 3), parseFloat(own.height) + rim(0, 2)];
}

/** Where the lengths of something positioned in an element begin: at the corner of its containing padding box. */
function containingBlock(
  element: Element,
  style: CSSStyleDeclaration,
  position: string,
): { left: number; top: number; place: Place } {
  let at: Element | null = element;
  let its = style;
  while (at !== null && !holdsPositioned(position, its)) {
    at = parentOf(at);
    if (at !== null) its = getComputedStyle(at);
  }
  if (at === null && position === 'fixed') return { left: 0, top: 0, place: windowPlace() };
  const { documentElement, scrollingElement } = element.ownerDocument;
  const block = at ?? documentElement;
  const { clientLeft, clientTop, scrollLeft, scrollTop } = block;
  // Scrolling moves the box of the page; other boxes stay, and their content moves.
  const isPage = at === null || at === scrollingElement;
  const place = placeOf(block);
  const isBroken = block.getClientRects().length > 1;
  return {
    left: clientLeft - (isPage ? 0 : scrollLeft),
    top: clientTop - (isPage ? 0 : scrollTop),
    place: isBroken ? place.asUnknown : place,
  };
}

/** The backdrop of an element in the top layer: it covers the whole window, unless its style says otherwise. */
export function backdropPaints(element: Element): Paint[] {
  const style = getComputedStyle(element, '::backdrop');
  if (style.display === 'none' || style.visibility !== 'visible') return [];
  const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
  const box = positionedBox(style) ?? { left: 0, top: 0, right: clientWidth, bottom: clientHeight };
  const hitBox = element.getBoundingClientRect();
  return paintsAt(style, windowPlace(), box, 0).map((paint) => ({
    ...paint,
    hitBox,
    isBackdrop: true,
    isApart: true,
  }));
}
