import { type Box, boxAround, outside, overlap } from './Box.js';
import { colorAlpha } from './colorAlpha.js';
import { cornerRadii } from './cornerRadii.js';
import { opacityChain, parentOf } from './flatTree.js';
import { gradientParts } from './gradientParts.js';
import { type Place, placeOf, THE_WINDOW } from './placeOf.js';
import { isPolygon, ringOf, type RoundBox, type Shape, shapeOf, sidesOf, widened } from './RoundBox.js';
import { showsNothing } from './showsNothing.js';

/** One rectangle an element paints. */
export interface Paint {
  /** In the window; of any other shape the box around it. */
  readonly box: Box;
  /** The corners of a turned, skewed or rounded rectangle, or of a convex part of some shape, x and y alternating. */
  readonly corners?: readonly number[];
  /** 0–1, without the opacity of the element and of what it is in. */
  readonly opacity: number;
  /** False where it changes what lies below in a way that cannot be known. */
  readonly isCertain: boolean;
  /** Where the element can be hit, when that is not where it paints. */
  readonly hitBox?: Box;
  /** What of the element paints it, if not the element itself. */
  readonly pseudo?: PseudoElement;
}

export const PSEUDO_ELEMENTS = ['::before', '::after'] as const;
type PseudoElement = (typeof PSEUDO_ELEMENTS)[number];

/** Elements that paint a picture of their own, whatever their background. */
const REPLACED = new Set([
  'IMG',
  'VIDEO',
  'CANVAS',
  'IFRAME',
  'EMBED',
  'OBJECT',
  'INPUT',
  'TEXTAREA',
  'SELECT',
  'PROGRESS',
  'METER',
]);

/** Everything an element paints but for its children, as if nothing cut it out. */
export function paintsOf(element: Element, style: CSSStyleDeclaration, hasBackdrop: boolean): Paint[] {
  const box = element.getBoundingClientRect();
  const isReplaced = REPLACED.has(element.tagName) && !showsNothing(element);
  const isCanvas = isReplaced && element.tagName === 'CANVAS';
  const least = isReplaced && !isCanvas ? 1 : 0;
  const own = Math.max(least, backgroundAlpha(style));
  const place = placeOf(element);
  const paints = boxPaints(place.toOwn(box), style, least, place);
  // Confetti and cursors are drawn on canvases that are clear for the most part, and asking one may change it.
  if (isCanvas && own < 1) paints.push({ box, opacity: 1, isCertain: false });
  const vague = unknownPart(style, place, box);
  if (vague !== null) paints.push({ box: vague, opacity: 1, isCertain: false, ...(vague !== box && { hitBox: box }) });
  if (element.tagName === 'svg') return [...paints, ...drawingPaints(element, style, box)];
  // Where a gradient is clear, words on it show.
  const isPlain = own === 0 || (own !== least && colorAlpha(style.backgroundColor) === 0);
  const ink = isPlain ? colorAlpha(style.webkitTextFillColor || style.color) : 0;
  if (ink > 0) for (const line of textBoxes(element)) paints.push({ box: line, opacity: ink, isCertain: true });
  if (isReplaced) return paints;
  if (hasBackdrop) {
    const backdrop = getComputedStyle(element, '::backdrop');
    if (backdrop.display !== 'none') {
      const opacity = backgroundAlpha(backdrop) * Number(backdrop.opacity);
      paints.push({ box: EVERYWHERE, opacity, isCertain: true, hitBox: box });
      if (hasBackdropFilter(backdrop)) paints.push({ box: EVERYWHERE, opacity: 1, isCertain: false, hitBox: box });
    }
  }
  for (const pseudo of PSEUDO_ELEMENTS) paints.push(...pseudoPaints(element, style, pseudo));
  return paints;
}

/** Where an element paints something of which no style tells how far it goes: lines between columns, pictures in lists. */
function unknownPart(style: CSSStyleDeclaration, place: Place, box: Box): Box | null {
  if (hasListPicture(style)) {
    if (style.listStylePosition === 'inside') return box;
    const { left, top, right, bottom } = place.toOwn(box);
    return place.toWindow(
      style.direction === 'rtl'
        ? { left: right, top, right: right + LIST_MARGIN_PX, bottom }
        : { left: left - LIST_MARGIN_PX, top, right: left, bottom },
    );
  }
  const { columnRuleStyle, columnRuleWidth, columnRuleColor, columnCount, columnWidth, display } = style;
  if (columnRuleStyle === 'none' || columnRuleStyle === 'hidden' || parseFloat(columnRuleWidth) === 0) return null;
  // Newer browsers draw them between the columns of grids and rows of boxes, too.
  const hasColumns = columnCount !== 'auto' || columnWidth !== 'auto' || /flex|grid/.test(display);
  return hasColumns && colorAlpha(columnRuleColor) > 0 ? box : null;
}

