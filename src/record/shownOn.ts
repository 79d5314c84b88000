import { ClipRegion } from '../geometry/ClipRegion.js';
import type { Shape } from './DrawOp.js';
import { intersection, type PaintContext } from './PaintContext.js';

/** The region of the canvas where a shape is shown, together with effects that paint around it. */
export function shownOn(context: PaintContext, { xy }: Shape, clip: ClipRegion): ClipRegion {
  const { reachPx } = context;
  const quad = new ClipRegion();
  const points = context.place(xy);
  quad.addPiece(points, 0, points.length / 2);
  if (!(reachPx > 0)) return intersection(uprightOf(quad), clip);
  const around = new ClipRegion();
  around.setRectangle(quad.minX - reachPx, quad.minY - reachPx, quad.maxX + reachPx, quad.maxY + reachPx);
  return context.clip === null ? around : intersection(around, context.clip);
}

/** The same region, known to be a rectangle if it is one. */
function uprightOf(region: ClipRegion): ClipRegion {
  const { xy, minX, minY, maxX, maxY } = region;
  for (let i = 0; i < 8; i += 2) {
    if ((xy[i] !== minX && xy[i] !== maxX) || (xy[i + 1] !== minY && xy[i + 1] !== maxY)) return region;
  }
  const upright = new ClipRegion();
  upright.setRectangle(minX, minY, maxX, maxY);
  return upright;
}
