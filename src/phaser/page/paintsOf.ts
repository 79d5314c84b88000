import { backdropPaints } from './backdropPaints.js';
import { backgroundAlpha } from './backgroundAlpha.js';
import type { Box } from './Box.js';
import { boxPaints } from './boxPaints.js';
import { colorAlpha } from './colorAlpha.js';
import { drawingPaints } from './drawingPaints.js';
import type { Paint } from './Paint.js';
import type { PictureSize } from './pictureBox.js';
import { type Place, placeOf } from './placeOf.js';
import { PSEUDO_ELEMENTS } from './PseudoElement.js';
import { pseudoPaints } from './pseudoPaints.js';
import { showsNothing } from './showsNothing.js';
import { textBoxes } from './textBoxes.js';
import { unknownPart } from './unknownPart.js';

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
  const isReplaced = REPLACED.has(element.tagName) && !showsNothing(element, style);
  const isCanvas = isReplaced && element.tagName === 'CANVAS';
  const least = isReplaced && !isCanvas ? 1 : 0;
  const own = Math.max(least, backgroundAlpha(style));
  const place = placeOf(element);
  const parts = isReplaced ? [] : partsOf(element, style, place);
  const paints =
    parts.length > 1
      ? parts.flatMap((part) => boxPaints(place.toOwn(part), style, least, place, true))
      : boxPaints(place.toOwn(box), style, least, place, false, isReplaced ? sizeOf(element) : null);
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
  if (hasBackdrop) paints.push(...backdropPaints(element));
  for (const pseudo of PSEUDO_ELEMENTS) paints.push(...pseudoPaints(element, style, pseudo));
  return paints;
}

/** The lines or columns into which it is broken; none where their boxes are not what it fills. */
function partsOf(element: Element, { display }: CSSStyleDeclaration, { isUpright }: Place): Box[] {
  // The caption of a table is a box of it.
  return isUpright && !display.includes('table') ? [...element.getClientRects()] : [];
}

/** Of the picture that an element shows; null where it has none, or fills its box with it in any case. */
function sizeOf(element: Element): PictureSize | null {
  const { naturalWidth = 0, naturalHeight = 0 } = element as Partial<HTMLImageElement>;
  const { videoWidth = naturalWidth, videoHeight = naturalHeight } = element as Partial<HTMLVideoElement>;
  return videoWidth > 0 && videoHeight > 0 ? { width: videoWidth, height: videoHeight } : null;
}