/** Lists leave so much room at their start for what is beside their points. */
const LIST_MARGIN_PX = 40;

function hasListPicture({ display, listStyleImage }: CSSStyleDeclaration): boolean {
  return display.includes('list-item') && (listStyleImage || 'none') !== 'none';
}

/** Whether what an element paints, without its content, may reach beyond its box: looked at for all elements of the page. */
export function paintsBeyond(element: Element, style: CSSStyleDeclaration): boolean {
  return (
    style.boxShadow !== 'none' ||
    style.outlineStyle !== 'none' ||
    (style.borderImageSource || 'none') !== 'none' ||
    hasListPicture(style) ||
    (element.tagName === 'svg' && style.overflowX === 'visible') ||
    PSEUDO_ELEMENTS.some((pseudo) => {
      const { content } = getComputedStyle(element, pseudo);
      return content !== 'none' && content !== 'normal';
    })
  );
}

/** Drawings of more parts count as a whole. */
const MOST_PARTS = 32;

/** Parts of a drawing that paint, and what holds parts that do not. */
const PARTS = 'rect, circle, ellipse, line, polyline, polygon, path, text, image, use';
const UNPAINTED = 'defs, clipPath, mask, symbol, pattern, marker';

/** What the parts of an `<svg>` paint: the box around each. */
function drawingPaints(drawing: Element, style: CSSStyleDeclaration, box: Box): Paint[] {
  const parts = drawing.querySelectorAll(PARTS);
  const paints: Paint[] = [];
  for (const part of parts) {
    if (part.closest(UNPAINTED) !== null) continue;
    const own = getComputedStyle(part);
    if (own.visibility !== 'visible') continue;
    const opacity = /^(?:image|use)$/.test(part.tagName) ? 1 : Math.max(inkOf(own, 'fill'), inkOf(own, 'stroke'));
    const rect = strokedBox(part, own);
    const seen = style.overflowX === 'visible' ? rect : overlap(box, rect);
    if (opacity > 0 && seen !== null && seen.right > seen.left && seen.bottom > seen.top)
      paints.push({ box: seen, opacity: opacity * opacityChain(part, drawing), isCertain: true, hitBox: box });
  }
  if (paints.length <= MOST_PARTS) return paints;
  const around = boxAround(paints.flatMap(({ box: { left, top, right, bottom } }) => [left, top, right, bottom]));
  return [{ box: around, opacity: Math.max(...paints.map(({ opacity }) => opacity)), isCertain: true, hitBox: box }];
}

/** The box around a part of a drawing, with the half of its stroke that lies outside of its line. */
function strokedBox(part: Element, own: CSSStyleDeclaration): Box {
  const rect = part.getBoundingClientRect();
  const matrix = (part as Partial<SVGGraphicsElement>).getScreenCTM?.();
  if (!matrix || inkOf(own, 'stroke') === 0) return rect;
  const half = parseFloat(own.strokeWidth) / 2;
  const across = half * (own.vectorEffect === 'non-scaling-stroke' ? 1 : Math.hypot(matrix.a, matrix.c));
  const down = half * (own.vectorEffect === 'non-scaling-stroke' ? 1 : Math.hypot(matrix.b, matrix.d));
  const { left, top, right, bottom } = rect;
  // A straight line ends with its last point.
  const isFlat = part.tagName === 'line' && own.strokeLinecap === 'butt';
  const wide = isFlat && bottom - top < 1e-3 ? 0 : across;
  const high = isFlat && right - left < 1e-3 ? 0 : down;
  return { left: left - wide, top: top - high, right: right + wide, bottom: bottom + high };
}

function inkOf(style: CSSStyleDeclaration, kind: 'fill' | 'stroke'): number {
  const color = style[kind];
  if (color === 'none' || (kind === 'stroke' && parseFloat(style.strokeWidth) === 0)) return 0;
  return colorAlpha(color) * Number(style[`${kind}Opacity`]);
}

/**
 * What the CSS box model paints around a box in lengths of a place: background, border, outline, shadows.
 * @param least How opaque its background is at least.
 * @param isChanged The box is no longer what a picture in the background is laid out in.
 */
