import type { BackgroundLayer } from './backgroundLayers.js';
import { type Box, boxAround } from './Box.js';
import { commonPart } from './commonPart.js';
import { gradientOf, type GradientPart, gradientParts, samenessOf } from './gradientParts.js';
import { knownPicture } from './knownPicture.js';
import { pictureTiles } from './pictureTiles.js';
import { isPolygon, type Shape } from './RoundBox.js';

/** A background that falls into more parts counts as a whole. */
const MOST_PARTS = 256;

/**
 * What a picture in a background paints: of a gradient parts of one opacity each, of all others their boxes.
 * @param origin The box in which it is laid out.
 * @param filled What it is cut to; convex.
 * @returns Null where nobody can tell, or there are too many parts.
 */
export function pictureParts(layer: BackgroundLayer, origin: Box, filled: Shape): GradientPart[] | null {
  if (layer.attachment !== 'scroll') return null;
  const within = isPolygon(filled) ? boxAround(filled) : filled;
  const gradient = gradientOf(layer.image);
  const isGradient = layer.image.includes('-gradient(');
  if (gradient === null && isGradient) return null;
  const sameness = gradient === null ? { isSameAcross: true, isSameDown: true } : samenessOf(gradient);
  const size = isGradient ? null : knownPicture(layer.image);
  if (size === 'missing') return [];
  const tiles = pictureTiles(layer, origin, within, { ...sameness, hasNoSize: isGradient, size });
  if (tiles === null) return null;
  const parts: GradientPart[] = [];
  for (const tile of tiles) {
    const own = gradient === null ? [{ shape: tile, opacity: 1 }] : gradientParts(gradient, tile);
    if (own === null) return null;
    for (const { shape, opacity } of own) {
      for (const cut of commonPart(commonPart([shape], tile), filled)) parts.push({ shape: cut, opacity });
    }
    if (parts.length > MOST_PARTS) return null;
  }
  return parts;
}
