import { pictureAlpha } from './backgroundAlpha.js';
import { backgroundLayers } from './backgroundLayers.js';
import { borderPicture } from './borderPicture.js';
import { type Box, boxAround, outside, overlap } from './Box.js';
import { colorAlpha } from './colorAlpha.js';
import { commonPart } from './commonPart.js';
import { cornerRadii } from './cornerRadii.js';
import { hasBackdropFilter } from './hasBackdropFilter.js';
import type { Paint } from './Paint.js';
import { pictureBox, type PictureSize } from './pictureBox.js';
import { pictureParts } from './pictureParts.js';
import type { Place } from './placeOf.js';
import { isPolygon, ringOf, type RoundBox, type Shape, shapeOf, sidesOf, widened } from './RoundBox.js';
import { shadowsOf } from './shadowsOf.js';
import { SIDES } from './sides.js';
import { splitAtCommas } from './splitAtCommas.js';
import { styleLength } from './styleLength.js';

/**
 * What the CSS box model paints around a box in lengths of a place: background, border, outline, shadows.
 * @param least How opaque its background is at least.
 * @param isChanged The box is no longer what a picture in the background is laid out in.
 * @param picture The size of the one picture in it that makes it opaque, if that is known.
 */
export function boxPaints(
  box: Box,
  style: CSSStyleDeclaration,
  least: number,
  place: Place,
  isChanged = false,
  picture: PictureSize | null = null,
): Paint[] {
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
  const edge = (name: string): number => styleLength(style, name);
  const rim = (name: string): Box => {
    const [top, right, bottom, left] = SIDES.map((side) => -edge(name.replace('*', side))) as Four;
    return { left, top, right, bottom };
  };
  const whole: RoundBox = { box, radii: cornerRadii(style, box.right - box.left, box.bottom - box.top) };
  const inner = widened(whole, rim('border-*-width'));
  const content = widened(inner, rim('padding-*'));
  const boxes: Readonly<Record<string, RoundBox>> = {
    'border-box': whole,
    'padding-box': inner,
    'content-box': content,
  };
  const layers = backgroundLayers(style);
  // Below all pictures, the colour is cut as the last of them is.
  const lastClip = splitAtCommas(style.backgroundClip).at(-1)!;
  const isInner = lastClip !== 'border-box';
  const ground = shapeOf(boxes[lastClip] ?? whole);
  const shown = picture === null ? box : (overlap(pictureBox(style, picture, content.box), content.box) ?? NOWHERE);
  const isFilled = outside(box, shown).length === 0;
  if (!isFilled) paint(commonPart([shown], shapeOf(content)), least);
  let background = Math.max(isFilled ? least : 0, lastClip === 'text' ? 0 : colorAlpha(style.backgroundColor));
  for (const layer of background < 1 || isInner ? layers : []) {
    // It fills letters, whose boxes count.
    if (layer.clip === 'text') continue;
    const filled = shapeOf(boxes[layer.clip] ?? whole);
    const parts = isChanged ? null : pictureParts(layer, (boxes[layer.origin] ?? inner).box, filled);
    if (parts !== null) for (const part of parts) paint([part.shape], part.opacity);
    else if (layer.clip === lastClip) background = 1 - (1 - background) * (1 - pictureAlpha(layer.image));
    else paint([filled], pictureAlpha(layer.image));
  }
  paint([ground], background);
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

const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 };

type Four = [top: number, right: number, bottom: number, left: number];

function evenly(by: number): Box {
  return { left: by, top: by, right: by, bottom: by };
}

const BORDERS = ['borderTopColor', 'borderRightColor', 'borderBottomColor', 'borderLeftColor'] as const;

function areal(box: Box): Box[] {
  return box.right > box.left && box.bottom > box.top ? [box] : [];
}