function boxPaints(box: Box, style: CSSStyleDeclaration, least: number, place: Place, isChanged = false): Paint[] {
  const paints: Paint[] = [];
  const paint = (shapes: readonly Shape[], opacity: number, hitBox?: Box): void => {
    if (opacity <= 0) return;
    for (const shape of shapes) {
      const where = isPolygon(shape) ? boxAround(shape) : shape;
      const corners = isPolygon(shape) ? place.shapeToWindow(shape) : place.cornersOf(shape);
      const at = corners === null ? { box: place.toWindow(where) } : { box: boxAround(corners), corners };
      paints.push({ ...at, opacity, isCertain: true, ...(hitBox && { hitBox }) });
    }
  };
  const outer = place.toWindow(box);
  const edge = (name: string): number => lengthOf(style, name);
  const rim = (name: string): Box => {
    const [top, right, bottom, left] = SIDES.map((side) => -edge(name.replace('*', side))) as Four;
    return { left, top, right, bottom };
  };
  const whole: RoundBox = { box, radii: cornerRadii(style, box.right - box.left, box.bottom - box.top) };
  const inner = widened(whole, rim('border-*-width'));
  const { backgroundClip } = style;
  const isInner = backgroundClip === 'padding-box' || backgroundClip === 'content-box';
  const content = widened(inner, rim('padding-*'));
  const ground = shapeOf(backgroundClip === 'content-box' ? content : isInner ? inner : whole);
  const origin = { 'border-box': whole, 'content-box': content }[style.backgroundOrigin] ?? inner;
  const isKnown = least < 1 && !isChanged && backgroundClip !== 'text';
  const parts = isKnown ? gradientParts(style, origin.box, ground) : null;
  const background = Math.max(least, parts === null ? backgroundAlpha(style) : colorAlpha(style.backgroundColor));
  paint([ground], background);
  for (const part of parts ?? []) paint([part.shape], part.opacity);
  if (hasBackdropFilter(style)) paints.push({ box: outer, opacity: 1, isCertain: false });
  const isPicture = (style.borderImageSource || 'none') !== 'none';
  if (isPicture) paint(borderPicture(box, style), pictureAlpha(style.borderImageSource), outer);
  if ((background < 1 || isInner) && !isPicture) {
    const alphas = BORDERS.map((side) => colorAlpha(style[side])) as Four;
    const [top, right, bottom, left] = alphas;
    if (whole.radii !== null) {
      for (const { shape, side } of sidesOf(whole, inner)) paint([shape], alphas[side]!);
    } else if (top === right && top === bottom && top === left) {
      paint(outside(box, inner.box), top);
    } else {
      // Where two sides meet, either may have the corner.
      paint(areal({ ...box, bottom: inner.box.top }), top);
      paint(areal({ ...box, left: inner.box.right }), right);
      paint(areal({ ...box, top: inner.box.bottom }), bottom);
      paint(areal({ ...box, right: inner.box.left }), left);
    }
  }
  if (style.outlineStyle !== 'none') {
    const from = widened(whole, evenly(edge('outline-offset')));
    paint(ringOf(widened(from, evenly(edge('outline-width'))), from), colorAlpha(style.outlineColor), outer);
  }
  for (const { color, x, y, reach, isInset } of shadowsOf(style.boxShadow)) {
    const moved = { left: box.left + x, top: box.top + y, right: box.right + x, bottom: box.bottom + y };
    const shadow = widened({ ...whole, box: moved }, evenly(isInset ? -reach : reach));
    // No shadow lies below its own box.
    if (isInset) paint(ringOf(whole, shadow), color);
    else paint(ringOf(shadow, whole), color, outer);
  }
  return paints;
}

type Four = [top: number, right: number, bottom: number, left: number];

function evenly(by: number): Box {
  return { left: by, top: by, right: by, bottom: by };
}

/** What `border-image` fills. */
function borderPicture(box: Box, style: CSSStyleDeclaration): Box[] {
  const borders = SIDES.map((side) => lengthOf(style, `border-${side}-width`));
  // Numbers are multiples of the border's width.
  const lengths = (value: string): [number, number, number, number] => {
    const [top = '1', right = top, bottom = top, left = right] = value.split(' ');
    return [top, right, bottom, left].map((one, i) => {
      const count = parseFloat(one);
      if (one.endsWith('px')) return count;
      return (Number.isNaN(count) || one.endsWith('%') ? 1 : count) * borders[i]!;
    }) as [number, number, number, number];
  };
  const [top, right, bottom, left] = lengths(style.borderImageOutset);
  const outer = { left: box.left - left, top: box.top - top, right: box.right + right, bottom: box.bottom + bottom };
  if (style.borderImageSlice.includes('fill')) return [outer];
  const [fromTop, fromRight, fromBottom, fromLeft] = lengths(style.borderImageWidth);
  return outside(outer, {
    left: outer.left + fromLeft,
    top: outer.top + fromTop,
    right: outer.right - fromRight,
    bottom: outer.bottom - fromBottom,
  });
}
const SIDES = ['top', 'right', 'bottom', 'left'] as const;

