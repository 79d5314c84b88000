import { type Box, boxAround, cornersOf, grown, isEmpty, moved, shrunk, type Sides } from './Box.js';
import { colorAlpha, has, lengthOf, px, shadowsIn, sidesOf, splitAt } from './css.js';
import { alphasOf, gradientBands } from './gradientBands.js';
import type { Place } from './placeOf.js';
import { cut, hasOddCorners, inside, outlineOf, ring, roundBox, type RoundBox, type Shape } from './shapes.js';

/** Something that an element paints. */
export interface Paint {
  /** A convex polygon in the window, x and y alternating. */
  readonly shape: Shape;
  /** 0–1, without the opacity of the element and its ancestors. If it is unknown, the highest value it may have. */
  readonly opacity: number;
  /** False where it is unknown what the player sees in the box around the shape. */
  readonly isCertain: boolean;
  /** Where the element can be hit, when that is not where it paints. */
  readonly hitBox?: Box;
  /** It is the element's backdrop and covers the whole page: effects on the element do not change it. */
  readonly isBackdrop?: true;
  /** It is text, which may lie above what its element holds. */
  readonly isText?: true;
  /** A pseudo-element paints it, whose place in the paint order may differ from that of the element. */
  readonly isApart?: true;
  /** It is drawn after what lies in and beside its box, so it may lie above things that the box itself lies below. */
  readonly isOutline?: true;
  /** CSS `position` of a pseudo-element, where it has one: other boxes clip it than clip its element. */
  readonly position?: string;
}

/** A paint that says: it is unknown what is seen in this box of a place. */
export function unknown(place: Place, box: Box, hitBox?: Box): Paint[] {
  const where = place.toWindow(box);
  return isEmpty(where) ? [] : [{ shape: cornersOf(where), opacity: 1, isCertain: false, ...(hitBox && { hitBox }) }];
}

/** A box, what lies within its borders, and their outlines, in its own lengths. */
interface Outlines {
  readonly whole: RoundBox;
  readonly borders: Sides;
  /** Within the borders. */
  readonly inner: RoundBox;
  readonly border: Shape;
  /** Those within it, by their names in CSS: `padding-box`, `content-box`. */
  readonly named: Readonly<Record<string, Shape>>;
}

/** A paint of a box, in the lengths of the box. */
type OwnPaint = Pick<Paint, 'shape' | 'opacity' | 'isOutline'> & {
  readonly isCertain?: boolean;
  /** It lies beside the box, where the element is not hit. */
  readonly isBeside?: true;
};

/**
 * What the CSS box model paints around the border box of a place: background, border, outline, shadows.
 * @param least How opaque it is at least within its content box.
 * @param filled The part that is at least so opaque, if not the whole border box.
 */
export function boxPaints(style: CSSStyleDeclaration, place: Place, least = 0, filled: Box | null = null): Paint[] {
  const whole = roundBox(style, place.width, place.height);
  const borders = sidesOf(style, 'border-*-width');
  const inner = inside(whole, borders);
  const border = outlineOf(whole);
  const content = outlineOf(inside(inner, sidesOf(style, 'padding-*')));
  const named = { 'padding-box': outlineOf(inner), 'content-box': content };
  const outlines: Outlines = { whole, borders, inner, border, named };
  const outer = place.toWindow(whole.box);
  const paints = [
    ...(least > 0 ? [{ shape: cut(cornersOf(filled ?? whole.box), border), opacity: least }] : []),
    ...groundPaints(style, outlines),
    ...borderPaints(style, outlines),
    ...outlinePaints(style, outlines),
    ...shadowPaints(style, outlines),
  ]
    .filter(({ shape, opacity }: OwnPaint) => opacity > 0 && shape.length >= 6)
    .map(({ shape, isCertain = true, isBeside, ...more }: OwnPaint): Paint => {
      const isSure = isCertain && place.isKnown;
      return { ...more, shape: place.pointsToWindow(shape), isCertain: isSure, ...(isBeside && { hitBox: outer }) };
    });
  // Rims do not follow corners of other shapes than round ones.
  if (paints.length > 0 && hasOddCorners(style)) paints.push(...unknown(place, whole.box, outer));
  return paints;
}

/** The background, and what filters may paint in its place. */
function* groundPaints(style: CSSStyleDeclaration, outlines: Outlines): Generator<OwnPaint> {
  const { whole, border, named } = outlines;
  const clips = splitAt(style.backgroundClip, ',');
  const last = clips.at(-1)!;
  if (last !== 'text') yield { shape: named[last] ?? border, opacity: colorAlpha(style.backgroundColor) };
  if (has(style, 'background-image')) yield* pictureBands(style, outlines, clips);
  // A filter of the page may paint where there is nothing.
  if (style.filter.includes('url')) yield { shape: cornersOf(grown(whole.box, 1)), opacity: 1, isCertain: false };
  // A backdrop filter may turn what lies below into its opposite, which takes twice as much away.
  if (has(style, 'backdrop-filter')) yield { shape: cornersOf(whole.box), opacity: 2, isCertain: false };
}

