import { type Box, boxAround, common, contains, cornersOf, EVERYWHERE, grown, isEmpty, moved, shrunk } from './Box.js';
import { boxPaints, FAINT, type Paint, pictureBox, sharesBorders, unknown } from './boxPaints.js';
import { colorAlpha, has, px, shadowsIn, sidesOf } from './css.js';
import { Place, placeOf, windowPlace } from './placeOf.js';
import { hasPseudo, PSEUDO_ELEMENTS, pseudoPaints } from './pseudoPaints.js';
import { cut, inside, ring, roundBox } from './shapes.js';
import { showsPicture } from './showsPicture.js';

/** What browsers draw in their own way, somewhere in its box. */
const WIDGETS = 'progress, meter, [type="range"], [type="checkbox"], [type="radio"]';

/** The thumb of a slider may be as large, however thin the slider is. */
const THUMB_PX = 32;

/** How far the thumb of a slider may stand out of its box. */
function thumbReach(element: Element): number {
  const { type, offsetWidth, offsetHeight } = element as HTMLInputElement;
  return type === 'range' ? Math.max(0, THUMB_PX - Math.min(offsetWidth, offsetHeight)) / 2 : 0;
}

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
  const isPicture = showsPicture(element, style);
  if (isPicture && element.matches(WIDGETS))
    return [
      ...unknown(place, grown(place.box, thumbReach(element))),
      ...boxPaints(style, place).map((paint) => ({ ...paint, isCertain: false })),
    ];
  // In place of a missing picture there is a small sign or its text.
  const mayBeClear = element.tagName === 'CANVAS' || (element as Partial<HTMLImageElement>).naturalWidth === 0;
  const lines = isPicture || style.display.includes('table') || !place.isUpright ? [] : [...element.getClientRects()];
  const paints =
    lines.length > 1
      ? lines.flatMap((line) => boxPaints(style, place.within(place.toOwn(line))))
      : boxPaints(style, place, isPicture && !mayBeClear ? 1 : 0, pictureIn(element, style, place));
  // Confetti and cursors are drawn on canvases that are mostly transparent, and reading a canvas may change it.
  const isOpaque = colorAlpha(style.backgroundColor) === 1;
  if (isPicture && mayBeClear && !isOpaque) paints.push(...unknown(place, place.box));
  const ground = element.getBoundingClientRect();
  const hasPlate = !isPicture && hasPlates(element, style);
  // Of a turned line the browser tells the box around it, which reaches farther than the line.
  const isTurned = place.isKnown && !place.isUpright && !hasPlate;
  const within = isTurned && holdsWords(element, style) ? place.pointsToWindow(cornersOf(place.box)) : null;
  for (const hitBox of isPicture ? [] : hasPlate ? plateOf(element) : textLines(element, style)) {
    for (const { box, opacity } of hasPlate ? [{ box: hitBox, opacity: 1 }] : inkOf(style, hitBox, place)) {
      const isOnGround = isOpaque && contains(ground, box.left, box.top) && contains(ground, box.right, box.bottom);
      const shape = within === null ? cornersOf(box) : cut(cornersOf(box), within);
      if (!isOnGround) paints.push({ shape, opacity, isCertain: true, isText: true, hitBox });
    }
  }
  if (isPicture) return paints;
  const outer = place.toWindow(place.box);
  paints.push(...unknownBoxes(element, style, place).flatMap((box) => unknown(place, box, outer)));
  const far = decorationReach(style);
  if (far > 0) {
    const words = contentOf(element).getBoundingClientRect();
    if (!isEmpty(words)) paints.push(...unknown(windowPlace(), grown(words, far * place.scale), outer));
  }
  for (const pseudo of PSEUDO_ELEMENTS) paints.push(...pseudoPaints(element, style, place, pseudo));
  return paints;
}

/** Whether an element's own paint, without its content, may reach an area outside its box. Called for every element. */
export function paintsBeyond(element: Element, style: CSSStyleDeclaration, area: Box): boolean {
  return (
    style.boxShadow !== 'none' ||
    style.outlineStyle !== 'none' ||
    has(style, 'border-image-source') ||
    hasMarker(style) ||
    thumbReach(element) > 0 ||
    sharesBorders(style) ||
    hasScrollControls(element, style) ||
    decorationReach(style) > 0 ||
    (element.tagName === 'svg' && style.overflowX === 'visible') ||
    hasPseudo(element) ||
    wordsReach(element, style, area)
  );
}

/** Whether text directly inside an element, or what is painted around the text, is near an area. */
function wordsReach(element: Element, style: CSSStyleDeclaration, area: Box): boolean {
  if (!Array.from(element.childNodes).some(isWords) || !wordsMayLeave(element, style)) return false;
  const meets = (box: Box): boolean => !isEmpty(common(area, grown(box, 1)));
  const place = placeOf(element);
  return textLines(element, style).some((line) => inkOf(style, line, place).some(({ box }) => meets(box)));
}