const BORDERS = ['borderTopColor', 'borderRightColor', 'borderBottomColor', 'borderLeftColor'] as const;

function areal(box: Box): Box[] {
  return box.right > box.left && box.bottom > box.top ? [box] : [];
}

/** It changes what lies below, nobody knows how. */
function hasBackdropFilter({ backdropFilter }: CSSStyleDeclaration): boolean {
  return (backdropFilter || 'none') !== 'none';
}

const EVERYWHERE: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };

interface Shadow {
  readonly color: number;
  readonly x: number;
  readonly y: number;
  /** How far it goes beyond the box: where it has half of its strength, when it is blurred. */
  readonly reach: number;
  readonly isInset: boolean;
}

/** Of the computed `box-shadow`: colour, x, y, blur, spread, `inset`. */
function shadowsOf(value: string): Shadow[] {
  if (value === 'none' || value === '') return [];
  return value.split(/,(?![^(]*\))/).map((one) => {
    const color = /[a-z]+\([^)]*\)/.exec(one)?.[0] ?? '';
    const [x = 0, y = 0, , spread = 0] =
      one
        .replace(color, '')
        .match(/-?[\d.]+px/g)
        ?.map(parseFloat) ?? [];
    return { color: colorAlpha(color), x, y, reach: spread, isInset: one.includes('inset') };
  });
}