function* borderPaints(style: CSSStyleDeclaration, outlines: Outlines): Generator<OwnPaint> {
  const { whole, inner, borders, border, named } = outlines;
  const isPicture = has(style, 'border-image-source');
  if (isPicture || sharesBorders(style)) {
    const widest = Math.max(...borders);
    const outset = style.borderImageOutset.split(' ').map((one) => parseFloat(one) * (one.endsWith('px') ? 1 : widest));
    // The widest of the borders that cells share is drawn, half of it in either box.
    const far = grown(whole.box, isPicture ? Math.max(...outset) : widest / 2);
    // A frame is as wide as the border and leaves the inside free.
    const isFrame = style.borderImageWidth === '1' && !style.borderImageSlice.includes('fill');
    for (const shape of ring(cornersOf(far), isFrame ? cornersOf(inner.box) : []))
      yield { shape, opacity: 1, isCertain: false, isBeside: true };
  } else if (borders.some((width) => width > 0)) {
    const alphas = ['Top', 'Right', 'Bottom', 'Left'].map((side) =>
      colorAlpha(style[`border${side}Color` as 'borderTopColor']),
    );
    const parts = ring(border, named['padding-box']!);
    const isCertain = !BROKEN.test(style.borderStyle);
    // Two sides meet on the line through the corners of both boxes.
    const isEven = alphas.every((alpha) => alpha === alphas[0]);
    const sides = isEven ? [cornersOf(whole.box)] : mitres(whole.box, borders);
    for (const [i, side] of sides.entries())
      for (const part of parts) yield { shape: cut(part, side), opacity: alphas[i]!, isCertain };
  }
}

function* outlinePaints(style: CSSStyleDeclaration, { whole }: Outlines): Generator<OwnPaint> {
  if (style.outlineStyle === 'none') return;
  const { right: width, bottom: height } = whole.box;
  // Browsers draw a ring of their own.
  const isOwn = style.outlineStyle === 'auto';
  // However far it is moved in, some of it is drawn.
  const from = inside(whole, even(Math.min(-px(style, 'outline-offset'), width / 2, height / 2)));
  const to = inside(from, even(-px(style, 'outline-width') - (isOwn ? AUTO_RING_PX : 0)));
  const opacity = isOwn ? 1 : colorAlpha(style.outlineColor);
  const isCertain = !isOwn && !BROKEN.test(style.outlineStyle);
  for (const shape of ring(outlineOf(to), outlineOf(from)))
    yield { shape, opacity, isCertain, isBeside: true, isOutline: true };
}

function* shadowPaints(style: CSSStyleDeclaration, outlines: Outlines): Generator<OwnPaint> {
  const { whole, inner, border, named } = outlines;
  const padding = named['padding-box']!;
  for (const { alpha, x, y, blur, spread, isInset } of shadowsIn(style.boxShadow)) {
    const from = isInset ? inner : whole;
    const at = inside({ ...from, box: moved(from.box, x, y) }, even(isInset ? spread : -spread));
    // Its rim begins where it takes half of the light; one that never does is half as strong as it can be there.
    const half = alpha > 0.5 ? 0.5 / alpha : 0.5;
    const shares = blur > 0 ? [half, LEAST_SHARE] : [half];
    const edges = shares.map((share) => softOutline(at, blur, isInset ? 1 - share : share));
    for (const [i, edge] of edges.entries()) {
      const before = i > 0 ? edges[i - 1]! : isInset ? padding : [];
      const parts = isInset ? ring(before, edge) : ring(edge, before);
      // No shadow lies below its own box, nor outside of it within.
      const shown = parts.flatMap((part) => (isInset ? [cut(part, padding)] : ring(part, border)));
      const opacity = alpha * (i > 0 ? 2 * FAINT * shares[i - 1]! : 1);
      for (const shape of shown) yield { shape, opacity, isBeside: true };
    }
  }
}

/** Whether it is a table whose cells share borders, or a part of one. */
export function sharesBorders({ borderCollapse, display }: CSSStyleDeclaration): boolean {
  return borderCollapse === 'collapse' && display.includes('table');
}

/** Lines with gaps. */
const BROKEN = /dashed|dotted|double/;
/** How far the browser's own focus ring goes beyond the outline width. */
const AUTO_RING_PX = 3;

/** How strong the outer half of a blurred edge is at most. */
export const FAINT = 0.49;

