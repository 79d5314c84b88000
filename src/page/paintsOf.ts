import { type Box, boxAround, common, contains, cornersOf, grown, isEmpty, moved } from './Box.js';
import { boxPaints, FAINT, type Paint, unknown } from './boxPaints.js';
import { colorAlpha, has, px, shadowsIn, sidesOf } from './css.js';
import { isInTopLayer } from './flatTree.js';
import { type Place, placeOf, windowPlace } from './placeOf.js';
import { backdropPaints, hasPseudo, PSEUDO_ELEMENTS, pseudoPaints } from './pseudoPaints.js';
import { inside, roundBox } from './shapes.js';

/** Room that lists leave at their start for their markers, */
const LIST_MARGIN_PX = 40;
/** and the most that numbers and words take there, in font sizes. */
const LIST_WORDS_EM = 6;

/** Everything an element paints itself, without its children, as if nothing clipped it. */
export function paintsOf(element: Element, style: CSSStyleDeclaration): Paint[] {
  if (element.tagName === 'svg')
    return [
      ...boxPaints(style, placeOf(element)),
      ...unknown(windowPlace(), drawingBox(element, style), element.getBoundingClientRect()),
    ];
  const place = placeOf(element);
  const isPicture = REPLACED.test(element.tagName) || style.content.includes('(');
  const lines = isPicture || style.display.includes('table') || !place.isUpright ? [] : [...element.getClientRects()];
  const paints =
    lines.length > 1
      ? lines.flatMap((line) => boxPaints(style, place.within(place.toOwn(line))))
      : boxPaints(style, place, isPicture && element.tagName !== 'CANVAS' ? 1 : 0);
  // Confetti and cursors are drawn on canvases that are mostly transparent, and reading a canvas may change it.
  const isOpaque = colorAlpha(style.backgroundColor) === 1;
  if (isPicture && element.tagName === 'CANVAS' && !isOpaque) paints.push(...unknown(place, place.box));
  if (element.tagName === 'math') paints.push(...unknown(place, place.box));
  if (hasUnknownParts(style)) paints.push(...unknown(place, unknownBox(style, place.box), place.toWindow(place.box)));
  const ink = style.backgroundClip.includes('text') ? 1 : colorAlpha(style.webkitTextFillColor || style.color);
  const ground = isOpaque ? element.getBoundingClientRect() : null;
  for (const line of isPicture ? [] : textLines(element)) {
    const isOnGround =
      ground !== null && contains(ground, line.left, line.top) && contains(ground, line.right, line.bottom);
    if (ink > 0 && !isOnGround) paints.push({ shape: cornersOf(line), opacity: ink, isCertain: true, isText: true });
    for (const { box, opacity } of aroundText(style, line))
      paints.push({ shape: cornersOf(box), opacity, isCertain: true, isText: true, hitBox: line });
  }
  if (isPicture) return paints;
  if (element.tagName === 'DETAILS' && boxPaints(getComputedStyle(element, '::details-content'), place).length > 0)
    paints.push(...unknown(place, place.box));
  if (hasScrollControls(element, style)) paints.push(...unknown(place, place.box));
  const lineReach = decorationReach(style);
  if (lineReach > 0) paints.push(...unknown(windowPlace(), grown(element.getBoundingClientRect(), lineReach)));
  if (isInTopLayer(element)) paints.push(...backdropPaints(element));
  if (FIRST_PARTS.some((part) => standsOut(getComputedStyle(element, part), style)))
    paints.push(...unknown(place, place.box));
  paints.push(...ownParts(element, style, place));
  for (const pseudo of PSEUDO_ELEMENTS) paints.push(...pseudoPaints(element, style, place, pseudo));
  return paints;
}

/** Whether an element's own paint, without its content, may reach an area outside its box. Called for every element. */
export function paintsBeyond(element: Element, style: CSSStyleDeclaration, area: Box): boolean {
  return (
    style.boxShadow !== 'none' ||
    style.outlineStyle !== 'none' ||
    has(style, 'border-image-source') ||
    (style.display.includes('list-item') && hasUnknownParts(style)) ||
    decorationReach(style) > 0 ||
    (element.tagName === 'svg' && style.overflowX === 'visible') ||
    hasPseudo(element) ||
    wordsReach(element, style, area)
  );
}

