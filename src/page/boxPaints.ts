import { type Box, boxAround, common, cornersOf, grown, isEmpty, moved, type Sides } from './Box.js';
import { colorAlpha, has, lengthOf, px, shadowsIn, sidesOf, splitAt } from './css.js';
import { alphasOf, gradientBands } from './gradientBands.js';
import type { Place } from './placeOf.js';
import { cut, inside, outlineOf, ring, roundBox, type Shape } from './shapes.js';

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

/**
 * What the CSS box model paints around the border box of a place: background, border, outline, shadows.
 * @param least How opaque it is at least within its content box.
 * @param content The part that is at least so opaque, if not the whole border box.
 */
export function boxPaints(style: CSSStyleDeclaration, place: Place, least = 0, content: Box | null = null): Paint[] {
  const whole = roundBox(style, place.width, place.height);
  const { box } = whole;
  const outer = place.toWindow(box);
  const paints: Paint[] = [];
  const paint = (shapes: readonly Shape[], opacity: number, more: Partial<Paint> = {}): void => {
    for (const shape of shapes) {
      const isSeen = opacity > 0 && shape.length >= 6;
      if (isSeen) paints.push({ shape: place.pointsToWindow(shape), opacity, isCertain: place.isKnown, ...more });
    }
  };
  const borders = sidesOf(style, 'border-*-width');
  const inner = inside(whole, borders);
  const outlines: Record<string, Shape> = {
    'border-box': outlineOf(whole),
    'padding-box': outlineOf(inner),
    'content-box': outlineOf(inside(inner, sidesOf(style, 'padding-*'))),
  };
  const border = outlines['border-box']!;
  const clips = splitAt(style.backgroundClip, ',');
  const color = clips.at(-1) === 'text' ? 0 : colorAlpha(style.backgroundColor);
  const isFilled = least > 0 && content === null;
  if (least > 0 && content !== null) paint([cut(cornersOf(content), border)], least);
  const ground = outlines[clips.at(-1)!] ?? border;
  paint([ground], isFilled ? Math.max(least, color) : color);
  const isPlain = color === 1 && ground === border;
  if (has(style, 'background-image') && !isPlain) paints.push(...picturePaints(style, place, outlines, clips));
  // A backdrop filter may turn what lies below into its opposite, which takes twice as much away.
  if (has(style, 'backdrop-filter')) paints.push(...unknown(place, box).map((paint) => ({ ...paint, opacity: 2 })));
  if (has(style, 'border-image-source')) {
    const outset = style.borderImageOutset
      .split(' ')
      .map((one, i) => parseFloat(one) * (one.endsWith('px') ? 1 : borders[i % 2]!));
    const far = inside(whole, even(-Math.max(...outset))).box;
    // A frame is as wide as the border and leaves the inside free.
    const isFrame = style.borderImageWidth === '1' && !style.borderImageSlice.includes('fill');
    paint(ring(cornersOf(far), isFrame ? cornersOf(inner.box) : []), 1, { isCertain: false, hitBox: outer });
  } else if (sharesBorders(style)) {
    // The widest of those that meet is drawn, half of it in either box.
    const reach = Math.max(...borders) / 2;
    paint(ring(cornersOf(grown(box, reach)), cornersOf(inner.box)), 1, { isCertain: false, hitBox: outer });
  } else if (borders.some((width) => width > 0)) {
    const alphas = ['Top', 'Right', 'Bottom', 'Left'].map((side) =>
      colorAlpha(style[`border${side}Color` as 'borderTopColor']),
    );
    const parts = ring(border, outlines['padding-box']!);
    const how = BROKEN.test(style.borderStyle) ? { isCertain: false } : {};
    if (alphas.every((alpha) => alpha === alphas[0])) paint(parts, alphas[0]!, how);
    // Two sides meet on the line through the corners of both boxes.
    else
      mitres(box, inner.box).forEach((side, i) =>
        paint(
          parts.map((part) => cut(part, side)),
          alphas[i]!,
          how,
        ),
      );
  }
  if (style.outlineStyle !== 'none') {
    // Browsers draw a ring of their own.
    const isOwn = style.outlineStyle === 'auto';
    const from = inside(whole, even(-px(style, 'outline-offset')));
    const to = inside(from, even(-px(style, 'outline-width') - (isOwn ? AUTO_RING_PX : 0)));
    const alpha = isOwn ? 1 : colorAlpha(style.outlineColor);
    const how = {
      hitBox: outer,
      isOutline: true,
      ...((isOwn || BROKEN.test(style.outlineStyle)) && { isCertain: false }),
    } as const;
    paint(ring(outlineOf(to), outlineOf(from)), alpha, how);
  }
  for (const { alpha, x, y, blur, spread, isInset } of shadowsIn(style.boxShadow)) {
    const from = isInset ? inner : whole;
    const at = { ...from, box: moved(from.box, x, y) };
    const shadow = (by: number): Shape => outlineOf(inside(at, even(isInset ? by : -by)));
    // A blurred edge has half of its strength where the sharp one would be: a faint one takes half of the light farther in.
    const far = isInset || alpha <= 0.5 ? 0 : within(0.5 / alpha, blur);
    const [edge, end] = [shadow(spread - far), shadow(spread + blur)];
    if (isInset) {
      const padding = outlines['padding-box']!;
      paint(ring(padding, edge), alpha);
      // Where the soft edges of two sides meet, each adds to the other.
      const isAlone = x === 0 && y === 0 && spread <= 0 && Math.min(place.width, place.height) > 2 * blur;
      const corner = Math.min(blur / 2, isAlone ? within(2 - 1 / alpha, blur) || 0 : Infinity);
      const soft = blur > 0 ? [...ring(edge, end), ...meetings(inside(at, even(spread)).box, corner)] : [];
      for (const part of soft) paint([cut(part, padding)], FAINT * alpha);
    } else {
      // No shadow lies below its own box.
      paint(ring(edge, border), alpha, { hitBox: outer });
      if (blur > 0)
        paint(
          ring(end, edge).flatMap((part) => ring(part, border)),
          FAINT * (far > 0 ? 1 : alpha),
          { hitBox: outer },
        );
    }
  }
  return paints;
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

/** How far within the edge of something blurred it has a share of its strength: nearly as the normal distribution has it. */
function within(share: number, blur: number): number {
  return ((blur / 2) * Math.log(share / (1 - share))) / 1.65;
}

function even(by: number): Sides {
  return [by, by, by, by];
}

/** The overlaps of the rims along the sides of a box: its corners, or all of it if the box is narrow. */
function meetings(box: Box, width: number): Shape[] {
  const { left, top, right, bottom } = box;
  const sides = [{ right: left + width }, { left: right - width }, { bottom: top + width }, { top: bottom - width }];
  const rims = sides.map((side): Box => ({ ...box, ...side }));
  const parts = rims.flatMap((rim, i) => rims.slice(i + 1).map((other) => common(rim, other)));
  return parts.filter((part) => !isEmpty(part)).map(cornersOf);
}

/** The parts of a frame that belong to its sides, from the top clockwise. */
function mitres(outer: Box, inner: Box): Shape[] {
  const from = cornersOf(outer);
  const to = cornersOf(inner);
  return [0, 2, 4, 6].map((i) => {
    const next = (i + 2) % 8;
    return [from[i]!, from[i + 1]!, from[next]!, from[next + 1]!, to[next]!, to[next + 1]!, to[i]!, to[i + 1]!];
  });
}

/** Background pictures: gradients that fill their box; for other pictures it is unknown what they cover. */
function picturePaints(
  style: CSSStyleDeclaration,
  place: Place,
  outlines: Record<string, Shape>,
  clips: string[],
): Paint[] {
  const lists = ['size', 'position', 'repeat', 'attachment', 'origin'].map((name) =>
    splitAt(style.getPropertyValue(`background-${name}`), ','),
  );
  return splitAt(style.backgroundImage, ',').flatMap((image, i): Paint[] => {
    // CSS repeats lists that are too short. A picture that fills letters counts by the boxes of the text.
    const [size, position, repeat, attachment, origin] = lists.map((list) => list[i % list.length]!);
    const clip = clips[i % clips.length]!;
    if (image === 'none' || clip === 'text') return [];
    const area = outlines[clip] ?? outlines['border-box']!;
    const tile = boxAround(outlines[origin!] ?? outlines['padding-box']!);
    const { least, most } = alphasOf(image);
    const fillsAll = repeat === 'repeat' && least === most;
    const isWhole = (size === 'auto' || size === '100% 100%') && /^-?[\d.]+% -?[\d.]+%$/.test(position!);
    const isOnce = repeat === 'no-repeat' || origin === clip || isSame(tile, boxAround(area));
    const bands = fillsAll
      ? [{ shape: area, opacity: most }]
      : isWhole && isOnce && attachment !== 'fixed'
        ? gradientBands(image, tile)
        : null;
    if (bands === null) return unknown(place, boxAround(area)).map((paint) => ({ ...paint, opacity: most }));
    return bands.flatMap(({ shape, opacity }) => {
      const part = cut(cut(shape, cornersOf(tile)), area);
      const whole = fillsAll ? area : part;
      return whole.length < 6 || opacity <= 0
        ? []
        : [{ shape: place.pointsToWindow(whole), opacity, isCertain: place.isKnown }];
    });
  });
}

function isSame(a: Box, b: Box): boolean {
  return a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom;
}

/** Where a picture of some size lies in a content box; it may be larger than the box (`object-fit`). */
export function pictureBox(style: CSSStyleDeclaration, width: number, height: number, content: Box): Box {
  const { objectFit, objectPosition } = style;
  if ((objectFit || 'fill') === 'fill') return content;
  const across = (content.right - content.left) / width;
  const down = (content.bottom - content.top) / height;
  const inner = Math.min(across, down);
  const scale =
    { contain: inner, cover: Math.max(across, down), none: 1, 'scale-down': Math.min(1, inner) }[objectFit] ?? 1;
  const [x, y] = splitAt(objectPosition, ' ');
  const left = content.left + (lengthOf(x, content.right - content.left - width * scale) || 0);
  const top = content.top + (lengthOf(y, content.bottom - content.top - height * scale) || 0);
  return { left, top, right: left + width * scale, bottom: top + height * scale };
}