/** A smaller share of a shadow does not show. */
const LEAST_SHARE = 0.04;
/** How steep a blurred edge is, times its blur: nearly as the normal distribution has it. */
const STEEP = 3.35;

/** What of a blurred box has at least some share of its strength. */
function softOutline(sharp: RoundBox, blur: number, share: number): Shape {
  if (blur === 0) return outlineOf(sharp);
  const { left, top, right, bottom } = sharp.box;
  const inAt = (part: number): number => (blur / STEEP) * Math.log(part / (1 - part));
  // Blurred from both sides, a narrow box is weaker in its middle, too.
  const whole = [bottom - top, right - left].map((length) => Math.tanh((STEEP * length) / blur / 4));
  const [x, y] = whole.map((one) => (share < one ? inAt(share / one) : Infinity)) as [number, number];
  const { box, radii } = inside(sharp, [y, x, y, x]);
  // Where two edges meet, each makes the other weaker: its corners are rounder.
  const bend = (inAt(Math.sqrt(share)) - inAt(share)) / (1 - Math.SQRT1_2);
  const most = Math.min(box.right - box.left, box.bottom - box.top) / 2;
  const bent = (radius: number): number => Math.min(most, Math.hypot(radius, bend));
  return outlineOf({ box, radii: radii.map(([across, down]) => [bent(across), bent(down)]) });
}

function even(by: number): Sides {
  return [by, by, by, by];
}

/** The parts of a frame that belong to its sides, from the top clockwise, as far in as the frame may be round. */
function mitres(outer: Box, [top, right, bottom, left]: Sides): Shape[] {
  const across = (outer.right - outer.left) / (left + right);
  const far = Math.min(across, (outer.bottom - outer.top) / (top + bottom));
  const from = cornersOf(outer);
  const to = cornersOf(shrunk(outer, [top * far, right * far, bottom * far, left * far]));
  return [0, 2, 4, 6].map((i) => {
    const next = (i + 2) % 8;
    return [from[i]!, from[i + 1]!, from[next]!, from[next + 1]!, to[next]!, to[next + 1]!, to[i]!, to[i + 1]!];
  });
}

/** Background pictures: gradients that fill their box; for other pictures it is unknown what they cover. */
function pictureBands(style: CSSStyleDeclaration, { border, named }: Outlines, clips: string[]): OwnPaint[] {
  const lists = ['size', 'position', 'repeat', 'attachment', 'origin'].map((name) =>
    splitAt(style.getPropertyValue(`background-${name}`), ','),
  );
  return splitAt(style.backgroundImage, ',').flatMap((image, i): OwnPaint[] => {
    // CSS repeats lists that are too short. A picture that fills letters counts by the boxes of the text.
    const [size, position, repeat, attachment, origin] = lists.map((list) => list[i % list.length]!);
    const clip = clips[i % clips.length]!;
    const area = named[clip] ?? border;
    if (image === 'none' || clip === 'text' || area.length < 6) return [];
    const tile = boxAround(named[origin!] ?? border);
    const { least, most } = alphasOf(image);
    const fillsAll = repeat === 'repeat' && least === most;
    const isWhole = (size === 'auto' || size === '100% 100%') && /^-?[\d.]+% -?[\d.]+%$/.test(position!);
    const isOnce = repeat === 'no-repeat' || cornersOf(tile).join() === cornersOf(boxAround(area)).join();
    if (fillsAll) return [{ shape: area, opacity: most }];
    const bands = isWhole && isOnce && attachment !== 'fixed' ? gradientBands(image, tile) : null;
    if (bands === null) return [{ shape: cornersOf(boxAround(area)), opacity: most, isCertain: false }];
    return bands.map(({ shape, opacity }) => ({ shape: cut(cut(shape, cornersOf(tile)), area), opacity }));
  });
}

/**
 * Where a picture of some size lies in a content box; it may be larger than the box (`object-fit`). NaN if its position is
 * unknown.
 */
export function pictureBox(style: CSSStyleDeclaration, width: number, height: number, content: Box): Box {
  const { objectFit, objectPosition } = style;
  if (objectFit === 'fill') return content;
  const across = (content.right - content.left) / width;
  const down = (content.bottom - content.top) / height;
  const inner = Math.min(across, down);
  const scale =
    { contain: inner, cover: Math.max(across, down), none: 1, 'scale-down': Math.min(1, inner) }[objectFit] ?? 1;
  const [x, y] = splitAt(objectPosition, ' ');
  const left = content.left + lengthOf(x, content.right - content.left - width * scale);
  const top = content.top + lengthOf(y, content.bottom - content.top - height * scale);
  return { left, top, right: left + width * scale, bottom: top + height * scale };
}