/** Whether text directly inside an element, or what is painted around the text, is near an area. */
function wordsReach(element: Element, style: CSSStyleDeclaration, area: Box): boolean {
  if (!Array.from(element.childNodes).some(isWords)) return false;
  const { display, textIndent, textShadow } = style;
  // Most text lies within its element's box. Flex boxes may let it out on the side that does not scroll.
  const mayLeave =
    element.scrollWidth > element.clientWidth ||
    element.scrollHeight > element.clientHeight ||
    textShadow !== 'none' ||
    textIndent.includes('-') ||
    /flex|grid|contents/.test(display) ||
    px(style, '-webkit-text-stroke-width') > 0;
  if (!mayLeave) return false;
  const meets = (box: Box): boolean => !isEmpty(common(area, grown(box, 1)));
  return textLines(element).some((line) => meets(line) || aroundText(style, line).some(({ box }) => meets(box)));
}

function isWords(node: Node): boolean {
  return node.nodeType === 3 && (node.textContent ?? '').trim() !== '';
}

/** What outlines and shadows of letters cover around a line of text, with the line's box in place of its letters. */
function aroundText(style: CSSStyleDeclaration, line: Box): { box: Box; opacity: number }[] {
  const stroke = px(style, '-webkit-text-stroke-width') / 2;
  const letters = grown(line, stroke);
  const found = stroke > 0 ? [{ box: letters, opacity: 1 }] : [];
  for (const { alpha, x, y, blur } of shadowsIn(style.textShadow)) {
    const box = moved(letters, x, y);
    found.push({ box, opacity: alpha });
    if (blur > 0) found.push({ box: grown(box, 2 * blur), opacity: FAINT * alpha });
  }
  return found;
}

/** How far text decorations of a given thickness or offset go beyond the text of an element, in CSS pixels. */
function decorationReach(style: CSSStyleDeclaration): number {
  if ((style.textDecorationLine || 'none') === 'none') return 0;
  return px(style, 'text-decoration-thickness') + Math.abs(px(style, 'text-underline-offset'));
}

/** Elements that show something of their own in place of their content, whatever their background. */
const REPLACED = /^(?:IMG|VIDEO|AUDIO|CANVAS|IFRAME|OBJECT|EMBED|FENCEDFRAME|INPUT|TEXTAREA|SELECT|PROGRESS|METER)$/;