/** Most text lies within its element's box. Flex boxes may let it out on the side that does not scroll. */
function wordsMayLeave(element: Element, style: CSSStyleDeclaration): boolean {
  const { display, textIndent, textShadow } = style;
  return (
    element.scrollWidth > element.clientWidth ||
    element.scrollHeight > element.clientHeight ||
    textShadow !== 'none' ||
    textIndent.includes('-') ||
    /flex|grid|contents/.test(display) ||
    px(style, '-webkit-text-stroke-width') > 0
  );
}

/** Whether no letter directly inside an element reaches beyond the element's box. */
function holdsWords(element: Element, style: CSSStyleDeclaration): boolean {
  return style.fontStyle === 'normal' && !STACKED.test(element.textContent ?? '') && !wordsMayLeave(element, style);
}

function contentOf(node: Node): Range {
  const range = node.ownerDocument!.createRange();
  range.selectNodeContents(node);
  return range;
}

function isWords(node: Node): boolean {
  return node.nodeType === 3 && (node.textContent ?? '').trim() !== '';
}

/** What letters, their outlines and their shadows cover at a line of text, with the line's box in place of its letters. */
function inkOf(style: CSSStyleDeclaration, line: Box, place: Place): { box: Box; opacity: number }[] {
  const stroke = (px(style, '-webkit-text-stroke-width') / 2) * place.scale;
  const letters = grown(line, stroke);
  const ink = style.backgroundClip.includes('text') ? 1 : colorAlpha(style.webkitTextFillColor);
  const found = [{ box: letters, opacity: stroke > 0 ? 1 : ink }];
  for (const { alpha, x, y, blur } of shadowsIn(style.textShadow)) {
    const box = moved(letters, ...place.vectorToWindow(x, y));
    found.push({ box, opacity: alpha });
    if (blur > 0) found.push({ box: grown(box, 2 * blur * place.scale), opacity: FAINT * alpha });
  }
  return found;
}

/** How far text decorations of a given thickness or offset, and marks of emphasis, may go beyond the text of an element. */
function decorationReach(style: CSSStyleDeclaration): number {
  const size = px(style, 'font-size');
  const marks = has(style, 'text-emphasis-style') ? 2 * size : 0;
  if (!has(style, 'text-decoration-line')) return marks;
  const [thickness, offset] = [px(style, 'text-decoration-thickness'), Math.abs(px(style, 'text-underline-offset'))];
  // Thick lines keep off the letters, and waves and double lines take several times their thickness.
  return thickness + offset === 0 ? marks : marks + 3 * thickness + offset + size;
}

/** Where the picture of a replaced element lies in its border box; null where it fills that, or its size is unknown. */
function pictureIn(element: Element, style: CSSStyleDeclaration, place: Place): Box | null {
  const { naturalWidth = 0, naturalHeight = 0 } = element as Partial<HTMLImageElement>;
  const { videoWidth = naturalWidth, videoHeight = naturalHeight } = element as Partial<HTMLVideoElement>;
  if (!(videoWidth > 0 && videoHeight > 0)) return null;
  const border = roundBox(style, place.width, place.height);
  const content = inside(inside(border, sidesOf(style, 'border-*-width')), sidesOf(style, 'padding-*')).box;
  const shown = common(pictureBox(style, videoWidth, videoHeight, content), content);
  return isEmpty(shown) ? null : shown;
}

