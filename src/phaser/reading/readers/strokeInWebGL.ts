import type { PolygonTape } from './PolygonTape.js';

/** Up to this line width WebGL leaves the corners of a stroke open (`MultiPipeline.batchLine`). */
const WIDEST_UNJOINED = 2;

/**
 * Strokes the polyline of `points` (x and y alternating, `from ≤ i < to`) as Phaser's WebGL renderer does: one quad per
 * segment and, above two pixels of width, two triangles across each corner.
 * @param widths Width at each vertex of `points`; null when it is `width` throughout.
 * @param width Decides about the corners, and is the width itself when `widths` is null.
 * @param isClosed The last point repeats the first, and the corner there is joined too.
 */
export function strokeInWebGL(
  tape: PolygonTape,
  points: ArrayLike<number>,
  from: number,
  to: number,
  widths: ArrayLike<number> | null,
  width: number,
  isClosed: boolean,
): void {
  const isJoined = width > WIDEST_UNJOINED;
  let hasFirst = false;
  let firstTopX = 0;
  let firstTopY = 0;
  let firstBottomX = 0;
  let firstBottomY = 0;
  let previousTopX = 0;
  let previousTopY = 0;
  let previousBottomX = 0;
  let previousBottomY = 0;
  for (let i = from; i + 3 < to; i += 2) {
    const ax = points[i]!;
    const ay = points[i + 1]!;
    const bx = points[i + 2]!;
    const by = points[i + 3]!;
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    if (length === 0) continue;
    const startHalf = (widths === null ? width : widths[i >> 1]!) / 2;
    const endHalf = (widths === null ? width : widths[(i >> 1) + 1]!) / 2;
    const nx = (by - ay) / length;
    const ny = (ax - bx) / length;
    const topLeftX = ax + startHalf * nx;
    const topLeftY = ay + startHalf * ny;
    const bottomLeftX = ax - startHalf * nx;
    const bottomLeftY = ay - startHalf * ny;
    const bottomRightX = bx - endHalf * nx;
    const bottomRightY = by - endHalf * ny;
    const topRightX = bx + endHalf * nx;
    const topRightY = by + endHalf * ny;
    tape.quad(topLeftX, topLeftY, bottomLeftX, bottomLeftY, bottomRightX, bottomRightY, topRightX, topRightY);
    if (!isJoined) continue;
    if (hasFirst) {
      tape.triangles(
        topLeftX,
        topLeftY,
        bottomLeftX,
        bottomLeftY,
        previousBottomX,
        previousBottomY,
        previousTopX,
        previousTopY,
      );
    } else {
      firstTopX = topLeftX;
      firstTopY = topLeftY;
      firstBottomX = bottomLeftX;
      firstBottomY = bottomLeftY;
      hasFirst = true;
    }
    if (isClosed && i + 5 >= to) {
      tape.triangles(
        bottomRightX,
        bottomRightY,
        topRightX,
        topRightY,
        firstTopX,
        firstTopY,
        firstBottomX,
        firstBottomY,
      );
    }
    previousTopX = topRightX;
    previousTopY = topRightY;
    previousBottomX = bottomRightX;
    previousBottomY = bottomRightY;
  }
}