/** Whether a scrolling box has scroll buttons or markers. A style may put them anywhere: outside the box only hits find them. */
export function hasScrollControls(element: Element, style: CSSStyleDeclaration): boolean {
  if (!/auto|scroll|hidden/.test(style.overflow)) return false;
  return (
    has(style, 'scroll-marker-group') || BUTTONS.some((one) => /"|\(/.test(getComputedStyle(element, one).content))
  );
}
const BUTTONS = ['up', 'down', 'left', 'right'].map((side) => `::scroll-button(${side})`);

const FIRST_PARTS = ['::first-line', '::first-letter'];

/** Whether a part of an element's text has its own background, a more opaque colour, or another size. */
function standsOut(part: CSSStyleDeclaration, { color, fontSize }: CSSStyleDeclaration): boolean {
  const isPlain = colorAlpha(part.backgroundColor) === 0 && !has(part, 'background-image');
  return !isPlain || part.fontSize !== fontSize || colorAlpha(part.color) > colorAlpha(color);
}

/** What browsers draw by themselves at an element: its scroll bars, its resize corner, a legend in a border. */
function ownParts(element: Element, style: CSSStyleDeclaration, place: Place): Paint[] {
  const { box } = place;
  const { clientLeft, clientTop, clientWidth, clientHeight } = element;
  const parts: Box[] = [];
  if (/auto|scroll/.test(style.overflow)) {
    const inner = inside(roundBox(style, place.width, place.height), sidesOf(style, 'border-*-width')).box;
    const seen = {
      left: clientLeft,
      top: clientTop,
      right: clientLeft + clientWidth,
      bottom: clientTop + clientHeight,
    };
    parts.push({ ...inner, left: seen.right }, { ...inner, right: seen.left }, { ...inner, top: seen.bottom });
  }
  if (has(style, 'resize') && style.overflow !== 'visible') {
    parts.push({
      ...box,
      top: box.bottom - RESIZER_PX,
      left: style.direction === 'rtl' ? box.left : box.right - RESIZER_PX,
    });
    if (style.direction === 'rtl') parts.push({ ...box, top: box.bottom - RESIZER_PX, right: RESIZER_PX });
  }
  const legend = element.tagName === 'FIELDSET' ? element.querySelector('legend') : null;
  if (legend !== null)
    parts.push({ ...box, bottom: Math.max(clientTop, place.toOwn(legend.getBoundingClientRect()).bottom) });
  return parts
    .filter((part) => part.right - part.left > LEAST_PART_PX && part.bottom - part.top > LEAST_PART_PX)
    .flatMap((part) => unknown(place, part));
}
const RESIZER_PX = 16;
/** Smaller parts are rounding: client sizes are whole pixels. */
const LEAST_PART_PX = 1;

/** Whether an element has list markers or lines between columns or rows: no style tells how far these reach. */
function hasUnknownParts(style: CSSStyleDeclaration): boolean {
  const isPoint = style.display.includes('list-item');
  if (isPoint && (has(style, 'list-style-image') || has(style, 'list-style-type'))) return true;
  const hasRules = ['column', 'row'].some(
    (name) =>
      has(style, `${name}-rule-style`) &&
      style.getPropertyValue(`${name}-rule-style`) !== 'hidden' &&
      px(style, `${name}-rule-width`) > 0 &&
      colorAlpha(style.getPropertyValue(`${name}-rule-color`)) > 0,
  );
  const hasColumns = style.columnCount !== 'auto' || style.columnWidth !== 'auto' || /flex|grid/.test(style.display);
  return hasRules && hasColumns;
}

/** Where the unknown parts lie: for a list marker beside the element, or at its start if the marker is inside. */
function unknownBox(style: CSSStyleDeclaration, box: Box): Box {
  const { display, listStylePosition, listStyleImage, listStyleType, direction, fontSize } = style;
  if (!display.includes('list-item')) return box;
  const isInside = listStylePosition === 'inside';
  // A marker image may have any size.
  if (isInside && listStyleImage !== 'none') return box;
  const wide = /disc|circle|square|none/.test(listStyleType)
    ? LIST_MARGIN_PX
    : Math.max(LIST_MARGIN_PX, LIST_WORDS_EM * parseFloat(fontSize));
  const out = isInside ? 0 : wide;
  return direction === 'rtl'
    ? { ...box, left: box.right - wide + out, right: box.right + out }
    : { ...box, left: box.left - out, right: box.left - out + wide };
}

/** Boxes of the text lines directly inside an element. */
function textLines(element: Element): Box[] {
  return [...element.childNodes].flatMap((node) => {
    if (!isWords(node)) return [];
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(node);
    const { fontSize, fontStyle } = getComputedStyle(element);
    // Slanted letters lean out of their line, and combining marks are stacked on letters.
    const out = parseFloat(fontSize) * (STACKED.test(node.textContent ?? '') ? 2 : fontStyle === 'normal' ? 0 : 0.2);
    return [...range.getClientRects()].map((line) => (out > 0 ? grown(line, out) : line));
  });
}
const STACKED = /\p{M}{3}/u;

/** Where an SVG drawing may paint. */
function drawingBox(svg: Element, style: CSSStyleDeclaration): Box {
  const box = svg.getBoundingClientRect();
  if (style.overflowX !== 'visible') return box;
  const parts = [...svg.querySelectorAll('*')].map((part) => part.getBoundingClientRect());
  const drawn = [box, ...parts.filter(({ width, height }) => width > 0 || height > 0)];
  const all = boxAround(drawn.flatMap(cornersOf));
  // Lines and their ends go beyond the box of their shape.
  return grown(all, Math.max(all.right - all.left, all.bottom - all.top));
}