/** Pseudo-elements: curtains, scan lines and badges are often made of them. */
function pseudoPaints(element: Element, style: CSSStyleDeclaration, pseudo: PseudoElement): Paint[] {
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

function lengthOf(style: CSSStyleDeclaration, name: string): number {
  return parseFloat(style.getPropertyValue(name)) || 0;
}

/** What border and padding add to the lengths in `width` and `height`. */
function rimOf(style: CSSStyleDeclaration): { across: number; down: number } {
  if (style.boxSizing === 'border-box') return { across: 0, down: 0 };
  const both = (one: string, other: string): number =>
    [one, other].reduce((sum, edge) => sum + lengthOf(style, `border-${edge}-width`) + lengthOf(style, `padding-${edge}`), 0); // prettier-ignore
  return { across: both('left', 'right'), down: both('top', 'bottom') };
}

function positionedBox(own: CSSStyleDeclaration, block: Block): Box | null {
  const lengths = [own.left, own.top, own.width, own.height].map(parseFloat) as [number, number, number, number];
  if (!lengths.every(Number.isFinite)) return null;
  const rim = rimOf(own);
  const zoom = Number(own.getPropertyValue('zoom')) || 1;
  const left = block.left + zoom * (lengths[0] + lengthOf(own, 'margin-left'));
  const top = block.top + zoom * (lengths[1] + lengthOf(own, 'margin-top'));
  return { left, top, right: left + zoom * (lengths[2] + rim.across), bottom: top + zoom * (lengths[3] + rim.down) };
}

/** At the start or end of the element's content. Nobody tells how far text goes: it is guessed by its letters. */
function boxInFlow(element: Element, style: CSSStyleDeclaration, own: CSSStyleDeclaration, pseudo: string): Box | null {
  const border = placeOf(element).toOwn(element.getBoundingClientRect());
  const edge = (side: string): number => lengthOf(style, `border-${side}-width`) + lengthOf(style, `padding-${side}`);
  const left = border.left + edge('left');
  const top = border.top + edge('top');
  const right = border.right - edge('right');
  const bottom = border.bottom - edge('bottom');
  const rim = rimOf(own);
  const letters = own.content.length - 2;
  const em = lengthOf(own, 'font-size');
  const width = (parseFloat(own.width) >= 0 ? parseFloat(own.width) : letters * (letters > 1 ? 0.6 : 1) * em) + rim.across; // prettier-ignore
  const height = (parseFloat(own.height) >= 0 ? parseFloat(own.height) : letters > 0 ? 1.2 * em : 0) + rim.down;
  const isLast = pseudo === '::after';
  const isRow = /flex|grid/.test(style.display) && !style.flexDirection.startsWith('column');
  const x = isLast && isRow ? right - width - lengthOf(own, 'margin-right') : left + lengthOf(own, 'margin-left');
  const y = isLast && !isRow ? bottom - height - lengthOf(own, 'margin-bottom') : top + lengthOf(own, 'margin-top');
  return width > 0 && height > 0 ? { left: x, top: y, right: x + width, bottom: y + height } : null;
}

/** Its zoom and transforms do more than move it. */
function isReshaped(own: CSSStyleDeclaration): boolean {
  const { transform, rotate, scale } = own;
  const isMoved = transform === 'none' || transform.startsWith('matrix(1, 0, 0, 1, ');
  const isZoomed = (Number(own.getPropertyValue('zoom')) || 1) !== 1;
  return !isMoved || isZoomed || [rotate, scale].some((value) => (value || 'none') !== 'none');
}

/** The box around what a pseudo-element's own transforms make of its box. */
function transformed(box: Box, own: CSSStyleDeclaration): Box {
  const { transform, transformOrigin } = own;
  const hasOwn = [transform, own.translate, own.rotate, own.scale].some((value) => (value || 'none') !== 'none');
  if (!hasOwn) return box;
  const matrix = new DOMMatrix(transform === 'none' ? '' : transform);
  matrix.preMultiplySelf(separateTransforms(own, box));
  const [x = 0, y = 0] = transformOrigin.split(' ').map(parseFloat);
  const fixed = { x: box.left + x, y: box.top + y };
  const xs: number[] = [];
  const ys: number[] = [];
  for (const cornerX of [box.left, box.right]) {
    for (const cornerY of [box.top, box.bottom]) {
      const point = matrix.transformPoint({ x: cornerX - fixed.x, y: cornerY - fixed.y });
      xs.push(fixed.x + point.x / point.w);
      ys.push(fixed.y + point.y / point.w);
    }
  }
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** What the properties `translate`, `rotate` and `scale` do, in this order before `transform`. */
function separateTransforms({ translate, rotate, scale }: CSSStyleDeclaration, box: Box): DOMMatrix {
  const matrix = new DOMMatrix();
  if ((translate || 'none') !== 'none') {
    const wholes = [box.right - box.left, box.bottom - box.top];
    const [x = 0, y = 0] = translate.split(' ').map((one, i) => parseFloat(one) * (one.endsWith('%') ? (wholes[i] ?? 0) / 100 : 1)); // prettier-ignore
    matrix.translateSelf(x, y);
  }
  const angle = (rotate || 'none') === 'none' ? null : /(-?[\d.e+-]+)deg$/.exec(rotate);
  if (angle !== null) {
    const [x = 0, y = 0, z = 1] = AXES[rotate[0]!] ?? rotate.slice(0, -angle[0].length).trim().split(' ').filter(Boolean).map(Number); // prettier-ignore
    matrix.rotateAxisAngleSelf(x, y, z, Number(angle[1]));
  }
  if ((scale || 'none') !== 'none') {
    const [x = 1, y = x] = scale.split(' ').map(Number);
    matrix.scaleSelf(x, y);
  }
  return matrix;
}
const AXES: Readonly<Record<string, readonly number[]>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

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

function backgroundAlpha({ backgroundImage, backgroundColor, backgroundClip }: CSSStyleDeclaration): number {
  // It fills letters, whose boxes count.
  if (backgroundClip === 'text') return 0;
  const below = colorAlpha(backgroundColor);
  if (backgroundImage === 'none' || backgroundImage === '') return below;
  return 1 - (1 - pictureAlpha(backgroundImage)) * (1 - below);
}

/** Of pictures of CSS: gradients at their strongest. */
function pictureAlpha(image: string): number {
  if (!/^[^;]*gradient\(/.test(image) || /url\(|image-set\(|element\(/.test(image)) return 1;
  const colors = image.match(/(?:rgba?|color|hsla?|hwb|lab|lch|oklab|oklch)\([^()]*\)/g);
  return colors === null ? 1 : Math.max(...colors.map(colorAlpha));
}

/** Boxes of the text lines directly inside an element that paints no background of its own. */
function textBoxes(element: Element): Box[] {
  const boxes: Box[] = [];
  for (const node of element.childNodes) {
    if (node.nodeType !== 3 || (node.textContent ?? '').trim() === '') continue;
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) boxes.push(rect);
  }
  return boxes;
}
