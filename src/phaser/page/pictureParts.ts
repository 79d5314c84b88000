import { clipConvex } from '../../geometry/clipConvex.js';
import type { BackgroundLayer } from './backgroundLayers.js';
import { type Box, boxAround, overlap } from './Box.js';
import { gradientOf, type GradientPart, gradientParts, samenessOf } from './gradientParts.js';
import { pictureTiles } from './pictureTiles.js';
import { isPolygon, pointsOf, type Shape } from './RoundBox.js';

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
  const tiles = pictureTiles(layer, origin, within, { ...sameness, hasNoSize: isGradient });
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

function commonPart(shapes: readonly Shape[], other: Shape): Shape[] {
  return shapes.flatMap((shape): Shape[] => {
    if (!isPolygon(shape) && !isPolygon(other)) {
      const both = overlap(shape, other);
      return both === null ? [] : [both];
    }
    const [points, cutter] = [pointsOf(shape), pointsOf(other)];
    const cut = new Float64Array(points.length + cutter.length);
    const length = clipConvex(points, 0, points.length / 2, cutter, 0, cutter.length / 2, cut);
    return length < 3 ? [] : [[...cut.subarray(0, 2 * length)]];
  });
}