/** Whether a scrolling box has scroll buttons or markers. */
function hasScrollControls(element: Element, style: CSSStyleDeclaration): boolean {
  if (!/auto|scroll|hidden/.test(style.overflow)) return false;
  return (
    has(style, 'scroll-marker-group') || BUTTONS.some((one) => /"|\(/.test(getComputedStyle(element, one).content))
  );
}
const BUTTONS = ['up', 'down', 'left', 'right'].map((side) => `::scroll-button(${side})`);

/** Boxes of an element in which nobody can tell what is seen. */
function unknownBoxes(element: Element, style: CSSStyleDeclaration, place: Place): Box[] {
  const { box } = place;
  // A style may put scroll buttons anywhere.
  const boxes = hasScrollControls(element, style) ? [EVERYWHERE] : [];
  if (isOdd(element, style)) boxes.push(box);
  if (hasMarker(style)) boxes.push(markerRoom(element, style, place));
  // The corner by which a player can resize it lies left or right.
  if (has(style, 'resize')) boxes.push({ ...box, top: box.bottom - RESIZER_PX });
  if (/auto|scroll/.test(style.overflow)) {
    const { clientLeft: left, clientTop: top, clientWidth, clientHeight } = element;
    const client = { left, top, right: left + clientWidth, bottom: top + clientHeight };
    const bars = ring(cornersOf(shrunk(box, sidesOf(style, 'border-*-width'))), cornersOf(client)).map(boxAround);
    boxes.push(...bars.filter((bar) => !isEmpty(grown(bar, -LEAST_BAR_PX / 2))));
  }
  return boxes;
}
/** Anything thinner is rounding: client sizes are whole pixels. */
const LEAST_BAR_PX = 1;
const RESIZER_PX = 16;

/** Whether an element has parts that are drawn somewhere in its box: formulas, lines between columns. */
function isOdd(element: Element, style: CSSStyleDeclaration): boolean {
  switch (element.tagName) {
    case 'math':
      return true;
    case 'FIELDSET':
      // It stands in the border.
      if (element.querySelector('legend') !== null) return true;
      break;
    case 'DETAILS':
      if (boxPaints(getComputedStyle(element, '::details-content'), new Place(9, 9)).length > 0) return true;
  }
  return (
    ['column-rule-style', 'row-rule-style'].some((name) => has(style, name)) ||
    ['::first-line', '::first-letter'].some((part) => standsOut(getComputedStyle(element, part), style))
  );
}

/** Whether an element is a point of a list with a marker: no style tells how far that reaches. */
function hasMarker(style: CSSStyleDeclaration): boolean {
  return style.display.includes('list-item') && (has(style, 'list-style-image') || has(style, 'list-style-type'));
}

/** Where the marker of a point in a list may be: beside its box, and in that no farther than where its words begin. */
function markerRoom(element: Element, style: CSSStyleDeclaration, place: Place): Box {
  const { box } = place;
  const isInside = style.listStylePosition === 'inside';
  const out = isInside ? 0 : Math.max(LIST_MARGIN_PX, LIST_WORDS_EM * parseFloat(style.fontSize));
  const isTold =
    !isInside &&
    !has(style, 'list-style-image') &&
    place.isUpright &&
    style.writingMode === 'horizontal-tb' &&
    [...element.childNodes].some(isWords);
  const lines = isTold ? [...contentOf(element).getClientRects()].map((line) => place.toOwn(line)) : [];
  return style.direction === 'rtl'
    ? {
        ...box,
        left: isTold ? Math.min(box.right, ...lines.map((line) => line.right)) : box.left,
        right: box.right + out,
      }
    : {
        ...box,
        left: box.left - out,
        right: isTold ? Math.max(box.left, ...lines.map((line) => line.left)) : box.right,
      };
}

/** Whether a part of an element's text has its own background, a more opaque colour, or another size. */
function standsOut(part: CSSStyleDeclaration, { color, fontSize }: CSSStyleDeclaration): boolean {
  const isPlain = colorAlpha(part.backgroundColor) === 0 && !has(part, 'background-image');
  return !isPlain || part.fontSize !== fontSize || colorAlpha(part.color) > colorAlpha(color);
}

/** Boxes of the text lines directly inside an element. */
function textLines(element: Element, { fontSize, fontStyle, backgroundClip }: CSSStyleDeclaration): Box[] {
  // A background that fills letters fills those of all that the element holds.
  const nodes = backgroundClip.includes('text') ? [element] : [...element.childNodes].filter(isWords);
  return nodes.flatMap((node) => {
    // Slanted letters lean out of their line, and combining marks are stacked on letters.
    const out = parseFloat(fontSize) * (STACKED.test(node.textContent ?? '') ? 2 : fontStyle === 'normal' ? 0 : 0.2);
    return [...contentOf(node).getClientRects()].map((line) => grown(line, out));
  });
}
const STACKED = /\p{M}{3}/u;

/** Whether text lies on an opaque plate: so browsers keep it readable where the system forces its colours ("high contrast"). */
function hasPlates(element: Element, style: CSSStyleDeclaration): boolean {
  return (
    has(style, 'forced-color-adjust') &&
    element.ownerDocument.defaultView!.matchMedia('(forced-colors: active)').matches
  );
}

/** The box around all lines that go on from each other in an element, as its plate is drawn. */
function plateOf(element: Element): Box[] {
  const linesIn = (node: Node): Box[] => {
    if (node.nodeType !== 3) {
      const isInline =
        node === element || (node.nodeType === 1 && getComputedStyle(node as Element).display === 'inline');
      return isInline ? [...node.childNodes].flatMap(linesIn) : [];
    }
    return [...contentOf(node).getClientRects()];
  };
  const lines = linesIn(element);
  return lines.length === 0 ? [] : [boxAround(lines.flatMap(cornersOf))];
}

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
